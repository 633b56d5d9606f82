"""Texts inside encodings: base64 (also wrapped in lines), hexadecimal, and gzip inside base64.

Pictures, sound and hashes decode to no text and stay. A text is searched like any other and encoded again, so that the row
stays what it was for whoever decodes it.
"""

import base64
import re
import zlib
from binascii import Error as BadBase64
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/=_-])(?:[A-Za-z0-9+/_-]{60,80}\r?\n)*[A-Za-z0-9+/_-]{20,}={0,2}(?![A-Za-z0-9+/_-])")
HEX: Final = re.compile(
    r"(?<![0-9A-Za-z])(?:[0-9a-f]{2}){16,}(?![0-9A-Za-z])|(?<![0-9A-Za-z])(?:[0-9A-F]{2}){16,}(?![0-9A-Za-z])"
)
MOST_DECODED: Final = 16 << 20
DEEPEST: Final = 3
_TEXT: Final = re.compile(r"[^\x09\x0a\x0d\x1b\x20-\x7e\u00a0-\U0010ffff]")


class Encoded(NamedTuple):
    start: int
    end: int
    text: str
    encode: Callable[[str], str] | None
    """Back into the encoding; None where that makes no sense, and the whole has to go."""


def encoded_texts(text: str) -> Iterator[Encoded]:
    """The stretches of a text that are a text in an encoding."""
    for found in HEX.finditer(text):
        inner = _as_text(bytes.fromhex(found[0]))
        if inner is not None:
            yield Encoded(*found.span(), inner, lambda plain: plain.encode().hex())
    for found in BASE64.finditer(text):
        yield from _base64(found[0], found.start(), found.end())


def _base64(blob: str, start: int, end: int) -> Iterator[Encoded]:
    compact = "".join(blob.split())
    if "-" in compact or "_" in compact:
        if "+" in compact or "/" in compact:
            return
        decode, encode = base64.urlsafe_b64decode, base64.urlsafe_b64encode
    else:
        decode, encode = base64.b64decode, base64.b64encode
    bare = compact.rstrip("=")
    if len(bare) % 4 == 1:
        return
    try:
        content = decode(bare + "=" * (-len(bare) % 4))
    except (BadBase64, ValueError):
        return
    if content.startswith(b"\x1f\x8b"):
        inner = _as_text(_inflated(content))
        if inner is not None:
            yield Encoded(start, end, inner, None)
        return
    inner = _as_text(content)
    if inner is not None:
        padded = compact.endswith("=") or len(bare) % 4 == 0
        yield Encoded(start, end, inner, lambda plain: _again(plain, encode, padded))


def _again(plain: str, encode: Callable[[bytes], bytes], padded: bool) -> str:
    coded = encode(plain.encode()).decode()
    return coded if padded else coded.rstrip("=")


def _inflated(content: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(content, MOST_DECODED)
    except zlib.error:
        return b""


def _as_text(content: bytes) -> str | None:
    """The content as text, where it is one: what is random is no valid UTF-8 without control characters for long."""
    if not 8 <= len(content) <= MOST_DECODED:
        return None
    for encoding in ("utf-8", "utf-16-le") if content[1:2] == b"\0" else ("utf-8",):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return None if _TEXT.search(text) else text
    return None
