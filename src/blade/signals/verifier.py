"""TI: the task or its verifier is at fault. What one row shows without its reward; a reward against the verifier's own fields, and
equal answers with other rewards, are for the diagnosis.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from blade.signals.data import gold_answers
from blade.signals.example import Example, says
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal

EXTRACTED_FIELDS: Final = ("extracted_answer", "predicted_answer", "parsed_answer", "pred_answer", "extracted", "model_answer")
MIN_PLAIN: Final = 3
"""Characters from which an answer's bare presence in the closing lines means something."""
CLOSING: Final = 400
"""Characters at the end of the final message in which an answer is stated."""
_VERIFIER_ERROR: Final = re.compile(
    r"(?:verif(?:ier|ication|y)|evaluat(?:ion|or)|eval|grad(?:er|ing)|scor(?:er|ing)|extract(?:ion|or)|comparison|reward)_?(?:\w+_)?(?:error|exception|timeout|timed_out|traceback)$"
)
_STATED: Final = r"(?:answer|result|total|solution)\W{{1,12}}(?:is\W{{1,4}})?{gold}(?![\w.]*\w)|boxed\s*\{{\s*(?:\\text\s*\{{)?\s*{gold}\s*\}}|\*\*{gold}\*\*|<answer>\s*{gold}\s*</answer>"


@signal(
    "verifier_error",
    label="TI",
    meaning="the verifier reports an error or a timeout of its own",
    example=Example((says("42"),), fields={"verifier_error": "TimeoutError: scoring took 60 s"}),
)
def verifier_error(rollout: Rollout) -> Iterator[Evidence]:
    for name, value in rollout.fields.items():
        if _VERIFIER_ERROR.search(name) and _tells(value):
            yield Evidence(None, f"{name} = {value}", "the row's own field", name)


def _tells(value: Any) -> bool:
    return (
        (isinstance(value, str) and value.strip().lower() not in ("", "none", "null"))
        or value is True
        or (isinstance(value, dict) and bool(value))
    )


@signal(
    "answer_not_extracted",
    label="TI",
    meaning="the expected answer stands in the final message, and the verifier extracted none",
    causal=False,
    example=Example((says("Adding up, the answer is 1284."),), fields={"expected_answer": "1284", "extracted_answer": None}),
)
def answer_not_extracted(rollout: Rollout) -> Iterator[Evidence]:
    blank = [name for name in EXTRACTED_FIELDS if name in rollout.fields and rollout.fields[name] in (None, "", [])]
    if not blank or rollout.final is None:
        return
    ending = rollout.final.text[-CLOSING:]
    for name, gold in gold_answers(rollout.fields):
        if len(gold) > CLOSING:
            continue
        pattern, last_line = re.escape(gold), ending.strip().splitlines()[-1]
        stated = re.search(_STATED.format(gold=pattern), ending, re.IGNORECASE)
        plain = len(gold) >= MIN_PLAIN and re.search(rf"(?<![\w.,-]){pattern}(?![\w]|[.,]\d)", last_line)
        if stated or plain:
            quote = ending[max(0, stated.start() - 40) :] if stated else last_line
            yield Evidence(rollout.final.step, quote[:200], f"{name} is {gold}; {blank[0]} is empty", blank[0])
            return
