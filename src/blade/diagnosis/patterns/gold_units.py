"""Gold in another unit than the question asks for (DA): minutes where hours are wanted, a fraction where it says per cent.

Two things show it. The row's own solution names the expected figure with another unit of the same dimension than the one asked for. Or
(nearly) all repeats agree on a figure, and it becomes the expected one by a conversion out of the unit asked for, while no conversion into
it would do as well: an answer in the wrong unit looks the same the other way round, and that would be the model's fault.
Reward-aware: found on failing rollouts of tasks that no repeat passes.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from blade.answers.units import Unit, unit_named, units_of
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.given import answer_groups, answer_row, figure
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import AnswerRow, TaskView

OTHER_UNIT: Final = Pattern("gold_other_unit", "DA", "the expected figure is in another unit than the one asked for", 0.85)
PATTERNS: Final = (OTHER_UNIT,)
NEARLY_EVERY: Final = 0.75
EITHER_WAY: Final = 0.35
"""The weight where the answers could as well be the ones in another unit."""
CLOSE: Final = 0.03
"""Relative rounding that a converted figure is allowed."""
PERCENTAGE: Final = "percent"
"""The dimension of shares in a hundred, which has one unit; a share of one has none."""
_MEASURED: Final = re.compile(r"(?<![\w.])(-?\d[\d,]*(?:\.\d+)?)\s?([^\W\d_]{1,14}(?:/[^\W\d_]{1,4})?|%|°[CF])")


def gold_in_other_unit(view: TaskView) -> Iterator[Finding]:
    row = next((found for rollout in view.failing if (found := answer_row(rollout)) is not None and found.expected), None)
    if row is None or view.passing or row.unit is None or (gold := figure(row.expected or "")) is None:
        return
    asked = unit_named(row.unit)
    if asked is None or not gold:
        return
    told = _in_solution(view, gold, asked) or _by_conversion(view, row, gold, asked)
    if told is None:
        return
    quote, detail, weight = told
    for rollout in view.failing:
        yield OTHER_UNIT.found(rollout, subject=row.expected_field or "expected", quote=quote, detail=detail, weight=weight)


Told = tuple[str, str, float]


def _in_solution(view: TaskView, gold: float, asked: Unit) -> Told | None:
    """The expected figure in a field of the row, with a unit that is not the one asked for, and never with that one."""
    for field, measured in _measured(view, gold, asked).items():
        if all(unit.name != asked.name for _, unit in measured):
            shown = measured[0][0]
            return shown, f"{field} says {shown}; the answer is asked in {asked.name}", OTHER_UNIT.weight
    return None


def _measured(view: TaskView, gold: float, asked: Unit) -> dict[str, list[tuple[str, Unit]]]:
    """Where fields of the row name the expected figure with a unit of the dimension asked for."""
    texts = {row.field: row.value for rollout in view.failing for row in rollout.restated}
    found: dict[str, list[tuple[str, Unit]]] = {}
    for field, text in texts.items():
        for match in _MEASURED.finditer(text):
            unit = unit_named(match[2])
            if unit is not None and unit.dimension == asked.dimension and _near(figure(match[1]), gold, 1e-9):
                found.setdefault(field, []).append((match[0], unit))
    return found


def _by_conversion(view: TaskView, row: AnswerRow, gold: float, asked: Unit) -> Told | None:
    groups = sorted(answer_groups(view.failing), key=len, reverse=True)
    if not groups or len(groups[0]) < max(2, NEARLY_EVERY * len(view.rollouts)):
        return None
    given = figure(groups[0][0][1].text)
    if (
        not given
        or asked.shift
        or any(unit.name == asked.name for told in _measured(view, gold, asked).values() for _, unit in told)
    ):
        return None
    if asked.dimension == PERCENTAGE and _near(given / 100, gold, CLOSE):
        said = f"{len(groups[0])} repeats say {given:g} per cent, which is {gold:g} as a fraction; asked is a percentage"
        return f"{row.expected} for {groups[0][0][1].text}", said, OTHER_UNIT.weight
    others = [unit for unit in units_of(asked.dimension) if unit.name != asked.name and not unit.shift]
    into = [unit for unit in others if _near(given * float(asked.factor / unit.factor), gold, CLOSE)]
    if not into:
        return None
    back = [unit for unit in others if _near(given * float(Fraction(1) * unit.factor / asked.factor), gold, CLOSE)]
    said = f"{len(groups[0])} repeats say {given:g} {asked.name}, which is {gold:g} {into[0].name}; asked is {asked.name}"
    return f"{row.expected} for {groups[0][0][1].text}", said, EITHER_WAY if back else OTHER_UNIT.weight


def _near(one: float | None, other: float, share: float) -> bool:
    return one is not None and abs(one - other) <= share * max(abs(one), abs(other))
