"""The back office of a theatre: slots, fittings, tags, booklets, discounts and shipments that are seen to, and questions about them.

Rows are those of a simulation with an oracle. What is expected stands in `events`: what an oracle does, one event after the other, each with
app, function and its arguments as texts beside their types; an answer is an event too, a message to the user. `definition` has the
capability, the tags and the choices of a question that has some, `annotation` the comment of whoever wrote the task. The verifier
writes the `completed_events` of the agent, without lookups and without calls that were turned down, and in `validation` one check for
each event of the oracle, with the event that matched it or what kept others from it, and one for each event beyond them. It compares
arguments as they are written. Where and when a rollout ran is in `execution`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

from blade.lab.environments.draws import changes_found, clipped, drawn, last_match, moment
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.environments.theatre.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.theatre.errands import LOGGED
from blade.lab.environments.theatre.faults import EVENTS, action, fits, told
from blade.lab.environments.theatre.house import House, build_house
from blade.lab.environments.theatre.print import imprint, parts, programme
from blade.lab.environments.theatre.questions import playwright, quiz, status, stream, takings, week
from blade.lab.environments.theatre.sales import discounts, sale, shipment
from blade.lab.environments.theatre.schedule import deadline, fitting, namesake, rehearsal
from blade.lab.environments.theatre.wardrobe import props, tags
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, House, Random], Task]
FAMILIES: tuple[Family, ...] = (
    status, discounts, sale, tags, programme, deadline, shipment, stream, week, quiz, parts, imprint, fitting, rehearsal, props, playwright,
    namesake, takings,
)  # fmt: skip
_ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)


class Theatre(Environment):
    name = "theatre"
    hosts = ("sim-node-02", "sim-node-05", "sim-node-06", "sim-node-09", "sim-node-12")
    setting = Setting("theatre_back_office_agent", "dipper-48b-instruct", TOOLS, temperature=0.6)
    manner = Manner(
        thinks=0.4,
        before_read=(
            "I need the record for this.",
            "First a look at {tool}.",
            "Let me find the entry.",
            "The id has to be looked up.",
        ),
        before_change=("That is clear now, on to the change.", "{tool} is the one for this.", "I'll set it now."),
        pace=(1.1, 5.2),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        return drawn(self.name, "house", build_house, FAMILIES, seed, count)

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["house"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        record = (episode.task.other_gold if flaw == "cached_expectation" else episode.task.gold) or {}
        found = self._found(episode, flaw)
        failure = timed_out(rng) if flaw == "verifier_timeout" else None
        checks = _checks([one["action"] for one in found], record[EVENTS], flaw == "gold_read_as_pattern")
        passed = failure is None and all(one["success"] for one in checks)
        if failure is not None:
            checks = [{**one, "success": None, "agent_action": None, "reason": None} for one in checks if one["oracle_event_id"]]
        return {
            "reward": float(passed and flaw != "reward_contradicts_checks"),
            "completed_events": [] if failure else found,
            "validation": {"success": None if failure else passed, "checks": checks, "exception": failure},
            "execution": {
                "node": episode.host,
                "started_at": moment(episode.started),
                "run_duration": round(episode.ended - episode.started, 3),
                "has_exception": episode.error is not None,
                "exception_message": episode.error,
            },
        }

    def _found(self, episode: Episode, flaw: str | None) -> list[Row]:
        """What the agent did, as the verifier finds it."""
        if flaw == "calls_not_collected":
            return []
        if flaw == "graded_another_rollout":
            return _completed([one["action"] for one in episode.task.facts["neighbours_gold"][EVENTS]])
        made = changes_found(episode, self.backend(episode.task), WRITES, refused, flaw)
        width = LOGGED if flaw == "log_clips_text" else None
        actions = [action(one.name, {key: clipped(value, width) for key, value in one.arguments.items()}) for one in made]
        answer = last_match(_ANSWER, episode.final)
        actions += [] if answer is None else [told(answer)]
        return _completed([_lowered(one) for one in actions] if flaw == "one_side_normalised" else actions)


def _completed(actions: list[Row]) -> list[Row]:
    return [
        {"class_name": "CompletedEvent", "event_type": "AGENT", "event_id": f"agent-{number}", "action": one}
        for number, one in enumerate(actions, 1)
    ]


def _lowered(one: Row) -> Row:
    """An action with all its values in lower case."""
    return {**one, "args": [{**arg, "value": arg["value"].lower()} for arg in one["args"]]}


def _checks(found: list[Row], oracle: list[Row], by_pattern: bool) -> list[Row]:
    """One check for each event of the oracle, and one for each action beyond them; every action serves once."""
    left, paired = list(found), []
    for event in oracle:
        wanted = event["action"]
        match = next((one for one in left if _same(one, wanted, by_pattern)), None)
        if match is not None:
            left.remove(match)
        paired.append(match)
    checks = []
    for event, match in zip(oracle, paired, strict=True):
        wanted, reason, near = event["action"], None, match
        if match is None:
            near = next((one for one in left if _name(one) == _name(wanted)), None)
            reason = f"no event of the agent calls {_name(wanted)}" if near is None else _difference(near, wanted, by_pattern)
            if near is not None:
                left.remove(near)
        checks.append(_check(event["event_id"], wanted, near, reason))
    return [*checks, *(_check(None, None, one, f"the oracle has no event for this call of {_name(one)}") for one in left)]


def _check(number: str | None, wanted: Row | None, found: Row | None, reason: str | None) -> Row:
    return {
        "oracle_event_id": number, "oracle_action": wanted, "agent_action": found, "success": reason is None, "reason": reason,
    }  # fmt: skip


def _name(one: Row) -> str:
    return f"{one['app']}__{one['function']}"


def _same(one: Row, wanted: Row, by_pattern: bool) -> bool:
    if not by_pattern or _name(one) != _name(wanted):
        return one == wanted
    pairs = zip(one["args"], wanted["args"], strict=False)
    return len(one["args"]) == len(wanted["args"]) and all(_fits(mine, right) for mine, right in pairs)


def _fits(mine: Row, right: Row) -> bool:
    """Whether an argument is what the oracle's one describes, taken as a regular expression."""
    return mine["name"] == right["name"] and fits(right["value"], mine["value"])


def _difference(mine: Row, wanted: Row, by_pattern: bool) -> str:
    """Why an action is not the oracle's one."""
    if by_pattern:
        pairs = zip(mine["args"], wanted["args"], strict=False)
        texts = [(right["value"], one["value"]) for one, right in pairs if not _fits(one, right)]
        return "; ".join(f"re.fullmatch({right!r}, {one!r}) is None" for right, one in texts)
    given, right = _values(mine), _values(wanted)
    apart = [
        f"{key}: agent {given.get(key, 'absent')!r}, oracle {right.get(key, 'absent')!r}"
        for key in {**right, **given}
        if given.get(key) != right.get(key)
    ]
    return "; ".join(apart) or f"args differ: agent {list(given)}, oracle {list(right)}"


def _values(one: Row) -> dict[str, Any]:
    return {arg["name"]: arg["value"] for arg in one["args"]}
