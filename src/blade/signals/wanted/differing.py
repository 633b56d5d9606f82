"""Where something else was given than is expected, in the arguments of a call or in the answer."""

import re
from collections.abc import Iterator
from typing import Any, Final

from blade.signals.layout.texts import plain_text
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.signal import argument_subject
from blade.signals.wanted.answer_fields import expected_answer, taken_answer
from blade.signals.wanted.comparison import WRONG, Comparison, comparison_of

_LAST_WORD: Final = re.compile(r"[\w.+-]+$")
Differing = tuple[str, Any, Any, int | None]
"""`tool.argument` or the answer's field, what is expected there, what was given, and the step."""


@once_for_each
def differing(rollout: Rollout) -> tuple[Differing, ...]:
    return tuple(_all_differing(rollout))


def _all_differing(rollout: Rollout) -> Iterator[Differing]:
    compared = comparison_of(rollout)
    if compared is not None:
        yield from wrong_arguments(compared)
    gold = expected_answer(rollout)
    answer = None if gold is None else plain_text(gold[1])
    if gold is None or answer is None or rollout.final is None:
        return
    taken = taken_answer(rollout)
    given = plain_text(taken[1]) if taken is not None and taken[1] is not None else None
    for text in (given, _last_word(rollout.final.text.strip().rstrip(".*`\"'"))):
        if text and text != answer:
            yield gold[0], answer, text, rollout.final.step
            return


def _last_word(text: str) -> str | None:
    """The word that a text ends with; no word goes beyond a space, so only what follows the last one is looked at."""
    found = _LAST_WORD.search(text if not text or text[-1].isspace() else text.rsplit(None, 1)[-1])
    return None if found is None else found[0]


def wrong_arguments(compared: Comparison) -> Iterator[Differing]:
    for match in compared.counted:
        if match.outcome == WRONG and match.call is not None:
            for differs in match.differences:
                yield argument_subject(match.call.name, differs.path), differs.expected, differs.actual, match.call.step
