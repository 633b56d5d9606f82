"""Keyed pseudonyms: the same secret reads the same everywhere, and nobody without the key can tell which one it was.

A pseudonym is a keyed hash (HMAC-SHA-256, RFC 2104) of the value's plain form, so that joins survive: one e-mail address is one pseudonym in
every file, field and id. Without the key it cannot be found by trying likely values, which a bare hash would allow.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from blade.errors import UsageError
from blade.untrusted.detection import plain_name
from blade.untrusted.detection.folding import readable
from blade.untrusted.files import read_at_most

DIGITS: Final = 12
"""Hexadecimal digits of a pseudonym: among a million values two share one with a chance of 1 in 560."""
WITHHELD_DIGITS: Final = 32
SHORTEST_KEY: Final = 16
LONGEST_KEY: Final = 4_096


@dataclass(frozen=True)
class Pseudonyms:
    key: bytes
    source: str = "random"

    def marker(self, kind: str, value: str) -> str:
        """What stands in the place of a value."""
        return f"[redacted {kind}:{self._digest(_family(kind), _plain(kind, value))[:DIGITS]}]"

    def withheld(self, canonical: bytes) -> str:
        """What stands in the place of a field that was not cleared."""
        digest = hmac.new(self.key, b"withheld\0" + canonical, hashlib.sha256).hexdigest()
        return f"[withheld sha256:{digest[:WITHHELD_DIGITS]}]"

    def _digest(self, family: str, plain: str) -> str:
        return hmac.new(self.key, f"{family}\0{plain}".encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _family(kind: str) -> str:
    """Credentials found by two rules are one credential; people and places keep to their kind."""
    return {"email": "email", "user": "user", "name": "name", "host": "host", "ip": "host", "mac": "host"}.get(kind, "credential")


def _plain(kind: str, value: str) -> str:
    """One form for all ways to write the same value."""
    view = readable(value)
    plain = view.text if view else value
    if kind in ("user", "email"):
        return plain.casefold()
    if kind == "name":
        return plain_name(plain).replace(" ", "")
    if kind in ("host", "ip", "mac"):
        host, colon, port = plain.rpartition(":")
        return (host if colon and port.isdigit() and ":" not in host else plain).strip("[].").casefold()
    return plain


def load_key(path: Path | None) -> Pseudonyms:
    """The key in a file, or a fresh one that nobody keeps."""
    if path is None:
        return Pseudonyms(secrets.token_bytes(32))
    key = read_at_most(path, LONGEST_KEY)
    if not SHORTEST_KEY <= len(key.strip()) <= LONGEST_KEY:
        raise UsageError(
            f"a key has {SHORTEST_KEY} to {LONGEST_KEY:,} bytes",
            path=path,
            hint=f"make one with: head -c 32 /dev/urandom > {path}",
        )
    return Pseudonyms(key, source="file")
