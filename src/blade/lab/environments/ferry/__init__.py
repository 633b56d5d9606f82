"""The booking and operations desk of a ferry line: crew, harbours and freight that are seen to, and questions about them.

What is expected stands in `expected`: the `calls` and the `answer` to a question. `input` has the topic and the choices of a question that
has some, under numbers, and `metadata` the note of the author of the task. The verifier writes as an experiment tracker has it: the `output` it
was given, in `scores` a number for each scorer, or none where a scorer failed itself, which `scorer_errors` tells, and in `score_metadata` what
each scorer held the output against and what it missed. It compares arguments and answers as they are written, and is given no call that was
turned down. When a rollout ran is in `metrics`, where it ran in `context`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from re import MULTILINE
from re import compile as pattern

from blade.lab.environments.draws import changes_found, drawn, kept, last_match, moment, unmatched
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.environments.ferry.crew import bells, check, watch
from blade.lab.environments.ferry.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.ferry.errands import LOGGED
from blade.lab.environments.ferry.faults import ANSWER, CALLS, EXPECTED, written
from blade.lab.environments.ferry.harbours import facilities, notice, sea, wind
from blade.lab.environments.ferry.line import Line, build_line
from blade.lab.environments.ferry.questions import depth, distance, flag, hour, signal, week
from blade.lab.environments.ferry.trade import collection, hazard, rebates, refund, space
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Line, Random], Task]
FAMILIES: tuple[Family, ...] = (
    wind, flag, week, check, space, hour, sea, hazard, refund, notice, facilities, bells, depth, rebates, signal, collection,
    distance, watch,
)  # fmt: skip
_ANSWER = pattern(r'^\{"answer": "(.*)"\}$', MULTILINE)


class Ferry(Environment):
    name = "ferry"
    held_out = True
    hosts = ("evals-spot-2c9f", "evals-spot-41b0", "evals-spot-77d3", "evals-spot-8e1a", "evals-spot-d405")
    setting = Setting("ferry-desk", "razorbill-26b-instruct", TOOLS, temperature=0.9)
    manner = Manner(
        thinks=0.45,
        before_read=("I have to find the entry first.", "The register will have that.", "Checking the records."),
        before_change=("Ready to enter it.", "{tool} is what I need for this.", "Entering the change."),
        pace=(0.8, 4.6),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        return drawn(self.name, "line", build_line, FAMILIES, seed, count)

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["line"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        record = (episode.task.other_gold if flaw == "cached_expectation" else episode.task.gold) or {}
        wanted = record[EXPECTED]
        output = self._found(episode, flaw)
        found = {"calls_match": _compared(output[CALLS], wanted[CALLS])}
        if wanted[ANSWER] is not None:
            found["answer_match"] = _differs(output[ANSWER], wanted[ANSWER])
        failure = timed_out(rng) if flaw == "verifier_timeout" else None
        passed = failure is None and all(one["score"] for one in found.values())
        return {
            "reward": float(passed and flaw != "reward_contradicts_checks"),
            "id": f"{rng.randrange(16**16):016x}",
            "span_attributes": {"name": "eval", "type": "eval"},
            "output": output,
            "scores": {name: None if failure else float(one["score"]) for name, one in found.items()},
            "score_metadata": {} if failure else {name: one["metadata"] for name, one in found.items()},
            "scorer_errors": {} if failure is None else dict.fromkeys(found, failure),
            "metrics": {
                "start": episode.started,
                "end": episode.ended,
                "prompt_tokens": episode.read_tokens,
                "completion_tokens": episode.written_tokens,
            },
            "created": moment(episode.started),
            "context": {"hostname": episode.host},
        }

    def _found(self, episode: Episode, flaw: str | None) -> Row:
        """The changes and the answer as the verifier finds them."""
        if flaw == "calls_not_collected":
            return {CALLS: [], ANSWER: None}
        if flaw == "graded_another_rollout":
            return {CALLS: episode.task.facts["neighbours_gold"][EXPECTED][CALLS], ANSWER: None}
        made = changes_found(episode, self.backend(episode.task), WRITES, refused, flaw)
        width = LOGGED if flaw == "log_clips_text" else None
        lowers = flaw == "one_side_normalised"
        calls = [
            written(one.name, {
                key: kept(value, width, lowers) for key, value in one.arguments.items() if value or flaw != "false_values_lost"
            })
            for one in made
        ]  # fmt: skip
        return {CALLS: calls, ANSWER: kept(last_match(_ANSWER, episode.final), None, lowers)}


def _differs(found: str | None, wanted: str) -> Row:
    return {"score": found == wanted, "metadata": {"expected": wanted, "got": found}}


def _compared(found: list[Row], wanted: list[Row]) -> Row:
    """How the changes are scored, and what is wrong with them."""
    absent, left = unmatched(found, wanted, _as_text)
    return {"score": not absent and not left, "metadata": {"expected": wanted, "missing": absent, "unexpected": left}}


def _as_text(one: Row) -> str:
    """A call as it is written, which is how it is compared."""
    return f"{one['tool']}({json.dumps(one['args'], ensure_ascii=False)})"
