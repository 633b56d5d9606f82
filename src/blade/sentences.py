"""Numbers and beginnings in sentences, for every floor that writes some."""

import re
from typing import Final

_WORD: Final = re.compile(r"[a-z]+(?=[ ,:;.]|$)")


def plural(amount: int, one: str, many: str | None = None) -> str:
    """`1 task`, `2 tasks`; with its verb: `1 row holds`, `2 rows hold`."""
    return f"{amount:,} {one if amount == 1 else many or one + 's'}"


def capital(text: str) -> str:
    """With a capital, where it begins with a plain word: `amount=200` and `get_member` stay as they are."""
    return text[:1].upper() + text[1:] if _WORD.match(text) else text


def tail(text: str, limit: int) -> str:
    """The end of a text, from a whole word on; an ellipsis stands for what is left out before it."""
    if len(text) <= limit:
        return text
    kept = text[-limit:]
    if not text[-limit - 1].isspace() and len(parts := kept.split(maxsplit=1)) == 2:
        kept = parts[1]
    return f"…{kept.lstrip()}"
