"""Passwords, codes and keys in prose: `root pw on the staging box is …`, `пароль …`, `密码是…`, `… is the password`, `log in as ann with …`.

From a word for a password (`tongues`) one reads on to the end of the sentence. The closer the value stands to the word, and the plainer the
word that links them, the less it has to look like a password: behind `is` letters and a digit are enough, at a distance it takes a sign as well.
Languages that are rarely met in code need no linking word, and in those without spaces the value is what is written in Latin letters.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from blade.untrusted.detection.chosen import (
    is_chosen,
    is_clearly_chosen,
    is_drawn,
    is_jumbled,
    is_passphrase,
    is_run_together,
    unwrapped,
)
from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.judgement import DESCRIBES, chosen_password, is_unusual
from blade.untrusted.detection.telling import SPOKEN, places_of
from blade.untrusted.detection.tongues import ARTICLES, CODES, COPULAS, ENGLISH, KEYS, LOGINS, PASSWORDS, SHORT
from blade.untrusted.detection.wordlists import small, words

REACH: Final = 100
NEAR: Final = 40
MOST_WORDS: Final = 12
_told: Final = places_of(SPOKEN)
_ROLES: Final[dict[str, str]] = (
    dict.fromkeys(LOGINS, "login")
    | dict.fromkeys(KEYS, "key")
    | dict.fromkeys(PASSWORDS, "foreign")
    | {word: "other script" for word in PASSWORDS if word[0] > "\u024f"}
    | dict.fromkeys(ENGLISH, "password")
    | dict.fromkeys(SHORT, "short")
    | dict.fromkeys((*CODES, "pin", "otp"), "code")
)
_WORD: Final = re.compile(r"\S+")
_LATIN_RUN: Final = re.compile(r"[!-~À-ɏ]+")
# Scripts that put no space between words: Thai to Burmese, Khmer, the signs and syllables of East Asia.
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SENTENCE_END: Final = re.compile(r"\n|[.!?;](?=\s)|。")
_ENDS_WORD: Final = re.compile(r"[^\W\d_]{0,6}(?:['’]s\b)?")
_NUMBER: Final = re.compile(r"\d{4,10}|\d{3}(?:[- ]\d{3}){1,3}|\d{3,5}(?:-\d{3,5}){1,3}|\d{2}(?:-\d{2}){2,3}")
_CODE: Final = re.compile(r"(?=[\w-]*\d)[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,5}")
_ANSWERED: Final = re.compile(
    r"""(?ix) [^\n.?!]{0,60}[.?!]?["']?\s{1,3}(?:["'{,\s]{0,8}[\w" ]{1,30}:[ ]{0,3}["']?)?(?:(?:sure|yes|yeah|ok(?:ay)?|certainly|of\ course|thanks?|hi|hello)[,.!\s]{1,3}){0,2}
    (?:it(?:['’]?s|\ is)|that(?:['’]s|\ is|\ would\ be)|(?:my|the)\ (?:pin|code)\ is|here\ (?:it\ is|you\ go))[:,\s]{1,3}(?P<value>\d{4,10})(?![\w.]\w)"""
)
_LATIN_WORD: Final = re.compile(r"[a-z]{8,40}")
_PAIR: Final = re.compile(
    r"""(?ix) (?:\W{1,4}(?:(?:is|are|ist|sind|est|sont|es|son|é|è|это|data)\W{1,3})?|[是为は：]\s?)
    (?:user(?:name)?\s|as\s)?['"`]?[a-z][\w.@+-]{1,40}['"`]?
    (?:\s?(?P<sign>[/|])\s?|\s?[:,]\s?|\s(?:and|und|et|y|e|i|и|/|with|mit|avec|con|com|с|:|-|–|—|pw|pass)\s)
    ['"`]?(?P<value>[^\s"'`,;]{6,64})"""
)
_WITH: Final = words(
    "with using use via und mit avec con com met med z pomocą с через и usa usando utilise nutze use: and / : with:"
)
_UNSPACED_COPULAS: Final = frozenset({"が", "は", "是", "为", "為", "就是", "가", "이"})
_IS: Final = words("is was es ist lautet est è é jest är")
_STOPS: Final = re.compile(r"[\"'`*]{0,2}(?:[.!]?[ \t]{0,2}(?:\r?\n|$)|[.!,][ ])")
_PUT: Final = words("into in dans ins en no nel in")
# Words that link in other languages, and mean something else in English.
_ENGLISH_TOO: Final = words("on son var van da ni bu fi bin era e er")


def in_prose(text: str) -> Iterator[Sensitive]:
    """What is said to be a password, a code or a key."""
    told = [*_said(text), (len(text), len(text), "")]
    for (start, end, role), (follows, _, again) in pairwise(told):
        # What stands behind the same word said again is nearer to that one. Who logs in may be said only once.
        yield from _after(text, end, role, until=follows if again == role != "login" else len(text))
        if role == "code" and (answer := _ANSWERED.match(text, end)):
            yield Sensitive("code", *answer.span("value"))
        if role not in ("key", "code"):
            yield from _before(text, start, role)
        if role == "login" and (pair := _PAIR.match(text, end)) and _is_paired(pair["value"].rstrip(".)"), pair["sign"]):
            yield Sensitive("password", *unwrapped(text, *pair.span("value")))


def _said(text: str) -> Iterator[tuple[int, int, str]]:
    """Where the words for a password, a code or a key begin and end, and what each is a word for."""
    lowered = small(text)
    seen = -1
    for start, told in _told(text):
        end = start + len(told)
        if start < seen or not stands_alone(lowered, start, end, told):
            continue
        if not _UNSPACED.search(told) and (ending := _ENDS_WORD.match(lowered, end)):
            end = ending.end()
        seen = end
        yield start, end, _ROLES[told]


def _is_paired(value: str, sign: str | None) -> bool:
    return is_clearly_chosen(value) or (sign is not None and is_chosen(value) and "_" not in value)


def stands_alone(lowered: str, start: int, end: int, word: str) -> bool:
    """Short words need their edges; longer ones may be part of a compound (`Datenbankpasswort`), but not of a name (`password_field`)."""
    after = lowered[end : end + 1]
    if after in ("_", "(", "/", "@") or (after == "." and lowered[end + 1 : end + 2].isalpha()):
        return False
    if _UNSPACED.search(word):
        return True
    before = lowered[start - 1 : start] if start else ""
    if before in ("_", "/", ".", "@", "\\") or (before == "-" and not lowered[max(start - 2, 0) : start - 1].isalpha()):
        return False
    if not word.isascii():
        return True
    if len(word) <= 5 or word in LOGINS_WITH_EDGES:
        return not before.isalnum() and not (after.isalnum() and len(word) <= 4)
    return True


LOGINS_WITH_EDGES: Final = frozenset(word for word in (*LOGINS, *KEYS) if word.isascii())


def _words(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for piece in _WORD.finditer(text, start, end):
        if _UNSPACED.search(piece[0]):
            yield from (run.span() for run in _LATIN_RUN.finditer(text, *piece.span()))
        else:
            yield piece.span()


def _after(text: str, end: int, role: str, *, until: int) -> Iterator[Sensitive]:
    """The value behind the word, before its sentence ends."""
    limit = _SENTENCE_END.search(text, end, end + REACH)
    stop = limit.end() if limit else min(end + REACH, len(text))
    if not limit and stop < len(text):
        while stop < len(text) and not text[stop].isspace() and stop - end < REACH + 64:
            stop += 1
    last = ""
    for number, (begin, close) in enumerate(_words(text, end, stop)):
        if number > MOST_WORDS or begin >= until:
            return
        inner = unwrapped(text, begin, close)
        value = text[slice(*inner)]
        linking = last.lower().strip("*\"'`,")
        linked = (
            (linking in COPULAS and (role in ("foreign", "other script") or linking not in _ENGLISH_TOO))
            or (last.endswith((":", "=")) and not last.endswith(('":', "':")))
            or text[begin] in "=:"
        )
        beside = number == 0 or not text[end:begin].strip(" \t:=-–—*\"'`(是为為はがのを는은이가를")
        linked = linked or (beside and number == 0 and text[begin] in "\"'`“«「")
        if (
            value
            and linking in _IS
            and role in ("password", "foreign")
            and _is_plain_word(text, value, inner[1], gap=text[end:begin])
        ):
            yield Sensitive("password", *inner)
            return
        if value and _is_told(value, role, linked=linked, beside=beside, gap=text[end:begin]):
            yield Sensitive(_KINDS.get(role, "password"), *inner)
            return
        last = text[begin:close]


_KINDS: Final = {"key": "key", "code": "code"}


def _is_told(value: str, role: str, *, linked: bool, beside: bool, gap: str) -> bool:
    if role == "code":
        code = _NUMBER.fullmatch(value) or is_clearly_chosen(value) or (linked and _CODE.fullmatch(value))
        return (linked or beside) and bool(code) and not DESCRIBES.search(gap)
    if role == "key":
        return is_drawn(value)
    if DESCRIBES.search(gap):
        return False
    if role == "login":
        named = " as " in gap or " als " in gap  # who logs in was said, so what follows is with what
        used = is_clearly_chosen(value) or (named and (is_chosen(value) or is_passphrase(value)))
        return is_unusual(value) or (_last(gap) in _WITH and used and "_" not in value)
    if linked and (is_chosen(value) or is_passphrase(value) or is_jumbled(value)):
        return True
    if (linked or role in ("foreign", "other script")) and role != "short" and is_run_together(value):
        return True
    if role == "other script" and len(gap) <= NEAR and is_chosen(value):
        return True
    return is_unusual(value) or is_drawn(value) or ((beside or role in ("foreign", "other script")) and is_clearly_chosen(value))


def _is_plain_word(text: str, value: str, close: int, *, gap: str) -> bool:
    """`my password is sunshine.`: one word behind the copula, with which the sentence ends."""
    return len(gap.split()) <= 5 and chosen_password(value) and bool(_STOPS.match(text, close))


def _last(gap: str) -> str:
    return "".join(gap.split()[-1:]).lower()


def _before(text: str, start: int, role: str) -> Iterator[Sensitive]:
    """The value before the word: `… is the password`, `use … to log in`, `…がパスワードです`."""
    floor = max(start - 60, 0)
    for end in _SENTENCE_END.finditer(text, floor, start):
        floor = end.end()
    spans = list(_words(text, floor, start))
    for back, (begin, close) in enumerate(reversed(spans[-5:])):
        inner = unwrapped(text, begin, close)
        value = text[slice(*inner)]
        between = [text[a:b].lower().strip("\"'`*") for a, b in spans[len(spans) - back :]]
        linked = bool(set(between) & (COPULAS | _PUT)) or text[close:start].strip() in _UNSPACED_COPULAS
        if role == "login":
            used = text[floor:begin].lower().split()[-1:]
            told = between == ["to"] and (is_unusual(value) or (used != [] and used[0] in _WITH and is_clearly_chosen(value)))
        else:
            told = all(word in ARTICLES or word in COPULAS or word in _PUT for word in between) and (
                is_unusual(value) or (linked and is_clearly_chosen(value))
            )
        if told:
            yield Sensitive("password", *inner)
            return
