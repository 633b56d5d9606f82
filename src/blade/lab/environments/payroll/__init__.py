"""A payroll and HR office: absences, awards, overtime, letters, benefits and postings that are entered, and questions about them.

Rows are those of a resources server for tool calling. What is expected stands in `expected_function_calls`, each with its arguments as one text,
and in `expected_answer` for a question; `verifier_metadata` has the category, the options of a question that has some, and the
`reference_reasoning` of whoever wrote the task. The verifier writes the `function_calls` that it found, without lookups and without calls that
were turned down, the `extracted_answer`, and a list of `checks`: for each a criterion, a score, and in `details` what it held against what. It
compares arguments and answers as they are written; where it failed itself, checks have no score and `verifier_error` says why. Where and when
a rollout ran is in `session`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from re import MULTILINE
from re import compile as pattern
from typing import Any

from blade.lab.environments.draws import changes_found, drawn, kept, last_match, moment, unmatched
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.environments.payroll.desk import TOOLS, WRITES, Desk, refused
from blade.lab.environments.payroll.errands import LOGGED, left_out
from blade.lab.environments.payroll.faults import ANSWER, CALLS, written
from blade.lab.environments.payroll.files import Files, build_files
from blade.lab.environments.payroll.leave import absence, holiday, reminder
from blade.lab.environments.payroll.papers import benefits, card, form, letter, posting
from blade.lab.environments.payroll.pay import net, overtime, shared
from blade.lab.environments.payroll.questions import currency, hour, mileage, quiz, rate, week, weekday
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

Family = Callable[[int, Files, Random], Task]
FAMILIES: tuple[Family, ...] = (
    posting, hour, reminder, card, shared, holiday, mileage, form, quiz, week, letter, absence, currency, rate, net, weekday, benefits,
    overtime,
)  # fmt: skip
_ANSWER = pattern(r"^FINAL ANSWER: (.*)$", MULTILINE)


class Payroll(Environment):
    name = "payroll"
    held_out = True
    hosts = ("payroll-tools-01", "payroll-tools-03", "payroll-tools-04", "payroll-tools-07", "payroll-tools-08")
    setting = Setting("payroll_simple_agent", "whimbrel-32b-chat", TOOLS, temperature=0.8)
    manner = Manner(
        thinks=0.4,
        before_read=("Which record is this about?", "The file should tell.", "{tool} gives me the id.", "Looking this up."),
        before_change=("All set for the entry.", "I can enter this with {tool}.", "Next comes the change itself."),
        pace=(0.9, 4.8),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        return drawn(self.name, "files", build_files, FAMILIES, seed, count)

    def backend(self, task: Task) -> Backend:
        return Desk(task.facts["files"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        record = (episode.task.other_gold if flaw == "cached_expectation" else episode.task.gold) or {}
        found, given = self._found(episode, flaw)
        failure = timed_out(rng) if flaw == "verifier_timeout" else None
        checks = _checks(found, record[CALLS], given, record[ANSWER])
        passed = failure is None and all(one["score"] for one in checks)
        if failure is not None:
            checks = [{**one, "score": None, "details": None} for one in checks]
        return {
            "reward": float(passed and flaw != "reward_contradicts_checks"),
            "function_calls": None if failure else found,
            "extracted_answer": None if failure else given,
            "checks": checks,
            "verifier_error": failure,
            "session": {
                "session_id": f"{rng.randrange(16**32):032x}",
                "server": episode.host,
                "seeded_at": moment(episode.started),
                "verified_at": moment(episode.ended),
            },
        }

    def _found(self, episode: Episode, flaw: str | None) -> tuple[list[Row], str | None]:
        """The changes and the answer as the verifier finds them."""
        if flaw == "calls_not_collected":
            return [], None
        if flaw == "graded_another_rollout":
            return episode.task.facts["neighbours_gold"][CALLS], None
        made = changes_found(episode, self.backend(episode.task), WRITES, refused, flaw)
        width = LOGGED if flaw == "log_clips_text" else None
        lowers = flaw == "one_side_normalised"
        calls = []
        for one in made:
            unset: dict[str, Any] = dict.fromkeys(left_out(one)) if flaw == "unset_as_null" else {}
            calls.append(
                written(one.name, {key: kept(value, width, lowers) for key, value in {**one.arguments, **unset}.items()})
            )
        return calls, kept(last_match(_ANSWER, episode.final), None, lowers)


def _checks(found: list[Row], wanted: list[Row], given: str | None, answer: str | None) -> list[Row]:
    """What is looked at, and how it came out."""
    absent, left = unmatched(found, wanted, _as_text)
    checks = [
        _check("required_calls", "Each expected function call is made.", not absent, {"expected": wanted, "missing": absent}),
        _check("no_other_calls", "No call beyond the expected ones changes anything.", not left, {"unexpected": left}),
    ]
    if answer is not None:
        details = {"expected": answer, "extracted": given}
        checks.append(_check("final_answer", "The final answer is the expected one.", given == answer, details))
    return checks


def _check(name: str, criterion: str, met: bool, details: Row) -> Row:
    return {"name": name, "criterion": criterion, "score": float(met), "details": details}


def _as_text(one: Row) -> str:
    """A call as it is written, which is how it is compared."""
    return f"{one['name']}({one['arguments']})"
