"""Sums of several numbers: fares for a party, with and without fees.

There are very many of them, so sums and multiples are laid into slots, and a calculation is tried only where what it needs lies in
the right slot or the next.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import chain, combinations
from typing import Final

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


def longer(target: float, values: list[float], seen: set[float]) -> str | None:
    """Sums of several numbers, and multiples of them: fares for a party, with and without fees."""
    if len(values) > MAX_NUMBERS:
        return "a sum of several numbers" if target <= sum(values) * SMALL else None
    largest, most = max(values, default=0.0), max(seen, default=0.0)
    if target * (1 - 1e-6) > max(SMALL * (2 * largest + most), 4 * SMALL * largest, sum(values)) + 1:
        return None  # out of reach of all of the following
    slots = _Slots(target, values, seen)
    for count in range(1, SMALL + 1):
        for value in values if target >= EXACT or slots.hold_multiples else ():
            rest = target - count * value
            if target >= EXACT or slots.hold_multiple(rest):
                for other in range(1, SMALL + 1):
                    if has(seen, rest / other) or has(seen, -rest / other):
                        return f"{count} × {value:g} {'+' if rest > 0 else '-'} {other} × {abs(rest) / other:g}"
        part = target / count
        if part > 2 * largest + most + 2:
            continue
        for combined, first, second in slots.near_pairs(part) if target < EXACT else slots.pairs:
            if has(seen, part - combined) or has(seen, combined - part) or close(part, combined):
                return f"{count} × a sum with {first:g} and {second:g}"
    return _of_four(target, values) or _running_sum(target, values)


Pair = tuple[float, float, float]
"""Two numbers added or subtracted, and the two."""


class _Slots:
    """Sums and multiples in slots a tenth wide, of which only few can fit a number: what fits lies in its slot or the next."""

    def __init__(self, target: float, values: list[float], seen: set[float]) -> None:
        self._values = values
        self._largest = 2 * values[-1] if values else 0.0
        self._seen = sorted([number for number in seen if 0 < number < EXACT])
        # What is left of the target is at least this much, whichever multiple of a value is taken away.
        least = (target - SMALL * (self._largest / 2) - 1) / SMALL
        large = self._seen[bisect_left(self._seen, least) :]
        self._multiples = {int(number * count * 10) for number in large for count in COUNTS}

    @property
    def hold_multiples(self) -> bool:
        return bool(self._multiples)

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
        width = tolerance(part) * WIDE
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
