"""The turns of one failed rollout, ranked by how likely each is the one that decided the failure.

The score of a turn is its probability in a conditional logit (McFadden 1974): the weights of its cues are added up, and the sums of
all turns of the rollout are brought to shares of 1. It needs no sibling, no reward and no expected answer.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from blade.diagnosis.decisive.cues import MEANINGS, cues
from blade.diagnosis.decisive.turns import Turn, turns_of
from blade.signals.rollout import Rollout
from blade.untrusted.escapes import one_line, strip_escapes
from blade.untrusted.limits import MAX_QUOTE
from blade.untrusted.redaction import redact

LEARNED: Final = {
    "opening": 0.32,
    "off_task": 2.61,
    "acts": 1.19,
    "first_failed": 0.73,
    "made_up": 1.22,
    "first_unsupported": 1.39,
    "hands_on": 0.5,
    "closes": -0.54,
}
"""Fitted to 126 failed multi-agent rollouts with human labels (ridge penalty 1), as `evidence/attribution.py` does it; the accuracy that it
publishes comes from weights fitted to the other half of them. A test refits these where the labels are at hand."""

SET: Final = {"changes": 1.0}
"""Cues that those rollouts do not show, weighed by judgement: a step that changes something decides more than one that reads."""

SIGNAL_WEIGHT: Final = 1.0
SIGNAL_WEIGHTS: Final = {
    "action_wrong_argument": 3.0,
    "action_extra": 3.0,
    "ungrounded_argument": 2.5,
    "error_ignored": 2.0,
    "unbacked_claim": 2.0,
    "lookup_skipped": 2.0,
    "handed_over": 2.0,
    "schema_violation": 1.5,
    "unknown_tool": 1.5,
    "failed_call": 0.5,
    "repeated_call": 0.5,
    "self_check_passed": 0.0,
}
"""What a signal at a turn adds, by judgement as well; a turn counts the weightiest of its signals, the others `SIGNAL_WEIGHT`."""

NOTHING_SPEAKS: Final = "nothing speaks for this step in particular"


class Signalled(Protocol):
    """A signal, as detectors yield it or as the facts table has it."""

    @property
    def code(self) -> str: ...
    @property
    def step(self) -> int | None: ...
    @property
    def quote(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """A step that may have decided the failure: the chance that it did, what speaks most for it, and whose step it is."""

    step: int
    score: float
    code: str
    why: str
    agent: str


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that speaks for a turn or against it."""

    code: str
    weight: float
    words: str


def decisive_steps(rollout: Rollout, signals: Sequence[Signalled], weights: Mapping[str, float] | None = None) -> list[Candidate]:
    """The steps of a failed rollout, the likeliest decisive error first; of equals, the earlier. Empty where no agent took a turn."""
    turns = turns_of(rollout)
    reasons = _reasons(turns, rollout, signals, {**SET, **(LEARNED if weights is None else weights)})
    scores = _shares([sum(reason.weight for reason in of_turn) for of_turn in reasons])
    ranked = [_candidate(turn, score, of_turn) for turn, score, of_turn in zip(turns, scores, reasons, strict=True)]
    return sorted(ranked, key=lambda candidate: (-candidate.score, candidate.step))


def decisive_agent(candidates: Sequence[Candidate]) -> str | None:
    """The agent whose steps are together the likeliest; None without candidates."""
    chances: dict[str, float] = {}
    for candidate in candidates:
        chances[candidate.agent] = chances.get(candidate.agent, 0.0) + candidate.score
    return max(chances, key=lambda agent: chances[agent], default=None)


def decisive_window(candidates: Sequence[Candidate], reach: int) -> int | None:
    """The step that most likely has the decisive one within `reach`; of equals the one nearest to the likeliest step."""
    if not candidates:
        return None
    steps = sorted(candidate.step for candidate in candidates)

    def chance(step: int) -> float:
        return math.fsum(candidate.score for candidate in candidates if abs(candidate.step - step) <= reach)

    return max(range(steps[0], steps[-1] + 1), key=lambda step: (round(chance(step), 12), -abs(step - candidates[0].step), -step))


def _reasons(
    turns: Sequence[Turn], rollout: Rollout, signals: Sequence[Signalled], weights: Mapping[str, float]
) -> list[list[Reason]]:
    found = [
        [Reason(name, weights.get(name, 0.0), words) for name, words in of_turn.items()]
        for of_turn in cues(turns, rollout.fields)
    ]
    places = {turn.result_step: number for number, turn in enumerate(turns) if turn.result_step is not None}
    places |= {turn.step: number for number, turn in enumerate(turns)}
    strongest: dict[int, Reason] = {}
    for signal in signals:
        place = places.get(signal.step) if signal.step is not None else None
        reason = Reason(signal.code, SIGNAL_WEIGHTS.get(signal.code, SIGNAL_WEIGHT), signal.quote)
        if place is not None and (place not in strongest or reason.weight > strongest[place].weight):
            strongest[place] = reason
    for place, reason in strongest.items():
        found[place].append(reason)
    return found


def _shares(sums: Sequence[float]) -> list[float]:
    highest = max(sums, default=0.0)
    raised = [math.exp(value - highest) for value in sums]
    return [value / math.fsum(raised) for value in raised]


def _candidate(turn: Turn, score: float, reasons: Sequence[Reason]) -> Candidate:
    """Named by what speaks most for it; `no_cue` where nothing does."""
    best = max(reasons, key=lambda reason: reason.weight, default=None)
    if best is None or best.weight <= 0:
        return Candidate(turn.step, score, "no_cue", NOTHING_SPEAKS, _clean(turn.agent))
    meaning = MEANINGS.get(best.code, best.code)
    words = _clean(best.words)
    return Candidate(turn.step, score, best.code, f"{meaning}: {words}" if words else meaning, _clean(turn.agent))


def _clean(text: str) -> str:
    """Safe to show: without escapes and secrets, on one line. Cut with room first, because half a secret no longer looks like one."""
    return one_line(redact(strip_escapes(text[: 8 * MAX_QUOTE])), MAX_QUOTE)
