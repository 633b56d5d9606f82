"""What follows from the numbers that a text holds: the arithmetic that a reader would grant.

`number_follows` says how a number follows from those seen, `Numbers` does it for texts that grow and are long. Numbers are looked up
among sorted or rounded ones, so the work is about linear in how many were seen; where a quick look says that a calculation may fit,
the calculations themselves decide. Sums of several numbers are in `sums`.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
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
        self._sorted: _Known | None = None

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
                return self._known().explain(wanted) is not None
        return True

    def explain(self, wanted: float) -> str | None:
        """How a number follows from those seen, or from the first of very many."""
        while not self._reach(wanted, MAX_EXPLAINING) and self._read_some():
            pass
        return self._known().explain(wanted)

    def _known(self) -> "_Known":
        if self._sorted is None or len(self._sorted.seen) != self._sorted.size:
            self._sorted = _Known(self._seen)
        return self._sorted

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

    def _take(self, some: Iterable[float]) -> None:
        """Take in numbers that are all different."""
        seen = self._seen
        fresh = [number for number in some if number not in seen]
        seen.update(fresh)
        amounts = [number for number in fresh if 0 < number < MAX_VALUE]
        self._amounts += len(amounts)
        self._total = sum(amounts, self._total)


@lru_cache(maxsize=128)
def _digits(text: str) -> tuple[float, ...]:
    """More than one detector reads the same texts of the rollout at hand."""
    return tuple(dict.fromkeys(numbers_in_digits(text)))


@lru_cache(maxsize=128)
def _words(text: str) -> tuple[float, ...]:
    return tuple(dict.fromkeys(numbers_in_words(text)))


@once_for_repeats
def _distinct_numbers(text: str) -> tuple[float, ...]:
    """Prompts are long and much the same from row to row, so what they hold is worked out once."""
    return tuple(dict.fromkeys(numbers_in(text)))


def number_follows(wanted: float, seen: set[float]) -> str | None:
    """How a number follows from those seen (`50 × 4`), or None where no short calculation gives it."""
    return _Known(seen).explain(wanted)


class _Known:
    """The numbers seen, prepared for being calculated with."""

    def __init__(self, seen: set[float]) -> None:
        self.seen = seen
        self.size = len(seen)
        self._values = sorted([value for value in seen if 0 < value < MAX_VALUE])
        self._most = max(seen, default=0.0)
        self._shares = bool(self._values) and self._values[0] < 1
        self._hundredths: set[int] = set()

    def explain(self, wanted: float) -> str | None:
        if abs(wanted) <= SMALL and float(wanted).is_integer():
            return "a small count"
        target = abs(wanted)
        if has(self.seen, target):
            return "seen"
        return (
            _multiple(target, self._values)
            or (_multiple(target, COUNTS) if target < (SMALL + 1) * max(FACTORS) else None)
            or self._of_two(target)
            or self._sums.explain(target)
        )

    @cached_property
    def _sums(self) -> Sums:
        return Sums(self._values, self.seen)

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
            self._hundredths.update([int(number * 100) for number in self.seen if number < 1e18])
        return self._hundredths


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
