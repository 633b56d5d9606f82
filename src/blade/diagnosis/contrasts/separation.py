"""Which traits set the passing repeats of a task apart from its failing ones, and how far chance would go.

With four repeats almost anything separates now and then: a trait that two of four repeats have by chance splits two passing from two
failing ones in one of six cases. So traits are ranked by kind before neatness, the number of rivals is told, and complete
separation is called strong only where chance is a poor explanation or the verifier itself looks at that very thing.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Final

from blade.diagnosis.contrasts.traits import Kind, Shown, Spot, Trait, differs, traits
from blade.diagnosis.views import RolloutView, TaskView

LEAST_GAP: Final = 0.5
"""Difference between the shares of failing and passing repeats from which a trait is worth naming."""
_FREE: Final = frozenset(["change", "value", "reaction", "answer", "claim"])
"""Traits that can be the right thing or the wrong one; the others explain a failure only from one side."""


@dataclass(frozen=True)
class Separating:
    """A trait with its holders on either side."""

    trait: Trait
    passing: Mapping[str, Spot]
    failing: Mapping[str, Spot]
    of_passing: int
    of_failing: int

    @property
    def gap(self) -> float:
        """Share of failing repeats with it less that of passing ones: positive where failing repeats have it."""
        return len(self.failing) / self.of_failing - len(self.passing) / self.of_passing

    @property
    def complete(self) -> bool:
        return abs(self.gap) == 1.0

    @property
    def in_failing(self) -> bool:
        return self.gap > 0

    @property
    def counts(self) -> dict[str, int]:
        return {
            "passing_with": len(self.passing),
            "passing": self.of_passing,
            "failing_with": len(self.failing),
            "failing": self.of_failing,
        }

    @property
    def chance(self) -> float:
        """How often as many holders, dealt to the repeats at random, would be split at least this far (in the direction that counts)."""
        holders, total = len(self.passing) + len(self.failing), self.of_passing + self.of_failing
        free = self.trait.code in _FREE
        as_far = 0
        for k in range(max(0, holders - self.of_passing), min(holders, self.of_failing) + 1):
            gap = k / self.of_failing - (holders - k) / self.of_passing
            if abs(gap) >= abs(self.gap) - 1e-9 and (free or (gap > 0) == self.in_failing):
                as_far += comb(self.of_failing, k) * comb(self.of_passing, holders - k)
        return as_far / comb(total, holders)

    @property
    def first_step(self) -> int:
        spots = self.failing if self.in_failing else self.passing
        return min((spot.step for spot in spots.values() if spot.step is not None), default=1 << 60)

    @property
    def order(self) -> tuple[bool, int, float, int, Trait]:
        """Differences from the expected calls first, complete ones before others; then decisive kinds, wide gaps, early steps."""
        expected = self.trait.kind is Kind.ACTION and not self.passing
        return not (self.complete or expected), self.trait.kind, -abs(self.gap), self.first_step, self.trait


def separating(view: TaskView) -> list[Separating]:
    """The traits that set a mixed task's passing and failing repeats apart, the most decisive first."""
    # Where calls are expected, these say more about the changes than the changes themselves.
    judged = any(rollout.expected or differs(rollout) for rollout in view.rollouts)
    passing, failing = (_holders(side, changes=not judged) for side in (view.passing, view.failing))
    found = []
    of_passing, of_failing = len(view.passing), len(view.failing)
    for trait in passing | failing:
        with_it, without = failing.get(trait, {}), passing.get(trait, {})
        if abs(len(with_it) / of_failing - len(without) / of_passing) < LEAST_GAP:
            continue  # as most of very many
        each = Separating(trait, _spots(without), _spots(with_it), of_passing, of_failing)
        if _explains(each):
            found.append(each)
    return sorted(_without_echoes(found), key=lambda each: each.order)


def _holders(rollouts: Sequence[RolloutView], *, changes: bool) -> dict[Trait, dict[str, Shown]]:
    """By trait: the repeats that have it, and what shows where."""
    held: dict[Trait, dict[str, Shown]] = defaultdict(dict)
    for rollout in rollouts:
        for trait, shown in traits(rollout, changes=changes):
            held[trait].setdefault(rollout.rollout, shown)
    return held


def _spots(holders: Mapping[str, Shown]) -> dict[str, Spot]:
    return {rollout: shown() for rollout, shown in holders.items()}


def _explains(each: Separating) -> bool:
    """Lookups explain a failure where failing repeats lack them, errors and endings where they have them."""
    if each.trait.code in _FREE:
        return True
    return each.in_failing != (each.trait.kind in (Kind.LOOKUP, Kind.RECORD))


def _without_echoes(found: list[Separating]) -> list[Separating]:
    """Without the arguments and records of a lookup that as a whole separates the repeats as well: they follow from it."""
    whole = {each.trait.subject for each in found if each.trait.kind is Kind.LOOKUP}
    return [
        each
        for each in found
        if each.trait.kind not in (Kind.LOOKUP, Kind.RECORD)
        or not any(each.trait.subject.startswith((f"{tool}.", f"{tool}: ")) for tool in whole)
    ]
