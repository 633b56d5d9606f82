"""What is worked out once for all repeats of a task: its prompt comes again with every one of them, and so does what the prompt says.

So do the names of the fields, with every row of a run.
"""

from collections.abc import Callable, Collection, Hashable
from functools import wraps
from typing import Final, TypeVar, cast

from blade.signals.texts.speech import caseless

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
KEPT: Final = 1_024
MOST: Final = 2_000_000
"""Texts of which something is remembered, and characters of all of them together, so that memory stays bounded whatever the texts are."""


def once_for_repeats(function: Callable[[str], T]) -> Callable[[str], T]:
    """Work out what a text of the prompt says once, however many repeats and detectors ask; the oldest texts are forgotten first."""
    return wraps(function)(_remembered(function, len))


MOST_NAMES: Final = 128
"""Names of one object of which something is remembered; rows and their objects have fewer, records of an environment's state may have more."""


def once_for_names(function: Callable[[tuple[str, ...]], T]) -> Callable[[Collection[str]], T]:
    """Work out what the names of an object's fields say once for all rows that have the same ones."""
    known = _remembered(function, lambda names: sum(map(len, names)))

    @wraps(function)
    def told(names: Collection[str]) -> T:
        return known(tuple(names)) if len(names) <= MOST_NAMES else function(tuple(names))

    return told


def _remembered(function: Callable[[K], T], size: Callable[[K], int]) -> Callable[[K], T]:
    kept: dict[K, T] = {}
    held, unknown = kept.get, cast(T, object())
    characters = 0

    def known(key: K) -> T:
        nonlocal characters
        value = held(key, unknown)
        if value is not unknown:
            return value
        value = function(key)
        characters += size(key)
        while kept and (len(kept) >= KEPT or characters > MOST):
            oldest = next(iter(kept))
            characters -= size(oldest)
            del kept[oldest]
        kept[key] = value
        return value

    return known


uncased: Final = once_for_repeats(caseless)


def has_mark(text: str, marks: tuple[str, ...]) -> bool:
    """Whether a text of the prompt has one of these words, in whatever case: what an expression cannot do without is found sooner than by itself."""
    read = uncased(text)
    return any(mark in read for mark in marks)


@once_for_repeats
def shared(text: str) -> str:
    """The text itself, the same object for all repeats: what is remembered of it is then found without comparing two long texts."""
    return text
