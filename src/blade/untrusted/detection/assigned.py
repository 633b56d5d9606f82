"""Values that stand under a telling name: name, link, value, and then a judgement.

The link is whatever people and programs put between a name and its value: `=`, `:`, `=>`, a space after a flag, `</name>`, `is`. The value is
what is quoted, or runs to the next space. All languages of configuration and code look alike at this distance, so nothing else is known of them.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.judgement import chosen_password, holds_secret, is_code_for, is_placeholder, is_unusual
from blade.untrusted.detection.names import Promise, promise
from blade.untrusted.detection.telling import STEMS, places_of
from blade.untrusted.detection.telling import VICINITY as NEAR

_stems: Final = places_of(STEMS)
_vicinity: Final = places_of(NEAR)
_NAME_BEFORE: Final = re.compile(r"(?P<owner>(?<![\w.-])[A-Za-z]{2,16}[ ])?(?P<word>[\w.-]{0,60})\Z")
_NAME_REST: Final = re.compile(
    r"[\w-]{0,40}+(?:[ ](?:key|token|code|word|phrase|string|secret|pass(?:word)?|url))?(?:[ ]#?\d{1,3}(?=[ ]?[:=]))?",
    re.IGNORECASE,
)
_QUOTES: Final = "\"'`"
_LINK: Final = re.compile(
    r"""(?xi)
    (?P<close>["'`]?[ \t]{0,3}\]?\)?[ \t]{0,3})
    (?: (?P<pair>,?\s{1,20}["'`]?(?:value|content|default|val|data)["'`]?\s{0,3}[:=]\s{0,3})
      | (?P<sign>:=|=>|<-|->|→|=|:|,)[ \t]{0,24}(?:\n[ \t]{1,8})?(?:(?:\||>)-?[ \t]*\n[ \t]+)?
      | (?P<tag>>)
      | (?P<said>(?:\s{1,3}(?!and|or|but|if|when)[^\W\d]{1,16}){0,4}?\s{1,3}
          (?:(?:(?:is|was|are|been|be|has\s+been|now)\s+){0,2}(?:set|changed|reset|updated|rotated)\s+to|(?:is|was)\s+now
            |is|was|are|be|to|as|equals|es|era|ist|lautet|war|est|è|é|jest|är|är\s+nu|là|это)\s{0,2}:?\s{1,3})
      | (?P<cell>[ \t]{0,20}\|[ \t]{0,20})
      | (?P<call>\()
      | (?P<space>[ \t]{1,8}) )
    (?P<type>(?:[A-Za-z_][\w\[\]]*\s*=\s*)?)
    """
)
_SCHEME: Final = re.compile(
    r"(?i)(?:bearer|basic|token|digest|apikey|api-key|sswS|negotiate|aws4-hmac-sha256|hawk|oauth|splunk|key|genie-?key|bot|ntlm)[ ]{1,3}"
)
_QUOTED: Final = re.compile(r"""(?s)[rbfu]{0,2}(?:(?P<mark>\"\"\"|'''|["'`])(?P<value>.*?)(?P=mark))""")
_CLOSED: Final = re.compile(r"[)\]},;\s]*\n")  # what looks like an opening quote was the closing one
_BARE: Final = re.compile(r"""[^\s"'`<>\\,;|]{1,4096}""")
_CONTENT: Final = re.compile(r"\s{0,20}(?:<!\[CDATA\[)?(?P<value>[^<>\s](?:[^<>\n]{0,4094}[^<>\s\]])?)(?:\]\]>)?\s{0,20}</")
_ENVIRONMENT: Final = re.compile(r"(?:^|\n|export[ ]|[ ]-e[ ]|ENV[ ])[ \t]*\w\Z")
_TO_SPACE: Final = re.compile(r"""[^\s"'`\\]+""")
_LONG_RUN: Final = re.compile(r"""[^\s"'`<>\\,;|&?]{256,4096}+""")
_FLAG: Final = re.compile(r"(?:^|[\s\"'`,\[(])-{1,2}[\w-]*\Z")
_QUOTED_WORD: Final = re.compile(r"""["'`]([^\s"'`]{7,64})["'`]""")
_NAMED_AFTER: Final = re.compile(
    r"(?<!\S)(?P<value>(?=[^\s]*[0-9])[^\s,;:(){}<>]{6,80})[ ]{1,2}(?:as|is|was|for)[ ](?:(?:the|your|my|its|our|his|her|an?|new|old|current)[ ]){0,2}(?P<name>(?:[A-Za-z]{2,12}[ ]){0,2}?"
    r"(?:[Pp]ass(?:word|phrase|code)|[Ss]ecret|[Tt]oken|(?:API|api|access|secret)[ ]key|key))\b"
)
VICINITY: Final = 120
LONGEST_VALUE: Final = 4_096


def assigned(text: str) -> Iterator[Sensitive]:
    """The secrets that names in this text point at."""
    seen = -1
    for at, stem in _stems(text):
        rest = _NAME_REST.match(text, at)
        end = rest.end() if rest else at + len(stem)
        if end > seen:
            seen = end
            yield from _after_name(text, at, end)
            if run := _LONG_RUN.match(text, end):
                seen = run.end()  # one long word: names inside it are no names, and reading it again for each would take for ever


def _after_name(text: str, at: int, end: int) -> Iterator[Sensitive]:
    before = _NAME_BEFORE.search(text, max(at - 60, 0), at)
    start = before.start("word") if before else at
    name = (before["owner"] or "" if before else "") + text[start:end]
    meant = promise(name)
    if meant is Promise.NOTHING:
        shorter = text[start:end].split(" ")[0]
        meant, end = promise(shorter), start + len(shorter)
        if meant is Promise.NOTHING:
            return
    link = _LINK.match(text, end)
    if link is None:
        return
    found = _value(text, start, link, meant)
    if found is not None:
        yield Sensitive(_kind(name), *found)


def _value(text: str, start: int, link: re.Match[str], meant: Promise) -> tuple[int, int] | None:
    name = text[start : link.start()]
    place = link.end("type") if link["type"] and link["sign"] == ":" else link.start("type")
    if link["space"] and not _FLAG.search(text, max(start - 40, 0), start + 1) and not _command_word(text, start, link):
        return _beside(text, place, meant)
    if link["call"] and place < len(text) and text[place] not in _QUOTES:
        return None
    if scheme := _SCHEME.match(text, place):
        place = scheme.end()
        meant = Promise.STRONG
    quoted = _QUOTED.match(text, place)
    if quoted and _CLOSED.match(quoted["value"]):
        return None
    if quoted and len(quoted["value"]) <= LONGEST_VALUE:
        begin, stop = quoted.span("value")
        if scheme := _SCHEME.match(text, begin, stop):
            begin, meant = scheme.end(), Promise.STRONG
        listed = link["sign"] == ","
        return (
            (begin, stop)
            if (holds_secret(meant, text[begin:stop], quoted=not listed) or is_code_for(name, text[begin:stop]))
            and not (listed and _is_name(text[begin:stop]))
            else None
        )
    if link["sign"] == ",":
        return None  # a list of words
    return _bare(text, start, place, link, meant)


def _bare(text: str, start: int, place: int, link: re.Match[str], meant: Promise) -> tuple[int, int] | None:
    bare = _BARE.match(text, place)
    if bare is None:
        return None
    begin, stop = bare.span()
    if (
        link["sign"] == "="
        and place == link.end("sign")
        and _ENVIRONMENT.search(text, max(start - 60, 0), start + 1)
        and _is_upper(text[start : link.start()])
    ):
        stop = (_TO_SPACE.match(text, begin) or bare).end()
    closing = {")": "(", "]": "[", "}": "{"}
    while stop > begin and (
        (text[stop - 1] in ".:?" and link["said"])
        or (text[stop - 1] in closing and closing[text[stop - 1]] not in text[begin:stop])
    ):
        stop -= 1
    if link["tag"]:
        return _element(text, place, meant)
    value = text[begin:stop]
    amp = value.find("&")
    if amp > 0 and "=" in value[amp:]:
        value = value[:amp]  # the next parameter of a query
    if (
        link["sign"]
        and _own_line(text, start, begin, stop)
        and _is_password(text[start : link.start()])
        and chosen_password(value)
    ):
        return begin, stop
    spaced = bool(link["said"] or link["cell"] or (link["sign"] and link.group("sign") == ":" and text[place - 1] == " "))
    if not holds_secret(meant, value, quoted=not spaced and not link["space"] and _one_word(value)):
        return None
    return begin, begin + len(value)


def _element(text: str, place: int, meant: Promise) -> tuple[int, int] | None:
    """`<password>two words</password>`: whatever stands between the tags."""
    content = _CONTENT.match(text, place)
    return content.span("value") if content and holds_secret(meant, content["value"], quoted=True) else None


def _own_line(text: str, start: int, begin: int, stop: int) -> bool:
    """`password: value` and nothing else on the line, as files of settings have it."""
    head = text[text.rfind("\n", 0, start) + 1 : start]
    return not head.strip(" \t-\"'#") and (stop == len(text) or text[stop] in "\r\n") and "\n" not in text[start:begin]


def _is_password(name: str) -> bool:
    return bool(re.search(r"(?i)(?:passw(?:or)?d|passphrase|passcode|_pass|pwd|kennwort|contrase\wa|senha)[\"']?$", name.strip()))


def _beside(text: str, place: int, meant: Promise) -> tuple[int, int] | None:
    """`with the API key 8f14e45f…`: nothing but a space links them, so only what a machine drew is taken."""
    quoted, bare = _QUOTED.match(text, place), _BARE.match(text, place)
    if (bare is None and quoted is None) or meant is Promise.WEAK:
        return None
    begin, stop = quoted.span("value") if quoted else bare.span() if bare else (0, 0)
    value = text[begin:stop].rstrip(".,;:?)")
    found = holds_secret(Promise.WEAK, value, quoted=bool(quoted)) or is_unusual(value)
    return (begin, begin + len(value)) if found else None


def in_vicinity(text: str) -> Iterator[Sensitive]:
    """Quoted words that only a password looks like, on a line that speaks of logging in: `ConvertTo-SecureString "…"`, `login('ann', '…')`."""
    for at, spoken in _vicinity(text):
        start = at + len(spoken)
        line_end = text.find("\n", start, start + VICINITY)
        for word in _QUOTED_WORD.finditer(text, start, line_end if line_end >= 0 else start + VICINITY):
            if is_unusual(word[1]):
                yield Sensitive("password", *word.span(1))


def named_afterwards(text: str) -> Iterator[Sensitive]:
    """`Use … as the password`, `… is the API key`: the name comes after the value."""
    if not any(True for _ in _stems(text)):
        return
    for named in _NAMED_AFTER.finditer(text):
        value = named["value"].strip("\"'`*")
        mixed = is_unusual(value) or (len(value) >= 8 and holds_secret(promise(named["name"]), value, quoted=False))
        if mixed and promise(named["name"]) >= Promise.TOKEN:
            start = named.start("value") + named["value"].index(value)
            yield Sensitive("password", start, start + len(value))


def _is_upper(name: str) -> bool:
    return name.upper() == name


def _one_word(value: str) -> bool:
    """`PASSWORD=correcthorse` is a value; `password=settings.password` and `secret=secret` are code."""
    return len(value) >= 8 and not is_placeholder(value) and value.isalnum()


def _command_word(text: str, start: int, link: re.Match[str]) -> bool:
    """Places where a space alone links: `machine x login y password z`, `IDENTIFIED BY`, `requirepass z`."""
    before = text[max(start - 90, 0) : start]
    name = text[start : link.start()].lower()
    return bool(
        re.search(
            r"(?i)\b(?:login\s+\S+|user\s+[\w'\"@.%-]+\s+(?:with\s+)?(?:encrypted\s+)?|with\s+(?:encrypted\s+)?)\s*$", before
        )
        or name in ("requirepass", "masterauth", "_authtoken", "rootpw", "bindpw")
        or re.search(r"(?i)\bset\s+[\w-]*\s*$", before)
    )


def _is_name(value: str) -> bool:
    """`["password", "email"]` and `"key", "value"` are lists of names, not assignments."""
    return promise(value) is not Promise.NOTHING


def _kind(name: str) -> str:
    lowered = name.lower()
    for part, kind in (
        ("cookie", "cookie"),
        ("token", "token"),
        ("hook", "webhook"),
        ("key", "key"),
        ("sess", "cookie"),
        ("sig", "signature"),
    ):
        if part in lowered:
            return kind
    return "password" if re.search("pass|pwd|pswd|phrase|contrase|wort|senha|clave|пароль|密码|口令", lowered) else "credential"
