"""What is worked out once for all repeats of a task: its prompt comes again with every one of them, and so does what the prompt says."""

from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar, cast

T = TypeVar("T")
KEPT: Final = 1_024
MOST: Final = 2_000_000
"""Texts of which something is remembered, and characters of all of them together, so that memory stays bounded whatever the texts are."""


def once_for_repeats(function: Callable[[str], T]) -> Callable[[str], T]:
    """Work out what a text of the prompt says once, however many repeats and detectors ask; the oldest texts are forgotten first."""
    kept: dict[str, T] = {}
    held, unknown = kept.get, cast(T, object())
    characters = 0

    @wraps(function)
    def known(text: str) -> T:
        nonlocal characters
        value = held(text, unknown)
        if value is not unknown:
            return value
        value = function(text)
        characters += len(text)
        while kept and (len(kept) >= KEPT or characters > MOST):
            oldest = next(iter(kept))
            characters -= len(oldest)
            del kept[oldest]
        kept[text] = value
        return value

    return known


@once_for_repeats
def shared(text: str) -> str:
    """The text itself, the same object for all repeats: what is remembered of it is then found without comparing two long texts."""
    return text
