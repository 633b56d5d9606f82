"""Attempts that gave no score: the rows of the failures sidecars, one by one and by class.

A rollout is tried several times before it is given up, so it may have both failed attempts and a score. The class of a failure
says where it went wrong; those of the verifier and the judge come after the work, and leave a response that was not graded.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from blade.runs.run import Place, Run

UNGRADED: Final = "(starts_with(failure, 'verifier_') OR failure = 'judge_failed')"
"""SQL over `failures` that is true where the work was done and verifier or judge failed on it."""
WITH_OUTPUT: Final = "(messages - user_turns > 0 OR tool_calls > 0)"
"""SQL over `failures` that is true where the response as far as it came holds a message or a tool call."""


@dataclass(frozen=True)
class FailedAttempt:
    place: Place
    attempt: int | None
    """The number that the evaluation gave it, from 0; None where it gave none."""
    failure: str
    message: str


def is_ungraded(failure: str) -> bool:
    """The same as `UNGRADED`, of one class."""
    return failure.startswith("verifier_") or failure == "judge_failed"


def failed_attempts(run: Run, name: str) -> list[FailedAttempt]:
    """The failed attempts of `TASK:REPEAT`, or of the first repeat of `TASK` that has some; in the order of the files."""
    if found := _of_task(run, name):
        return [one for one in found if one.place.repeat == found[0].place.repeat]
    task, colon, repeat = name.rpartition(":")
    with suppress(ValueError):
        if colon:
            number = int(repeat)
            return [one for one in _of_task(run, task) if one.place.repeat == number]
    return []


def _of_task(run: Run, task: str) -> list[FailedAttempt]:
    rows = run.query(
        """SELECT attempt, failure, message, rollout, task, repeat, NULL, 'errored', path, line, "offset", length
           FROM failures WHERE task = $1 ORDER BY repeat, path, "offset" """,
        (task,),
    ).rows
    return [FailedAttempt(Place(*place), attempt, failure, message) for attempt, failure, message, *place in rows]


def has_failed_attempts(run: Run) -> bool:
    """Whether an expected rollout has a failed attempt on record."""
    return bool(run.query("SELECT EXISTS (SELECT 1 FROM failures JOIN plan USING (rollout))").rows[0][0])
