"""TI: an answer that the row itself lists as right besides the expected one, and that a verifier may not know of.

Datasets list what else is right (`aliases`, `accepted_answers`, `alternatives`), and verifiers that look at one field alone turn it down. Whether
this one does is for the rewards to say. Options of a question list what is wrong as well, so the name has to speak of acceptance.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from blade.answers import compare, extract
from blade.signals.data.task import objects_of
from blade.signals.example import Example, says
from blade.signals.layout.texts import folded, plain_text
from blade.signals.repeats import once_for_names
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.wanted.answer_fields import expected_answer, taken_answer

MAX_LISTED: Final = 60
MAX_ANSWER: Final = 200
_ACCEPTS: Final = re.compile(
    r"(?:^|_)(?:alias(?:es)?|accepted|acceptable|synonyms?|also_(?:correct|right|accepted|valid)|correct_(?:answers?|forms?|responses?))(?:_|$)"
)
"""Names that speak of acceptance; possible, allowed or valid answers are options as often as not."""


@lru_cache(maxsize=4096)
def _accepts(name: str) -> bool:
    """Names of fields come again with every row, so each is looked at once."""
    return _ACCEPTS.search(name.lower()) is not None


@once_for_names
def _accepting(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(_accepts, names))


@signal(
    "listed_answer",
    label="TI",
    meaning="the answer is one that the row lists as right, and not the one in the field of the expected answer",
    example=Example(
        (says("It is Muenchen.\nAnswer: Muenchen"),),
        fields={"expected_answer": "Munich", "answer_aliases": ["Munich", "Muenchen"]},
    ),
)
def listed_answer(rollout: Rollout) -> Iterator[Evidence]:
    lists = [(f"{path}{name}", holder[name]) for path, holder in objects_of(rollout) for name in _accepting(holder)]
    expected = expected_answer(rollout) if lists else None
    gold = None if expected is None else plain_text(expected[1])
    if gold is None or expected is None:
        return
    for field, value in lists:
        others = _others(value, gold) if field != expected[0] else ()
        given = next((text for text in _given(rollout) if any(folded(text) == folded(other) for other in others)), None)
        if given is not None and not compare(gold, given).same:
            step = rollout.final.step if rollout.final is not None else None
            yield Evidence(step, given, f"{field} lists {given}; {expected[0]} is {gold[:80]}", field)
            return


def _others(value: Any, gold: str) -> tuple[str, ...]:
    """What a list of right answers holds besides the expected one."""
    listed = value if isinstance(value, list) else ()
    return tuple(
        one for one in listed[:MAX_LISTED] if isinstance(one, str) and 0 < len(one) <= MAX_ANSWER and folded(one) != folded(gold)
    )


def _given(rollout: Rollout) -> Iterator[str]:
    """What was answered: as the verifier took it, or as the final message states it."""
    taken = taken_answer(rollout)
    text = None if taken is None else plain_text(taken[1])
    if text:
        yield text
    elif rollout.final is not None:
        yield from (one.text for one in extract(rollout.final.text) if one.marked)
