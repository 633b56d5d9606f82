"""What the runs of a comparison are called: A is the baseline, the others go on in the order in which they were given.

A pair is the baseline and one other run, and that run keeps its letter: the second of three runs' pairs is A and C. In documents and in
SQL the sides of any pair are `a` and `b`, whatever its runs are called.
"""

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any, Final

BASELINE: Final = "A"
SECOND: Final = "B"


def letter(place: int) -> str:
    """Of the run at a place, the baseline's being 0."""
    return ascii_uppercase[place] if place < len(ascii_uppercase) else f"R{place + 1}"


def second(pair: Mapping[str, Any]) -> str:
    """What the second run of a pair's document is called: B, unless the document is one of several pairs and says otherwise."""
    return str(pair.get("letter", SECOND))


def called(side: str, pair: Mapping[str, Any]) -> str:
    """What the run on side `a` or `b` of a pair's document is called."""
    return BASELINE if side == "a" else second(pair)
