"""Rewards that contradict what the verifier itself wrote down (TI), learned from how its fields go with passing.

A verifier leaves a verdict beside the reward: `is_correct`, `score`, `verdict`. Which field is one is not known beforehand, so it is learned:
its name speaks of a verdict, and over the run (nearly) every rollout on one side of it passes and every one on the other fails. A rollout
that stands on the wrong side of such a field got a reward that its own verifier contradicts, unless another verdict of the row, one with which no
rollout passes, says why it failed.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import TaskView
from blade.runs.run import Run

AGAINST: Final = Pattern(
    "reward_contradicts_outcome",
    "TI",
    "a field of the verifier that goes with passing in (nearly) every rollout says otherwise here",
    0.75,
)
PATTERNS: Final = (AGAINST,)
MIN_SIDE: Final = 4
"""Rollouts on each side of a field from which on it can be said to go with passing."""
GOES_WITH: Final = 0.9
"""Share of the rollouts on either side that must have the outcome of that side."""
MOST_FIELDS: Final = 12
MOST_VALUES: Final = 400
MOST_WORDS: Final = 5
"""Different texts in a field up to which they are words for verdicts."""
_VERDICT: Final = re.compile(
    r"(?:^|[_.])(?:is_)?(?:correct|pass(?:ed)?|success(?:ful)?|resolved|solved|match(?:ed|es)?|score|accuracy|acc|verdict|grade|rating|judg[e]?ment|equal|equivalent|outcome|met|satisfied|points|f1|em|exact_match)$",
    re.IGNORECASE,
)


_NUMBERS: Final = ("DOUBLE", "BIGINT", "FLOAT", "INTEGER")


@dataclass(frozen=True)
class Contradiction:
    """A rollout on the wrong side of a field: the field, its value there, and how it goes with passing elsewhere."""

    field: str
    value: str
    told: str


def learn_outcomes(run: Run) -> dict[str, Contradiction]:
    """The failing rollouts whose own verdict field says that they pass."""
    if not run.pass_rule.decides:
        return {}
    from blade.runs.facts import FIXED_COLUMNS

    fixed = {*FIXED_COLUMNS, "rollout", "task", "repeat", "class", "path", "reward"}
    columns = [(row[0], row[1]) for row in run.query("DESCRIBE rollouts").rows if row[0] not in fixed and _VERDICT.search(row[0])]
    found: dict[str, Contradiction] = {}
    failed: set[str] = set()
    for name, kind in columns[:MOST_FIELDS]:
        quoted = '"' + name.replace('"', '""') + '"'
        rows = run.query(f"""
            SELECT {quoted}, {run.passes} AS passed, count(*) FROM rollouts WHERE class = 'scored' AND {quoted} IS NOT NULL
            GROUP BY ALL ORDER BY 1, 2 LIMIT {MOST_VALUES + 1}""").rows
        if len(rows) > MOST_VALUES:
            continue
        if bad := _bad_values(rows, kind):
            failed |= {
                row[0]
                for row in run.query(
                    f"SELECT rollout FROM rollouts WHERE class = 'scored' AND NOT {run.passes} AND {quoted} IN (SELECT unnest($1))",
                    (bad,),
                ).rows
            }
        good = _good_values(rows, kind)
        if good is None:
            continue
        values, told = good
        hit = run.query(
            f"SELECT rollout, {quoted} FROM rollouts WHERE class = 'scored' AND NOT {run.passes} AND {quoted} IN (SELECT unnest($1))",
            (values,),
        ).rows
        for rollout, value in hit:
            found.setdefault(rollout, Contradiction(name, _shown(value), told))
    return {rollout: said for rollout, said in found.items() if rollout not in failed}


def _bad_values(rows: list[tuple[Any, bool, int]], kind: str) -> list[Any]:
    """The values with which no rollout passes, where others do: such a field alone can fail a rollout, whatever the others say."""
    passing = {value for value, passed, _ in rows if passed}
    values = list(dict.fromkeys(value for value, _, _ in rows))
    if kind == "BOOLEAN" or (kind == "VARCHAR" and len(values) <= MOST_WORDS):
        return [value for value in values if value not in passing] if passing else []
    if kind not in _NUMBERS or not passing or not all(0 <= value <= 1 for value in values):
        return []
    return [value for value in values if value < min(passing)]


def _good_values(rows: list[tuple[Any, bool, int]], kind: str) -> tuple[list[Any], str] | None:
    """The values that go with passing, where the field divides the rollouts; None where it does not."""
    counts: dict[Any, list[int]] = {}
    for value, passed, count in rows:
        counts.setdefault(value, [0, 0])[bool(passed)] += count
    if kind in _NUMBERS:
        if not all(0 <= value <= 1 for value in counts):
            return None  # points and counts mean something else in every task
        good = _above(counts)
    elif kind in ("BOOLEAN", "VARCHAR"):
        good = [value for value, (failed, passed) in counts.items() if passed > failed]
    else:
        return None
    inside = [sum(counts[value][side] for value in good) for side in (0, 1)]
    outside = [sum(both[side] for value, both in counts.items() if value not in good) for side in (0, 1)]
    divides = (
        inside[1] >= max(MIN_SIDE, GOES_WITH * sum(inside))
        and outside[0] >= max(MIN_SIDE, GOES_WITH * sum(outside))
        and inside[0]
    )
    return (good, f"{inside[1]} of {sum(inside)} rollouts with such a value pass, {outside[0]} of {sum(outside)} others fail") if divides else None  # fmt: skip


def _above(counts: Mapping[Any, list[int]]) -> list[Any]:
    """The values from the threshold on that divides best."""
    ordered = sorted(counts)
    failed_all = sum(counts[value][0] for value in ordered)
    best, cut, passed_below, failed_below = -1, 0, 0, 0
    for number, value in enumerate(ordered):
        right = failed_below + sum(both[1] for both in counts.values()) - passed_below
        if right > best:
            best, cut = right, number
        failed_below += counts[value][0]
        passed_below += counts[value][1]
    return ordered[cut:] if failed_all else []


def contradicted_outcomes(view: TaskView, known: Mapping[str, Contradiction]) -> Iterator[Finding]:
    for rollout in view.failing:
        if (said := known.get(rollout.rollout)) is not None:
            yield AGAINST.found(
                rollout,
                subject=said.field,
                quote=f"{said.field} = {said.value}; reward {rollout.reward:g}",
                detail=f"{said.told}; the reward here is {rollout.reward:g}",
            )


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)[:60]
