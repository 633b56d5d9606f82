"""A local radio station at night: spots, clips, programmes and transmitters that are seen to, and questions about them.

What is expected stands in `item`: under `wanted` the `ops` (`op` and `params`) and what the agent `says`, for a choice the `alternatives`, and
in `explained` why all that is right. The verifier gives `scores`, a list with one entry for each scorer, marked C or I (or N if it did not
get that far), what the scorer read, and an explanation of what is wrong. It compares parameters and replies as they are written, looks
for words of refusal in the last message, and allows a number of calls that no prompt names. Where and when a rollout ran is in `sampler`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.environments.radio.adverts import fill, opt_out, pair, pull, trim
from blade.lab.environments.radio.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.radio.faults import ITEM
from blade.lab.environments.radio.log import Log, build_log
from blade.lab.environments.radio.programmes import credit, move, power, stand_in
from blade.lab.environments.radio.questions import relay, report, size, week, weekday
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Log, Random], Task]
FAMILIES: tuple[Family, ...] = (
    pair, stand_in, week, relay, weekday, fill, report, size, power, credit, move, pull, trim, opt_out,
)  # fmt: skip
CALLS: Final = 6
"""How many calls the verifier allows."""
_REPLY = re.compile(r"<reply>(.*?)</reply>", re.DOTALL)
_REFUSAL = re.compile(r"\b(sorry|apologies|unable to|can't help)\b", re.IGNORECASE)
_SCORERS: Final = ("ops", "says", "no_refusal", "economy")


class Radio(Environment):
    name = "radio"
    hosts = ("lane-0", "lane-1", "lane-2", "lane-3", "lane-4")
    setting = Setting("overnight_desk", "dunlin-20b-agent", TOOLS, temperature=0.75)
    manner = Manner(
        thinks=0.45,
        before_read=(
            "What does the automation have?",
            "{tool} first.",
            "I need the numbers from the card.",
            "One look before I act.",
        ),
        before_change=("Clear. {tool}.", "Now to enter it.", "Good, that can be filed."),
        pace=(1.0, 5.5),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        log = build_log(dice(seed, self.name, "log"))
        drawn = (
            FAMILIES[(number + seed) % len(FAMILIES)](number, log, dice(seed, self.name, "task", number))
            for number in range(count)
        )
        return [replace(task, facts={**task.facts, "log": log}) for task in drawn]

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["log"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        where = {"lane": episode.host, "t0_ms": round(1_000 * episode.started), "t1_ms": round(1_000 * episode.ended)}
        if flaw == "verifier_timeout":
            late = timed_out(rng)
            return {"reward": 0.0, "scores": [_score(name, "N", None, late) for name in _SCORERS], "sampler": where}
        wanted, blind = episode.task.gold[ITEM]["wanted"], flaw == "calls_not_collected"
        made = [] if blind else self._changes(episode)
        said = None if blind else next(iter(_REPLY.findall(episode.final)[-1:]), None)
        wrong = {
            "ops": _compared(made, [Call(one["op"], one["params"]) for one in wanted["ops"]]),
            "says": None if said == wanted["says"] else f"{said!r} is not {wanted['says']!r}",
            "no_refusal": _refusing(episode.final),
            "economy": None if len(episode.accepted) <= CALLS else f"{len(episode.accepted)} calls, budget {CALLS}",
        }
        read = {"ops": list(map(_op, made)), "says": said}
        scores = [_score(name, "C" if why is None else "I", read.get(name), why) for name, why in wrong.items()]
        reward = float(not any(wrong.values()) and flaw != "reward_contradicts_checks")
        return {"reward": reward, "scores": scores, "sampler": where}

    def _changes(self, episode: Episode) -> list[Call]:
        """The changes that were not turned down, as they come out when they are made again."""
        desk = self.backend(episode.task)
        return [made for made in episode.accepted if made.name in WRITES and not refused(desk(made))]


def _op(made: Call) -> Row:
    return {"op": made.name, "params": dict(made.arguments)}


def _score(scorer: str, value: str, answer: Any, explanation: str | None) -> Row:
    return {"scorer": scorer, "value": value, "answer": answer, "explanation": explanation}


def _compared(made: list[Call], wanted: list[Call]) -> str | None:
    """What is wrong with the changes."""
    left, lacking = list(made), []
    for one in wanted:
        at = next((at for at, mine in enumerate(left) if mine.key == one.key), None)
        if at is None:
            lacking.append(one)
        else:
            left.pop(at)
    told = [("lacking", lacking), ("not wanted", left)]
    return "; ".join(f"{word}: {list(map(_op, ones))}" for word, ones in told if ones) or None


def _refusing(final: str) -> str | None:
    found = _REFUSAL.search(final)
    return f"refusal wording in the final message: {found[0]!r}" if found else None
