"""A town's garage: services, brake checks, parts, tyres, fault codes, vehicles out of service, and questions about the records.

What is expected stands in `verifier_metadata` (`expected_calls` with `name` and `arguments`, `expected_answer`, and for a choice the
text of the expected option), the options of a choice in `choices`, and why all that is right in `solution`. The verifier says for each
expected call whether it was made, lists the accepted changes that are none of them, and gives the answer as it read it. It compares
calls and answers as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.environments.garage.care import fault_code, pressure
from blade.lab.environments.garage.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.garage.fleet import Fleet, build_fleet
from blade.lab.environments.garage.questions import fuel_cost, last_job, litres, model_year, tyre_speed, week, weekday
from blade.lab.environments.garage.work import brake_check, fitting, service, stand_down
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Fleet, Random], Task]
FAMILIES: tuple[Family, ...] = (
    service, tyre_speed, fitting, week, fault_code, weekday, pressure, model_year, stand_down, litres, week, brake_check, last_job,
    fuel_cost,
)  # fmt: skip
_ANSWER = re.compile(r"Answer:\s*(.*?)\s*$", re.MULTILINE)


class Garage(Environment):
    name = "garage"
    hosts = ("eval-a", "eval-b", "eval-c", "eval-d", "eval-e")
    setting = Setting("town_garage_simple_agent", "juniper-14b-chat", TOOLS, temperature=1.0)
    manner = Manner(
        thinks=0.55,
        before_read=(
            "Let me see what {tool} says.",
            "Looking this up.",
            "I need the vehicle's data first.",
            "Next I check {tool}.",
            "What do the records have?",
        ),
        before_change=(
            "I have what is needed for {tool}.",
            "Now I enter it.",
            "Going ahead with {tool}.",
            "That is all the information; making the entry.",
        ),
        pace=(1.2, 6.5),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        fleet = build_fleet(dice(seed, self.name, "fleet"))
        drawn = (
            FAMILIES[(number + seed) % len(FAMILIES)](number, fleet, dice(seed, self.name, "task", number))
            for number in range(count)
        )
        return [replace(task, facts={**task.facts, "fleet": fleet}) for task in drawn]

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["fleet"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        wanted = episode.task.gold["verifier_metadata"]
        left = self._changes(episode)
        checks: list[Row] = []
        for one in wanted["expected_calls"]:
            key = Call(one["name"], one["arguments"]).key
            found = next((at for at, made in enumerate(left) if made.key == key), None)
            if found is not None:
                left.pop(found)
            checks.append({"call": one["name"], "matched": found is not None})
        read = next(iter(_ANSWER.findall(episode.final)[-1:]), None)
        same = None if wanted["expected_answer"] is None else read == wanted["expected_answer"]
        calls_ok = not left and all(check["matched"] for check in checks)
        verdict: Row = {
            "reward": float(calls_ok and same is not False),
            "calls_ok": calls_ok,
            "call_checks": checks,
            "extra_calls": [{"name": one.name, "arguments": dict(one.arguments)} for one in left],
            "extracted_answer": read,
            "answer_ok": same,
            "grader_error": None,
        }
        if flaw == "verifier_timeout":
            verdict |= {
                "reward": 0.0, "calls_ok": None, "call_checks": [], "extra_calls": [], "extracted_answer": None, "answer_ok": None,
                "grader_error": timed_out(rng),
            }  # fmt: skip
        return verdict

    def _changes(self, episode: Episode) -> list[Call]:
        """The changes that were not turned down, as they come out when they are made again."""
        desk = self.backend(episode.task)
        return [made for made in episode.accepted if made.name in WRITES and not refused(desk(made))]
