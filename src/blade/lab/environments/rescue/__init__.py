"""The desk of a mountain rescue: standbys, expenses, missions, huts and closures that are recorded, and questions about them.

What is expected stands in `reference_outputs`: the `requests`, each an operation with its body, and the `reply` to a question. `inputs` has the
options of a choice under code words, and `metadata` the `derivation` of what is expected. The evaluator gives in `outputs` the requests and
the reply that it found, and in `feedback` a score with a comment under the key of each evaluator, or no score where it failed
itself. It compares bodies and replies as they are written, finds no request that the board turned down, and writes its report in ASCII.
Where and when a rollout ran is in `span`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Final

from blade.lab.desk import Call
from blade.lab.environments.draws import changes_found, drawn, last_match, unmatched
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.environments.rescue.board import Board, build_board
from blade.lab.environments.rescue.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.rescue.missions import cordon, flight, hut, kit
from blade.lab.environments.rescue.people import dropped, expenses, standby
from blade.lab.environments.rescue.questions import opening, ropes, summit, week, weekday
from blade.lab.environments.rescue.weather import felt, lee, walk
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Board, Random], Task]
FAMILIES: tuple[Family, ...] = (
    standby, ropes, felt, kit, week, hut, expenses, summit, lee, flight, weekday, walk, cordon, opening, dropped,
)  # fmt: skip
_REPLY = re.compile(r"\[\[(.*?)\]\]")
_EVALUATORS: Final = ("requests_match", "reply_match")


class Rescue(Environment):
    name = "rescue"
    hosts = ("3f-a", "3f-b", "3f-c", "4c-a", "4c-b")
    setting = Setting("valley_desk_react", "turnstone-22b-chat", TOOLS, temperature=0.65)
    manner = Manner(
        thinks=0.4,
        before_read=("The board will tell.", "I need the ref for that.", "Calling {tool}.", "What do we have on this?"),
        before_change=("That can go on the board.", "{tool} with these values.", "I have what I need to record it."),
        pace=(1.1, 5.0),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        return drawn(self.name, "board", build_board, FAMILIES, seed, count)

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["board"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        span = {
            "start_time_unix_nano": round(1e9 * episode.started),
            "end_time_unix_nano": round(1e9 * episode.ended),
            "attributes": {"worker.slot": episode.host},
        }
        broke = timed_out(rng) if flaw == "verifier_timeout" else _unwritable(episode)
        if broke is not None:
            feedback: Row = {key: {"score": None, "comment": broke} for key in _EVALUATORS}
            return {"reward": 0.0, "outputs": {"requests": None, "reply": None}, "feedback": feedback, "span": span}
        outputs, wanted = self._found(episode, flaw), episode.task.gold["reference_outputs"]
        wrong = (_compared(outputs["requests"], wanted["requests"]), _differs(outputs["reply"], wanted["reply"]))
        feedback = {
            key: {"score": int(why is None), "comment": why or ""} for key, why in zip(_EVALUATORS, wrong, strict=True)
        }  # fmt: skip
        reward = float(not any(wrong) and flaw != "reward_contradicts_checks")
        return {"reward": reward, "outputs": outputs, "feedback": feedback, "span": span}

    def _found(self, episode: Episode, flaw: str | None) -> Row:
        """The requests and the reply as the evaluator finds them."""
        if flaw == "calls_not_collected":
            return {"requests": [], "reply": None}
        if flaw == "graded_another_rollout":
            return {"requests": episode.task.facts["neighbours_gold"]["reference_outputs"]["requests"], "reply": None}
        made = changes_found(episode, self.backend(episode.task), WRITES, refused, flaw)
        requests = [{"operation": one.name, "body": dict(one.arguments)} for one in made]
        return {"requests": requests, "reply": last_match(_REPLY, episode.final)}


def _unwritable(episode: Episode) -> str | None:
    """What is raised by a report in ASCII on a whole last message that has other characters."""
    if episode.truncated:
        return None
    try:
        episode.final.encode("ascii")
    except UnicodeEncodeError as error:
        return f"UnicodeEncodeError: {error}"
    return None


def _differs(found: str | None, wanted: str | None) -> str | None:
    return None if wanted is None or found == wanted else f"reference {wanted!r}, output {found!r}"


def _compared(found: list[Row], wanted: list[Row]) -> str | None:
    """What is wrong with the requests."""
    absent, left = unmatched(found, wanted, _key)
    told = [f"{word}: {one['operation']} {json.dumps(one['body'], ensure_ascii=False)}"
            for word, ones in (("only in reference", absent), ("only in output", left)) for one in ones]  # fmt: skip
    return "\n".join(told) or None


def _key(one: Row) -> tuple[str, str]:
    return Call(one["operation"], one["body"]).key
