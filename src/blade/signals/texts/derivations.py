"""What follows from the numbers that a text holds: the arithmetic that a reader would grant.

`number_follows` says how a number follows from those seen, `Numbers` does it for texts that grow and are long. Numbers are looked up
among sorted or rounded ones, so the work is about linear in how many were seen; where a quick look says that a calculation may fit,
the calculations themselves decide. Sums of several numbers are in `sums`.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Final

from blade.signals.repeats import once_for_repeats
from blade.signals.texts.sums import COUNTS, EXACT, MAX_NUMBERS, SMALL, WIDE, Sums, close, has, near, tolerance
from blade.signals.texts.values import numbers_in, numbers_in_digits, numbers_in_words

FACTORS: Final = (7, 24, 30, 52, 60, 100, 144, 365, 1000, 3600)
"""Days in a week, hours in a day, minutes, percent, a gross, and so on."""
MAX_EXPLAINING: Final = 200
"""Numbers from which an explanation is looked for among them and no further ones are read."""
MAX_VALUE: Final = 1e9
"""Numbers from here on are ids, not amounts, and nothing is calculated with them."""
MOST_WAYS: Final = 3
"""Products told of one number."""
_ALL_FACTORS: Final = (*COUNTS, *map(float, FACTORS))
_TINY: Final = 1e-9


class Numbers:
    """The numbers in a text that grows. It is read only as far as an answer needs: where many numbers were seen already, any
    amount up to their total is granted, and reading on could not change that.
    """

    def __init__(self, beginning: str) -> None:
        self._beginning: str | None = beginning
        self._digits: list[str] = []
        self._words: list[str] = []
        self._seen: set[float] = set()
        self._amounts = 0
        self._total = 0.0
        self._known = _Known(frozenset())

    def read(self, text: str) -> None:
        self._digits.append(text)
        self._words.append(text)

    def all(self) -> set[float]:
        """Every number, whatever it costs to read them."""
        while self._read_some():
            pass
        return self._seen

    def give(self, wanted: float) -> bool:
        """Whether a number follows from those seen; the same as `number_follows` says of all of them."""
        while not self._reach(wanted, MAX_NUMBERS):
            if not self._read_some():
                return self._all_known().explain(wanted) is not None
        return True

    def explain(self, wanted: float) -> str | None:
        """How a number follows from those seen, or from the first of very many."""
        while not self._reach(wanted, MAX_EXPLAINING) and self._read_some():
            pass
        return self._all_known().explain(wanted)

    def _all_known(self) -> "_Known":
        self._known.grow(self._seen)
        return self._known

    def _reach(self, wanted: float, enough: int) -> bool:
        # A hair less than the total, whose last digits depend on the order of adding.
        return self._amounts > enough and abs(wanted) <= self._total * SMALL * (1 - 1e-9)

    def _read_some(self) -> bool:
        """Digits first, the newest text before the others; words, which take longer to find, after all of them."""
        if self._digits:
            self._take(_digits(self._digits.pop()))
        elif self._beginning is not None:
            self._take(_distinct_numbers(self._beginning))
            self._beginning = None
        elif self._words:
            self._take(_words(self._words.pop()))
        else:
            return False
        return True

    def _take(self, some: frozenset[float]) -> None:
        fresh = some - self._seen
        self._seen |= fresh
        amounts = [number for number in fresh if 0 < number < MAX_VALUE]
        self._amounts += len(amounts)
        self._total = sum(amounts, self._total)


@lru_cache(maxsize=128)
def _digits(text: str) -> frozenset[float]:
    """More than one detector reads the same texts of the rollout at hand."""
    return frozenset(numbers_in_digits(text))


@lru_cache(maxsize=128)
def _words(text: str) -> frozenset[float]:
    return frozenset(numbers_in_words(text))


@once_for_repeats
def _distinct_numbers(text: str) -> frozenset[float]:
    """Prompts are long and much the same from row to row, so what they hold is worked out once."""
    return frozenset(numbers_in(text))


def number_follows(wanted: float, seen: set[float]) -> str | None:
    """How a number follows from those seen (`50 × 4`), or None where no short calculation gives it."""
    return _Known(frozenset(seen)).explain(wanted)


class _Known:
    """The numbers seen, prepared for being calculated with."""

    def __init__(self, seen: frozenset[float]) -> None:
        self.seen: set[float] = set()
        self._values: list[float] = []
        self._most = 0.0
        self._shares = False
        self._hundredths: set[int] = set()
        self._sums: Sums | None = None
        self._grown = 0
        self._take(seen)

    def grow(self, seen: AbstractSet[float]) -> None:
        """Take in the numbers of a set that are new; it is the same set again, with more in it."""
        if len(seen) != self._grown:
            self._grown = len(seen)
            self._take(seen - self.seen)

    def _take(self, fresh: AbstractSet[float]) -> None:
        if not fresh:
            return
        self.seen |= fresh
        self._most = max(self._most, max(fresh))
        amounts = [value for value in fresh if 0 < value < MAX_VALUE]
        if amounts:
            self._values = sorted(self._values + sorted(amounts))
            self._shares = self._values[0] < 1
        if self._hundredths:
            self._hundredths.update(_in_hundredths(fresh))
        self._sums = None

    def explain(self, wanted: float) -> str | None:
        if abs(wanted) <= SMALL and float(wanted).is_integer():
            return "a small count"
        target = abs(wanted)
        if has(self.seen, target):
            return "seen"
        multiple = _multiple(target, self._values)
        if multiple:
            return _so_many_times(target, self._values) or multiple
        return (
            (_multiple(target, COUNTS) if target < (SMALL + 1) * max(FACTORS) else None)
            or self._of_two(target)
            or self._sums_of_all().explain(target)
        )

    def _sums_of_all(self) -> Sums:
        if self._sums is None:
            self._sums = Sums(self._values, self.seen)
        return self._sums

    def _of_two(self, target: float) -> str | None:
        """A sum, difference, product or quotient of two numbers, or so many percent of one."""
        seen = self.seen
        percents = self._values[: bisect_right(self._values, 100.0)]
        for value in self._for_two(target):
            for other, sign in ((target - value, "+"), (value - target, "-"), (target / value, "×"), (value / target, "/")):
                if has(seen, other):
                    return f"{value:g} {sign} {other:g}"
            share, width = target * 100 / value, tolerance(target) * 100 / value
            places = {place for centre in (share, 100 - share, share - 100) for place in near(percents, centre, width)}
            for place in sorted(places):
                percent = percents[place]
                if any(close(value * of / 100, target) for of in (percent, 100 - percent, 100 + percent)):
                    return f"{percent:g} % of {value:g}"
        return None

    def _for_two(self, target: float) -> Sequence[float]:
        """The values that may do it, in order. Where the result must have been seen, it lies in the hundredth of one, or the next."""
        values = self._values
        if not values or values[0] < _TINY or target > EXACT:
            return values
        largest, slots = values[-1], self._slots()
        found: set[float] = set()
        if target < largest + self._most + 1:
            found.update(
                [
                    value
                    for value in values
                    if (slot := int(abs(target - value) * 100)) in slots or slot + 1 in slots or slot - 1 in slots
                ]
            )
        factors = values[bisect_left(values, target / (self._most + 1) * (1 - _TINY)) :]
        found.update(
            [value for value in factors if (slot := int(target / value * 100)) in slots or slot + 1 in slots or slot - 1 in slots]
        )
        if self._shares:
            found.update([value for value in values if value / target in self.seen])
        # Percents make at most twice the value, and a quotient of at least one takes a larger value than the target.
        found.update(values[bisect_left(values, (target - 1) / (2 * WIDE)) :])
        return sorted(found)

    def _slots(self) -> set[int]:
        if not self._hundredths:
            self._hundredths.update(_in_hundredths(self.seen))
        return self._hundredths


def _in_hundredths(numbers: Iterable[float]) -> list[int]:
    return [int(number * 100) for number in numbers if number < 1e18]


def _so_many_times(target: float, values: Sequence[float]) -> str:
    """Amounts seen that a small count turns into the target: which of them was meant, figures alone do not say, so the first few are told."""
    told = []
    for count in COUNTS[1:]:
        place = bisect_left(values, (target - tolerance(target)) / count)
        if place < len(values) and values[place] > SMALL and close(values[place] * count, target):
            told.append(f"{values[place]:g} × {count:g}")
    return " or ".join(told[:MOST_WAYS])


def _multiple(target: float, values: Sequence[float]) -> str | None:
    """The first of the sorted values that a factor turns into the target, up or down."""
    first: tuple[int, int] | None = None
    most = values[-1] if values else 0.0
    for number, factor in enumerate(_ALL_FACTORS):
        for centre, width in ((target / factor, tolerance(target) / factor), (target * factor, tolerance(target * factor))):
            reach = width * WIDE + 1e-12 * centre
            if centre - reach > most:
                continue  # beyond all of them
            place, end = bisect_left(values, centre - reach), len(values)
            while place < end and values[place] <= centre + reach and (first is None or (place, number) < first):
                if close(values[place] * factor, target) or close(values[place], target * factor):
                    first = place, number
                place += 1
    if first is None:
        return None
    value, factor = values[first[0]], _ALL_FACTORS[first[1]]
    return f"{value:g} × {factor:g}" if close(value * factor, target) else f"{value:g} / {factor:g}"
