"""The servicing desk of a business travel agency: hotels, profiles, transfers, seats, expenses and messages that are seen to, and questions.

Rows are those of a resources server for an assistant at work. The dataset has `ground_truth`, the calls that change something, each with its
arguments as one text in JSON; the `answer` to a question, its `options`, one letter each, and `annotator_notes` on why all that is right. The
verifier writes the `executed_actions`, without lookups and without calls that were turned down, the `model_answer`, whether each of them matches,
in `mismatches` what it held against what, or a `verify_error` where it failed itself. It compares arguments and answers as they are
written. Where and when a rollout ran is in `rollout_worker`, `started_at` and `finished_at`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from random import Random
from re import compile as pattern
from typing import Any

from blade.lab.environments.draws import changes_found, clipped, drawn, last_match, unmatched
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.environments.travel.agency import Agency, build_agency
from blade.lab.environments.travel.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.travel.errands import LOGGED
from blade.lab.environments.travel.faults import ANSWER, CALLS, as_texts, written
from blade.lab.environments.travel.journeys import border, passport, seat, transfer
from blade.lab.environments.travel.papers import expenses, message, reimburse, services
from blade.lab.environments.travel.questions import airline, capital, car_log, hour, quote, week
from blade.lab.environments.travel.stays import discounts, release, rooms, stay
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Agency, Random], Task]
FAMILIES: tuple[Family, ...] = (
    stay, capital, hour, border, airline, discounts, message, week, transfer, release, quote, services, passport, expenses, reimburse, seat,
    car_log, rooms,
)  # fmt: skip
_ANSWER = pattern(r"<solution>(.*?)</solution>")


class Travel(Environment):
    name = "travel"
    held_out = True
    hosts = ("gym-rollout-0", "gym-rollout-1", "gym-rollout-2", "gym-rollout-3", "gym-rollout-4")
    setting = Setting(
        "corporate_travel_simple_agent", "plover-32b-instruct", TOOLS, temperature=0.8, host_field="rollout_worker",
        time_fields=("started_at", "finished_at"),
    )  # fmt: skip
    manner = Manner(
        thinks=0.45,
        before_read=("Let's see what we have on file.", "I'll need the id, so {tool} first.", "Who or what is this about?"),
        before_change=("All details are there; calling {tool}.", "This can go in now.", "Time to make the change."),
        pace=(0.9, 4.8),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        return drawn(self.name, "agency", build_agency, FAMILIES, seed, count)

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["agency"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        record = (episode.task.other_gold if flaw == "cached_expectation" else episode.task.gold) or {}
        wanted, answer = record[CALLS], record[ANSWER]
        if flaw == "letter_held_against_text":
            answer = episode.task.facts["options"][answer]
        actions, given = self._found(episode, flaw)
        apart = _compared(actions, wanted)
        answered = None if answer is None else given == answer
        wrong = [*apart, *([] if answered in (None, True) else [_apart("answer", answer, given)])]
        failure = timed_out(rng) if flaw == "verifier_timeout" else None
        passed = failure is None and not wrong
        return {
            "reward": float(passed and flaw != "reward_contradicts_checks"),
            "executed_actions": [] if failure else actions,
            "model_answer": None if failure else given,
            "actions_match": None if failure else not apart,
            "answer_match": None if failure else answered,
            "mismatches": [] if failure else wrong,
            "verify_error": failure,
            "verify_time_s": None if failure else round(rng.uniform(0.004, 0.06), 4),
        }

    def _found(self, episode: Episode, flaw: str | None) -> tuple[list[Row], str | None]:
        """The changes and the answer as the verifier finds them."""
        if flaw == "calls_not_collected":
            return [], None
        if flaw == "graded_another_rollout":
            return list(episode.task.facts["neighbours_gold"][CALLS]), None
        made = changes_found(episode, self.backend(episode.task), WRITES, refused, flaw)
        actions = [written(one.name, {key: _kept(value, flaw) for key, value in one.arguments.items()}) for one in made]
        answer = last_match(_ANSWER, episode.final)
        return actions, _kept(answer, flaw)


def _kept(value: Any, flaw: str | None) -> Any:
    """What the verifier keeps of a value."""
    if isinstance(value, list):
        return [_kept(one, flaw) for one in value]
    match flaw:
        case "log_clips_text":
            return clipped(value, LOGGED)
        case "one_side_normalised":
            return value.lower() if isinstance(value, str) else value
        case "numbers_read_as_text":
            return as_texts(value)
    return value


def _apart(field: str, wanted: Any, found: Any) -> Row:
    return {"field": field, "expected": wanted, "actual": found}


def _compared(found: Sequence[Row], wanted: Sequence[Row]) -> list[Row]:
    """Each expected change without a counterpart beside one of the same tool that nobody expected, and the rest of both."""
    absent, left = unmatched(found, wanted, lambda one: (one["name"], one["arguments"]))
    pairs = []
    for one in list(absent):
        near = next((other for other in left if other["name"] == one["name"]), None)
        if near is not None:
            pairs.append((one, near))
            absent.remove(one)
            left.remove(near)
    pairs += zip_longest(absent, left)
    return [_apart(f"actions[{at}]", one, other) for at, (one, other) in enumerate(pairs)]
