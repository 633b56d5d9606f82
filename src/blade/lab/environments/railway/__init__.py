"""A rail travel desk: trips that are moved, seats, services, claims, cancellations, and questions about orders and lines.

What is expected stands in `oracle` (`api_calls` with `api_name` and `parameters`, and `final_answer`), the options of a choice in
`answer_options`, why all that is right in `reference_note`, and when somebody wrote it down in `annotated_on`. The verifier reports as
a test run does: in `evaluation` one test for each expected call, one for changes beyond them, one for the state of the portal's database,
one for the answer. It compares calls and answers as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.environments.railway.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.railway.faults import volatile
from blade.lab.environments.railway.moves import after, change, postpone
from blade.lab.environments.railway.network import Network, build_network
from blade.lab.environments.railway.questions import arrival, coach, journey_time, line_length, spend, week, weekday
from blade.lab.environments.railway.work import cancel, claim, seating, services
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Network, Random], Task]
FAMILIES: tuple[Family, ...] = (
    change, journey_time, claim, coach, services, weekday, postpone, line_length, cancel, week, seating, arrival, after, spend, change,
)  # fmt: skip
_ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)


class Railway(Environment):
    name = "railway"
    hosts = ("pod-0", "pod-1", "pod-2", "pod-3")
    setting = Setting(
        "rail_desk_agent", "heron-24b-instruct", TOOLS, temperature=0.8, host_field="pod", time_fields=("started_at", "finished_at")
    )  # fmt: skip
    manner = Manner(
        thinks=0.45,
        before_read=(
            "Let me check that in the portal.",
            "One moment, I'm calling {tool}.",
            "I'll look at the details first.",
            "Let me see.",
        ),
        before_change=(
            "That matches, so I'll go ahead with {tool}.",
            "Good. Making the change now.",
            "I have the details; {tool} comes next.",
        ),
        speaks=True,
        pace=(1.0, 5.5),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        network = build_network(dice(seed, self.name, "network"))
        drawn = (
            FAMILIES[(number + seed) % len(FAMILIES)](number, network, dice(seed, self.name, "task", number))
            for number in range(count)
        )
        return [replace(task, facts={**task.facts, "network": network}) for task in drawn]

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["network"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        if flaw == "verifier_timeout":
            return {"reward": 0.0, "evaluation": {**_report([], None), "error": timed_out(rng)}}
        oracle = episode.task.gold["oracle"]
        left = self._changes(episode)
        tests: list[Row] = []
        for number, one in enumerate(oracle["api_calls"]):
            wanted = Call(one["api_name"], one["parameters"])
            found = next((at for at, made in enumerate(left) if made.key == wanted.key), None)
            if found is not None:
                left.pop(found)
            tests.append(
                _test(f"test_call_{number}_{wanted.name}", None if found is not None else f"not found: {_shown(wanted)}")
            )
        tests.append(_test("test_no_other_changes", "; ".join(map(_shown, left)) or None))
        same = all(test["outcome"] == "passed" for test in tests)
        state = None if same else "database differs from the one after the oracle's calls"
        tests.append(
            _test("test_database_state", volatile(episode.task.request, rng) if flaw == "volatile_fields_compared" else state)
        )
        given = next(iter(_ANSWER.findall(episode.final)[-1:]), None)
        answer = oracle["final_answer"]
        if answer is not None:
            tests.append(_test("test_answer", None if given == answer else f"assert {given!r} == {answer!r}"))
        passed = all(test["outcome"] == "passed" for test in tests)
        return {
            "reward": float(passed and flaw != "reward_contradicts_checks"),
            "evaluation": _report(tests, given),
        }

    def _changes(self, episode: Episode) -> list[Call]:
        """The changes that were not turned down, as they come out when they are made again."""
        desk = self.backend(episode.task)
        return [made for made in episode.accepted if made.name in WRITES and not refused(desk(made))]


def _report(tests: list[Row], given: str | None) -> Row:
    passed = sum(test["outcome"] == "passed" for test in tests)
    return {"tests": tests, "num_passed": passed, "num_failed": len(tests) - passed, "parsed_answer": given, "error": None}


def _test(name: str, problem: str | None) -> Row:
    return {"test": name, "outcome": "passed" if problem is None else "failed", "message": problem}


def _shown(made: Call) -> str:
    return f"{made.name}({', '.join(f'{key}={value!r}' for key, value in made.arguments.items())})"
