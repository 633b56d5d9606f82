"""The production office of a publishing house: slots, deadlines, metadata, letters, orders and deliveries, and questions about them.

What is expected stands in `datasource_item`: the `expected_tool_calls`, whose arguments are texts in JSON, the `reference` answer to a question,
the `choices` of a question that has some, as labels and texts, and an `explanation` of what is expected. The verifier writes `results`, one
entry for each grader with its score, the threshold for passing, what it was given and what it held that against, a log where something
is wrong, or no score and an error where it failed itself; and the `sample` as it found it. It compares arguments and answers as they are
written, and sees no call that was turned down. Where and when a rollout ran is in `run`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from re import MULTILINE
from re import compile as pattern
from typing import Any

from blade.lab.environments.draws import changes_found, clipped, drawn, last_match, moment, unmatched
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.environments.publisher.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.publisher.errands import LOGGED
from blade.lab.environments.publisher.faults import CALLS, ITEM, written
from blade.lab.environments.publisher.list import House, build_house
from blade.lab.environments.publisher.paper import delivery, sheets
from blade.lab.environments.publisher.questions import parcels, quiz, stream, week, writer
from blade.lab.environments.publisher.schedule import deadline, slot
from blade.lab.environments.publisher.titles import keywords, language, letter, shelving
from blade.lab.environments.publisher.trade import orders, reprint, royalties
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, House, Random], Task]
FAMILIES: tuple[Family, ...] = (
    slot, parcels, language, reprint, week, keywords, quiz, shelving, royalties, stream, letter, sheets, writer, orders, delivery, deadline,
)  # fmt: skip
_ANSWER = pattern(r"^Exact Answer: *(.*?) *$", MULTILINE)
_THRESHOLD = 1.0
_OUT_OF_REACH = 100.0
"""The threshold of a grader whose author thought in per cent."""


class Publisher(Environment):
    name = "publisher"
    hosts = ("runner-a4", "runner-b1", "runner-b6", "runner-c2", "runner-d3")
    setting = Setting("production_office_agent", "dunlin-40b-chat", TOOLS, temperature=0.7, opening_role="developer", parts=True)
    manner = Manner(
        thinks=0.35,
        before_read=("Let me look that up.", "I'll check the files first.", "First I need the record."),
        before_change=("I have what I need, making the change.", "Now I'll call {tool}.", "Entering it now."),
        speaks=True,
        pace=(1.0, 4.8),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        return drawn(self.name, "house", build_house, FAMILIES, seed, count)

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["house"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        ran = {"runner": episode.host, "started_at": moment(episode.started), "completed_at": moment(episode.ended)}
        item = (episode.task.other_gold if flaw == "cached_expectation" else episode.task.gold) or {}
        wanted, answer = item[ITEM][CALLS], item[ITEM]["reference"]
        calls, given = self._found(episode, flaw)
        graders: list[tuple[str, str, Any, Any, str | None]] = [("tool_calls", "python", calls, wanted, _compared(calls, wanted))]
        if answer is not None:
            graders.append(("exact_answer", "string_check", given, answer, _differs(given, answer)))
        failure = timed_out(rng) if flaw == "verifier_timeout" else None
        threshold = _OUT_OF_REACH if flaw == "threshold_out_of_reach" else _THRESHOLD
        results = [_result(*one, threshold, failure) for one in graders]
        passed = all(one["passed"] for one in results)
        return {
            "reward": float(passed and flaw != "reward_contradicts_checks"),
            "status": "error" if failure else "pass" if passed else "fail",
            "results": results,
            "sample": {"output_tools": calls, "output_text": episode.final or None},
            "run": ran,
        }

    def _found(self, episode: Episode, flaw: str | None) -> tuple[list[Row], str | None]:
        """The changes and the answer as the verifier finds them."""
        if flaw == "calls_not_collected":
            return [], None
        if flaw == "graded_another_rollout":
            return episode.task.facts["neighbours_gold"][ITEM][CALLS], None
        made = changes_found(episode, self.backend(episode.task), WRITES, refused, flaw)
        width = LOGGED if flaw == "log_clips_text" else None
        calls = [written(one.name, {key: clipped(value, width) for key, value in one.arguments.items()}) for one in made]
        return calls, last_match(_ANSWER, episode.final)


def _result(
    name: str, sort: str, given: Any, wanted: Any, wrong: str | None, threshold: float, failure: str | None
) -> Row:  # fmt: skip
    """What a grader reports."""
    score = None if failure else float(wrong is None)
    return {
        "name": name, "type": sort, "passed": None if score is None else score >= threshold, "score": score, "pass_threshold": threshold,
        "input": None if failure else given, "reference": wanted, "log": None if failure else wrong, "error": failure,
    }  # fmt: skip


def _differs(found: str | None, wanted: str) -> str | None:
    return None if found == wanted else f"{found!r} != {wanted!r}"


def _compared(found: list[Row], wanted: list[Row]) -> str | None:
    """What is wrong with the changes."""
    absent, left = unmatched(found, wanted, _as_text)
    told = [f"{word}: {_as_text(one)}" for word, ones in (("missing", absent), ("unexpected", left)) for one in ones]
    return "\n".join(told) or None


def _as_text(one: Row) -> str:
    """A call as it is written, which is how it is compared."""
    return f"{one['function']['name']}({one['function']['arguments']})"
