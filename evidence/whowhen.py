"""Who&When: failed multi-agent rollouts in which people marked the agent and the step that decided the failure (Zhang et al. 2025).

Steps are counted as the labels count them, by `item.step`: the item of the prompt that bears a step counts. The label, the expected answer
and the reward are never shown to the ranking. The rollouts fall into two halves by a hash of their task id; what is scored on one half
was fitted, or chosen, on the other. Which cues there are was chosen on the labels of half 0, so only half 1 is a fair test of them.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import numpy as np

from blade.diagnosis.decisive.cues import cues
from blade.diagnosis.decisive.ranking import LEARNED, Candidate, decisive_agent, decisive_steps, decisive_window
from blade.diagnosis.decisive.turns import turns_of
from blade.signals.plugins import load
from blade.signals.rollout import Rollout, read_rollout
from blade.signals.signal import Signal, run_detector

from .conditional_logit import Choice, fit
from .leaks import without_answers

PENALTY: Final = 1.0
REACHES: Final = (0, 1, 3)


@dataclass(frozen=True, eq=False)
class Case:
    """One labelled rollout. `items` are the numbered items in order, by their `item.step`, with the agent that each bears."""

    name: str
    half: int
    rollout: Rollout
    signals: tuple[Signal, ...]
    items: Mapping[int, str]
    numbers: Mapping[int, int]
    step: int
    agent: str


@dataclass(frozen=True, slots=True)
class Guess:
    """A method's answer for one case: for each reach the step it would name, and the agent."""

    steps: tuple[float, ...]
    agent: str | None


def case_of(row: Mapping[str, Any], label: Mapping[str, Any]) -> Case:
    """`numbers` leads from our step numbers to `item.step`."""
    rollout = read_rollout(msgspec.json.encode(without_answers(row)))
    prompt, output = row["responses_create_params"]["input"], row["response"]["output"]
    numbered = [(place - len(prompt), item) for place, item in enumerate(prompt)] + list(enumerate(output))
    counted = [(ours, item) for ours, item in numbered if "step" in item]
    return Case(
        name=row["task_id"],
        half=half_of(row["task_id"]),
        rollout=rollout,
        signals=tuple(found for detector in load(()).detectors for found in run_detector(detector, rollout)),
        items={item["step"]: item.get("name") or "" for _, item in counted},
        numbers={ours: item["step"] for ours, item in counted},
        step=label["step"],
        agent=label["agent"],
    )


def half_of(name: str) -> int:
    return hashlib.sha256(name.encode()).digest()[0] % 2


def choice_of(case: Case) -> Choice | None:
    """The case for the fit; None where the labelled step is no agent's turn (people marked a machine's output in two cases)."""
    turns = turns_of(case.rollout)
    places = [case.numbers[turn.step] for turn in turns]
    if case.step not in places:
        return None
    shown = cues(turns, case.rollout.fields)
    table = np.array([[float(name in of_turn) for name in LEARNED] for of_turn in shown], dtype=np.float64)
    return Choice(table, places.index(case.step))


def learned(cases: Sequence[Case]) -> dict[str, float]:
    choices = [choice for case in cases if (choice := choice_of(case)) is not None]
    return dict(zip(LEARNED, fit(choices, PENALTY).tolist(), strict=True))


def ranked(case: Case, weights: Mapping[str, float]) -> list[Candidate]:
    return decisive_steps(case.rollout, case.signals, weights)


Method = Callable[[Case, Sequence[Case]], Guess]
"""Answers for a case, having seen the cases of the other half."""


def ours(case: Case, weights: Mapping[str, float]) -> Guess:
    """One step for every reach: the likeliest."""
    candidates = ranked(case, weights)
    return Guess((case.numbers[candidates[0].step],) * len(REACHES), candidates[0].agent)


def ours_by_reach(case: Case, weights: Mapping[str, float]) -> Guess:
    """For each reach the step that most likely has the decisive one within it; the agent whose steps are together the likeliest."""
    candidates = ranked(case, weights)
    steps = [decisive_window(candidates, reach) for reach in REACHES]
    return Guess(tuple(case.numbers[step] for step in steps if step is not None), decisive_agent(candidates))


def at_step(case: Case, step: int) -> Guess:
    return Guess((step,) * len(REACHES), case.items.get(step))


def first_step(case: Case, _: Sequence[Case]) -> Guess:
    return at_step(case, min(case.items))


def last_step(case: Case, _: Sequence[Case]) -> Guess:
    return at_step(case, max(case.items))


def best_constant(case: Case, others: Sequence[Case]) -> Guess:
    """The number that is right most often in the other half, for each reach its own; the agent who speaks at the first of them."""

    def hits(step: int, reach: int) -> int:
        return sum(abs(other.step - step) <= reach for other in others)

    longest = max(max(other.items) for other in others)

    def best(reach: int) -> int:
        return max(range(longest + 1), key=lambda step: (hits(step, reach), -step))

    steps = tuple(best(reach) for reach in REACHES)
    return Guess(steps, case.items.get(steps[0]))


def most_frequent_agent(case: Case, others: Sequence[Case]) -> Guess:
    """The agent that people blamed most often in the other half; the step at which it first speaks, if it does."""
    blamed = Counter(other.agent for other in others)
    agent = max(sorted(blamed), key=lambda name: blamed[name])
    spoken = next((step for step, name in sorted(case.items.items()) if name == agent), -100)
    return Guess((spoken,) * len(REACHES), agent)


def last_speaker(case: Case, _: Sequence[Case]) -> Guess:
    turn = turns_of(case.rollout)[-1]
    return Guess((case.numbers[turn.step],) * len(REACHES), turn.agent)


def most_talkative(case: Case, _: Sequence[Case]) -> Guess:
    """The agent with the most turns (the earlier of equals), at its first turn."""
    turns = turns_of(case.rollout)
    spoken = Counter(turn.agent for turn in turns)
    agent = max(spoken, key=lambda name: spoken[name])
    return Guess((next(case.numbers[turn.step] for turn in turns if turn.agent == agent),) * len(REACHES), agent)


BASELINES: Final[Mapping[str, Method]] = {
    "first step": first_step,
    "last step": last_step,
    "best constant step of the other half": best_constant,
    "most blamed agent of the other half": most_frequent_agent,
    "last speaker": last_speaker,
    "most talkative agent": most_talkative,
}


def hits(case: Case, guess: Guess) -> tuple[bool, ...]:
    """Right within each reach, and the right agent."""
    within = (abs(step - case.step) <= reach for step, reach in zip(guess.steps, REACHES, strict=True))
    return (*within, guess.agent == case.agent)


def random_chances(case: Case, *, turns_only: bool) -> tuple[float, ...]:
    """The chance of being right with a step drawn at random: from all numbered items, or from the agents' turns."""
    drawn = [case.numbers[turn.step] for turn in turns_of(case.rollout)] if turns_only else list(case.items)
    within = (sum(abs(step - case.step) <= reach for step in drawn) / len(drawn) for reach in REACHES)
    return (*within, sum(case.items[step] == case.agent for step in drawn) / len(drawn))
