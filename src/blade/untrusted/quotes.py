"""Untrusted text as a short quotation: one clean line without secrets.

Rollouts quote a lot and briefly, so only as much of a text is cleaned as the quotation shows, with room around the cut, because
half a secret no longer looks like one.
"""

from functools import lru_cache
from typing import Final

from blade.untrusted.escapes import one_line, strip_escapes
from blade.untrusted.redaction import redact

READ: Final = 8
"""The text is read up to this many times the limit."""
ROOM: Final = 256
"""No shape of a secret looks further ahead than this, except along a run of characters that a space or a quote ends."""
SHORT: Final = 1_000
_PEM: Final = "-----BEGIN"


def clean(text: str) -> str:
    """Without escapes first, and then without secrets: an escape in front of a secret would hide where it begins."""
    return redact(strip_escapes(text))


def quote(text: str, limit: int) -> str:
    """A text on one clean line of at most `limit` characters; an ellipsis stands for what was cut."""
    size = len(text)
    if size <= SHORT:
        return _quote_short(text, limit)
    if size > 2 * limit + ROOM:
        for length in (limit + limit // 8, 3 * limit):
            beginning = _plain_beginning(text, length, READ * limit)
            if beginning is None:
                break
            line = " ".join(beginning.split())
            if len(line) > limit:
                return line[: limit - 1].rstrip() + "…"
    return _quote(text, limit)


@lru_cache(maxsize=2048)
def _quote_short(text: str, limit: int) -> str:
    """Names of tools and fields come again and again, and several detectors quote the same call."""
    return _quote(text, limit)


def _quote(text: str, limit: int) -> str:
    cleaned = clean(text[: READ * limit])
    if len(cleaned) > READ * limit:
        return one_line(cleaned, limit)
    line = cleaned if _on_one_line(cleaned) else " ".join(cleaned.split())  # clean already, so this is all that is left to do
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _on_one_line(cleaned: str) -> bool:
    """Whether single spaces are all that parts the words of a clean text, which is seen sooner than it is split."""
    return (
        cleaned.isascii()
        and "  " not in cleaned
        and "\n" not in cleaned
        and "\t" not in cleaned
        and not (cleaned.startswith(" ") or cleaned.endswith(" "))
    )


def _plain_beginning(text: str, length: int, end: int) -> str | None:
    """At least so many characters of a text in which nothing would be cleaned, however it goes on; None where that is not known."""
    stop = text.find(" ", length + ROOM, end)
    if stop < 0:
        stop = text.find('"', length + ROOM, end)
    if stop < 0:
        return None
    head = text[:stop]
    return head[: stop - ROOM] if clean(head) is head and _PEM not in head else None
