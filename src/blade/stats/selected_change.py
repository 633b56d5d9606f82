"""The change on tasks that were chosen by how they failed before, freed of what chance alone would show.

Tasks that are picked because run A failed on them do better next time even if nothing changed (regression to the mean, Galton 1886). If
nothing changed, a task's rollouts might as well have been dealt to the two runs otherwise: passes, failures that carry the mode and
other failures are a multivariate hypergeometric deal. Each deal picks its own tasks by the same rule (a failing carrier in A), and the
mean over deals is what chance gives; the observed change is held against the deals around it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray, whole_numbers
from .errors import ImpossibleCounts
from .intervals import Interval
from .paired import pair_repeats, paired_interval

DEALS = 4_000
SEED = 12345


@dataclass(frozen=True, slots=True)
class SelectedChange:
    """In units of the whole score: the mean over all tasks of d_i where A has a failing carrier, 0 elsewhere.

    `by_chance` is its mean over deals, `excess` what the observed change has beyond it, with the interval of the observed change moved
    by as much; `p_value` is two-sided.
    """

    observed: float
    by_chance: float
    excess: float
    interval: Interval | None
    p_value: float
    selected: int
    tasks: int


def selected_change(
    passed: tuple[ArrayLike, ArrayLike],
    carriers: tuple[ArrayLike, ArrayLike],
    attempts: tuple[ArrayLike, ArrayLike],
    seed: int = SEED,
) -> SelectedChange | None:
    """For the tasks that both runs scored: passes, failing rollouts that carry the mode, and attempts in A and B; None where A has no carrier."""
    won, hit, tried = ([whole_numbers(of_run, "counts") for of_run in pair] for pair in (passed, carriers, attempts))
    for run in range(2):
        if bool((won[run] + hit[run] > tried[run]).any()) or bool((tried[run] == 0).any()):
            raise ImpossibleCounts("a task's passes and failing carriers are more than its rollouts, or it has none")
    if not bool((hit[0] > 0).any()):
        return None
    part = np.where(hit[0] > 0, won[1] / tried[1] - won[0] / tried[0], 0.0)
    dealt = _deals(np.stack((won[0] + won[1], hit[0] + hit[1], tried[0], tried[1]), axis=1), seed)
    observed, by_chance = float(part.mean()), float(dealt.mean())
    away = abs(observed - by_chance)
    found = paired_interval(part, pair_repeats(tried[0], tried[1]))
    return SelectedChange(
        observed,
        by_chance,
        observed - by_chance,
        None if found is None else Interval(found.low - by_chance, found.high - by_chance, method=found.method),
        (1 + int((np.abs(dealt - by_chance) >= away - 1e-12).sum())) / (1 + DEALS),
        int((hit[0] > 0).sum()),
        part.size,
    )


def _deals(rows: FloatArray, seed: int) -> FloatArray:
    """The statistic in each deal; equal tasks are dealt together. `rows`: passes and carriers of both runs, attempts of A and of B."""
    rng = np.random.default_rng(seed)
    total = np.zeros(DEALS)
    for (won, hit, in_a, in_b), count in zip(*np.unique(rows, axis=0, return_counts=True), strict=True):
        if not hit:
            continue  # it is never selected
        groups = [int(won), int(hit), int(in_a + in_b - won - hit)]
        for _ in range(int(count)):
            dealt = rng.multivariate_hypergeometric(groups, int(in_a), size=DEALS, method="marginals")
            total += np.where(dealt[:, 1] > 0, (won - dealt[:, 0]) / in_b - dealt[:, 0] / in_a, 0.0)
    return total / len(rows)
