"""KG, UK: where an answer's own working leaves the worked solution of the row, or calculates wrongly.

Datasets of sums and word problems keep a solution beside the gold, step by step. Held against it, a wrong answer says more than that it is
wrong: it is a result that the solution only has on the way, a figure of the question is used by the solution and nowhere in the answer, the
answer has the right result and goes on, or a step of the solution comes out nowhere. A rollout gets the first of these; none of them is a cause
by itself (there may be another way to the result), so the diagnosis tells wrong answers apart by them and gives them no weight.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from blade.answers import extract
from blade.signals.data.working import false_equations
from blade.signals.example import Example, says
from blade.signals.layout.texts import plain_text
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.signal import Evidence, signal
from blade.signals.texts.values import numbers_in
from blade.signals.wanted.answer_fields import expected_answer, taken_answer
from blade.signals.wanted.restated import restated

ON_THE_WAY, BEYOND = "a result on the way", "goes beyond the result"
LEFT_OUT = "a figure of the question left out"
AT_FIRST, LATER = "another way from the first step on", "another way from a later step on"
MAX_SOLUTION: Final = 5_000
EVERYWHERE: Final = (1.0, 2.0)
"""Numbers that a text may mean without writing them: a single thing, a pair, twice."""
_FIGURE: Final = r"(?:\d[\d,]*+(?:\.\d++)?+|\.\d++)"
_STEP: Final = re.compile(
    rf"(?<![\d.,])(?P<terms>{_FIGURE}%?(?:[ \t]*[-+*/×÷][ \t]*\(?[$€£]?{_FIGURE}%?\)?)+)[ \t]*=[ \t]*[$€£]?(?P<result>-?{_FIGURE})"
)
_FIGURES: Final = re.compile(_FIGURE)


class Step(NamedTuple):
    """An equation of a solution: as it is written, the numbers that go into it, and what comes out."""

    text: str
    terms: tuple[float, ...]
    result: float


class Solution(NamedTuple):
    field: str
    steps: tuple[Step, ...]


def _number(written: str) -> float:
    return float(written.replace(",", "").rstrip("."))


def steps_of(text: str) -> Iterator[Step]:
    """The equations of a text, in order."""
    for found in _STEP.finditer(text[:MAX_SOLUTION]):
        yield Step(found[0], tuple(map(_number, _FIGURES.findall(found["terms"]))), _number(found["result"]))


@once_for_repeats
def _solved(text: str) -> tuple[Step, ...]:
    return tuple(steps_of(text))


@once_for_repeats
def _figures_asked(text: str) -> frozenset[float]:
    return frozenset(numbers_in(text)).difference(EVERYWHERE)


def _figure(value: Any) -> float | None:
    """The number that an answer is; None where it is anything else."""
    text = (plain_text(value) or "").strip().strip("$€£. ")
    return _number(text.rstrip("%")) if re.fullmatch(rf"{_FIGURE}%?", text) else None


def _writes_equations(fields: dict[str, Any], depth: int = 0) -> bool:
    return any(
        "=" in value if isinstance(value, str) else depth < 2 and isinstance(value, dict) and _writes_equations(value, depth + 1)
        for value in fields.values()
    )


@once_for_each
def solution_of(rollout: Rollout) -> Solution | None:
    """The worked solution that the row holds, whose steps lead to the gold."""
    gold = expected_answer(rollout)
    wanted = None if gold is None else _figure(gold[1])
    worked = [one for one in restated(rollout) if isinstance(one.value, str) and "=" in one.value] if wanted is not None else []
    for field, value in worked if worked and _writes_equations(rollout.fields) else ():
        steps = _solved(value)
        if steps and steps[-1].result == wanted:
            return Solution(field, steps)
    return None


def _given(rollout: Rollout) -> float | None:
    """The number that the rollout answers: as the verifier took it, else as the message states it."""
    taken = taken_answer(rollout)
    if taken is not None and taken[1] is not None:
        return _figure(taken[1])
    stated = [one.text for one in extract(rollout.final.text)] if rollout.final is not None else []
    return next((figure for one in stated if (figure := _figure(one)) is not None), None)


@signal(
    "working_departs",
    label="KG",
    meaning="the working leaves the row's own worked solution: it stops at or goes beyond a result, leaves out a figure of the question, or a step comes out nowhere; tells wrong answers apart and accuses nobody",
    causal=False,
    example=Example(
        (says("She has 16 - 3 = 13 eggs left.\nShe makes 13 * 2 = $26.\nAnswer: 26"),),
        asked="The ducks lay 16 eggs a day. She eats 3 and bakes with 4. How much does she make if she sells the rest for $2 each?",
        fields={"expected_answer": "18", "solution": "She sells 16 - 3 - 4 = 9 eggs.\nShe makes 9 * 2 = 18"},
    ),
)  # fmt: skip
def working_departs(rollout: Rollout) -> Iterator[Evidence]:
    solution, final = solution_of(rollout), rollout.final
    if solution is None or final is None or rollout.calls:
        return
    given, wanted = _given(rollout), solution.steps[-1].result
    if given is None or given == wanted:
        return
    told = _departure(rollout, solution, given)
    if told is not None:
        yield Evidence(final.step, final.text[-160:], f"{solution.field} {told[1]}", told[0])


def _departure(rollout: Rollout, solution: Solution, given: float) -> tuple[str, str] | None:
    """How the working leaves the solution, as a name that means the same in every task, and in words."""
    on_the_way = next((step for step in solution.steps[:-1] if step.result == given), None)
    if on_the_way is not None:
        return ON_THE_WAY, f"has {given:g} on the way ({on_the_way.text}) and goes on to {solution.steps[-1].result:g}"
    said = "\n".join(item.text for item in rollout.output if item.kind in ("message", "reasoning") and item.role != "user")
    if any(step.result == solution.steps[-1].result for step in steps_of(said)):
        return BEYOND, f"ends with {solution.steps[-1].result:g}, which the working has as well before it goes on to {given:g}"
    own, asked = frozenset(numbers_in(said)), _figures_asked(rollout.request)
    for step in solution.steps:
        unused = next((term for term in step.terms if term in asked and term not in own), None)
        if unused is not None:
            return LEFT_OUT, f"uses {unused:g} of the question ({step.text}), the answer never does"
    for number, step in enumerate(solution.steps):
        if step.result not in own:
            return LATER if number else AT_FIRST, f"has {step.text}, which comes out nowhere in the answer"
    return None


@signal(
    "arithmetic_slip",
    label="UK",
    meaning="an equation in the answer's own working does not hold, and the working goes on with its result",
    causal=False,
    example=Example((says("The trips cost 2.20 * 5 = 11.00.\nTotal: 11.00 + 20 = 33.00\nAnswer: 33.00. So 33.00 it is."),)),
)
def arithmetic_slip(rollout: Rollout) -> Iterator[Evidence]:
    for item in rollout.output:
        if item.kind == "message" and item.role == "assistant" and "=" in item.text:
            wrong = next((found for found in false_equations(item.text) if found.used), None)
            if wrong is not None:
                yield Evidence(item.step, wrong.text, f"it comes to {wrong.true:.10g}")
                return
