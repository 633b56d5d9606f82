"""Sums of several numbers: fares for a party, with and without fees.

There are very many of them, so sums and multiples are laid into slots, and a calculation is tried only where what it needs lies in
the right slot or the next.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, Final

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
        for count in range(1, SMALL + 1):
            for value in values if target >= EXACT else self._slots.with_a_multiple(target, count):
                rest = target - count * value
                for other in range(1, SMALL + 1):
                    if has(seen, rest / other) or has(seen, -rest / other):
                        return f"{count} × {value:g} {'+' if rest > 0 else '-'} {other} × {abs(rest) / other:g}"
            part = target / count
            if part > 2 * largest + most + 2:
                continue
            for combined, first, second in self._slots.near_pairs(part) if target < EXACT else self._slots.pairs:
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
        self._values = values
        self._largest = 2 * values[-1] if values else 0.0
        self._seen = sorted([number for number in seen if 0 < number < EXACT])

    def with_a_multiple(self, target: float, count: int) -> list[float]:
        """The values of which so many leave what may be one to twelve times a number that was seen."""
        # What is left of the target is at least this much, whichever multiple of a value is taken away.
        least = (target - SMALL * (self._largest / 2) - 1) / SMALL
        if not self._seen or self._seen[-1] < least:
            return []
        multiples = self._multiples
        return [value for value in self._values if int(abs(target - count * value) * 10) in multiples]

    @cached_property
    def _multiples(self) -> frozenset[int]:
        """The slots of the multiples of all that was seen, and those beside them."""
        slots = {int(number * count * 10) for number in self._seen for count in COUNTS}
        return frozenset(slots.union([slot - 1 for slot in slots], [slot + 1 for slot in slots]))

    @cached_property
    def pairs(self) -> list[Pair]:
        return [
            (combined, first, second)
            for first, second in combinations(self._values, 2)
            for combined in (first + second, first - second, second - first)
        ]

    def _of_pairs(self, wanted: set[int]) -> set[int]:
        """Those of the slots that hold a pair."""
        import numpy as np

        slots = self._sorted_slots
        sought = np.fromiter(wanted, np.int64, len(wanted))
        places = np.searchsorted(slots, sought)
        return set(sought[slots[np.minimum(places, len(slots) - 1)] == sought].tolist()) if len(slots) else set()

    @cached_property
    def _sorted_slots(self) -> Any:
        """The slots of all pairs: a number of them that grows with the square of the values."""
        import numpy as np

        values = np.array(self._values)
        first, second = np.triu_indices(len(values), 1)
        between = ((values[second] - values[first]) * 10).astype(np.int64)
        return np.sort(np.concatenate((((values[first] + values[second]) * 10).astype(np.int64), between, -between)))

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
        width = tolerance(part) * WIDE
        if not third and part - width > self._largest:
            return []
        wanted: set[int] = set()
        if part - width <= self._largest:
            wanted.update(range(int((part - width) * 10) - 1, int((part + width) * 10) + 2))
        for number in third:
            below, above = int((part - number) * 10), int((part + number) * 10)
            wanted.update((below - 1, below, below + 1, above - 1, above, above + 1))
        wanted = self._of_pairs(wanted)
        if not wanted:
            return []
        pairs, known = self.pairs, self._places
        return [pairs[place] for place in sorted(place for slot in wanted for place in known[slot])]


def _of_four(target: float, values: list[float]) -> str | None:
    if len(values) > MAX_FOR_PAIRS or len(values) < 2 or target > 4 * SMALL * values[-1] + 1:
        return None
    # In hundredths, where equal means equal.
    hundredths = [round(value * 100) for value in values]
    if all(part / 100 == value for part, value in zip(hundredths, values, strict=True)):
        pairs = {first + second for first, second in combinations(hundredths, 2)}
    else:
        pairs = {round(round(first + second, 2) * 100) for first, second in combinations(values, 2)}
    most = max(pairs)
    for count in range(1, SMALL + 1):
        part = round(round(target / count, 2) * 100)
        if (part <= 2 * most and not pairs.isdisjoint([part - pair for pair in pairs])) or (
            part <= most and not pairs.isdisjoint([pair - part for pair in pairs])
        ):
            return f"{count} × a sum or difference of four numbers"
    return None


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
