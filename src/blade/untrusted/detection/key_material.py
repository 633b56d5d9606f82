"""Keys that say by their own form that they are private: members of a JSON web key (RFC 7517), elements of an XML one, binary keys in base64, words of a wallet."""

import re
from base64 import b64decode
from binascii import Error
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.finding import Sensitive

REACH: Final = 8_000
_JWK: Final = re.compile(
    r"""["']?(?<!\w)(?:d|p|q|dp|dq|qi|k|oth)["']?\s{0,8}[:=]\s{0,8}["'](?P<value>[A-Za-z0-9_+/=-]{9,4096})["']?"""
)
_XML: Final = re.compile(r"(?i)<(?P<name>D|P|Q|DP|DQ|InverseQ)>\s*(?P<value>[A-Za-z0-9+/=\s]{16,2048}?)\s*</(?P=name)>")
# The first bytes of keys, in base64: PKCS #1 and #8 and SEC 1 in their sizes, Java's stores, OpenSSH's own.
_BINARY: Final = re.compile(
    r"(?<![A-Za-z0-9+/=_-])(?:M[CDFGHI][A-Za-z0-9+/]{2}|/u3\+7|zs7Oz|b3BlbnNzaC1rZXkt)[A-Za-z0-9+/]{36,}(?:(?:\\n|\s)[A-Za-z0-9+/]{16,}){0,100}={0,2}"
)
_PHRASE: Final = re.compile(
    r"(?i)(?:seed|mnemonic|recovery|backup|wallet|secret)\W{0,3}(?:phrase|words?|seed|mnemonic)?[^\n]{0,40}?[:=\s\"'(\[]\s{0,3}"
    r"(?P<value>(?:(?:\d{1,2}[.):]\s?)?[\"']?\b[a-z]{3,8}\b[\"']?,?[\s]{1,3}){11,23}(?:\d{1,2}[.):]\s?)?[\"']?[a-z]{3,8}\b)"
)
_BYTES: Final = re.compile(r"[\[{(]\s{0,8}(?P<value>(?:\d{1,3}\s{0,8},\s{0,8}){31,64}+\d{1,3})\s{0,8},?\s{0,8}[\]})]")
_KEY_FILE: Final = re.compile(
    r"(?i)secret|private|keypair|key_?pair|wallet|solana|signing|(?:^|[^a-z])seed|id\.json|encryption|(?:aes|master|api|session)[ _-]?key"
)
_SMALL_WORDS: Final = re.compile(r"\b(?:the|and|for|are|with|was|this|that|not|but|has|have|its|can|will|from|they|which|your)\b")


def in_key_material(text: str) -> Iterator[Sensitive]:
    """The private parts of keys, and the words of wallets."""
    at = text.find("kty")
    while at >= 0:
        start, end = _object(text, at)
        yield from (Sensitive("private_key", *found.span("value")) for found in _JWK.finditer(text, start, end))
        at = text.find("kty", max(end, at + 3))
    if "InverseQ>" in text or "<D>" in text:
        yield from (Sensitive("private_key", *found.span("value")) for found in _XML.finditer(text))
    for found in _BINARY.finditer(text):
        if _is_private(found[0]):
            yield Sensitive("private_key", *found.span())
    yield from _byte_arrays(text)
    if "phrase" in text or "nemonic" in text or "seed" in text or " words" in text:
        for found in _PHRASE.finditer(text):
            if not _SMALL_WORDS.search(found["value"]) and len(set(found["value"].split())) >= 8:
                yield Sensitive("mnemonic", *found.span("value"))


def _byte_arrays(text: str) -> Iterator[Sensitive]:
    """Keys as lists of numbers: 32 or 64 of them, each a byte, spread as if drawn, after words that speak of a key."""
    for found in _BYTES.finditer(text):
        numbers = [int(number) for number in re.findall(r"\d+", found["value"])]
        drawn = len(numbers) in (32, 64) and 127 < max(numbers) <= 255 and len(set(numbers)) > 0.7 * len(numbers)
        if drawn and numbers != sorted(numbers) and _KEY_FILE.search(text, max(found.start() - 160, 0), found.start()):
            yield Sensitive("private_key", *found.span("value"))


def _object(text: str, at: int) -> tuple[int, int]:
    """The members around `kty`, up to the brackets of the object or as far as they reach."""
    opened = text.rfind("{", max(at - REACH, 0), at)
    closed = text.find("}", at, at + REACH)
    return max(opened, at - REACH, 0), closed if closed >= 0 else min(at + REACH, len(text))


def _is_private(blob: str) -> bool:
    """A sequence that begins with the number of its version is a private key or a store of them; certificates and public keys begin with another sequence."""
    compact = re.sub(r"\\n|\s", "", blob)[:64]
    try:
        head = b64decode(compact[: len(compact) // 4 * 4])
    except (Error, ValueError):
        return False
    if head.startswith((b"\xfe\xed\xfe\xed", b"\xce\xce\xce\xce", b"openssh-key-v1")):
        return True
    if head[:1] != b"\x30":
        return False
    size = 2 + (head[1] & 0x7F if head[1] & 0x80 else 0)
    return head[size : size + 3] in (b"\x02\x01\x00", b"\x02\x01\x01", b"\x02\x01\x03")
