"""Answers that stop one step short (BI): what a lookup showed is handed on, where the question asks what follows from it.

The weekday is asked and the date is given, the letter of an option and what the option says, the premium and the sum insured. Such an answer stands in a tool's
output as it is; the expected one stands in none, and repeats that pass work it out from the same lookups. A wrong record is another matter: there the
expected answer stands in an output as well. The same where a measure is given in the unit of the record and says so, and comes to the expected figure in the
unit that is asked for: nobody who writes `400 lb` where kilograms are asked has converted it wrongly.
"""

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from blade.answers.units import Unit, is_known, unit_named
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.given import answer_row, figure, given_answer, gives_gold
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import AnswerRow, CallRow, RolloutView, TaskView

STOPPED_SHORT: Final = Pattern(
    "stopped_short",
    "BI",
    "the answer is what a lookup showed, as it is, where passing repeats work out from it what is asked",
    0.8,
)
PATTERNS: Final = (STOPPED_SHORT,)
AGREEING: Final = 2
"""Repeats that give the same looked-up value, from which on it is no chance where it is of the kind that is asked for."""
MIN_ANSWER: Final = 2
_DIGITS, _LETTERS = re.compile(r"\d[\d.,]*"), re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")
_MEASURE: Final = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?\s?(?P<unit>[^\W\d_]{1,14}(?:[/^ ][^\W_]{1,9})?|°[CF])\.?")
"""A figure with its unit, and nothing else."""
CLOSE: Final = 0.002
"""Relative rounding that a converted figure is allowed."""
LONGEST: Final = 60
"""Characters of an answer that is a value, and no sentence."""


def stopped_short(view: TaskView) -> Iterator[Finding]:
    passing = [rollout for rollout in view.passing if (row := answer_row(rollout)) is not None and gives_gold(row)]
    gold = next((row.expected for rollout in passing if (row := answer_row(rollout)) is not None), None)
    if not gold or any(_shown(call, gold) for one in view.rollouts for call in one.calls if gold in (call.output or "")):
        return
    answers = Counter(given.text for rollout in view.failing if (row := answer_row(rollout)) and (given := given_answer(row)))
    for rollout in view.failing:
        row = answer_row(rollout)
        given = None if row is None else given_answer(row)
        unit = None if row is None or given is None else _other_unit(row, given.text, gold)
        if given is not None and row is not None and unit is not None:
            yield STOPPED_SHORT.found(
                rollout,
                subject="unit",
                step=given.step,
                quote=given.text,
                detail=f"{given.text} is given in {unit.name}, and {row.unit} is asked for; {passing[0].rollout} made of it {gold}",
            )
            continue
        if given is None or not MIN_ANSWER <= len(given.text) <= LONGEST:
            continue
        if _kind(given.text) == _kind(gold) and (2 * len(view.passing) < len(view.rollouts) or answers[given.text] < AGREEING):
            continue  # a time in the wrong zone, a figure that was not converted: that there is a step may not be known, and one slip is chance
        source = next((call for call in reversed(rollout.calls) if _shown(call, given.text)), None)
        if source is not None and _asked_too(passing, source):
            yield STOPPED_SHORT.found(
                rollout,
                subject=source.name,
                step=given.step,
                quote=given.text,
                detail=f"{given.text} stood in the output of {source.name} (step {source.step}); {passing[0].rollout} made of it {gold}, which no output shows",
            )


def _other_unit(row: AnswerRow, given: str, gold: str) -> Unit | None:
    """The unit that an answer bears, where another one of its dimension is asked for and the answer comes to the expected figure in that one."""
    measure, asked = _MEASURE.fullmatch(given.strip()), unit_named(row.unit or "")
    unit = None if measure is None else unit_named(measure["unit"])
    wanted, told = figure(gold), figure(given)
    if unit is None or asked is None or wanted is None or told is None or not (is_known(unit) and is_known(asked)):
        return None
    if unit.dimension != asked.dimension or unit.name == asked.name:
        return None
    comes_to = float((unit.to_base(Fraction(told)) - asked.shift) / asked.factor)
    near = CLOSE * abs(wanted) + 0.51 * 10.0 ** -len(gold.partition(".")[2].strip())
    return unit if abs(comes_to - wanted) <= near else None


def _kind(text: str) -> str:
    """What a value is made of: a date and a weekday, a name and a letter, a time and a figure differ in it."""
    return "letter" if len(text) == 1 and text.isalpha() else _LETTERS.sub("a", _DIGITS.sub("9", text.strip()))


def _shown(call: CallRow, text: str) -> bool:
    """Whether a tool's output holds a value as a whole; letters alone stand in any text."""
    if call.error_class is not None or not call.output or len(text) < MIN_ANSWER:
        return False
    return text in call.output and re.search(rf"(?<![\w.,-]){re.escape(text)}(?![\w-]|[.,]\d)", call.output) is not None


def _asked_too(passing: list[RolloutView], source: CallRow) -> bool:
    """Whether a passing repeat made the same lookup: then the answer lies behind it and not elsewhere."""
    return any(call.name == source.name for rollout in passing for call in rollout.calls)
