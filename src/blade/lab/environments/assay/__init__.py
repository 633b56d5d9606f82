"""The back office of an assay office: sessions, sizes, marks, charges and weights that are filed, and questions about them.

What is expected stands in `eval_case`: the `expected_invocation` with its `tool_uses` and the `final_response` to a question, and in the `state`
of the `session_input` the `options` of a question that has some, under Roman numerals, and the `grounds` of what is expected. The verifier
writes an `eval_case_result`: the actual invocation, the expected one as it has it, and for each metric a score with details, or no score
and an error message where it failed itself. It compares arguments and answers as they are written, arguments in the order in which they stand,
and sees no call that was turned down. Where and when a rollout ran is in `session_details`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

from blade.lab.environments.assay.bench import calibration, session
from blade.lab.environments.assay.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.assay.errands import LOGGED
from blade.lab.environments.assay.faults import CASE, EXPECTED, answer_in, invocation, uses_in
from blade.lab.environments.assay.marks import engraving, fineness, marks, size
from blade.lab.environments.assay.questions import bars, broadcast, mineral, quiz, stamp, week
from blade.lab.environments.assay.register import Register, build_register
from blade.lab.environments.assay.trade import charges, verdict
from blade.lab.environments.assay.weights import papers, vault
from blade.lab.environments.draws import changes_found, drawn, last_match, unmatched
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Register, Random], Task]
FAMILIES: tuple[Family, ...] = (
    session, bars, fineness, verdict, week, marks, quiz, size, charges, broadcast, engraving, vault, mineral, stamp, papers, calibration,
)  # fmt: skip
_ANSWER = re.compile(r"```result\n(.*?)\n```", re.DOTALL)
_METRICS = ("tool_trajectory_exact", "final_response_exact")


class Assay(Environment):
    name = "assay"
    hosts = ("evalpool-2", "evalpool-3", "evalpool-5", "evalpool-7", "evalpool-8")
    setting = Setting("assay_back_office_runner", "sanderling-24b-instruct", TOOLS, temperature=0.7, opening_role="developer")
    manner = Manner(
        thinks=0.4,
        before_read=("The record first.", "{tool} will have it.", "Which id is that?", "Let me find that on the register."),
        before_change=("Everything is known, filing it.", "On to {tool}.", "This can be filed now."),
        pace=(1.2, 5.2),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        return drawn(self.name, "register", build_register, FAMILIES, seed, count)

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["register"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        ran = {
            "worker": episode.host,
            "create_time": round(episode.started, 3),
            "last_update_time": round(episode.ended, 3),
        }
        case = episode.task.other_gold if flaw == "cached_expectation" else episode.task.gold
        assert case is not None
        wanted = case[CASE][EXPECTED]
        names = _METRICS[: 1 if wanted["final_response"] is None else 2]
        if flaw == "verifier_timeout":
            metrics = [_metric(name, None, evaluated=False) for name in names]
            return {
                "reward": 0.0,
                "eval_case_result": _result(None, None, wanted, metrics, timed_out(rng)),
                "session_details": ran,
            }
        actual = self._found(episode, flaw)
        wrong = (_compared(uses_in(actual), uses_in(wanted)), _differs(answer_in(actual), answer_in(wanted)))
        metrics = [_metric(name, why) for name, why in zip(names, wrong, strict=False)]
        passed = not any(wrong)
        reward = float(passed and flaw != "reward_contradicts_checks")
        return {"reward": reward, "eval_case_result": _result(passed, actual, wanted, metrics), "session_details": ran}

    def _found(self, episode: Episode, flaw: str | None) -> Row:
        """The changes and the answer as the verifier finds them."""
        if flaw == "calls_not_collected":
            return invocation([], None)
        if flaw == "graded_another_rollout":
            return invocation(uses_in(episode.task.facts["neighbours_gold"][CASE][EXPECTED]), None)
        made = changes_found(episode, self.backend(episode.task), WRITES, refused, flaw)
        kept = _clipped if flaw == "log_clips_text" else _whole
        uses = [{"name": one.name, "args": {key: kept(value) for key, value in one.arguments.items()}} for one in made]
        return invocation(uses, last_match(_ANSWER, episode.final))


def _whole(value: Any) -> Any:
    return value


def _clipped(value: Any) -> Any:
    """What a recorder has of a value that keeps only the beginning of each text."""
    return value[:LOGGED] if isinstance(value, str) else value


def _status(passed: bool | None) -> str:
    return {True: "PASSED", False: "FAILED", None: "NOT_EVALUATED"}[passed]


def _result(passed: bool | None, actual: Row | None, wanted: Row, metrics: list[Row], error: str | None = None) -> Row:
    return {
        "final_eval_status": _status(passed), "actual_invocation": actual, EXPECTED: wanted, "eval_metric_results": metrics,
        "error_message": error,
    }  # fmt: skip


def _metric(name: str, wrong: str | None, evaluated: bool = True) -> Row:
    passed = wrong is None if evaluated else None
    score = None if passed is None else float(passed)
    return {"metric_name": name, "threshold": 1.0, "score": score, "eval_status": _status(passed), "details": wrong}


def _differs(found: str | None, wanted: str | None) -> str | None:
    return None if wanted is None or found == wanted else f"want {wanted!r}, have {found!r}"


def _compared(found: list[Row], wanted: list[Row]) -> str | None:
    """What is wrong with the changes."""
    absent, left = unmatched(found, wanted, _written)
    told = [f"{word} {_written(one)}" for word, ones in (("want", absent), ("have", left)) for one in ones]
    return "\n".join(told) or None


def _written(one: Row) -> str:
    """A call as it is written, which is how it is compared."""
    return f"{one['name']} {json.dumps(one['args'], ensure_ascii=False)}"
