"""Words near one another: a word that only a machine draws, or only somebody who needs a password writes, on a line that speaks of secrets.

Nothing links the two but the line (for what was drawn, also the next one), so whatever says that the word is something else wins:
`commit 3f2a…`, `id=…`, `sha256:…`, a part of an address. The words that speak of passwords are fewer than those that speak of secrets at
large, because a chosen password is less than a drawn token: `Kestrel2017` is one beside `password`, and anything beside `key`.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.chosen import is_chosen, is_clearly_chosen, is_jumbled, is_passphrase, is_run_together, unwrapped
from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.formats import IDS
from blade.untrusted.detection.judgement import DESCRIBES, is_placeholder
from blade.untrusted.detection.randomness import UUID, is_hex, is_random, wordiness
from blade.untrusted.detection.spoken import stands_alone
from blade.untrusted.detection.telling import NEARBY, PASSWORDS_SAID, places_of
from blade.untrusted.detection.unnamed import IN_CLASS, is_otherwise, is_unnamed
from blade.untrusted.detection.wordlists import small

BEFORE: Final = 90
AFTER: Final = 140
_secrets: Final = places_of(NEARBY)
_passwords: Final = places_of(PASSWORDS_SAID)
_DRAWN: Final = re.compile(
    r"(?:(?<![A-Za-z0-9_+/.~=%$-])|(?<==))[A-Za-z0-9][A-Za-z0-9_+/.~-]{11,400}+={0,2}(?![A-Za-z0-9_+/%(\[{-])"
)
_SPACE: Final = re.compile(r"\s")
_WORD: Final = re.compile(r"\S{6,80}+")
_LETTER_AND_MORE: Final = re.compile(r"(?=\S*[^\W\d_])\S*[\d!@#$%^&*?~_+-]")
_GROUPS: Final = re.compile(r"(?=[A-Z-]{0,40}\d)(?=[\d-]{0,40}[A-Z])[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}")
_BASE32: Final = re.compile(r"(?=[A-Z]{0,40}[2-7])[A-Z2-7]{16,64}")
_OTHER_LABEL: Final = re.compile(
    r"(?i)(?:(?<![a-z])(?:user(?:name)?|login|email|e-mail|host(?:name)?|server|port|ids?|order|name|version|model|account|customer|file|path|url|date|time|nr|no)\.?|(?-i:(?<=[a-z])Name|_name)|#)\s{0,2}(?:[:=#]|is)?\s{0,2}[\"'`(]{0,2}\Z"
)
_SHOWS: Final = re.compile(r"(?i)\b(?:forgot\w*|link|button|strength|show|hide|import|require)\b")
_REVISION: Final = re.compile(
    r"(?i)\b(?:git|commit\w*|merge\w*|branch|HEAD|checkout|rebase|sha\d*|md5|digest|hash\w*|etag|image|layer|patch|diff|revision|checksum)\b"
)
"""A hexadecimal number on such a line is a revision or a checksum, whatever else the line speaks of."""
_OF_FOUR: Final = re.compile(r"(?<![\w-])[a-z]{4}(?:[ -][a-z]{4}){3}(?![\w-])")
_NUMBERED: Final = re.compile(r"[A-Za-z]+[-_.]\d+|[A-Z\d-]+|[a-z]{2}_[A-Z]{2}\b.*")
_CODE: Final = re.compile(r".*[()\[\]{}<>|]|.*\w['’]s?\b|[-*=+/]|.*=[^=]|#\w+\Z|.*,\w|\w+/\w+|.*::")
_STANDARD: Final = re.compile(r"(?i)(?:oauth|openid|tls|ssl|sp|iso|fips|nist|pci)[-_]?v?\d[\d.:-]*[a-z]?")
_TIME: Final = re.compile(r"(?:\d{4}-\d\d-\d\d[T_])?\d{1,2}[:.]\d\d(?::\d\d)?[^\W\d_]{0,4}")
_LISTED_SUM: Final = re.compile(r"(?:  | \*)\S*\.\w{1,8}[ \t\r]*(?:\n|\Z)|[ \t]refs/")
"""What follows a checksum or a revision in a list of them: the name of its file, or of its branch."""
_FUNCTION: Final = re.compile(
    r"(?:set|get|is|has|use|on|handle|check|validate|verify|reset|update|change|hash)(?:[A-Z][a-z]+){0,4}(?:Password|Passphrase|Credential|Pwd)[A-Za-z]{0,20}\d?"
)
_SHORT_REVISION: Final = re.compile(r"(?m)^[*|/\\ ]{0,12}(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,12}(?= [A-Z(])")
"""What begins a line of a history: `3f2a9c1 Add a password field`."""
_ROW_KEY: Final = re.compile(
    r"(?i)(?:primary|foreign|partition|sort|row|record|idempotency)[ _-]?key[\"'`]?\s{0,2}(?:[:=(]|is|was|of)?\s{0,2}[\"'`(]{0,2}\Z"
)


def drawn_nearby(text: str) -> Iterator[Sensitive]:
    """What a machine drew, on a line that speaks of secrets or on the one below."""
    done = 0
    for at, told in _secrets(text):
        start, end = _line(text, at, at + len(told), lines=2)
        for word in _DRAWN.finditer(text, max(start, done), end):
            inside = word.start() <= at < word.end()
            if not inside and is_drawn(word[0]) and not is_otherwise(text, *word.span()) and not _is_counted(text, word):
                yield Sensitive("token", *word.span())
        done = max(done, end - AFTER // 2 if end - at > AFTER else end)


def chosen_nearby(text: str) -> Iterator[Sensitive]:
    """What somebody chose, on a line that speaks of a password."""
    lowered = small(text)
    done = 0
    for at, told in _passwords(text):
        stop = at + len(told)
        if not stands_alone(lowered, at, stop, told):
            continue
        start, end = _line(text, at, stop, lines=1)
        if DESCRIBES.search(text, start, end) or _SHOWS.search(text, start, end):
            continue
        yield from (
            Sensitive("password", *found.span()) for found in _OF_FOUR.finditer(text, start, end) if _is_gibberish(found[0])
        )
        for word in _WORD.finditer(text, max(start, done), end):
            if not word.start() <= at < word.end() and _LETTER_AND_MORE.match(word[0]):
                inner = unwrapped(text, *word.span())
                value = text[slice(*inner)]
                looks = _is_password(value) or (_is_quoted(text, *inner) and is_chosen(value))
                if looks and not _is_labelled(text, start, *inner):
                    yield Sensitive("password", *inner)
        done = max(done, end)


def _is_labelled(text: str, floor: int, start: int, end: int) -> bool:
    """Whether the place of a word says that it is something else: a label before it, the styles of an element, the first of a line of history."""
    revision = _SHORT_REVISION.match(text, text.rfind("\n", max(start - 12, 0), start) + 1)
    return bool(
        _OTHER_LABEL.search(text, max(start - 24, floor), start)
        or IN_CLASS.search(text, max(start - 80, 0), start)
        or (revision and revision.end() == end)
    )


def _is_counted(text: str, word: re.Match[str]) -> bool:
    """A revision or a checksum, or the key of a row."""
    if UUID.fullmatch(word[0]):
        return bool(_ROW_KEY.search(text, max(word.start() - 40, 0), word.start()))
    line = text.rfind("\n", max(word.start() - BEFORE, 0), word.start()) + 1
    said = _REVISION.search(text, max(line, word.start() - BEFORE), word.start())
    return is_hex(word[0]) and bool(said or _LISTED_SUM.match(text, word.end()))


def _is_quoted(text: str, start: int, end: int) -> bool:
    return (
        text[start - 1 : start] in ("'", '"')
        and text[start - 1 : start] == text[end : end + 1]
        and text[end + 1 : end + 2] != ":"
    )


def _line(text: str, at: int, stop: int, *, lines: int) -> tuple[int, int]:
    """The line around a word, and those that follow it, as far as they count."""
    floor = max(at - BEFORE, 0)
    start = max(text.rfind("\n", floor, at) + 1, floor)
    while start and start < at and text[start - 1] != "\n" and not text[start - 1].isspace():
        start += 1  # not in the middle of a word
    end = stop
    for _ in range(lines):
        close = text.find("\n", end, stop + AFTER)
        if close < 0:
            far = _SPACE.search(text, min(stop + AFTER, len(text)), stop + 2 * AFTER)
            return start, far.start() if far else min(stop + 2 * AFTER, len(text))
        end = close + 1
    return start, end - 1


def is_drawn(word: str) -> bool:
    """A UUID, a long hexadecimal number, groups of capitals and digits, or letters and digits without order."""
    bare = word.rstrip("=.")
    if UUID.fullmatch(bare):
        return True
    if is_hex(bare):
        return len(bare) >= 32 and is_random(bare, 32)
    if _GROUPS.fullmatch(bare) or (_BASE32.fullmatch(bare) and "ABCDEFGH" not in bare and (wordiness(bare) or 0) < 0.5):
        return True
    longest = max(re.split(r"[-_.~/+]", bare), key=len)
    if not any(map(str.isdigit, longest)) or is_placeholder(word) or IDS.fullmatch(re.split("[-_]", bare)[0]):
        return False
    return (len(longest) >= 14 and is_random(longest, 14)) or (len(longest) >= 8 and is_unnamed(bare))


def _is_password(value: str) -> bool:
    if _CODE.match(value) or _STANDARD.fullmatch(value) or _TIME.fullmatch(value) or _FUNCTION.fullmatch(value):
        return False
    plain = is_chosen(value) and sum(map(str.isdigit, value)) >= 2 and not _NUMBERED.fullmatch(value)
    return plain or is_clearly_chosen(value) or is_jumbled(value) or is_passphrase(value) or is_run_together(value)


def _is_gibberish(groups: str) -> bool:
    """Four times four small letters that are no words: passwords that mail services draw for programs."""
    wordy = wordiness(groups)
    return wordy is not None and wordy < 0.7
