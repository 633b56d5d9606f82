"""A claims office: reserves, assessors, papers, settlements and salvage that are seen to, and questions about claims and policies.

What is expected stands in `solution`: `steps` are lines of Python, one for each change, `ordered` says whether their order counts, and
`reply` is the answer to a question. The options of a choice are in `mc_options`, and why all that is right in `curator_comment`. The
verifier reports in `grading` whether a rollout is valid, else the type of error and a message, the changes it saw, and the reply it read.
It compares arguments and replies as they are written, and sees each change that an agent tries, whatever the tool said to it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.environments.insurer.book import Book, build_book
from blade.lab.environments.insurer.desk import TOOLS, WRITES, Desk
from blade.lab.environments.insurer.faults import SOLUTION, read_back, written
from blade.lab.environments.insurer.questions import notice, origin, paid, premium, week, weekday
from blade.lab.environments.insurer.settlements import franchise, invoice, salvage, settle
from blade.lab.environments.insurer.work import appoint, close, papers, reserve, reserves
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Book, Random], Task]
FAMILIES: tuple[Family, ...] = (
    reserve, paid, papers, origin, settle, weekday, franchise, premium, appoint, salvage, reserves, week, invoice, notice, close, reserve,
)  # fmt: skip
_REPLY = re.compile(r"\{[^{}]*\}")


class Insurer(Environment):
    name = "insurer"
    hosts = ("box-11", "box-12", "box-13", "box-14", "box-15")
    setting = Setting(
        "claims_ticket_agent", "plover-48b-it", TOOLS, temperature=0.9, host_field="exec_node", time_fields=("t_begin", "t_end"),
        opening_role="developer", parts=True,
    )  # fmt: skip
    manner = Manner(
        thinks=0.4,
        before_read=(
            "First the file.",
            "{tool} should tell me.",
            "I have to look this up.",
            "Let me open the record.",
        ),
        before_change=("That settles it, now {tool}.", "Entering it.", "The file is clear, so I can go ahead."),
        pace=(0.9, 4.5),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        book = build_book(dice(seed, self.name, "book"))
        drawn = (
            FAMILIES[(number + seed) % len(FAMILIES)](number, book, dice(seed, self.name, "task", number))
            for number in range(count)
        )
        return [replace(task, facts={**task.facts, "book": book}) for task in drawn]

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["book"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        if flaw == "verifier_timeout":
            return {"reward": 0.0, "grading": _report("grader:timeout", timed_out(rng), [], None)}
        wanted = episode.task.gold[SOLUTION]
        steps = [read_back(line) for line in wanted["steps"]]
        if flaw == "grader_clock":
            steps = _by_the_clock(steps, episode)
        made = [one for one in episode.accepted if one.name in WRITES]
        reply = _read(episode.final) if wanted["reply"] is not None else None
        kind, message = _compared(made, steps, wanted["ordered"]) or _answered(reply, wanted["reply"]) or (None, None)
        reward = float(kind is None and flaw != "reward_contradicts_checks")
        return {"reward": reward, "grading": _report(kind, message, [written(one) for one in made], reply)}


def _by_the_clock(steps: list[Call], episode: Episode) -> list[Call]:
    """The steps with the days counted from the day of the run."""
    due = datetime.fromtimestamp(episode.started, UTC).date() + timedelta(days=episode.task.facts["due_in"])
    return [
        replace(one, arguments={**one.arguments, "due_on": due.isoformat()}) if "due_on" in one.arguments else one
        for one in steps
    ]


def _compared(made: list[Call], steps: list[Call], ordered: bool) -> tuple[str, str] | None:
    """What is wrong with the changes."""
    left = list(made)
    for step in steps:
        at = next((at for at, one in enumerate(left) if one.key == step.key), None)
        if at is None:
            return "state:missing_call", f"no call matches {written(step)}"
        left.pop(at)
    if left:
        return "state:unexpected_call", f"not in the solution: {written(left[0])}"
    if ordered and [one.key for one in made] != [one.key for one in steps]:
        return "state:call_order", f"{made[0].name} was called before {steps[0].name}"
    return None


def _answered(reply: Any, wanted: str | None) -> tuple[str, str] | None:
    """What is wrong with the reply."""
    if wanted is None or reply == wanted:
        return None
    return (
        ("reply:not_found", "no JSON object with an answer") if reply is None else ("reply:mismatch", f"{reply!r} != {wanted!r}")
    )


def _read(final: str) -> Any:
    for text in reversed(_REPLY.findall(final)):
        try:
            return json.loads(text).get("answer")
        except ValueError:
            continue
    return None


def _report(kind: str | None, message: str | None, made: list[str], reply: Any) -> Row:
    valid = None if kind == "grader:timeout" else kind is None
    return {"valid": valid, "error_type": kind, "error_message": message, "observed_changes": made, "reply_read": reply}
