"""Tokens that nothing names: so long and so mixed that a machine drew them, and standing where no id, hash or picture stands.

Hashes and ids of commits are hexadecimal or small letters; keys, tokens and signatures mix both cases and digits. What is drawn from all of them
over some length is rarely anything else, so it counts as a secret unless its place says what else it is: an id, a checksum, something public, a
part of an address, the letters of a picture or of a text in base64.
"""

import re
from base64 import b64decode, urlsafe_b64decode
from binascii import Error
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.formats import IDS
from blade.untrusted.detection.randomness import UUID, entropy, is_hex, is_random, wordiness

SHORTEST: Final = 27
SHORTEST_SMALL: Final = 32
"""For small letters and digits, which hashes are made of as well: those are hexadecimal."""
LONGEST: Final = 400
"""What is longer is data in base64: pictures, archives, sealed thoughts."""
_TOKEN: Final = re.compile(
    rf"(?<![A-Za-z0-9_+/.~%$-])(?!//)[A-Za-z0-9_+/.~-]{{{SHORTEST},{LONGEST}}}+={{0,2}}(?![A-Za-z0-9_+/%(\[{{-])"
)
_FILE: Final = re.compile(r"\.[a-z][a-z0-9]{1,4}\Z")
_PREFIX: Final = re.compile(rf"(?:[a-z][a-z0-9]{{0,11}}[-_.]){{1,3}}(?=[A-Za-z0-9]{{{SHORTEST}}})")
_VERSION: Final = re.compile(r"v\d")
_SETTING: Final = re.compile(
    r"(?m)^(?:export[ ]|declare[ ]-x[ ])?(?P<name>[A-Z][A-Z0-9_]{2,40})=[\"']?(?P<value>[0-9a-f]{32,128})[\"']?[ \t\r]*$"
)
_COUNTED: Final = re.compile(
    r"(?:^|_)(?:ID|UUID|SHA\d*|MD5|HASH|COMMIT|REV|REVISION|DIGEST|CHECKSUM|VERSION|TAG|REF|HEAD|BUILD|IMAGE|TRACE|SPAN|SERIAL|FINGERPRINT|ETAG|PUBLIC\w*|ADDRESS)(?:_|$)"
)
_LICENCE: Final = re.compile(
    r"(?<![A-Za-z0-9-])(?:[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3,7}|[A-Z0-9]{4}(?:-[A-Z0-9]{4}){3,7})(?![A-Za-z0-9-])"
)
_SIZED: Final = re.compile(r"(?<!\w)\d{1,4}[GT]B(?!\w)")  # names of machines and memory
_SIGNS: Final = re.compile(r"[A-Za-z0-9_+/.~-]+")
_CHANGES: Final = re.compile(r"[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]+")
_PUBLIC_FORM: Final = re.compile(
    r"(?i)sha\d+[-_]|h1|AAAA[BCE][23]|iVBORw0|/9j/|R0lGOD|UklGR|data|gAAAAA|Qm[1-9A-HJ-NP-Za-km-z]{44}$|baf[yk]|did"
    r"|0x[0-9a-f]{40}$|(?:[pnbrqk1-8]{1,8}/){7}[pnbrqk1-8]{1,8}$|(?:[a-h][1-8])+[qrbn]?$"  # an account on a chain, a position and the moves in chess
)
_OTHERWISE: Final = re.compile(
    r"""(?ix)(?:(?<![a-z])(?:ids?|uuid|guid|uid|sha\d*|md5|hash(?:es)?|digest|checksum|integrity|etag|commit|rev(?:ision)?|blob|fingerprint|thumbprint|serial(?:[ _-]?(?:number|no))?|
    address|addr|wallet|mint|contract|recipient|sender|pub(?:lic)?(?:[ _-]?key)?|challenge|modulus|sealed|encrypted(?:_content)?|thought(?:_?signatures?)?|image|img|src|href|url|uri|cursor|
    page[ _-]?token|continuation|cert(?:ificate)?|instance|organi[sz]ation|org|tenant|order|ticket|case|call|episode|rollout|trajectory|ssh-\w+|ecdsa-\S+|nonce|trace|span|file|resolved|icon|font|video|doc|sheet|folder|playlist|channel|base64|b64|x5c|x5t|kid|h1)
    |(?<=[a-z])(?:Id|ID|Ids|Number|Hash|Digest|Checksum|PublicKey|Url|URL|Uri))["'`]?\]?\)?\s{0,3}(?:=>|:=|[:=(,>]|is|was)?\s{0,3}["'`(<\[]{0,2}\Z|["'][nxye]["']\s{0,2}:\s{0,2}["']\Z|[?&][\w.%-]{1,40}=\Z|://\S{0,200}\Z|[/@\\]\Z"""
)
IN_CLASS: Final = re.compile(r"""(?<![\w-])class(?:Name)?\s?=\s?["'][^"'<>\n]{0,70}\Z""")
"""Inside the attribute that names the styles of an element, where builders put letters that they drew."""
_WRAPPED: Final = re.compile(r"[A-Za-z0-9+/]{40,}={0,2}[\s\"'+,\\]{1,8}\Z")
_WRAPPED_ON: Final = re.compile(r"[\s\"'+,\\]{1,8}[A-Za-z0-9+/]{40,}")


def in_unnamed(text: str) -> Iterator[Sensitive]:
    """Drawn tokens that stand on their own in a text; a text that is nothing but one is a value, and its name decides."""
    for token in _TOKEN.finditer(text):
        if token.end() - token.start() < len(text.strip()) and is_unnamed(token[0]) and not is_otherwise(text, *token.span()):
            yield Sensitive("token", *token.span())


def in_plain_settings(text: str) -> Iterator[Sensitive]:
    """`VENDOR=9c1f…` in an environment, where the name says nothing, and numbers of licences in groups."""
    if "=" in text:
        for found in _SETTING.finditer(text):
            if not _COUNTED.search(found["name"]) and is_random(found["value"], 32):
                yield Sensitive("token", *found.span("value"))
    if text.count("-") >= 3:
        for found in _LICENCE.finditer(text):
            digits = sum(map(str.isdigit, found[0]))
            if 3 <= digits <= len(found[0]) - 7 and not _SIZED.search(found[0]):
                yield Sensitive("key", *found.span())


def is_unnamed(token: str) -> bool:
    """Both cases and digits throughout, hardly a word in it, and no form of something public."""
    bare = token.rstrip("=.")
    if (
        not SHORTEST <= len(bare) <= LONGEST
        or not _SIGNS.fullmatch(bare)
        or _PUBLIC_FORM.match(bare)
        or UUID.search(bare)
        or bare.count(".") > 4
        or _FILE.search(bare)
    ):
        return False
    if bare.islower() and bare.isalnum():
        return len(bare) >= SHORTEST_SMALL and _is_small(bare)
    parts = [part for part in re.split(r"[-_./+~]", bare) if part]
    prefix = _PREFIX.match(bare)
    if len(parts) > 1 and IDS.fullmatch(parts[0]) and not _VERSION.fullmatch(parts[0]):
        return False
    if prefix:
        return is_unnamed(bare[prefix.end() :])
    longest = max(map(len, parts), default=0)
    wordy = wordiness(bare)
    return (
        longest >= 7
        and sum(map(str.isupper, bare)) >= 3
        and sum(map(str.islower, bare)) >= 3
        and any(map(str.isdigit, bare))
        and len(_CHANGES.findall(bare)) >= 0.36 * len(bare)
        and entropy(bare) >= 3.7
        and (wordy is None or wordy < 0.35)
        and not any(_is_word(part) for part in parts)
        and not is_encoded_text(bare)
    )


def _is_small(bare: str) -> bool:
    changes, digits = len(_CHANGES.findall(bare)), sum(map(str.isdigit, bare))
    return not is_hex(bare) and digits >= 4 and changes >= 0.25 * len(bare) and (wordiness(bare) or 0) < 0.4


def _is_word(part: str) -> bool:
    return (
        len(part) >= 5
        and part.isalpha()
        and (part.islower() or part.isupper() or part.istitle())
        and (wordiness(part) or 0) > 0.5
    )


def is_encoded_text(bare: str) -> bool:
    """Base64 of a text: searched in its own right, once decoded."""
    decode = urlsafe_b64decode if "-" in bare or "_" in bare else b64decode
    try:
        content = decode(bare[: len(bare) // 4 * 4])
    except (Error, ValueError):
        return False
    return all(32 <= code < 127 or code in (9, 10, 13) for code in content[:60])


def is_otherwise(text: str, start: int, end: int) -> bool:
    """Whether what stands before a token says that it is an id, a checksum or public, or it is one line of many."""
    before = max(start - 80, 0)
    return bool(
        _OTHERWISE.search(text, before, start)
        or IN_CLASS.search(text, before, start)
        or _WRAPPED.search(text, before, start)
        or _WRAPPED_ON.match(text, end)
        or (text[end : end + 1] == ":" == text[start - 1 : start])  # a part of a path of names
    )
