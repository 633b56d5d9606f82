"""IR and TI: the simulated user ended the conversation while the assistant still had to act.

A simulated user ends a conversation with a word in marks (`###STOP###`). One that says it before the assistant has spoken, or in the very
turn in which it tells the assistant to go on, leaves work open that nobody could do any more. Where it hands over or breaks off, the
machinery lost the user; where it is served, says yes and thinks itself done (`left_with_yes`), it plays its part against the rules of
the task: only a plain yes counts, to an assistant that asked whether to go on. Told only where the row says what was expected and nothing
went wrong before: an assistant that offered to hand the case over or said that what is expected cannot be done, or whose changes were refused
or were others than the expected ones, has its own part in such an end.
"""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from blade.runs.steps import Step
from blade.sentences import tail
from blade.signals.behaviour.declining import declined
from blade.signals.calls.arguments import leaves
from blade.signals.calls.mutation import hands_over
from blade.signals.example import Example, says, user
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.texts.schemes import RECORD, of_one_scheme
from blade.signals.texts.speech import claims_success
from blade.signals.wanted.comparison import WRONG, Comparison, comparison_of

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
_SEEKS_YES: Final = re.compile(
    r"(?i)\bplease confirm\b|\bconfirm (?:that|if|whether)\b|\bonce you(?:['’]ve| have)? confirm|\(yes ?/ ?no\)"
    r"|\bis (?:that|this|everything)(?: all)? (?:correct|right|ok(?:ay)?)\b|\bdoes (?:that|this|everything) (?:sound|look|work)\b|\bdo you (?:confirm|agree)\b"
    r"|\b(?:would|do) you (?:like|want|wish)(?: me)? to (?:proceed|go ahead|continue)\b|\b(?:shall|should|may) I (?:proceed|go ahead|continue)\b"
    r"|\b(?:reply|respond|answer|say|type)\b[^.\n]{0,20}\byes\b"
)
"""An assistant that asks whether to go on with what it has laid out."""
_LOOKS_BACK: Final = re.compile(
    r"(?i)\b(?:is|does) (?:that|this|everything)(?: all)? (?:correct|right|ok(?:ay)?|sound|look|work|fine|good)\b|\bare you (?:happy|ok(?:ay)?|fine)\b"
)
"""What is asked of a proposal, and of work that is done."""
_SERVED: Final = re.compile(r"(?i)\b(?:anything|something|nothing) else\b|\bthat (?:is|was|will be) all\b|\bresolved\b|\bsatisf")
"""What it asks at the end of its work, and not in the middle of it."""
_COURTESY: Final = re.compile(
    r"(?i)\b(?:anything|something|nothing) (?:more|further|other)\b|\bany (?:other|further|more|additional)\b|\bquestions?\b|\bunderst\w+"
    r"|\b(?:does|did) (?:that|this|it) (?:help|make sense|clear|solve|explain)\w*|\bis (?:that|this|it|everything) (?:all )?clear\b"
    r"|\b(?:did|have) you (?:receive|get|got|see|seen)\w*|\bstill (?:there|with me)\b|\bkeep (?:it|the|your|this|that)\b"
)
"""Questions to which a yes sets nothing going."""
_GRANTS: Final = re.compile(
    r"(?i)\W*(?:yes|yep|yeah|yup|sure|correct|confirm(?:ed)?|go ahead|proceed|please (?:do|proceed|go ahead)|I confirm|let['’]s (?:do|proceed)|that['’]s (?:right|correct|perfect)|(?:that |it )?sounds (?:good|great|perfect|right)|absolutely|exactly|of course)\b"
)
"""A turn that begins with a plain yes."""
_WORD: Final = re.compile(r"#?\w[\w#@/-]*\w")
READ: Final = 6_000
"""Characters at the end of a message that are read."""
_LAST_ASKED: Final = 5
"""Sentences at the end of a message in which it asks, and says for what."""
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
    end = _end(rollout)
    if end is None:
        return
    if not any(item.role == "assistant" for item in rollout.output):
        yield Evidence(end.turn.step, tail(end.turn.text, 200), "before the assistant had said or done anything", end.word)
    elif end.word not in _SATISFIED and end.turn.step >= 0 and _AGREES.search(end.said) and _left_open(rollout, end):
        yield Evidence(
            end.turn.step, tail(end.turn.text, 200), "in the turn that answers the assistant, with expected calls open", end.word
        )


@signal(
    "left_with_yes",
    label="TI",
    meaning="the simulated user said yes and ended the conversation in the same turn, so that the assistant never acted on it",
    causal=False,
    example=Example(
        (says("I would cancel W1. Shall I proceed?"), user("Yes, please. ###STOP###")),
        fields={"expected_calls": [{"name": "cancel_order", "arguments": {"order_id": "W1"}}]},
    ),
)
def left_with_yes(rollout: Rollout) -> Iterator[Evidence]:
    end, closing = _end(rollout), rollout.closing
    if end is None or closing is None or end.word not in _SATISFIED or end.turn.step < 0:
        return
    if _GRANTS.match(end.said) and _seeks_yes(closing.text) and _left_open(rollout, end, closing.text[-READ:]):
        yield Evidence(end.turn.step, tail(end.turn.text, 200), "in answer to an assistant that asked whether to go on", end.word)


class _End(NamedTuple):
    """The turn in which a user ended the conversation, the word that did it, and what it said besides."""

    turn: Step
    word: str
    said: str


def _end(rollout: Rollout) -> _End | None:
    said = rollout.output or rollout.prompt
    last = said[-1] if said else None
    if last is None or last.kind != "message" or last.role != "user":
        return None
    ending = _ENDING.search(last.text[-MAX_TURN:])
    if ending is None:
        return None
    return _End(last, ending[1], last.text[:-MAX_TURN] + _ENDING.sub("", last.text[-MAX_TURN:]))


def _left_open(rollout: Rollout, end: _End, proposal: str = "") -> bool:
    """Whether the assistant was at work on what is expected, and nothing but its turn was wanting.

    A call that was refused before counts against it, unless the proposal that was agreed to names what is expected.
    """
    compared = comparison_of(rollout)
    if compared is None or rollout.closing is None or _OBJECTS.search(end.said):
        return False
    if compared.extra or any(match.outcome == WRONG for match in compared.counted):
        return False
    named = _nearest(compared, proposal)
    if named is _Names.OTHERS or (named is not _Names.EXPECTED and any(match.attempts for match in compared.missing)):
        return False
    if any(hands_over(made.name) for made in rollout.own_calls):
        return False
    if any(declined(rollout, match.expected) is not None for match in compared.missing):
        return False
    offered = any(_OFFERS.search(sentence) for sentence in _SENTENCE.split(rollout.closing.text.strip())[-2:])
    return bool(compared.missing) and not offered


class _Names(Enum):
    """Which records a proposal names: those of an open expected call, others of their scheme, or none."""

    EXPECTED = auto()
    OTHERS = auto()
    NONE = auto()


def _nearest(compared: Comparison, proposal: str) -> _Names:
    """What the end of a proposal names: of what stands before its last words, there may be choices that it leaves out."""
    sentences = [sentence for sentence in _SENTENCE.split(proposal.strip()) if sentence]
    ends = (" ".join(sentences[-count:]) for count in (*range(1, _LAST_ASKED + 1), len(sentences)))
    return next((named for end in ends if (named := _named(compared, end)) is not _Names.NONE), _Names.NONE)


def _named(compared: Comparison, proposal: str) -> _Names:
    open_values = {str(value) for match in compared.missing for _, value in leaves(match.expected.arguments)}
    known = {str(value) for match in compared.matches for _, value in leaves(match.expected.arguments)}
    said = set(_WORD.findall(proposal))
    if any(of_one_scheme(value, word) for word in said - known for value in open_values):
        return _Names.OTHERS
    return _Names.EXPECTED if any(word in open_values for word in said if RECORD.fullmatch(word)) else _Names.NONE


def _seeks_yes(text: str) -> bool:
    """Whether a message ends by asking for a yes to what it would do, by its words or by a question that is not whether there is anything else."""
    asked = [sentence for sentence in _SENTENCE.split(text[-READ:].strip()) if sentence][-_LAST_ASKED:]
    done = claims_success(text) is not None
    open_ones = [one for one in asked if not _SERVED.search(one) and not (done and _LOOKS_BACK.search(one))]
    return any(
        _SEEKS_YES.search(one) or (one is asked[-1] and one.endswith("?") and not _COURTESY.search(one)) for one in open_ones
    )
