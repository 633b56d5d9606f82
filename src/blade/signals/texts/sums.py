"""Sums of several numbers: fares for a party, with and without fees.

There are very many of them, so sums and multiples are laid into slots, and a calculation is tried only where what it needs lies in
the right slot or the next.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any, Final

import numpy as np

SMALL: Final = 12
"""Counts up to here need no source: somebody can always have counted that many things."""
MAX_NUMBERS: Final = 80
"""Beyond this many distinct numbers, sums of three reach nearly everything and are taken for granted up to their total."""
MAX_FOR_PAIRS: Final = 50
"""Up to this many, sums and differences of four are tried too."""
EXACT: Final = 1e12
"""Below this, a float tells a hundredth of what lies beside it."""
WIDE: Final = 1.01
"""Windows are searched a little wider than the exact test that follows, so that no rounding hides a value from it."""
COUNTS: Final = tuple(float(count) for count in range(1, SMALL + 1))
_COUNTS: Final = np.array(COUNTS)[:, np.newaxis]
MAKES: Final = 3
"""What two numbers make: a sum and two differences."""
Slots = Any
"""An array of numbers or of slots."""


class Sums:
    """What several of the numbers seen add up to, with multiples of them: fares for a party, with and without fees."""

    def __init__(self, values: list[float], seen: set[float]) -> None:
        """`values` are those of the numbers seen that are calculated with, sorted."""
        self._values = values
        self._seen = seen
        self._total = sum(values)
        self._largest = values[-1] if values else 0.0
        self._most = max(seen, default=0.0)

    def explain(self, target: float) -> str | None:
        values, seen, largest, most = self._values, self._seen, self._largest, self._most
        if len(values) > MAX_NUMBERS:
            return "a sum of several numbers" if target <= self._total * SMALL else None
        if target * (1 - 1e-6) > max(SMALL * (2 * largest + most), 4 * SMALL * largest, self._total) + 1:
            return None  # out of reach of all of the following
        exactly = target < EXACT
        multiples = self._slots.with_multiples(target) if exactly else [values] * SMALL
        for count in range(1, SMALL + 1):
            for value in multiples[count - 1]:
                rest = target - count * value
                for other in range(1, SMALL + 1):
                    if has(seen, rest / other) or has(seen, -rest / other):
                        return f"{count} × {value:g} {'+' if rest > 0 else '-'} {other} × {abs(rest) / other:g}"
            part = target / count
            if part > 2 * largest + most + 2 or (exactly and not self._slots.has_near(target)[count - 1]):
                continue
            for combined, first, second in self._slots.near_pairs(part) if exactly else self._slots.all_pairs():
                if has(seen, part - combined) or has(seen, combined - part) or close(part, combined):
                    return f"{count} × a sum with {first:g} and {second:g}"
        return _of_four(target, values) or _running_sum(target, values)

    @cached_property
    def _slots(self) -> "_Slots":
        return _Slots(self._values, self._seen)


Pair = tuple[float, float, float]
"""Two numbers added or subtracted, and the two."""


class _Slots:
    """Sums and multiples in slots a tenth wide, of which only few can fit a number: what fits lies in its slot or the next."""

    def __init__(self, values: list[float], seen: set[float]) -> None:
        self._values = np.array(values, np.float64)
        self._largest = 2 * values[-1] if values else 0.0
        self._seen = np.sort(np.array([number for number in seen if 0 < number < EXACT], np.float64))
        self._asked: tuple[float, list[bool]] | None = None

    def with_multiples(self, target: float) -> list[list[float]]:
        """For each count the values of which so many leave what may be one to twelve times a number that was seen."""
        # What is left of the target is at least this much, whichever multiple of a value is taken away.
        least = (target - SMALL * (self._largest / 2) - 1) / SMALL
        if not len(self._seen) or self._seen[-1] < least:
            return [[]] * SMALL
        slots = _slots(np.abs(target - _COUNTS * self._values))
        fits = self._multiples[np.searchsorted(self._multiples, slots - 1)] <= slots + 1
        return [self._values[of_count].tolist() for of_count in fits] if fits.any() else [[]] * SMALL

    @cached_property
    def _multiples(self) -> Slots:
        """The slots of the multiples of all that was seen, and one beyond all of them."""
        return np.append(np.sort(_slots(self._seen * _COUNTS), axis=None), np.iinfo(np.int64).max)

    @cached_property
    def _pairs(self) -> tuple[Slots, Slots, Slots]:
        """Of all pairs: the places of the first and of the second, and what each makes: the sum and the two differences in turn."""
        first, second = _places_of_pairs(len(self._values))
        one, other = self._values[first], self._values[second]
        return first, second, np.stack((one + other, one - other, other - one), axis=1).ravel()

    @cached_property
    def _sorted(self) -> tuple[Slots, Slots]:
        """The slots of what the pairs make, sorted, and where each stands among all of them."""
        slots = _slots(self._pairs[2])
        order = np.argsort(slots, kind="stable")
        return slots[order], order

    def has_near(self, target: float) -> list[bool]:
        """For each count whether `near_pairs` may find anything for that part of the target; asked for all at once, which is quicker."""
        if self._asked is None or self._asked[0] != target:
            parts = target / _COUNTS
            reach, width = self._largest + 1, (0.005 + 1e-9 * parts) * WIDE
            apart = np.concatenate((parts - self._seen, parts + self._seen), axis=1)
            count, place = np.nonzero(np.abs(apart) <= reach + 1)
            wanted = _slots(apart[count, place])
            found = self._is_made(_slots(parts - width) - 1, _slots(parts + width) + 1)[:, 0]
            found[count[self._is_made(wanted - 1, wanted + 1)]] = True
            self._asked = target, found.tolist()
        return self._asked[1]

    def _is_made(self, low: Slots, high: Slots) -> Slots:
        """Which of the ranges of slots hold what two numbers make."""
        return self._made[np.searchsorted(self._made, low)] <= high

    @cached_property
    def _made(self) -> Slots:
        """The slots of what the pairs make, sorted, and one beyond all of them."""
        return np.append(np.sort(_slots(self._pairs[2])), np.iinfo(np.int64).max)

    def all_pairs(self) -> Iterator[Pair]:
        return map(self._pair, range(len(self._pairs[2])))

    def _pair(self, place: int) -> Pair:
        first, second, combined = self._pairs
        return (
            float(combined[place]),
            float(self._values[first[place // MAKES]]),
            float(self._values[second[place // MAKES]]),
        )

    def near_pairs(self, part: float) -> Iterator[Pair]:
        """The pairs that may give `part`, alone or with a third number added or subtracted, in their order."""
        reach, width = self._largest + 1, tolerance(part) * WIDE
        third = self._seen[np.searchsorted(self._seen, part - reach) : np.searchsorted(self._seen, part + reach, "right")]
        wanted = _slots(np.concatenate((part - third, part + third)))
        low, high = wanted - 1, wanted + 1
        if part - width <= self._largest:
            low = np.append(low, int((part - width) * 10) - 1)
            high = np.append(high, int((part + width) * 10) + 1)
        if not len(low):
            return iter(())
        slots, order = self._sorted
        begins, ends = np.searchsorted(slots, low), np.searchsorted(slots, high, "right")
        held = np.nonzero(begins < ends)[0].tolist()
        return map(self._pair, sorted({place for one in held for place in order[begins[one] : ends[one]].tolist()}))


def _slots(numbers: Slots) -> Slots:
    return (numbers * 10).astype(np.int64)


@lru_cache(maxsize=MAX_NUMBERS + 1)
def _places_of_pairs(size: int) -> tuple[Slots, Slots]:
    """The places of the first and of the second of all pairs of so many, in order."""
    first, second = np.triu_indices(size, 1)
    return first, second


def _of_four(target: float, values: list[float]) -> str | None:
    if len(values) > MAX_FOR_PAIRS or len(values) < 2 or target > 4 * SMALL * values[-1] + 1:
        return None
    # In hundredths, where equal means equal.
    hundredths = [round(value * 100) for value in values]
    if all(part / 100 == value for part, value in zip(hundredths, values, strict=True)):
        first, second = _places_of_pairs(len(values))
        whole = np.array(hundredths)
        pairs = np.sort(whole[first] + whole[second])
    else:
        pairs = np.sort([round(round(one + other, 2) * 100) for one, other in combinations(values, 2)])
    parts = np.array([round(round(target / count, 2) * 100) for count in range(1, SMALL + 1)])[:, np.newaxis]
    # Of two pairs that add up to a part, and of a pair less which one leaves it, one is at least half of it.
    large = pairs[np.searchsorted(pairs, parts[-1, 0] / 2) :]
    other = np.abs(parts - large)
    counts = np.nonzero(np.append(pairs, -1)[np.searchsorted(pairs, other)] == other)[0]
    return f"{counts[0] + 1} × a sum or difference of four numbers" if len(counts) else None


def _running_sum(target: float, values: list[float]) -> str | None:
    running = 0.0
    for value in values:
        running += value
        if close(running, target):
            return "a running sum"
    return None


def tolerance(value: float) -> float:
    return 0.005 + 1e-9 * abs(value)


def close(first: float, second: float) -> bool:
    return abs(first - second) <= 0.005 + 1e-9 * abs(second)


def near(values: Sequence[float], centre: float, width: float) -> range:
    """The places in sorted values that lie about `width` around a centre, a little further rather than less."""
    reach = width * WIDE + 1e-12 * abs(centre)
    return range(bisect_left(values, centre - reach), bisect_right(values, centre + reach))


def has(seen: set[float], value: float) -> bool:
    # A quotient near nothing would round to a zero that is always seen somewhere.
    return value > 0 and (value in seen or (value >= 1 and round(value, 2) in seen))
