"""Times of day as people and tools write them: `half past three`, `3.30 pm`, `2026-07-28T15:30`."""

import re
from typing import Final

HALF_DAY: Final = 12 * 60
_HOURS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_PAST: Final = {"half past": 30, "quarter past": 15, "quarter to": -15, "quarter after": 15, "quarter of": -15}
_WORDS: Final = re.compile(
    rf"\b(?P<past>{'|'.join(_PAST)}) (?P<hour>{'|'.join(_HOURS)}|\d{{1,2}})\b|\b(?P<full>{'|'.join(_HOURS)}|\d{{1,2}})(?: o['’]clock\b| ?[ap]\.?m\b)",
    re.IGNORECASE,
)
_FIGURES: Final = re.compile(r"(?<![\d:.])([01]?\d|2[0-3])(?::|\.(?=\d\d ?[ap]\.?m\b))([0-5]\d)(?!\d|:\d{2}:)", re.IGNORECASE)


def times_of_day(text: str) -> dict[int, str]:
    """The times that a text names, as minutes on a clock of twelve hours, each with its words."""
    found: dict[int, str] = {}
    for spelt in _WORDS.finditer(text):
        named = (spelt["hour"] or spelt["full"]).lower()
        hour = _HOURS.index(named) + 1 if named in _HOURS else int(named)
        if hour <= 24 and text[max(0, spelt.start() - 1) : spelt.start()] not in (":", "."):
            found.setdefault((hour * 60 + _PAST.get((spelt["past"] or "").lower(), 0)) % HALF_DAY, spelt[0])
    for written in _FIGURES.finditer(text):
        found.setdefault((int(written[1]) * 60 + int(written[2])) % HALF_DAY, written[0])
    return found
