"""What of a rollout may go into a table: text without escapes and secrets, cut short; and the version of the code that reads it."""

import hashlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from blade.signals.calls.arguments import MAX_DEPTH, canonical
from blade.untrusted.escapes import strip_escapes
from blade.untrusted.limits import MAX_QUOTE
from blade.untrusted.quotes import clean, quote
from blade.untrusted.redaction import redact_value

MAX_ARGUMENTS: Final = 2_000
"""Characters kept of the arguments of a call."""
SHORTER: Final = (800, 200, 60)
"""Characters kept of each text in them where all of them are too long, until they fit."""
MAX_NAME: Final = 100


@cache
def code_digest() -> str:
    """A hash of this room's source: a changed threshold or pattern makes a new version without anyone remembering to say so."""
    hasher = hashlib.blake2b(digest_size=8)
    room = Path(__file__).parent
    for path in sorted(room.rglob("*.py")):
        hasher.update(str(path.relative_to(room)).encode())
        hasher.update(path.read_bytes())
    return hasher.hexdigest()


def quoted(text: str, limit: int = MAX_QUOTE) -> str:
    """Safe to keep and to show."""
    return quote(text, limit) if text else ""


@lru_cache(maxsize=1024)
def _clean_short(name: str) -> str:
    return clean(name)


def _clean_name(name: str) -> str:
    """Names of arguments come again with every call; a long one is none of them."""
    return _clean_short(name) if len(name) <= MAX_NAME else clean(name)


def clean_value(name: str, value: Any, depth: int = 0) -> Any:
    """An argument with every text in it cleaned, and gone as a whole where its name says that it is a secret."""
    if isinstance(value, str):
        return redact_value(name, strip_escapes(value[: 2 * MAX_ARGUMENTS]))
    if depth > MAX_DEPTH:
        return None
    if isinstance(value, dict):
        return {_clean_name(key): clean_value(key, inner, depth + 1) for key, inner in value.items()}
    return [clean_value(name, inner, depth + 1) for inner in value] if isinstance(value, list) else value


def kept_arguments(arguments: dict[str, Any]) -> str:
    """The arguments of a call as the tables keep them: cleaned, in one form, and still an object where long texts had to be cut; more than a hundred short values are cut off.

    A text that was cut ends with a digest of what it was, so that two that begin alike are not taken for the same.
    """
    cleaned = clean_value("", arguments)
    text = canonical(cleaned, None)
    for limit in SHORTER:
        if len(text) <= MAX_ARGUMENTS:
            break
        text = canonical(_shortened(cleaned, limit), None)
    return text[:MAX_ARGUMENTS]


def _shortened(value: Any, limit: int) -> Any:
    if isinstance(value, str):
        if len(value) <= limit:
            return value
        return f"{value[:limit]}… [{len(value)} characters, {hashlib.blake2b(value.encode(errors='replace'), digest_size=4).hexdigest()}]"
    if isinstance(value, dict):
        return {key: _shortened(inner, limit) for key, inner in value.items()}
    return [_shortened(inner, limit) for inner in value] if isinstance(value, list) else value
