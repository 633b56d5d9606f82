"""DA: gold that nobody filled in: a word that stands for it, a broken cell of a table, a gap of a template."""

import re
from collections.abc import Iterator
from typing import Any, Final

from blade.signals.calls.arguments import leaves
from blade.signals.data.task import gold_of
from blade.signals.example import Example, says
from blade.signals.layout.paths import value_at
from blade.signals.layout.shape import written
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.wanted.answer_fields import expected_answer

_PLACEHOLDER: Final = re.compile(
    r"(?:tbd|tba|todo\b.*|fixme\b.*|x{3,}|\?+|-{2,}|_{2,}|\.{3}|undefined|nan|#n/a|#ref!|#value!|#name\?|#div/0!|placeholder|changeme|lorem ipsum.*|<[a-z _]{1,40}>"
    r"|\{\{?\s*[a-z_][\w.]*\s*\}?\}|to be (?:determined|added|filled in|done|confirmed)|(?:insert|your|add|enter) (?:the )?(?:answer|text|value)(?: here)?|see (?:solution|answer key|appendix|above|below))",
    re.IGNORECASE,
)
MAX_STATE_DEPTH: Final = 6
_EMPTY_CELL: Final = re.compile(
    r"nan|#n/a|#ref!|#value!|#name\?|#div/0!|undefined|tbd|changeme|\{\{\s*[a-z_][\w.]*\s*\}\}", re.IGNORECASE
)
"""What no call is meant to be given: an empty or broken cell of a table, a gap that was not filled."""


@signal(
    "unusable_gold",
    label="DA",
    meaning="the expected answer, or an argument of an expected call, is a placeholder that nobody filled in",
    example=Example((says("42"),), fields={"expected_answer": "TBD"}),
)
def unusable_gold(rollout: Rollout) -> Iterator[Evidence]:
    for expected in rollout.expectation.calls if rollout.expectation is not None else ():
        for path, value in leaves(expected.arguments):
            empty = (
                value != value if isinstance(value, float) else isinstance(value, str) and _EMPTY_CELL.fullmatch(value.strip())
            )
            if empty and str(value).lower() not in rollout.lowered_prompt:
                subject = argument_subject(expected.name, path)
                yield Evidence(None, f"{path} = {value}", f"{subject} is expected to be a placeholder", subject)
                return
    for state in rollout.options.layout.state:
        gap = _gap_in(value_at(rollout.fields, state.path))
        if gap is not None and gap.lower() not in rollout.lowered_prompt:
            yield Evidence(
                None, f"{written(state.path)}: {gap}", "an expected record is named by a placeholder", written(state.path)
            )
            return
    answer = expected_answer(rollout)
    known = () if answer is None or not isinstance(answer[1], str) else ((answer[0], answer[1].strip()),)
    for name, gold in dict.fromkeys((*gold_of(rollout), *known)):
        if _PLACEHOLDER.fullmatch(gold.strip(" .[]()")) or (gold and not gold.strip("?-_.")):
            yield Evidence(None, f"{name} = {gold[:80]}", "a placeholder", name)
            return


def _gap_in(value: Any, depth: int = 0) -> str | None:
    """The first key or value of expected records that is a placeholder."""
    if isinstance(value, str):
        return value if _EMPTY_CELL.fullmatch(value.strip()) else None
    if depth > MAX_STATE_DEPTH or not isinstance(value, dict | list):
        return None
    inner = (*value.keys(), *value.values()) if isinstance(value, dict) else tuple(value)
    return next((gap for one in inner if (gap := _gap_in(one, depth + 1)) is not None), None)
