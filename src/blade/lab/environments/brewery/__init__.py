"""The planning office of a brewery: shifts, kegs, hops, tanks and exports that are entered, and questions about them.

What is expected stands in `golden`: the `expected_tools` with their `input_parameters`, the `expected_output` of a question, in `context`
why all that is right, and in `additional_metadata` the `choices` of a question that has some, lettered from a. The verifier
writes a `test_result`: the `tools_called` that changed something and the `actual_output` that it found, and in `metrics_data` for each metric
a score with a reason, or an error where it failed itself. It compares parameters and outputs as they are written, and lists no call
that was turned down. Where and when a rollout ran is in `xdist`, as the test runner has it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

from blade.lab.desk import Call
from blade.lab.environments.brewery.books import Books, build_books
from blade.lab.environments.brewery.cellar import alcohol, colour, hops
from blade.lab.environments.brewery.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.brewery.errands import LOGGED
from blade.lab.environments.brewery.export import label, volume
from blade.lab.environments.brewery.faults import GOLDEN
from blade.lab.environments.brewery.questions import malt, origin, quiz, stream, week
from blade.lab.environments.brewery.roster import cleaning, shift
from blade.lab.environments.brewery.trade import allotted, called_off, kegs
from blade.lab.environments.draws import changes_found, drawn, last_match, unmatched
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Books, Random], Task]
FAMILIES: tuple[Family, ...] = (
    malt, shift, alcohol, allotted, stream, kegs, quiz, label, week, hops, volume, origin, called_off, colour, cleaning,
)  # fmt: skip
_ANSWER = re.compile(r"^#### *(.*?) *$", re.MULTILINE)


class Brewery(Environment):
    name = "brewery"
    hosts = ("gw0", "gw1", "gw2", "gw3", "gw4")
    setting = Setting("planning_office_slips", "whimbrel-31b-it", TOOLS, temperature=0.6, parts=True)
    manner = Manner(
        thinks=0.45,
        before_read=("{tool} first.", "I need the id.", "Let me see what is on file.", "The record will say."),
        before_change=("That is all I need for {tool}.", "Now to enter it.", "Posting this."),
        pace=(1.0, 5.5),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        return drawn(self.name, "books", build_books, FAMILIES, seed, count)

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["books"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        ran = {
            "workerid": episode.host,
            "start": round(episode.started, 3),
            "duration": round(episode.ended - episode.started, 3),
        }
        golden = episode.task.gold[GOLDEN]
        names = ["Tool Correctness", *(["Exact Match"] if golden["expected_output"] is not None else [])]
        if flaw == "verifier_timeout":
            error = timed_out(rng)
            result = _result(None, {"tools_called": None, "actual_output": None}, [_metric(name, None, error) for name in names])
            return {"reward": 0.0, "test_result": result, "xdist": ran}
        found = self._found(episode, flaw)
        wrong = (
            _compared(found["tools_called"], golden["expected_tools"]),
            _differs(found["actual_output"], golden["expected_output"]),
        )
        metrics = [_metric(name, why) for name, why in zip(names, wrong, strict=False)]
        passed = not any(wrong)
        reward = float(passed and flaw != "reward_contradicts_checks")
        return {"reward": reward, "test_result": _result(passed, found, metrics), "xdist": ran}

    def _found(self, episode: Episode, flaw: str | None) -> Row:
        """The changes and the answer as the verifier finds them."""
        if flaw == "calls_not_collected":
            return {"tools_called": [], "actual_output": None}
        if flaw == "graded_another_rollout":
            return {"tools_called": episode.task.facts["neighbours_gold"][GOLDEN]["expected_tools"], "actual_output": None}
        made = changes_found(episode, self.backend(episode.task), WRITES, refused, flaw)
        kept = _clipped if flaw == "log_clips_text" else _whole
        called = [
            {"name": one.name, "input_parameters": {key: kept(value) for key, value in one.arguments.items()}} for one in made
        ]
        return {"tools_called": called, "actual_output": last_match(_ANSWER, episode.final)}


def _whole(value: Any) -> Any:
    return value


def _clipped(value: Any) -> Any:
    """What a log has of a value that keeps only the beginning of each text."""
    return value[:LOGGED] if isinstance(value, str) else value


def _result(success: bool | None, found: Row, metrics: list[Row]) -> Row:
    return {"success": success, **found, "metrics_data": metrics}


def _metric(name: str, wrong: str | None, error: str | None = None) -> Row:
    passed = None if error else wrong is None
    score = None if passed is None else float(passed)
    return {"name": name, "threshold": 1.0, "success": passed, "score": score, "reason": wrong, "error": error}


def _differs(found: str | None, wanted: str | None) -> str | None:
    return None if wanted is None or found == wanted else f"expected_output is {wanted!r} and actual_output is {found!r}"


def _compared(found: list[Row], wanted: list[Row]) -> str | None:
    """What is wrong with the changes."""
    absent, left = unmatched(found, wanted, _key)
    told = [f"{word} {one['name']} {json.dumps(one['input_parameters'], ensure_ascii=False)}"
            for word, ones in (("not called:", absent), ("called but not expected:", left)) for one in ones]  # fmt: skip
    return "; ".join(told) or None


def _key(one: Row) -> tuple[str, str]:
    return Call(one["name"], one["input_parameters"]).key
