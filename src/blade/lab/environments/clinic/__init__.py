"""The front desk of a veterinary clinic: appointments, prescriptions, drops, and questions about the files.

Expected changes stand in `target_actions` (with `tool` and `arguments`), the expected answer in `target_answer`, the options of a
choice in `options`, and why all that is right in `rationale`. The verifier says whether the actions and the answer are as expected,
lists what is missing and what is unexpected among the changes that the tools accepted, and gives the answer as it read it. It compares
arguments and answers as they are written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

from blade.lab.desk import Call, dice
from blade.lab.environments.clinic.care import drops, prescription
from blade.lab.environments.clinic.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.clinic.files import Files, build_files
from blade.lab.environments.clinic.questions import balance, how_often, medicine, week, weekday, weight
from blade.lab.environments.clinic.work import booking, cancellation, postponement
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Files, Random], Task]
FAMILIES: tuple[Family, ...] = (
    booking, prescription, weekday, how_often, balance, drops, postponement, week, booking, medicine, prescription, weight, cancellation,
    how_often,
)  # fmt: skip
_ANSWER = re.compile(r"^Final answer:\s*(.*?)\s*$", re.MULTILINE)


class Clinic(Environment):
    name = "clinic"
    hosts = ("node-1", "node-2", "node-3", "node-4")
    setting = Setting("vet_clinic_simple_agent", "larch-32b-instruct", TOOLS, temperature=0.7)
    manner = Manner(
        thinks=0.5,
        before_read=(
            "I'll start with {tool}.",
            "Let me open the file.",
            "I need a few details first.",
            "{tool} should tell me.",
            "Checking what we have on record.",
        ),
        before_change=(
            "Everything is clear, so {tool} is next.",
            "Now I can enter this.",
            "Calling {tool}.",
            "That settles the details.",
        ),
        pace=(1.0, 6.0),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        files = build_files(dice(seed, self.name, "files"))
        drawn = (
            FAMILIES[(number + seed) % len(FAMILIES)](number, files, dice(seed, self.name, "task", number))
            for number in range(count)
        )
        return [replace(task, facts={**task.facts, "files": files}) for task in drawn]

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["files"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        gold = episode.task.gold
        expected = [Call(one["tool"], one["arguments"]) for one in gold["target_actions"]]
        seen = self._changes(episode)
        missing, unexpected = _beyond(expected, seen), _beyond(seen, expected)
        parsed = next(iter(_ANSWER.findall(episode.final)[-1:]), None)
        answered = None if gold["target_answer"] is None else parsed == gold["target_answer"]
        verdict: Row = {
            "reward": float(not missing and not unexpected and answered is not False),
            "actions_correct": not missing and not unexpected,
            "missing_actions": missing,
            "unexpected_actions": unexpected,
            "parsed_answer": parsed,
            "answer_correct": answered,
            "verifier_error": None,
        }
        if flaw == "verifier_timeout":
            verdict |= {"reward": 0.0, "actions_correct": None, "answer_correct": None, "verifier_error": timed_out(rng)}
        elif flaw == "flaky_verifier":
            wrong = {"actions_correct": False, "missing_actions": _listed(expected)} if expected else {"answer_correct": False}
            verdict |= {"reward": 0.0, **wrong}
        elif flaw == "reward_contradicts_checks":
            verdict["reward"] = 0.0
        return verdict

    def _changes(self, episode: Episode) -> list[Call]:
        """The changes that were not turned down, as they come out when they are made again."""
        desk = self.backend(episode.task)
        answers = [(made, desk(made)) for made in episode.accepted]
        return [made for made, answer in answers if made.name in WRITES and not refused(answer)]


def _listed(calls: Iterable[Call]) -> list[Row]:
    return [{"tool": one.name, "arguments": dict(one.arguments)} for one in calls]


def _beyond(calls: Iterable[Call], others: Iterable[Call]) -> list[Row]:
    """The calls that have no counterpart among the others."""
    left = Counter(one.key for one in others)
    unmatched: list[Call] = []
    for one in calls:
        if left[one.key]:
            left[one.key] -= 1
        else:
            unmatched.append(one)
    return _listed(unmatched)
