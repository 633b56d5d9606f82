"""IR: the simulated user ended the conversation while the assistant still had to act.

A simulated user ends a conversation with a word in marks (`###STOP###`). One that says it before the assistant has spoken, or in the very
turn in which it tells the assistant to go on, leaves work open that nobody could do any more. Told only where
the row says what was expected and nothing went wrong before: an assistant that offered to hand the case over, or whose changes
were refused or were others than the expected ones, has its own part in such an end.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.sentences import tail
from blade.signals.calls.mutation import hands_over
from blade.signals.example import Example, user
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.wanted.comparison import WRONG, comparison_of

_WORDS: Final = r"STOP|TRANSFER|OUT[-_ ]OF[-_ ]SCOPE|END|DONE|EXIT|QUIT|TERMINATE"
_ENDING: Final = re.compile(
    rf"(?:(?<!\#)\#{{2,6}}|<<?|\[\[?|\*\*)\s{{0,3}}({_WORDS})\s{{0,3}}(?:\#{{2,6}}|>>?|\]\]?|\*\*)\W{{0,20}}\Z"
)
"""A word that ends a conversation, in marks, at the end of what is said."""
MAX_TURN: Final = 300
"""Characters at the end of a turn in which it stands."""
_SATISFIED: Final = frozenset(["STOP", "END", "DONE", "EXIT", "QUIT", "TERMINATE"])
"""Words with which a user ends who has what it came for, or thinks so."""
_OFFERS: Final = re.compile(
    r"(?i)\btransfer|\bescalat|\bhand(?:ing)? (?:you|this|it) over|\b(?:human|live) (?:agent|representative)|\bsupervisor"
)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_AGREES: Final = re.compile(r"(?i)\b(?:yes|sure|okay|ok|go ahead|proceed|please do|go on|do (?:it|that|so))\b")
_OBJECTS: Final = re.compile(
    r"(?i)\?|\b(?:but|however|disappoint\w*|unacceptable|later|no longer|never mind|don't|do not|anyone else|somebody else)\b"
)
"""What a user says who does not simply hand the assistant its turn."""


@signal(
    "user_left",
    label="IR",
    meaning="the simulated user ended the conversation before the assistant could act on what it had just been told",
    causal=False,
    example=Example(
        (user("###STOP###"),), fields={"expected_calls": [{"name": "cancel_order", "arguments": {"order_id": "W1"}}]}
    ),
)
def user_left(rollout: Rollout) -> Iterator[Evidence]:
    last = next(iter([*reversed(rollout.output), *reversed(rollout.prompt)]), None)
    if last is None or last.kind != "message" or last.role != "user":
        return
    ending = _ENDING.search(last.text[-MAX_TURN:])
    if ending is None:
        return
    if not any(item.role == "assistant" for item in rollout.output):
        yield Evidence(last.step, tail(last.text, 200), "before the assistant had said or done anything", ending[1])
    elif (
        ending[1] not in _SATISFIED
        and last.step >= 0
        and _left_open(rollout, last.text[:-MAX_TURN] + _ENDING.sub("", last.text[-MAX_TURN:]))
    ):
        yield Evidence(
            last.step, tail(last.text, 200), "in the turn that answers the assistant, with expected calls open", ending[1]
        )


def _left_open(rollout: Rollout, said: str) -> bool:
    """Whether the assistant was at work on what is expected, and was told to go on in the turn that ended it."""
    compared = comparison_of(rollout)
    if compared is None or rollout.closing is None or not _AGREES.search(said) or _OBJECTS.search(said):
        return False
    if (
        compared.extra
        or any(match.outcome == WRONG for match in compared.counted)
        or any(match.attempts for match in compared.missing)
    ):
        return False
    if any(hands_over(made.name) for made in rollout.own_calls):
        return False
    offered = any(_OFFERS.search(sentence) for sentence in _SENTENCE.split(rollout.closing.text.strip())[-2:])
    return bool(compared.missing) and not offered
