"""Does the comparison of two runs say "improved", "regressed" and "equivalent" as rarely in error as it promises?

    python -m evidence.pairs [--quick] [--out docs/evidence/pairs.json]

Pairs of runs with known truth (`evidence/pairs_simulation.py`) are compared by the code of `blade.stats` and
`blade.comparison.rules`. Five questions, each with its bounds:

1. Runs of the same system: told apart in at most 5 % of all pairs and 7 % of any cell.
2. The paired interval: holds the true difference in at least .91 of the pairs at 20 tasks and .92 beyond, and in at most .98 from 200
   tasks on. The upper bound is known to be missed where nothing changed on a quiet benchmark of 200 tasks: the two added tasks weigh
   much there, and lighter ones would miss the lower bound with fewer tasks. It is reported as missed, and fails only beyond .995.
3. A true difference as large as the margin: called equivalent in at most 5 % of all pairs and 8 % of any family of changes.
4. The planner: the power it promises, given the true parameters, is within 5 points of the power found.
5. The same tasks again, on fixed tasks that did not change: the noise-only interval holds 0 in at least .92 of the pairs of any cell,
   and the test within tasks says otherwise in at most 7 %.

Whole flips of deterministic tasks are shown as a hard case of question 2. Exit 1 when a bound fails. The figures go to
`docs/evidence/pairs.json` and into `docs/comparison-accuracy.md`; `--quick` runs a fixed slice of the cells and writes nothing.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np

from blade.stats import Benchmark, paired_effect

from .attribution import with_block
from .fingerprint import PUBLISHED, ROOT, fingerprint, git_commit
from .pairs_page import MARKERS, page
from .pairs_simulation import (
    PAIRS,
    Family,
    compared,
    flipping,
    halfway,
    on_fixed_tasks,
    power_held,
    reshuffled,
    shifted,
    unchanged,
)

SEED: Final = 20260215
TASKS: Final = (10, 20, 50, 100, 200, 500)
REPEATS: Final = (1, 4, 8)
MEANS: Final = (0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95)
CORRELATIONS: Final = (0.3, 0.7)
MARGINS: Final = {0.02: (150, 200, 300, 500), 0.05: (60, 100, 200, 500)}
CHANGE: Final = 0.05
FIXED_PAIRS: Final = 500
BOUNDS: Final = {
    "told_apart_pooled": 0.05,
    "told_apart_cell": 0.07,
    "coverage_20": 0.91,
    "coverage": 0.92,
    "coverage_most": 0.98,
    "coverage_most_unchanged": 0.995,
    "equivalent_pooled": 0.05,
    "equivalent_family": 0.08,
    "power_off": 0.05,
    "fixed_coverage": 0.92,
    "fixed_false_alarms": 0.07,
}
SLACK: Final = 0.005
"""How much above the pooled bounds a quick slice may lie: it holds fewer of the easy cells."""
STATS: Final = (
    "counts",
    "detectable",
    "detectable_pair",
    "errors",
    "intervals",
    "mcnemar",
    "on_this_benchmark",
    "paired",
    "power",
)
MORE_STATS: Final = ("quantiles", "sign_flip", "variance", "within_task", "within_task_test")
SOURCES: Final = (
    "evidence/pairs.py",
    "evidence/pairs_simulation.py",
    "src/blade/comparison/rules.py",
    *(f"src/blade/stats/{name}.py" for name in (*STATS, *MORE_STATS)),
)
PAGE: Final = ROOT / "docs" / "comparison-accuracy.md"


def beta_cells(quick: bool) -> Iterator[tuple[int, int, int, Benchmark]]:
    """The grid of benchmarks, numbered so that a cell's random stream never depends on which cells are run."""
    for number, (tasks, repeats, mean, correlation) in enumerate(product(TASKS, REPEATS, MEANS, CORRELATIONS)):
        sliced = tasks in (20, 50, 200) and repeats in (1, 4) and mean in (0.05, 0.5, 0.9)
        if sliced or not quick:
            yield number, tasks, repeats, Benchmark(mean, correlation)


def same_system_and_coverage(quick: bool) -> list[dict[str, Any]]:
    """Questions 1 and 2: no change, one shift of all tasks, the shift with a fifth of the tasks drawn anew."""
    rows = []
    for number, tasks, repeats, of in beta_cells(quick):
        change = CHANGE if of.mean <= 0.9 else -CHANGE
        for kind, family in enumerate((unchanged(of), shifted(of, change), reshuffled(of, change))):
            seen = compared(family, tasks, repeats, [SEED, number, kind], margin=0.02)
            rows.append(
                {
                    "family": family.name,
                    **_cell(tasks, repeats, of),
                    "truth": family.truth,
                    "coverage": seen.coverage,
                    "mean_width": round(seen.width, 4),
                    "told_apart": seen.told_apart,
                }
            )
    return rows


def whole_flips(quick: bool) -> list[dict[str, Any]]:
    """The hard case of question 2: deterministic tasks of which a few flip."""
    kinds = product((0.02, 0.05, 0.1), (20, 50, 100, 200, 500), REPEATS)
    return [
        {
            "family": "whole_flips",
            "tasks": tasks,
            "repeats": repeats,
            "truth": share,
            "coverage": compared(flipping(share, 0.0, "whole_flips"), tasks, repeats, [SEED, 900, number], 0.02).coverage,
        }
        for number, (share, tasks, repeats) in enumerate(kinds)
        if not quick or tasks == 100
    ]


def margin_families(margin: float) -> list[Family]:
    return [
        shifted(Benchmark(0.5, 0.5), margin, "all tasks, mean .5"),
        shifted(Benchmark(0.9, 0.7), margin, "all tasks, mean .9"),
        shifted(Benchmark(0.05, 0.7), margin, "all tasks, mean .05"),
        shifted(Benchmark(0.9, 0.7), -margin, "all tasks, mean .9, loss"),
        shifted(Benchmark(0.9, 0.95), margin, "all tasks, nearly deterministic"),
        reshuffled(Benchmark(0.9, 0.9), margin, 0.05, "all tasks, one in twenty drawn anew"),
        flipping(margin, 0.0, "deterministic tasks flip to pass"),
        flipping(1.5 * margin, 0.5 * margin, "deterministic tasks flip both ways"),
        halfway(2 * margin, "deterministic tasks go from never to every other time"),
        shifted(Benchmark(0.9, 0.7), 1.5 * margin, "one and a half margins, mean .9"),
        flipping(1.5 * margin, 0.0, "one and a half margins flip to pass"),
    ]


def at_the_margin(quick: bool) -> list[dict[str, Any]]:
    """Question 3, at each margin from the fewest tasks on that could be called equivalent at all."""
    rows = []
    for place, (margin, sizes) in enumerate(MARGINS.items()):
        for kind, family in enumerate(margin_families(margin)):
            for tasks, repeats in product(sizes, REPEATS):
                if quick and (margin != 0.02 or tasks not in (150, 300) or repeats == 8):
                    continue
                seen = compared(family, tasks, repeats, [SEED, 1000 + place, kind, tasks, repeats], margin)
                rows.append(
                    {
                        "margin": margin,
                        "family": family.name,
                        "tasks": tasks,
                        "repeats": repeats,
                        "truth": round(family.truth, 6),
                        "equivalent": seen.equivalent,
                    }
                )
    return rows


def planner(quick: bool) -> list[dict[str, Any]]:
    """Question 4, at the gain that is promised to be found four times in five, and at 7/10 of it."""
    rows = []
    for number, tasks, repeats, of in beta_cells(quick):
        effect = paired_effect(of, tasks, repeats)
        if effect is None or (quick and tasks == 20):
            continue
        for part, share in enumerate((1.0, 0.7)):
            held = power_held(of, tasks, repeats, share * effect, [SEED, 2000 + number, part])
            rows.append(
                {
                    **_cell(tasks, repeats, of),
                    "gain": round(share * effect, 5),
                    "promised": round(held.promised, 4),
                    "found": held.found,
                    "off": round(held.found - held.promised, 4),
                }
            )
    return rows


def fixed_tasks(quick: bool) -> list[dict[str, Any]]:
    """Question 5."""
    rows = []
    for number, (tasks, repeats, mean, correlation) in enumerate(product((20, 50, 200), (4, 8), (0.05, 0.5, 0.9), CORRELATIONS)):
        if quick and (tasks, repeats) != (50, 4):
            continue
        of = Benchmark(mean, correlation)
        seen = on_fixed_tasks(of, tasks, repeats, [SEED, 3000 + number], FIXED_PAIRS)
        rows.append({**_cell(tasks, repeats, of), "coverage": seen.coverage, "false_alarms": seen.false_alarms})
    return rows


def _cell(tasks: int, repeats: int, of: Benchmark) -> dict[str, Any]:
    return {"tasks": tasks, "repeats": repeats, "mean": of.mean, "correlation": of.correlation}


def failures(evidence: dict[str, Any], slack: float = 0.0) -> Iterator[str]:
    """Every bound that does not hold, in words."""
    same = [row for row in evidence["pairs"] if row["family"] == "unchanged"]
    if _mean(same, "told_apart") > BOUNDS["told_apart_pooled"] + slack:
        yield f"runs of the same system are told apart in {_mean(same, 'told_apart'):.4f} of all pairs"
    yield from (f"told apart too often: {row}" for row in same if row["told_apart"] > BOUNDS["told_apart_cell"])
    for row in evidence["pairs"]:
        least = BOUNDS["coverage_20"] if row["tasks"] == 20 else BOUNDS["coverage"]
        if row["tasks"] >= 20 and row["coverage"] < least:
            yield f"covers too seldom: {row}"
        if row["tasks"] >= 200 and row["coverage"] > BOUNDS["coverage_most" if row["truth"] else "coverage_most_unchanged"]:
            yield f"covers too often: {row}"
    if _mean(evidence["margin"], "equivalent") > BOUNDS["equivalent_pooled"] + slack:
        yield f"equivalent at the margin in {_mean(evidence['margin'], 'equivalent'):.4f} of all pairs"
    for name, margin in {(row["family"], row["margin"]): None for row in evidence["margin"]}:
        share = _mean([row for row in evidence["margin"] if (row["family"], row["margin"]) == (name, margin)], "equivalent")
        if share > BOUNDS["equivalent_family"]:
            yield f"equivalent in {share:.4f} of the pairs where {name} at a margin of {margin}"
    yield from (f"the planner is off: {row}" for row in evidence["planner"] if abs(row["off"]) > BOUNDS["power_off"])
    for row in evidence["fixed_tasks"]:
        if row["coverage"] < BOUNDS["fixed_coverage"]:
            yield f"the noise-only interval covers too seldom: {row}"
        if row["false_alarms"] > BOUNDS["fixed_false_alarms"]:
            yield f"the test within tasks alarms too often: {row}"


def known_misses(evidence: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells without a change that miss the upper bound on coverage, see question 2."""
    still = (row for row in evidence["pairs"] if row["tasks"] >= 200 and not row["truth"])
    return [row for row in still if row["coverage"] > BOUNDS["coverage_most"]]


def _mean(rows: list[dict[str, Any]], key: str) -> float:
    return float(np.mean([row[key] for row in rows]))


def simulate(quick: bool) -> dict[str, Any]:
    evidence: dict[str, Any] = {
        "schema": "blade.evidence.pairs/1",
        "seed": SEED,
        "pairs_per_cell": PAIRS,
        "numpy": np.__version__,
        "commit": git_commit(),
        "fingerprint": fingerprint(SOURCES),
        "bounds": BOUNDS,
        "pairs": same_system_and_coverage(quick),
        "whole_flips": whole_flips(quick),
        "margin": at_the_margin(quick),
        "planner": planner(quick),
        "fixed_tasks": fixed_tasks(quick),
    }
    failed = list(failures(evidence, SLACK if quick else 0.0))
    known = known_misses(evidence)
    verdict = "bounds_fail" if failed else "bounds_hold_but_for_known_misses" if known else "bounds_hold"
    return evidence | {"verdict": verdict, "failed": failed, "known_misses": known}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m evidence.pairs", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--quick", action="store_true", help="a fixed slice of the cells; publishes nothing unless --out is given"
    )
    parser.add_argument("--out", type=Path, help="where to write the JSON (default: docs/evidence/pairs.json, for the full grid)")
    asked = parser.parse_args()
    evidence = simulate(asked.quick)
    out = asked.out or (None if asked.quick else PUBLISHED / "pairs.json")
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(evidence, indent=1) + "\n", encoding="utf-8")
    text = "\n".join(page(evidence))
    if not asked.quick and asked.out is None:
        PAGE.write_text(with_block(PAGE.read_text(encoding="utf-8"), text, MARKERS), encoding="utf-8")
    print(text)
    for line in evidence["failed"]:
        print("bound missed:", line)
    print(evidence["verdict"])
    return 1 if evidence["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
