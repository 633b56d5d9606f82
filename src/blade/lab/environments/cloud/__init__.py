"""A cloud account: machines, volumes, ports, roles and snapshots that are changed, and questions about sizes, times, charges and networks.

What is expected stands in `eval`: the `reference_mutations` (`operation` and `input`), the `reference_answers`, and for some tasks
`required_operations`, lookups that a trajectory must hold. The options of a choice are in `choices`, and why all that is right in
`annotator_rationale`. The verifier reports in `eval_result` a score for each of the `eval_types`, the mutations that are missing and those
that were not expected, and the answer it found. It compares inputs and answers as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from blade.lab.desk import Call, dice
from blade.lab.environments.cloud.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.cloud.estate import Estate, build_estate
from blade.lab.environments.cloud.machines import grow, idle, resize, tag
from blade.lab.environments.cloud.questions import capacity, charges, hosts, local_time, status, stopped, week, weekday
from blade.lab.environments.cloud.work import ingress, prune, role, schedule
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Estate, Random], Task]
FAMILIES: tuple[Family, ...] = (
    resize, capacity, ingress, status, tag, weekday, role, hosts, prune, week, grow, local_time, schedule, charges, idle, stopped, resize,
)  # fmt: skip
_ANSWER = re.compile(r"^FINAL ANSWER: *(.*?) *$", re.MULTILINE)


class Cloud(Environment):
    name = "cloud"
    hosts = ("runner-a", "runner-b", "runner-c", "runner-d")
    setting = Setting(
        "cloud_ops_agent", "osprey-32b-chat", TOOLS, temperature=0.6, host_field="runner", time_fields=("start_time", "end_time")
    )  # fmt: skip
    manner = Manner(
        thinks=0.5,
        before_read=(
            "I need the current state first.",
            "Query with {tool}.",
            "Let me get the id and the details.",
            "Checking what exists.",
        ),
        before_change=(
            "All inputs are known. Applying the change with {tool}.",
            "Now {tool}.",
            "The resource is identified, so the change can be made.",
        ),
        pace=(1.2, 5.0),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        estate = build_estate(dice(seed, self.name, "estate"))
        drawn = (
            FAMILIES[(number + seed) % len(FAMILIES)](number, estate, dice(seed, self.name, "task", number))
            for number in range(count)
        )
        return [replace(task, facts={**task.facts, "estate": estate}) for task in drawn]

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["estate"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        wanted = episode.task.gold["eval"]
        if flaw == "verifier_timeout":
            return {"reward": 0.0, "eval_result": _report({}, [], [], None, timed_out(rng))}
        left, missing = self._changes(episode), []
        for one in wanted["reference_mutations"]:
            call = Call(one["operation"], one["input"])
            at = next((at for at, made in enumerate(left) if made.key == call.key), None)
            if at is None:
                missing.append(one)
            else:
                left.pop(at)
        answer = next(iter(_ANSWER.findall(episode.final)[-1:]), None)
        called = {made.name for made in episode.accepted}
        met = {
            "state_match": not missing and not left,
            "string_match": answer == (wanted["reference_answers"] or {}).get("exact_match"),
            "trajectory_match": called.issuperset(wanted["required_operations"]),
        }
        scores = {name: float(met[name]) for name in wanted["eval_types"]}
        reward = float(all(scores.values()) and flaw != "reward_contradicts_checks")
        unexpected = [{"operation": made.name, "input": dict(made.arguments)} for made in left]
        return {"reward": reward, "eval_result": _report(scores, missing, unexpected, answer, None)}

    def _changes(self, episode: Episode) -> list[Call]:
        """The changes that were not turned down, as they come out when they are made again."""
        desk = self.backend(episode.task)
        return [made for made in episode.accepted if made.name in WRITES and not refused(desk(made))]


def _report(scores: Row, missing: list[Row], unexpected: list[Row], answer: str | None, failure: str | None) -> Row:
    return {
        "scores": scores, "missing_mutations": missing, "unexpected_mutations": unexpected, "pred": answer, "exception": failure,
    }  # fmt: skip
