"""Does the default interval of a pass rate hold the truth as often as it says?

    python -m evidence.intervals [--quick] [--out docs/evidence/intervals.json]

A cell is a kind of benchmark: so many tasks, repeats, a mean rate, a correlation of the repeats within a task. Each of its
2,000 runs draws its tasks afresh from a beta distribution and their passes from a binomial one, asks `blade.stats.intervals`
for the 95 % interval, and looks whether the mean rate lies in it. Two familiar intervals are held against the same runs:
Student's t over the task means, and Wilson's over all rollouts as if repeats were new tasks.

The bounds: coverage at least .925 in every cell; at most .98 where there are 200 tasks, or 50 at a mean of
.3 or .5. Elsewhere counts are a lattice too coarse for an upper bound. Exit 1 when a bound fails. Every cell has its own
seed, so a slice shows the same figures as the whole.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from blade.stats.intervals import LEVEL, effective_wilson, rate_statistics, student_t, wilson
from blade.stats.quantiles import normal_quantile

from .fingerprint import PUBLISHED, fingerprint, git_commit

SEED = 20260214
RUNS = 2_000
TASKS = (10, 20, 50, 100, 200, 500)
REPEATS = (1, 4, 8)
MEANS = (0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95)
CORRELATIONS = (0.3, 0.7)
LOWEST, HIGHEST = 0.925, 0.98
SOURCES = ("evidence/intervals.py", *(f"src/blade/stats/{name}.py" for name in ("counts", "errors", "intervals", "quantiles")))
METHODS = ("effective_wilson", "student_t", "plain_wilson")


@dataclass(frozen=True, slots=True)
class Cell:
    """A kind of benchmark, numbered by its place in the grid so that its random stream never depends on which cells are run."""

    number: int
    tasks: int
    repeats: int
    mean: float
    correlation: float

    @property
    def highest(self) -> float | None:
        """The upper bound on coverage, where there is one."""
        return HIGHEST if self.tasks >= 200 or (self.tasks >= 50 and self.mean in (0.3, 0.5)) else None

    @property
    def in_quick_slice(self) -> bool:
        return self.tasks in (10, 50, 200) and self.repeats in (1, 4) and self.mean in (0.05, 0.3, 0.5, 0.95)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How often each method's interval held the mean rate, and how wide it was on average."""

    cell: Cell
    coverage: dict[str, float]
    width: dict[str, float]

    @property
    def own(self) -> float:
        return self.coverage["effective_wilson"]

    @property
    def within_bounds(self) -> bool:
        return self.own >= LOWEST and (self.cell.highest is None or self.own <= self.cell.highest)

    def as_json(self) -> dict[str, Any]:
        return asdict(self.cell) | {
            "coverage": self.coverage,
            "mean_width": self.width,
            "bounds": [LOWEST, self.cell.highest],
            "within_bounds": self.within_bounds,
        }


def grid() -> Iterator[Cell]:
    for number, (tasks, repeats, mean, correlation) in enumerate(product(TASKS, REPEATS, MEANS, CORRELATIONS)):
        yield Cell(number, tasks, repeats, mean, correlation)


def simulate(cell: Cell) -> Outcome:
    """All runs of a cell at once, each method on the same runs."""
    rng = np.random.default_rng([SEED, cell.number])
    strength = 1 / cell.correlation - 1  # a beta distribution with a + b = 1/rho - 1 correlates repeats by rho
    rates = rng.beta(cell.mean * strength, (1 - cell.mean) * strength, (RUNS, cell.tasks))
    runs = rate_statistics(rng.binomial(cell.repeats, rates), np.full(cell.tasks, cell.repeats))
    error = np.sqrt(runs.spread * cell.tasks / (cell.tasks - 1))
    rollouts = np.full(RUNS, float(cell.tasks * cell.repeats))
    intervals = {
        "effective_wilson": effective_wilson(runs),
        "student_t": student_t(runs.rate, error, cell.tasks),
        "plain_wilson": wilson(runs.rate, rollouts, normal_quantile((1 + LEVEL) / 2)),
    }
    return Outcome(
        cell,
        coverage={name: float(np.mean((low <= cell.mean) & (cell.mean <= high))) for name, (low, high) in intervals.items()},
        width={name: round(float(np.mean(high - low)), 4) for name, (low, high) in intervals.items()},
    )


def publish(outcomes: list[Outcome]) -> dict[str, Any]:
    """The evidence as it is published: what was run, on which code, what it showed."""
    lowest = sorted(outcomes, key=lambda outcome: outcome.own)
    bounded = [outcome for outcome in lowest if outcome.cell.highest is not None]
    failed = [outcome for outcome in lowest if not outcome.within_bounds]
    return {
        "schema": "blade.evidence.intervals/1",
        "verdict": "bounds_hold" if not failed else "bounds_fail",
        "claim": f"coverage of the {LEVEL:.0%} effective-sample Wilson interval, tasks drawn afresh",
        "seed": SEED,
        "runs_per_cell": RUNS,
        "monte_carlo_error": round(float(np.sqrt(LEVEL * (1 - LEVEL) / RUNS)), 4),
        "numpy": np.__version__,
        "commit": git_commit(),
        "fingerprint": fingerprint(SOURCES),
        "methods": {name: _over_all_cells(name, outcomes) for name in METHODS},
        "failed": [outcome.as_json() for outcome in failed],
        "lowest_cells": [outcome.as_json() for outcome in lowest[:5]],
        "highest_cells_with_an_upper_bound": [outcome.as_json() for outcome in bounded[:-6:-1]],
        "cells": [outcome.as_json() for outcome in outcomes],
    }


def _over_all_cells(method: str, outcomes: list[Outcome]) -> dict[str, float]:
    coverages = [outcome.coverage[method] for outcome in outcomes]
    return {
        "lowest": min(coverages),
        "mean": round(float(np.mean(coverages)), 4),
        "highest": max(coverages),
        "cells": len(coverages),
        "cells_below_bound": sum(coverage < LOWEST for coverage in coverages),
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m evidence.intervals", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--quick", action="store_true", help="a fixed slice of the cells; publishes nothing unless --out is given"
    )
    parser.add_argument(
        "--out", type=Path, help="where to write the JSON (default: docs/evidence/intervals.json, for the full grid)"
    )
    asked = parser.parse_args()
    outcomes = [simulate(cell) for cell in grid() if cell.in_quick_slice or not asked.quick]
    evidence = publish(outcomes)
    out = asked.out or (None if asked.quick else PUBLISHED / "intervals.json")
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(evidence, indent=1) + "\n", encoding="utf-8")
    for method, figures in evidence["methods"].items():
        print(f"{method}: coverage {figures['lowest']:.4f} to {figures['highest']:.4f}, ", end="")
        print(f"{figures['cells_below_bound']} of {figures['cells']} cells below {LOWEST}")
    for cell in evidence["failed"]:
        print("outside its bounds:", json.dumps(cell))
    print(evidence["verdict"])
    return 1 if evidence["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
