"""The office of a town's market: pitches, charges, permits, fairs and stewards that are seen to, and questions about them.

What is expected stands in `doc`: under `target` the `effects`, each a pair of a tool and its arguments, and the `text` that answers a
question; the `choices` of a question that has some, numbered from 1; and in `gloss` why all that is right. The verifier writes an
`assessment`: the effects and the text it observed, what it finds wrong, and a status. It compares arguments and texts as they are written,
and takes no effect of a call that was turned down. Where and when a rollout ran is in `trace`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.environments.market.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.market.faults import DOC
from blade.lab.environments.market.ledger import feast, invoice, levies, notice, waive
from blade.lab.environments.market.questions import abroad, energy, origin, week, weekday
from blade.lab.environments.market.register import Register, build_register
from blade.lab.environments.market.stalls import clash, let, permit, steward
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Register, Random], Task]
FAMILIES: tuple[Family, ...] = (
    let, energy, waive, notice, week, permit, invoice, origin, clash, weekday, levies, feast, abroad, steward,
)  # fmt: skip
_TEXT = re.compile(r"\[\[(.*?)\]\]", re.DOTALL)


class Market(Environment):
    name = "market"
    hosts = ("amber-01", "birch-02", "cedar-03", "dune-04", "ember-05")
    setting = Setting("counter_slips", "whimbrel-34b-chat", TOOLS, temperature=0.6, parts=True)
    manner = Manner(
        thinks=0.5,
        before_read=(
            "Let me open the book.",
            "This wants {tool}.",
            "What do we have on file?",
            "The number first, so {tool}.",
        ),
        before_change=("That can be entered now.", "Right, {tool}.", "I have what the slip needs."),
        pace=(1.2, 5.0),
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

    def trouble_with(self, kind: str) -> tuple[frozenset[str] | None, frozenset[str] | None]:
        return (WRITES if kind == "unreset_state" else None), None

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        trace = {"pod": episode.host, "span": [_written(episode.started), _written(episode.ended)]}
        if flaw == "verifier_timeout":
            return {"reward": 0.0, "assessment": _assessed("error", [timed_out(rng)], None), "trace": trace}
        target, seen = episode.task.gold[DOC]["target"], self._observed(episode, flaw)
        wrong = _compared(seen["effects"], target["effects"])
        if target["text"] is not None and seen["text"] != target["text"]:
            wrong.append(f"text is {seen['text']!r}, should be {target['text']!r}")
        reward = float(not wrong and flaw != "reward_contradicts_checks")
        return {"reward": reward, "assessment": _assessed("failure" if wrong else "success", wrong, seen), "trace": trace}

    def _observed(self, episode: Episode, flaw: str | None) -> Row:
        """What the verifier takes to have been done and said."""
        if flaw == "calls_not_collected":
            return {"effects": [], "text": None}
        if flaw == "graded_another_rollout":
            return dict(episode.task.facts["neighbours_gold"][DOC]["target"])
        desk = self.backend(episode.task)
        made = [one for one in episode.accepted if one.name in WRITES and not refused(desk(one))]
        said = next(iter(_TEXT.findall(episode.final)[-1:]), None)
        return {"effects": [[one.name, dict(one.arguments)] for one in made], "text": said}


def _assessed(status: str, wrong: list[str], seen: Row | None) -> Row:
    return {"status": status, "findings": wrong, "observed": seen}


def _compared(seen: list[list[Any]], target: list[list[Any]]) -> list[str]:
    """What is wrong with the effects."""
    left, lacking = list(seen), []
    for one in target:
        at = next((at for at, mine in enumerate(left) if Call(*mine).key == Call(*one).key), None)
        if at is None:
            lacking.append(one)
        else:
            left.pop(at)
    told = (("no effect like", lacking), ("effect without a counterpart", left))
    return [f"{words} {name} {json.dumps(given, ensure_ascii=False)}" for words, ones in told for name, given in ones]


def _written(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
