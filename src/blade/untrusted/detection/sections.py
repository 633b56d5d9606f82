"""Sections that a telling name heads: what stands below `credentials:`, `[secrets]`, `"auth": {` or in the data of a Kubernetes Secret.

The members name themselves by what they are for (`stripe`, `primary`), so it is the head that makes secrets of those that look the part.
"""

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection import telling
from blade.untrusted.detection.chosen import is_clearly_chosen, is_jumbled
from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.judgement import is_placeholder
from blade.untrusted.detection.names import Promise, promise
from blade.untrusted.detection.randomness import UUID, is_random
from blade.untrusted.detection.telling import places_of
from blade.untrusted.detection.wordlists import words

_heads: Final = places_of(telling.HEADS)
REACH: Final = 1_000
HEADS: Final = words(
    "auth authentication credentials credential creds secrets secret secretdata stringdata keys apikeys api_keys api-keys tokens passwords logins login accounts basic_auth basicauth private vault keyring"
)
_PLAIN_MEMBER: Final = re.compile(
    r"(?i)(?:^|[_.-])(?:user(?:s|_?name)?|ids?|name|type|kind|host(?:name)?|port|url|uri|endpoint|region|email|expires\w*|created\w*|updated\w*|issuer|tenant\w*|account\w*|client_?id|method|version|path|file|scope|zone|model|date|"
    r"time\w*|namespace|label\w*|uid|sha\d*|hash|digest|commit|project\w*|org\w*|status|role|algorithm|alg|kid|public\w*|fingerprint|checksum)$"
)
_NAME_BEFORE: Final = re.compile(r"[\w.-]{0,40}\Z")
_OPENED: Final = re.compile(
    r"""(?x) [\w.-]{0,40}["']? (?: (?P<object>[ \t]{0,2}(?:[:=]|=>)[ \t]{0,2}\{) | (?P<yaml>:[ \t]*\r?\n(?=[ \t]+\S)) | (?P<ini>"?\]{1,2}[ \t]*\r?\n) )"""
)
_KIND: Final = re.compile(r"""kind["']?:[ \t]*["']?(?:Sealed)?\Z""")
_DATA: Final = re.compile(r"""(?m)^(?P<indent>[ \t]*)(?:data|stringData|encryptedData):[ \t]*\r?\n""")
_MEMBER: Final = re.compile(
    r"""["']?(?P<name>[A-Za-z_][\w.-]{0,60})["']?[ \t]{0,8}(?:[:=]|=>)[ \t]{0,8}(?P<mark>["'`]?)(?P<value>[^\s"'`,;{}\[\]]{6,4096})(?P=mark)"""
)
_LINES: Final = re.compile(r"(?m)^(?P<indent>[ \t]*)(?P<rest>\S[^\n]*)$")


def in_sections(text: str) -> Iterator[Sensitive]:
    """The secrets among the members of telling sections."""
    done = 0
    for at, _ in _heads(text):
        if at < done:
            continue
        opened = _OPENED.match(text, at)
        if opened is None:
            if _KIND.search(text, max(at - 24, 0), at):
                yield from _kubernetes(text, at)
            continue
        before = _NAME_BEFORE.search(text, max(at - 40, 0), at)
        start = before.start() if before else at
        name = text[start : opened.start(opened.lastgroup or 0)].strip("\"'")
        if is_head(name) and (not opened["ini"] or text[start - 1 : start] in ("[", '"', " ")):
            done = opened.end()
            yield from (Sensitive("credential", *one.span("value")) for one in _members(text, done, _end(text, start, opened)))


def _members(text: str, start: int, end: int, *, encoded: bool = False) -> Iterator[re.Match[str]]:
    for member in _MEMBER.finditer(text, start, end):
        value = member["value"]
        if (encoded and _is_encoded(value)) or (not is_plain_member(member["name"]) and is_member(value)):
            yield member


def _kubernetes(text: str, at: int) -> Iterator[Sensitive]:
    """The data of a Secret, before or after the line that says what it is."""
    for data in _DATA.finditer(text, max(at - REACH, 0), at + REACH):
        end = _indented(text, data.end(), len(data["indent"]))
        yield from (Sensitive("credential", *one.span("value")) for one in _members(text, data.end(), end, encoded=True))


def is_head(name: str) -> bool:
    """Whether what stands below this name is secret unless it is plain."""
    last = re.split(r"[. :\"]", name.strip('" '))[-1].lower()
    return last in HEADS or promise(name) is Promise.STRONG


def is_plain_member(name: str) -> bool:
    """Names of members that are no secrets wherever they stand: who, where, when, of which kind."""
    return bool(_PLAIN_MEMBER.search(name))


def is_member(value: str) -> bool:
    """What looks drawn or chosen enough to be the secret of its section."""
    if is_placeholder(value) or "://" in value or value.startswith(("/", "./", "$")):
        return False
    return bool(UUID.fullmatch(value)) or is_random(value, 12) or is_clearly_chosen(value) or is_jumbled(value)


def _end(text: str, start: int, opened: re.Match[str]) -> int:
    limit = min(opened.end() + REACH, len(text))
    if opened["yaml"]:
        line = max(text.rfind("\n", max(start - 200, 0), start) + 1, start - 200, 0)
        return _indented(text, opened.end(), len(text[line:start]) - len(text[line:start].lstrip(" \t-")))
    closed = text.find("}" if opened["object"] else "\n[", opened.end(), limit)
    return closed if closed >= 0 else limit


def _indented(text: str, start: int, indent: int) -> int:
    """Where the lines end that stand further in."""
    limit = min(start + REACH, len(text))
    for line in _LINES.finditer(text, start, limit):
        if len(line["indent"]) <= indent:
            return line.start()
    return limit


def _is_encoded(value: str) -> bool:
    """The data of a Secret are in base64, whatever they say."""
    try:
        return len(b64decode(value, validate=True)) >= 4
    except (Error, ValueError):
        return False
