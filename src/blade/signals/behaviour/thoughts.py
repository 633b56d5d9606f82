"""BI: the rollout had the expected answer and gave another one, or several.

It stands in the last thought as its result, or in the message itself as what a sum comes to, and another one is marked as the answer. Only what closes the
thought or a sentence counts, behind an equals sign or as its last figure or word: a figure that was weighed on the way may be there by chance. Or the
answer names two things, of which one is right: whoever leaves the choice to the reader has not answered.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.answers import Relation, compare, contains_expected, extract, first_marked
from blade.signals.answer_rows import learned_form
from blade.signals.example import Example, says, thinks
from blade.signals.layout.texts import plain_text
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.signal import Evidence, signal
from blade.signals.wanted.answer_fields import expected_answer
from blade.signals.wanted.asked import asked_form

MIN_RESULT: Final = 2
"""Characters of a result from which on it is no chance."""
CLOSING: Final = 200
"""Characters at the end of a thought in which its result stands."""


@signal(
    "own_result_not_given",
    label="BI",
    meaning="the last thought comes to the expected answer, and the message gives another one",
    causal=False,
    example=Example(
        (thinks("Without the last one it is 1654.10. All of them: 1654.10 + 833.00 = 2487.10."), says("The total is 1654.10.")),
        fields={"expected_answer": "2487.10"},
    ),
)
def own_result_not_given(rollout: Rollout) -> Iterator[Evidence]:
    gold, final = expected_answer(rollout), rollout.final
    answer = None if gold is None else plain_text(gold[1])
    if gold is None or answer is None or final is None or len(answer.strip()) < MIN_RESULT:
        return
    before = [item for item in rollout.output if item.step < final.step]
    last = before[-1] if before and before[-1].kind == "reasoning" else None
    if last is None or _given(answer, final.text):
        return
    if _closes(answer, last.text[-CLOSING:]):
        yield Evidence(final.step, final.text[-160:], f"its last thought comes to {answer}", gold[0])


@signal(
    "result_not_marked",
    label="BI",
    meaning="the message comes to the expected answer and marks another one as its answer",
    causal=False,
    example=Example((says("The rides come to 40 mi, which is 64.4 km.\nAnswer: 40"),), fields={"expected_answer": "64.4"}),
)
def result_not_marked(rollout: Rollout) -> Iterator[Evidence]:
    told = _marked(rollout)
    if told is None:
        return
    field, gold, given, step = told
    assert rollout.final is not None
    body = rollout.final.text.rstrip().rpartition("\n")[0]
    if (
        len(gold) > MIN_RESULT
        and gold in body
        and figure_of(gold)
        and figure_of(given)
        and any(_closes_with_unit(gold, one) for one in body.split("\n"))
    ):
        yield Evidence(step, rollout.final.text[-160:], f"the message comes to {gold} and marks {given}", field)


@signal(
    "hedged_answer",
    label="BI",
    meaning="the answer names several things of which one is the expected one, where one is asked for",
    causal=False,
    example=Example((says("Answer: 12:30 / 16:30"),), fields={"expected_answer": "12:30"}),
)
def hedged_answer(rollout: Rollout) -> Iterator[Evidence]:
    told = _marked(rollout)
    if told is None or _APART.search(told[1]):
        return
    field, gold, given, step = told
    parts = [part.strip(" .") for part in _APART.split(given)]
    if 1 < len(parts) <= MOST_PARTS and all(parts) and sum(compare(gold, part).same for part in parts) == 1:
        yield Evidence(step, given[:160], f"{len(parts)} answers, of which one is {gold}", field)


_APART: Final = re.compile(r"\s+(?:/|\||or)\s+|;\s+", re.IGNORECASE)
MOST_PARTS: Final = 4


@once_for_each
def _marked(rollout: Rollout) -> tuple[str, str, str, int] | None:
    """The field and the text of the expected answer, and another answer that the message marks, with its step."""
    gold, final = expected_answer(rollout), rollout.final
    answer = None if gold is None else plain_text(gold[1])
    if gold is None or answer is None or final is None:
        return None
    form = asked_form(rollout.request) or asked_form(rollout.prompt_text) or learned_form(rollout)
    given = form.stated(final.text) if form is not None else first_marked(final.text)
    return None if given is None or compare(answer, given).same else (gold[0], answer.strip(), given, final.step)


def figure_of(text: str) -> bool:
    return re.fullmatch(r"[-+$€£]?\s?\d[\d.,:]*\s?%?", text.strip()) is not None


def _closes_with_unit(answer: str, line: str) -> bool:
    """Whether a sentence comes to a figure, with its unit or without."""
    return (
        re.search(
            rf"(?:[=≈]|\b(?:is|makes|gives|are|to))\s*[$€£]?{re.escape(answer)}(?:\s?[^\W\d_]{{1,6}})?[.!]?\s*\Z",
            line,
            re.IGNORECASE,
        )
        is not None
    )


def _closes(answer: str, thought: str) -> bool:
    written = re.escape(answer.strip())
    return (
        re.search(rf"(?:[=≈:]|\b(?:is|makes|gives|are))\s*[$€£]?{written}(?![\w])[^\w=]*\Z", thought, re.IGNORECASE) is not None
    )


def _given(answer: str, text: str) -> bool:
    """Whether a message may give the answer after all: it stands there, or what is stated cannot be told to be another one."""
    if re.search(rf"(?<![\w.,]){re.escape(answer.strip())}(?!\w|[.,]\d)", text, re.IGNORECASE) or contains_expected(text, answer):
        return True
    relations = [compare(answer, one.text) for one in extract(text)]
    return any(one.same for one in relations) or not any(one.relation is Relation.DIFFERENT for one in relations)
