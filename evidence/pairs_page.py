"""The evidence on comparisons as a person reads it: each figure beside its bound."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

MARKERS: Final = ("<!-- pairs: made by python -m evidence.pairs -->", "<!-- /pairs -->")

Rows = Sequence[Mapping[str, Any]]


def page(evidence: Mapping[str, Any]) -> Iterator[str]:
    """The block of `docs/comparison-accuracy.md`."""
    bounds = evidence["bounds"]
    yield "## Simulated pairs whose truth is known"
    yield ""
    yield (
        f"{evidence['pairs_per_cell']:,} pairs of runs in each cell (seed {evidence['seed']}), tasks drawn afresh for every pair, compared by the code that compares "
        "real runs. A cell is a number of tasks (10 to 500), of repeats (1, 4, 8), a mean rate (.05 to .95) and a correlation of the repeats within a task (.3, .7)."
    )
    yield ""
    yield "| what | figure | bound | |"
    yield "|---|---|---|---|"
    for what, figure, bound, holds in _figures(evidence, bounds):
        yield f"| {what} | {figure} | {bound} | {'met' if holds else '**missed**'} |"
    yield ""
    yield "Coverage of the paired 95 % interval, lowest to highest cell:"
    yield ""
    yield from _coverage_table(evidence["pairs"])
    yield ""
    yield (
        "The upper bound is missed where nothing changed on a quiet benchmark (200 tasks, mean .05 or .95, correlation .7): the two tasks that the interval adds weigh much against "
        "the few that move, so it is wider than it need be. Lighter ones (c = 0.7/√K) would bring those cells to .96–.97, but then 20 and 50 tasks of 8 repeats at a mean of .9 fall to "
        ".90 and .916, below the lower bounds. Too wide is the lesser fault."
    )
    yield ""
    yield "**A hard case.** Tasks that are deterministic, and of which a few flip altogether: the interval cannot know from tasks that agree that a whole flip is possible, and with several repeats it is too short until some flips are seen."
    yield ""
    yield from _flip_table(evidence["whole_flips"])
    yield ""
    yield (
        "The verdict does not lean on it there: improved and regressed need the sign-flip test, which is exact, and equivalent is decided by the more careful interval. "
        "Called equivalent although the truth is at the margin or beyond, over all sizes and repeats:"
    )
    yield ""
    yield from _margin_table(evidence["margin"])


def _figures(evidence: Mapping[str, Any], bounds: Mapping[str, float]) -> Iterator[tuple[str, str, str, bool]]:
    same = [row for row in evidence["pairs"] if row["family"] == "unchanged"]
    told = [row["told_apart"] for row in same]
    yield (
        "same system, called improved or regressed: all pairs",
        f"{np.mean(told):.4f}",
        "≤ .05",
        np.mean(told) <= bounds["told_apart_pooled"],
    )
    yield f"… the worst of {len(told)} cells", f"{max(told):.4f}", "≤ .07", max(told) <= bounds["told_apart_cell"]
    twenty = [row["coverage"] for row in evidence["pairs"] if row["tasks"] == 20]
    yield (
        f"paired interval holds the truth, 20 tasks: lowest of {len(twenty)} cells",
        f"{min(twenty):.4f}",
        "≥ .91",
        min(twenty) >= bounds["coverage_20"],
    )
    more = [row["coverage"] for row in evidence["pairs"] if row["tasks"] > 20]
    yield f"… more tasks: lowest of {len(more)} cells", f"{min(more):.4f}", "≥ .92", min(more) >= bounds["coverage"]
    many = [row for row in evidence["pairs"] if row["tasks"] >= 200]
    changed = [row["coverage"] for row in many if row["truth"]]
    yield (
        f"… 200 tasks and more, a true change: highest of {len(changed)} cells",
        f"{max(changed):.4f}",
        "≤ .98",
        max(changed) <= bounds["coverage_most"],
    )
    still = [row["coverage"] for row in many if not row["truth"]]
    above = sum(coverage > bounds["coverage_most"] for coverage in still)
    what = f"… 200 tasks and more, no change: highest of {len(still)} cells ({above} above .98)"
    yield what, f"{max(still):.4f}", "≤ .98", not above
    at = [row["equivalent"] for row in evidence["margin"]]
    yield (
        "truth at the margin or beyond, called equivalent: all pairs",
        f"{np.mean(at):.4f}",
        "≤ .05",
        np.mean(at) <= bounds["equivalent_pooled"],
    )
    worst = max(_by_family(evidence["margin"]).values())
    yield "… the worst family", f"{worst:.4f}", "≤ .08", worst <= bounds["equivalent_family"]
    off = [row["off"] for row in evidence["planner"]]
    furthest = max(off, key=abs)
    yield (
        f"power found minus power promised: furthest of {len(off)} plans",
        f"{100 * furthest:+.1f} points",
        "± 5",
        abs(furthest) <= bounds["power_off"],
    )
    fixed = evidence["fixed_tasks"]
    yield (
        "same tasks again: noise-only interval holds 0, lowest and highest cell",
        _span(row["coverage"] for row in fixed),
        "≥ .92",
        min(row["coverage"] for row in fixed) >= bounds["fixed_coverage"],
    )
    yield (
        "same tasks again: test within tasks, false alarms in the worst cell",
        f"{max(row['false_alarms'] for row in fixed):.3f}",
        "≤ .07",
        max(row["false_alarms"] for row in fixed) <= bounds["fixed_false_alarms"],
    )


def _coverage_table(rows: Rows) -> Iterator[str]:
    families = list(dict.fromkeys(row["family"] for row in rows))
    yield f"| tasks | {' | '.join(families)} |"
    yield "|---" * (len(families) + 1) + "|"
    for tasks in dict.fromkeys(row["tasks"] for row in rows):
        spans = [
            _span(row["coverage"] for row in rows if row["tasks"] == tasks and row["family"] == family) for family in families
        ]
        yield f"| {tasks} | {' | '.join(spans)} |"


def _flip_table(rows: Rows) -> Iterator[str]:
    repeats = sorted({row["repeats"] for row in rows})
    yield f"| tasks that flip | tasks | {' | '.join(f'coverage, repeats: {k}' for k in repeats)} |"
    yield "|---" * (len(repeats) + 2) + "|"
    for share, tasks in dict.fromkeys((row["truth"], row["tasks"]) for row in rows):
        found = {row["repeats"]: row["coverage"] for row in rows if (row["truth"], row["tasks"]) == (share, tasks)}
        yield f"| {share:.0%} | {tasks} | {' | '.join(f'{found[k]:.3f}' for k in repeats)} |"


def _margin_table(rows: Rows) -> Iterator[str]:
    margins = sorted({row["margin"] for row in rows})
    shares = _by_family(rows)
    worst = {key: max(row["equivalent"] for row in rows if (row["family"], row["margin"]) == key) for key in shares}
    yield f"| what changed | {' | '.join(f'margin {margin:.0%}: share (worst cell)' for margin in margins)} |"
    yield "|---" * (len(margins) + 1) + "|"
    for family in dict.fromkeys(row["family"] for row in rows):
        cells = [f"{shares[family, margin]:.4f} ({worst[family, margin]:.3f})" for margin in margins]
        yield f"| {family} | {' | '.join(cells)} |"


def _by_family(rows: Rows) -> dict[tuple[str, float], float]:
    keys = dict.fromkeys((row["family"], row["margin"]) for row in rows)
    return {key: float(np.mean([row["equivalent"] for row in rows if (row["family"], row["margin"]) == key])) for key in keys}


def _span(values: Iterable[float]) -> str:
    known = list(values)
    return f"{min(known):.3f}–{max(known):.3f}" if known else "–"
