"""The front office of a conservatory: lessons, tests, coaches, money and scores that are seen to, and questions about them.

What is expected stands in `testCase`, as assertions: `calls` has the functions with their `kwargs`, `equals` the answer to a question, and
`icontains` what the last message has to mention; the options of a choice are in `vars`, lettered from w, and `metadata` says why all
that is right. The verifier writes a `gradingResult` with a component for each assertion, the reason of the first that failed, and the
calls and the answer it has `seen`. It compares arguments and answers as they are written, and sees no call that was turned down. Where and
when a rollout ran is in `runInfo`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random

from blade.lab.desk import Call
from blade.lab.environments.conservatory.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.conservatory.faults import CASE, calls_in
from blade.lab.environments.conservatory.library import freed, part, signed
from blade.lab.environments.conservatory.office import charges, coach, ended, refund, test, trial
from blade.lab.environments.conservatory.questions import country, stream, week, weekday, weight
from blade.lab.environments.conservatory.roll import Roll, build_roll
from blade.lab.environments.draws import changes_found, drawn, last_match, unmatched
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Roll, Random], Task]
FAMILIES: tuple[Family, ...] = (
    trial, weight, signed, charges, week, coach, freed, country, refund, test, weekday, part, stream, ended,
)  # fmt: skip
_ANSWER = re.compile(r"^=> (.*)$", re.MULTILINE)


class Conservatory(Environment):
    name = "conservatory"
    hosts = ("exec-kilo", "exec-lima", "exec-mike", "exec-november", "exec-oscar")
    setting = Setting("front_office_tray", "godwit-27b-instruct", TOOLS, temperature=0.8, opening_role="developer")
    manner = Manner(
        thinks=0.45,
        before_read=("First the records.", "{tool} should have that.", "Looking this up.", "I need the resource name."),
        before_change=("Now I can arrange it.", "{tool} is the one for this.", "Everything is there, so on with it."),
        pace=(0.9, 4.5),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        return drawn(self.name, "roll", build_roll, FAMILIES, seed, count)

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["roll"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        info = {
            "executor": episode.host, "startedAt": round(episode.started, 3),
            "latencyMs": round(1_000 * (episode.ended - episode.started)),
        }  # fmt: skip
        if flaw == "verifier_timeout":
            return {"reward": 0.0, "gradingResult": _result(None, timed_out(rng), [], None), "runInfo": info}
        seen, text = self._seen(episode, flaw)
        parts = [_component(one, seen, text) for one in episode.task.gold[CASE]["assert"]]
        failed = [one["reason"] for one in parts if not one["pass"]]
        result = _result(not failed, failed[0] if failed else "All assertions passed", parts, seen)
        reward = float(not failed and flaw != "reward_contradicts_checks")
        return {"reward": reward, "gradingResult": result, "runInfo": info}

    def _seen(self, episode: Episode, flaw: str | None) -> tuple[Row, str]:
        """What the verifier takes to have been called and answered, and the text that it reads."""
        if flaw == "calls_not_collected":
            return {"calls": [], "answer": None}, ""
        if flaw == "graded_another_rollout":
            return {"calls": calls_in(episode.task.facts["neighbours_gold"]), "answer": None}, ""
        made = changes_found(episode, self.backend(episode.task), WRITES, refused, flaw)
        calls = [{"function": one.name, "kwargs": dict(one.arguments)} for one in made]
        return {"calls": calls, "answer": last_match(_ANSWER, episode.final)}, episode.final


def _result(passed: bool | None, reason: str, parts: list[Row], seen: Row | None) -> Row:
    return {"pass": passed, "reason": reason, "componentResults": parts, "seen": seen}


def _component(check: Row, seen: Row, text: str) -> Row:
    kind, value = check["type"], check["value"]
    match kind:
        case "calls":
            wrong = _compared(seen["calls"], value)
        case "equals":
            wrong = None if seen["answer"] == value else f"Expected {value!r}, got {seen['answer']!r}"
        case _:
            wrong = None if value.lower() in text.lower() else f"Expected output to contain {value!r}"
    return {"assertion": kind, "pass": wrong is None, "reason": wrong or "Assertion passed"}


def _compared(seen: list[Row], wanted: list[Row]) -> str | None:
    """What is wrong with the calls."""
    absent, left = unmatched(seen, wanted, _key)
    told = [f"{word} {one['function']}({json.dumps(one['kwargs'], ensure_ascii=False)})"
            for word, ones in (("Expected", absent), ("Did not expect", left)) for one in ones]  # fmt: skip
    return "; ".join(told) or None


def _key(one: Row) -> tuple[str, str]:
    return Call(one["function"], one["kwargs"]).key
