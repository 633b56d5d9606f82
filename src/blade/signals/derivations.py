"""What follows from the numbers that a text holds: the arithmetic that a reader would grant.

`number_follows` says how a number follows from those seen, `Numbers` whether it does, for texts that grow and are long. Numbers are
looked up among sorted or rounded ones, so the work is about linear in how many were seen; where a quick look says that a calculation
may fit, the calculations themselves decide.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import chain, combinations
from typing import Final

from blade.signals.values import numbers_in, numbers_in_digits, numbers_in_words

SMALL: Final = 12
"""Counts up to here need no source: somebody can always have counted that many things."""
FACTORS: Final = (7, 24, 30, 52, 60, 100, 144, 365, 1000, 3600)
"""Days in a week, hours in a day, minutes, percent, a gross, and so on."""
MAX_NUMBERS: Final = 80
"""Beyond this many distinct numbers, sums of three reach nearly everything and are taken for granted up to their total."""
MAX_EXPLAINING: Final = 400
"""Numbers from which an explanation is looked for among them and no further ones are read."""
MAX_FOR_PAIRS: Final = 50
"""Up to this many, sums and differences of four are tried too."""
MAX_VALUE: Final = 1e9
"""Numbers from here on are ids, not amounts, and nothing is calculated with them."""
_COUNTS: Final = tuple(float(count) for count in range(1, SMALL + 1))
_ALL_FACTORS: Final = (*_COUNTS, *map(float, FACTORS))
_EXACT: Final = 1e12
"""Below this, a float tells a hundredth of what lies beside it."""
_WIDE: Final = 1.01
"""Windows are searched a little wider than the exact test that follows, so that no rounding hides a value from it."""


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
                return number_follows(wanted, self._seen) is not None
        return True

    def explain(self, wanted: float) -> str | None:
        """How a number follows from those seen, or from the first of very many."""
        while not self._reach(wanted, MAX_EXPLAINING) and self._read_some():
            pass
        return number_follows(wanted, self._seen)

    def _reach(self, wanted: float, enough: int) -> bool:
        # A hair less than the total, whose last digits depend on the order of adding.
        return self._amounts > enough and abs(wanted) <= self._total * SMALL * (1 - 1e-9)

    def _read_some(self) -> bool:
        """Digits first, the newest text before the others; words, which take longer to find, after all of them."""
        if self._digits:
            self._take(numbers_in_digits(self._digits.pop()))
        elif self._beginning is not None:
            self._take(_distinct_numbers(self._beginning))
            self._beginning = None
        elif self._words:
            self._take(numbers_in_words(self._words.pop()))
        else:
            return False
        return True

    def _take(self, some: Iterable[float]) -> None:
        seen = self._seen
        for number in some:
            if number not in seen:
                seen.add(number)
                if 0 < number < MAX_VALUE:
                    self._amounts += 1
                    self._total += number


@lru_cache(maxsize=64)
def _distinct_numbers(text: str) -> tuple[float, ...]:
    """Prompts are long and much the same from row to row, so what they hold is worked out once."""
    return tuple(dict.fromkeys(numbers_in(text)))


def number_follows(wanted: float, seen: set[float]) -> str | None:
    """How a number follows from those seen (`50 × 4`), or None where no short calculation gives it."""
    if abs(wanted) <= SMALL and float(wanted).is_integer():
        return "a small count"
    target = abs(wanted)
    if _has(seen, target):
        return "seen"
    values = sorted(value for value in seen if 0 < value < MAX_VALUE)
    return (
        _multiple(target, values) or _multiple(target, _COUNTS) or _of_two(target, values, seen) or _longer(target, values, seen)
    )


def _multiple(target: float, values: list[float] | tuple[float, ...]) -> str | None:
    """The first of the sorted values that a factor turns into the target, up or down."""
    first: tuple[int, int] | None = None
    for number, factor in enumerate(_ALL_FACTORS):
        for centre, width in (
            (target / factor, _tolerance(target) / factor),
            (target * factor, _tolerance(target * factor)),
        ):
            for place in _near(values, centre, width):
                if (first is None or (place, number) < first) and (
                    _close(values[place] * factor, target) or _close(values[place], target * factor)
                ):
                    first = place, number
                    break
    if first is None:
        return None
    value, factor = values[first[0]], _ALL_FACTORS[first[1]]
    return f"{value:g} × {factor:g}" if _close(value * factor, target) else f"{value:g} / {factor:g}"


def _of_two(target: float, values: list[float], seen: set[float]) -> str | None:
    """A sum, difference, product or quotient of two numbers, or so many percent of one."""
    percents = values[: bisect_right(values, 100.0)]
    most = max(seen, default=0.0) + 1
    for value in values:
        if target - value < most and _has(seen, target - value):
            return f"{value:g} + {target - value:g}"
        if value > target and _has(seen, value - target):
            return f"{value:g} - {value - target:g}"
        if target / value < most and _has(seen, target / value):
            return f"{value:g} × {target / value:g}"
        if value / target in seen or (value > target and _has(seen, value / target)):
            return f"{value:g} / {value / target:g}"
        if value * 2 * _WIDE + 1 < target:
            continue  # at most 100 % more: twice the value
        share, width = target * 100 / value, _tolerance(target) * 100 / value
        places = {place for centre in (share, 100 - share, share - 100) for place in _near(percents, centre, width)}
        for place in sorted(places):
            percent = percents[place]
            if any(_close(value * of / 100, target) for of in (percent, 100 - percent, 100 + percent)):
                return f"{percent:g} % of {value:g}"
    return None


def _longer(target: float, values: list[float], seen: set[float]) -> str | None:
    """Sums of several numbers, and multiples of them: fares for a party, with and without fees."""
    if len(values) > MAX_NUMBERS:
        return "a sum of several numbers" if target <= sum(values) * SMALL else None
    largest, most = max(values, default=0.0), max(seen, default=0.0)
    if target * (1 - 1e-6) > max(SMALL * (2 * largest + most), 4 * SMALL * largest, sum(values)) + 1:
        return None  # out of reach of all of the following
    slots = _Slots(values, seen)
    for count in range(1, SMALL + 1):
        for value in values:
            rest = target - count * value
            if target >= _EXACT or slots.hold_multiple(rest):
                for other in range(1, SMALL + 1):
                    if _has(seen, rest / other) or _has(seen, -rest / other):
                        return f"{count} × {value:g} {'+' if rest > 0 else '-'} {other} × {abs(rest) / other:g}"
        part = target / count
        for combined, first, second in slots.near_pairs(part) if target < _EXACT else slots.pairs:
            if _has(seen, part - combined) or _has(seen, combined - part) or _close(part, combined):
                return f"{count} × a sum with {first:g} and {second:g}"
    return _of_four(target, values) or _running_sum(target, values)


Pair = tuple[float, float, float]
"""Two numbers added or subtracted, and the two."""


class _Slots:
    """Sums and multiples in slots a tenth wide, of which only few can fit a number: what fits lies in its slot or the next."""

    def __init__(self, values: list[float], seen: set[float]) -> None:
        self._values = values
        self._largest = 2 * values[-1] if values else 0.0
        self._seen = sorted(number for number in seen if 0 < number < _EXACT)
        self._multiples = {int(number * count * 10) for number in self._seen for count in _COUNTS}

    def hold_multiple(self, rest: float) -> bool:
        """Whether `rest` may be one to twelve times a number that was seen."""
        slot = int(abs(rest) * 10)
        return slot in self._multiples or slot + 1 in self._multiples or slot - 1 in self._multiples

    @cached_property
    def pairs(self) -> list[Pair]:
        return [
            (combined, first, second)
            for first, second in combinations(self._values, 2)
            for combined in (first + second, first - second, second - first)
        ]

    @cached_property
    def _slots(self) -> frozenset[int]:
        """The slots of all pairs."""
        pairs = list(combinations(self._values, 2))
        between = [int((second - first) * 10) for first, second in pairs]
        return frozenset(
            chain([int((first + second) * 10) for first, second in pairs], between, [-difference for difference in between])
        )

    @cached_property
    def _places(self) -> dict[int, list[int]]:
        """Where the pairs of each slot stand among all of them."""
        places: dict[int, list[int]] = {}
        for place, (combined, _, _) in enumerate(self.pairs):
            places.setdefault(int(combined * 10), []).append(place)
        return places

    def near_pairs(self, part: float) -> list[Pair]:
        """The pairs that may give `part`, alone or with a third number added or subtracted, in their order."""
        reach = self._largest + 1
        third = self._seen[bisect_left(self._seen, part - reach) : bisect_right(self._seen, part + reach)]
        width = _tolerance(part) * _WIDE
        if not third and part - width > self._largest:
            return []
        wanted: set[int] = set()
        if part - width <= self._largest:
            wanted.update(range(int((part - width) * 10) - 1, int((part + width) * 10) + 2))
        for number in third:
            below, above = int((part - number) * 10), int((part + number) * 10)
            wanted.update((below - 1, below, below + 1, above - 1, above, above + 1))
        wanted &= self._slots
        if not wanted:
            return []
        pairs, known = self.pairs, self._places
        return [pairs[place] for place in sorted(place for slot in wanted for place in known[slot])]


def _of_four(target: float, values: list[float]) -> str | None:
    if len(values) > MAX_FOR_PAIRS or not values or target > 4 * SMALL * values[-1] + 1:
        return None
    # In hundredths, where equal means equal.
    pairs = {round(round(first + second, 2) * 100) for first, second in combinations(values, 2)}
    for count in range(1, SMALL + 1):
        part = round(round(target / count, 2) * 100)
        if not pairs.isdisjoint([pair - part for pair in pairs]) or not pairs.isdisjoint([part - pair for pair in pairs]):
            return f"{count} × a sum or difference of four numbers"
    return None


def _running_sum(target: float, values: list[float]) -> str | None:
    running = 0.0
    for value in values:
        running += value
        if _close(running, target):
            return "a running sum"
    return None


def _tolerance(value: float) -> float:
    return 0.005 + 1e-9 * abs(value)


def _close(first: float, second: float) -> bool:
    return abs(first - second) <= 0.005 + 1e-9 * abs(second)


def _near(values: list[float] | tuple[float, ...], centre: float, width: float) -> range:
    """The places in sorted values that lie about `width` around a centre, a little further rather than less."""
    reach = width * _WIDE + 1e-12 * abs(centre)
    return range(bisect_left(values, centre - reach), bisect_right(values, centre + reach))


def _has(seen: set[float], value: float) -> bool:
    # A quotient near nothing would round to a zero that is always seen somewhere.
    return value > 0 and (value in seen or (value >= 1 and round(value, 2) in seen))
