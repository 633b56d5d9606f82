import numpy as np
import pytest

from blade.stats import Benchmark
from evidence.pairs import BOUNDS, failures, known_misses
from evidence.pairs_page import page
from evidence.pairs_simulation import Family, compared, flipping, halfway, reshuffled, shifted, unchanged

OF = Benchmark(0.7, 0.5)
FAMILIES = [
    unchanged(OF),
    shifted(OF, 0.05),
    shifted(OF, -0.05),
    reshuffled(OF, 0.05),
    flipping(0.03, 0.01, "flips"),
    halfway(0.04, "halfway"),
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: f"{family.name} {family.truth:+.2f}")
def test_a_family_has_the_truth_it_names(family: Family) -> None:
    before, after = family.draw(np.random.default_rng(1), (400, 1_000))
    assert (after - before).mean() == pytest.approx(family.truth, abs=0.002)
    assert ((after >= 0) & (after <= 1)).all()


def test_a_cell_shows_the_same_figures_each_time() -> None:
    first, second = (compared(FAMILIES[1], 30, 4, [5], 0.02, pairs=200) for _ in range(2))
    assert (first.coverage, first.told_apart) == (second.coverage, second.told_apart)
    assert first.coverage > 0.9


def published() -> dict[str, object]:
    cell = {"tasks": 200, "repeats": 4, "mean": 0.5, "correlation": 0.3}
    return {
        "bounds": BOUNDS,
        "pairs_per_cell": 2_000,
        "seed": 1,
        "pairs": [
            {"family": family, **cell, "tasks": tasks, "truth": truth, "coverage": 0.95, "told_apart": 0.04}
            for family, truth in (("unchanged", 0.0), ("shifted", 0.05))
            for tasks in (20, 200)
        ],
        "whole_flips": [{"family": "whole_flips", "tasks": 50, "repeats": 4, "truth": 0.05, "coverage": 0.9}],
        "margin": [{"margin": 0.02, "family": "f", "tasks": 150, "repeats": 1, "truth": 0.02, "equivalent": 0.04}],
        "planner": [{**cell, "gain": 0.1, "promised": 0.8, "found": 0.82, "off": 0.02}],
        "fixed_tasks": [{**cell, "coverage": 0.95, "false_alarms": 0.04}],
    }


@pytest.mark.parametrize(
    ("part", "key", "value", "words"),
    [
        ("pairs", "told_apart", 0.08, "told apart"),
        ("pairs", "coverage", 0.9, "covers too seldom"),
        ("pairs", "coverage", 0.99, "covers too often"),
        ("margin", "equivalent", 0.09, "equivalent in"),
        ("planner", "off", -0.06, "planner is off"),
        ("fixed_tasks", "coverage", 0.91, "noise-only interval covers too seldom"),
        ("fixed_tasks", "false_alarms", 0.08, "test within tasks alarms too often"),
    ],
)
def test_every_bound_can_fail_and_the_page_says_so(part: str, key: str, value: float, words: str) -> None:
    evidence = published()
    assert not list(failures(evidence))
    assert "**missed**" not in "\n".join(page(evidence))
    rows = evidence[part]
    assert isinstance(rows, list)
    for row in rows:
        row[key] = value
    assert any(words in line for line in failures(evidence))
    assert "**missed**" in "\n".join(page(evidence))


def test_a_known_miss_is_told_and_does_not_fail() -> None:
    evidence = published()
    rows = evidence["pairs"]
    assert isinstance(rows, list)
    quiet = next(row for row in rows if row["family"] == "unchanged" and row["tasks"] == 200)
    quiet["coverage"] = 0.99
    assert not list(failures(evidence))
    assert known_misses(evidence) == [quiet]
    assert "(1 above .98) | 0.9900 | ≤ .98 | **missed** |" in "\n".join(page(evidence))
