"""BI: the expected answer stands in the last thought as its result, and another one was given.

Only what closes the thought counts, behind an equals sign or as its last figure or word: a figure that was weighed on the way may be there by chance.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.answers import Relation, compare, contains_expected, extract
from blade.signals.answer_rows import expected_answer
from blade.signals.example import Example, says, thinks
from blade.signals.layout.texts import plain_text
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal

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
