"""Names of records that follow one scheme: `SKH-26-02695` and `SKH-26-02928`."""

import re
from typing import Any, Final

MIN_ID: Final = 6
"""Characters from which on two names of one scheme are not equal by chance."""

MAX_ID: Final = 80
MIN_HASH: Final = 12
"""Signs that a hash or a UUID has at least."""
_SEPARATOR: Final = re.compile(r"([^A-Za-z0-9])")
_HEX: Final = re.compile(r"[0-9a-f]{4,64}|[0-9A-F]{4,64}")
_SIGNS: Final = (re.compile(r"[a-z0-9]{6,64}"), re.compile(r"[A-Z0-9]{6,64}"), re.compile(r"[A-Za-z0-9]{12,64}"))
_DRAWN: Final = re.compile(r"[A-Za-z]{0,60}\d{1,60}[A-Za-z][A-Za-z0-9]{0,60}")
"""Letters and figures in no order, a figure before a letter: no word with a number behind it."""

RECORD: Final = re.compile(r"(?=.*\d)[\w.@:/#-]{4,60}")
"""One word with a digit in it, as records are named."""


def of_one_scheme(expected: Any, actual: Any) -> bool:
    """Whether two values name records in one scheme: same length, letters and digits in the same places; or both drawn at random, from the same signs."""
    one, other = str(expected).strip(), str(actual).strip()
    if isinstance(expected, bool | float) or len(one) < MIN_ID or len(one) != len(other) or one == other:
        return False
    if _is_time(one):
        return False
    return (any(map(str.isdigit, one)) and _scheme(one) == _scheme(other)) or _both_random(one, other)


def _both_random(one: str, other: str) -> bool:
    """Whether two names have the same parts but for those that a machine drew: `usr_2s33xcym` and `usr_tknfph4t`, two UUIDs, two hashes."""
    if len(one) > MAX_ID or not one.isascii() or not other.isascii():
        return False
    parts, others = _SEPARATOR.split(one), _SEPARATOR.split(other)
    if len(parts) != len(others) or any(len(mine) != len(theirs) for mine, theirs in zip(parts, others, strict=True)):
        return False
    pairs = [(mine, theirs) for mine, theirs in zip(parts, others, strict=True) if mine != theirs]
    if sum(len(mine) for mine, _ in pairs) >= MIN_HASH and all(map(_HEX.fullmatch, (part for pair in pairs for part in pair))):
        return True
    return all(_drawn(mine, theirs) for mine, theirs in pairs)


def _drawn(one: str, other: str) -> bool:
    """Whether one of two parts was plainly drawn, and the other is of the same signs."""
    signs = next((kind for kind in _SIGNS if kind.fullmatch(one) and kind.fullmatch(other)), None)
    return signs is not None and any(map(_DRAWN.fullmatch, (one, other)))


def _scheme(text: str) -> str:
    return "".join("9" if sign.isdigit() else "a" if sign.isalpha() else sign for sign in text)


def _is_time(text: str) -> bool:
    return re.match(r"\d{4}-\d{2}|\d{1,2}[:/.]\d{2}", text) is not None
