"""An observatory's night desk: bookings, cancellations, reductions and questions.

Expected changes stand in `expected_actions` (with `parameters`), expected answers in `target`, with a tolerance for figures. The verifier
reads the last line of the reply, scores a rubric of weighted criteria, and passes what has the full weight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import Environment, compare, timed_out
from blade.lab.environments.observatory.night_work import book, cancel, reduce_block
from blade.lab.environments.observatory.sky import TOOLS, WRITES, Sky, build_sky, rejected, sky_backend
from blade.lab.environments.observatory.sky_questions import brightness, quiz, shutter_time
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Sky, Random], Task | None]
FAMILIES: tuple[Family, ...] = (book, shutter_time, cancel, quiz, reduce_block, brightness, book)
_REPORT = ("report", "The requester is told about the outcome.", 0.3)
_RESTRAINT = ("restraint", "Nothing beyond the reference was changed.", 0.2)
_WORK = {
    True: ("answer", "The result agrees with the target.", 0.5),
    False: ("actions", "All actions of the reference were carried out with its parameters.", 0.5),
}
"""(id, criterion, weight) of the criterion that matters, for questions and for errands."""


def _with_rubric(gold: Row) -> Row:
    listed = (_WORK["target" in gold], _RESTRAINT, _REPORT)
    return {**gold, "rubric": [{"id": name, "criterion": text, "weight": weight} for name, text, weight in listed]}


def _complete(task: Task) -> Task:
    """The task with its rubric, in all versions of its dataset row."""
    facts = {key: _with_rubric(value) if key == "other_unit_gold" else value for key, value in task.facts.items()}
    return replace(
        task,
        gold=_with_rubric(task.gold),
        other_gold=task.other_gold and _with_rubric(task.other_gold),
        contradicted_gold=task.contradicted_gold and _with_rubric(task.contradicted_gold),
        facts=facts,
    )


def _result(text: str) -> str | None:
    """What the last line states as the result."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("Result:").strip() if lines and lines[-1].startswith("Result:") else None


def _agrees(given: str | None, target: str, tolerance: float | None) -> bool:
    if given is None:
        return False
    if tolerance is None:
        return given == target
    try:
        return abs(float(given) - float(target)) <= tolerance
    except ValueError:
        return False


class Observatory(Environment):
    name = "observatory"
    hosts = ("dome-a", "dome-b", "dome-c", "dome-d")
    setting = Setting("observatory_desk", "corona-12b-instruct", TOOLS, temperature=0.9, host_field="executed_on")
    manner = Manner(
        thinks=0.4,
        before_read=("I don't know that by heart.", "Querying {tool} first.", "The system will have it.", "Need the exact id for this."),
        before_change=("Everything needed is known, so {tool}.", "Now the actual change.", "Calling {tool} with these values."),
        pace=(0.8, 5.0),
    )  # fmt: skip

    def tasks(self, seed: int, count: int) -> list[Task]:
        sky = build_sky(dice(seed, self.name, "sky"))
        made: list[Task] = []
        attempt = 0
        while len(made) < count:
            rng = dice(seed, self.name, "task", len(made), attempt)
            task = FAMILIES[len(made) % len(FAMILIES)](len(made), sky, rng)
            attempt = attempt + 1 if task is None else 0
            if task is not None:
                made.append(_complete(task))
        return made

    def backend(self, task: Task) -> Backend:
        return sky_backend(task.facts["sky"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        gold = episode.task.gold
        expected = [Call(entry["action"], entry["parameters"]) for entry in gold["expected_actions"]]
        answer = self.backend(episode.task)
        made = [done for done in episode.accepted if done.name in WRITES and not rejected(answer(done))]
        found = compare(made, expected)
        met = {"restraint": not found.unexpected, "report": bool(episode.final)}
        fields: Row = {}
        if "target" in gold:
            given = fields["parsed_result"] = _result(episode.final)
            tolerance = 1e-6 if flaw == "tight_tolerance" and "tolerance" in gold else gold.get("tolerance")
            right = _agrees(given, str(gold["target"]), tolerance)
            met["answer"] = given is None if flaw == "inverted_verifier" else right
        else:
            met["actions"] = found.matched == found.expected
        work = "answer" if "answer" in met else "actions"
        if flaw == "broken_test":
            met["restraint"] = False
        elif flaw == "flaky_verifier":
            met[work] = False
        elif flaw == "verifier_timeout":
            return {"reward": 0.0, **fields, "rubric_scores": None, "weighted_score": None, "grading_exception": timed_out(rng)}
        weights = {entry["id"]: float(entry["weight"]) for entry in gold["rubric"]}
        points = {name: weight if met[name] else 0.0 for name, weight in weights.items()}
        score = round(sum(points.values()), 3)
        reward = 1.0 if score >= 0.999 and flaw != "reward_contradicts_checks" else 0.0
        return {"reward": reward, **fields, "rubric_scores": points, "weighted_score": score}
