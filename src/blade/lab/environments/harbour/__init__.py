"""A harbour office: berths, pilots, departures, cargo and cranes, and questions about dues, containers and tides.

The expected changes stand in `reference.steps` (with `fn` and `kwargs`) and the expected figure in `reference.reply`; `scenario` holds the
template of the request and what was put into it. The verifier writes an `outcome`: the changes it saw (`actions.log`), how many of those
wanted were hit, what was surplus, and the figure it read. It compares arguments as they are written, and its list of tools that change
something has one too many (`berth-availability`), which sound work never calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import Environment, compare, timed_out
from blade.lab.environments.harbour.cargo import declaration, release, wind_stop
from blade.lab.environments.harbour.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.harbour.questions import boxes, dues, keel
from blade.lab.environments.harbour.register import Register, build_register
from blade.lab.environments.harbour.work import berthing, departure, pilotage
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Register, Random], Task]
FAMILIES: tuple[Family, ...] = (
    berthing, dues, pilotage, declaration, release, wind_stop, departure, boxes, berthing, pilotage, keel, release,
)  # fmt: skip
_REPLY = re.compile(r"^Reply:\s*(\S+)\s*$", re.MULTILINE)
_COUNTED = WRITES | {"berth-availability"}


class Harbour(Environment):
    name = "harbour"
    hosts = ("wk-01", "wk-02", "wk-03", "wk-04", "wk-05", "wk-06")
    setting = Setting(
        "harbour_office_agent", "gannet-70b-tools", TOOLS, temperature=0.8, host_field="worker_name",
        time_fields=("start_time", "end_time"), opening_role="developer", parts=True,
    )  # fmt: skip
    manner = Manner(
        thinks=0.45,
        before_read=(
            "Checking the register.",
            "{tool} should have this.",
            "First, what is on file?",
            "I'll query {tool}.",
            "Let me pull this up.",
        ),
        before_change=(
            "Entering it with {tool}.",
            "The values are complete.",
            "Now {tool}.",
            "Putting this into the system.",
        ),
        speaks=True,
        pace=(1.0, 7.0),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        register = build_register(dice(seed, self.name, "register"))
        drawn = (
            FAMILIES[(number + seed) % len(FAMILIES)](number, register, dice(seed, self.name, "task", number))
            for number in range(count)
        )
        return [replace(task, facts={**task.facts, "register": register}) for task in drawn]

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["register"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        reference = episode.task.gold["reference"]
        seen = self._changes(episode)
        if flaw == "late_snapshot":
            seen = seen[:-1]
        expected = [Call(step["fn"], step["kwargs"]) for step in reference["steps"]]
        found = compare(seen, expected)
        wanted = {call.key for call in expected}
        read = next(iter(_REPLY.findall(episode.final)[-1:]), None)
        same = None if reference["reply"] is None else read == reference["reply"]
        passed = found.equal and same is not False and flaw not in ("flaky_verifier", "verifier_timeout")
        actions: Row = {
            "wanted": found.expected,
            "hit": 0 if flaw == "flaky_verifier" else found.matched,
            "surplus": [one.name for one in seen if one.key not in wanted],
            "log": [{"fn": one.name, "kwargs": dict(one.arguments)} for one in seen],
        }
        reply = None if same is None else {"read": read, "same": same and flaw != "flaky_verifier"}
        outcome: Row = {"passed": passed, "actions": actions, "reply": reply, "exception": None}
        if flaw == "verifier_timeout":
            outcome |= {"actions": None, "reply": None, "exception": timed_out(rng)}
        return {"reward": float(passed), "outcome": outcome}

    def _changes(self, episode: Episode) -> list[Call]:
        """The calls that count and were not turned down, as they come out when they are made again."""
        desk = self.backend(episode.task)
        answers = [(made, desk(made)) for made in episode.accepted]
        return [made for made, answer in answers if made.name in _COUNTED and not refused(answer)]
