"""The records of an arboretum: duties, temperatures, tags, signs, seeds and soil that are seen to, and questions about them.

What is expected stands in `expectations`: the `expected_tool_calls`, the `expected_response` to a question, and as `expected_facts` why all that
is right; the `choices` of a question that has some are among the `inputs`, as plain texts. The verifier writes the `outputs` that it was
given, the calls that changed something and the answer, and `assessments`: the expectations as it has them, and from each scorer a
feedback, yes or no with a rationale, or an error where it failed itself. It compares calls and answers as they are written, and is given
no call that was turned down. Where and when a rollout ran is in `trace_info`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from re import MULTILINE
from re import compile as pattern
from typing import Any

from blade.lab.environments.arboretum.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.arboretum.diary import duty, pruning
from blade.lab.environments.arboretum.errands import LOGGED
from blade.lab.environments.arboretum.faults import ANSWER, CALLS, EXPECTATIONS, written
from blade.lab.environments.arboretum.garden import Garden, build_garden
from blade.lab.environments.arboretum.plants import bloom, hardiness, sign, tags
from blade.lab.environments.arboretum.questions import family, quiz, stage, water, webcast, week
from blade.lab.environments.arboretum.seeds import consignment, latest_test, rates, shipment
from blade.lab.environments.arboretum.soil import nutrients, treatment
from blade.lab.environments.draws import changes_found, drawn, kept, last_match, moment, unmatched
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Garden, Random], Task]
FAMILIES: tuple[Family, ...] = (
    duty, webcast, hardiness, treatment, week, tags, quiz, latest_test, bloom, water, sign, rates, family, nutrients, shipment, stage,
    consignment, pruning,
)  # fmt: skip
_ANSWER = pattern(r"^So the answer is (.*?)\.?$", MULTILINE)


class Arboretum(Environment):
    name = "arboretum"
    hosts = ("eval-worker-03", "eval-worker-07", "eval-worker-08", "eval-worker-11", "eval-worker-14")
    setting = Setting("arboretum_records_agent", "ptarmigan-36b-instruct", TOOLS, temperature=1.0)
    manner = Manner(
        thinks=0.4,
        before_read=("I'll start with the record.", "Let me search for it.", "I need the id for this.", "{tool} should tell."),
        before_change=("Now the change itself.", "I can save this with {tool}.", "All set to save it."),
        pace=(0.9, 5.0),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        return drawn(self.name, "garden", build_garden, FAMILIES, seed, count)

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["garden"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        record = (episode.task.other_gold if flaw == "cached_expectation" else episode.task.gold) or {}
        wanted = record[EXPECTATIONS]
        outputs = self._found(episode, flaw)
        scored = [("tool_calls_match", CALLS, _compared(outputs["tool_calls"], wanted[CALLS]))]
        if wanted[ANSWER] is not None:
            scored.append(("exact_answer", ANSWER, _differs(outputs["answer"], wanted[ANSWER])))
        failure = timed_out(rng) if flaw == "verifier_timeout" else None
        passed = failure is None and not any(wrong for _, _, wrong in scored)
        return {
            "reward": float(passed and flaw != "reward_contradicts_checks"),
            "outputs": outputs,
            "assessments": [
                *(_expectation(name, wanted[name]) for _, name, _ in scored),
                *(_feedback(name, wrong, failure) for name, _, wrong in scored),
            ],
            "trace_info": {
                "trace_id": f"tr-{rng.randrange(16**32):032x}",
                "state": "OK" if episode.error is None else "ERROR",
                "request_time": moment(episode.started),
                "execution_duration": f"{episode.ended - episode.started:.3f}s",
                "tags": {"worker": episode.host},
            },
        }

    def _found(self, episode: Episode, flaw: str | None) -> Row:
        """The changes and the answer as the verifier finds them."""
        if flaw == "calls_not_collected":
            return {"tool_calls": [], "answer": None}
        if flaw == "graded_another_rollout":
            return {"tool_calls": episode.task.facts["neighbours_gold"][EXPECTATIONS][CALLS], "answer": None}
        made = changes_found(episode, self.backend(episode.task), WRITES, refused, flaw)
        width = LOGGED if flaw == "log_clips_text" else None
        lowers = flaw == "one_side_normalised"
        calls = [
            written(one.name, {key: kept(value, width, lowers) for key, value in one.arguments.items()})
            for one in made
        ]  # fmt: skip
        return {"tool_calls": calls, "answer": kept(last_match(_ANSWER, episode.final), None, lowers)}


def _expectation(name: str, value: Any) -> Row:
    source = {"source_type": "HUMAN", "source_id": "records-team"}
    return {"assessment_name": name, "source": source, "expectation": {"value": value}}


def _feedback(name: str, wrong: str | None, failure: str | None) -> Row:
    """What a scorer reports."""
    error = None if failure is None else {"error_code": "SCORER_ERROR", "error_message": failure}
    return {
        "assessment_name": name,
        "source": {"source_type": "CODE", "source_id": f"scorers.{name}"},
        "feedback": {"value": None if failure else "no" if wrong else "yes", "error": error},
        "rationale": None if failure else wrong,
    }


def _differs(found: str | None, wanted: str) -> str | None:
    return None if found == wanted else f"The answer is {found!r}, expected was {wanted!r}."


def _compared(found: list[Row], wanted: list[Row]) -> str | None:
    """What is wrong with the changes."""
    absent, left = unmatched(found, wanted, _as_text)
    told = [f"{word} {_as_text(one)}." for word, ones in (("Missing:", absent), ("Not expected:", left)) for one in ones]
    return " ".join(told) or None


def _as_text(one: Row) -> str:
    """A call as it is written, which is how it is compared."""
    return f"{one['name']}({json.dumps(one['arguments'], ensure_ascii=False)})"
