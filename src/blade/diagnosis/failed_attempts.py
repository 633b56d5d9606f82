"""What the failed attempts of a run tell: which classes, how many, which rollouts they left without a score, and what to do.

A rollout without a score is counted under the class of its last failed attempt, so that the classes sum up; attempts are counted
as they are. An attempt that failed in the verifier had done its work: where a later one of the same rollout was scored, the verifier
does not always judge alike, and that is said of the score.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from blade.diagnosis.confirmation import command
from blade.diagnosis.findings import evidence
from blade.diagnosis.fixes import INSPECT
from blade.runs.failed_attempts import UNGRADED, WITH_OUTPUT, has_failed_attempts, is_ungraded
from blade.runs.run import Run
from blade.sentences import plural
from blade.untrusted.quotes import quote

MOST_TOLD: Final = 3
MOST_QUOTED: Final = 160
SHORT_QUOTE: Final = 90
DOUBT: Final = 0.01
NO_GAIN: Final[dict[str, Any]] = {"lower": None, "estimate": None, "upper": None, "ci": None}
PLANNED: Final = "FROM failures JOIN (SELECT rollout, state FROM plan) USING (rollout)"
LATE: Final = f"{PLANNED} WHERE state = 'scored' AND {UNGRADED}"
"""Failed attempts in the verifier of rollouts that were scored all the same."""


class Remedy(NamedTuple):
    """What to do about a class of failures."""

    family: str  # verifier, harness, infrastructure
    title: str
    detail: str


VERIFIER: Final = Remedy(
    "verifier",
    "Repair the verifier, then grade the responses that were kept: gym eval reverify --judge-failed-only",
    "The responses are kept in the failures sidecar, so nothing need be generated again. Grade the scored ones again too where the "
    "repair changes how they are judged.",
)
JUDGE: Final = Remedy(
    "verifier",
    "Bring the judge back, then grade the responses that were kept: gym eval reverify --judge-failed-only",
    "The responses are kept in the failures sidecar: check the judge's address, its limits and its prompt.",
)
ENDPOINT: Final = Remedy(
    "infrastructure",
    "Mend the way to the model, then take the run up again: gym eval run … --resume",
    "The model gave no answer: check the address, the key, the model's name and its limits, and ask for less at a time (`--concurrency`) "
    "where it is overloaded.",
)
ENVIRONMENT: Final = Remedy(
    "harness",
    "Mend the environment or the agent, then take the run up again: gym eval run … --resume",
    "It failed before the rollout could be graded; the message names the fault.",
)
TOO_LONG: Final = Remedy(
    "harness",
    "Give rollouts more time, then take the run up again: gym eval run … --resume --force",
    "Rollouts took longer than they may: raise `rollout_timeout_seconds` or lower `max_steps`.",
)
ENDED: Final = Remedy(
    "infrastructure",
    "Take the run up again, it ended before its rollouts did: gym eval run … --resume",
    "It does what is missing; nothing that is finished is asked again.",
)
OTHER: Final = Remedy(
    "infrastructure",
    "Mend what made attempts fail, then take the run up again: gym eval run … --resume",
    "The message names the fault.",
)
REMEDIES: Final = (
    ("judge_failed", JUDGE),
    ("verifier_", VERIFIER),
    ("model_", ENDPOINT),
    ("timeout_exceeded", TOO_LONG),
    ("interrupted", ENDED),
    *((prefix, ENVIRONMENT) for prefix in ("seed_", "step_", "agent_", "server_error", "skills_changed")),
)
"""By the beginning of the class, the first that fits."""


def remedy(failure: str) -> Remedy:
    return next((found for prefix, found in REMEDIES if failure.startswith(prefix)), OTHER)


def failed_attempts(run: Run) -> dict[str, Any] | None:
    """The failed attempts of the expected rollouts, by class, those that left most without a score first; None where there are none."""
    if not has_failed_attempts(run):
        return None
    attempts, rollouts, unscored = run.query(
        f"SELECT count(*), count(DISTINCT rollout), count(DISTINCT rollout) FILTER (state <> 'scored') {PLANNED}"
    ).rows[0]
    return {
        "attempts": attempts,
        "of": run.denominator.attempts,
        "rollouts": rollouts,
        "unscored": unscored,
        "scored_after_verifier_failure": run.query(f"SELECT count(DISTINCT rollout) {LATE}").rows[0][0],
        "classes": list(_classes(run)),
    }


def _classes(run: Run) -> Iterator[dict[str, Any]]:
    """Each class with its counts and the message that it gave most often."""
    rows = run.query(f"""
        WITH told AS (SELECT *, state <> 'scored' AND row_number() OVER (PARTITION BY rollout ORDER BY path DESC, "offset" DESC) = 1 AS last {PLANNED}),
        samples AS (
            SELECT failure, message, min_by(rollout, (path, "offset")) AS example FROM told GROUP BY failure, message
            QUALIFY row_number() OVER (PARTITION BY failure ORDER BY message = '', count(*) DESC, message) = 1)
        SELECT failure, count(*), count(DISTINCT rollout), count(*) FILTER (last), count(*) FILTER ({WITH_OUTPUT}), any_value(s.message),
               any_value(s.example)
        FROM told JOIN samples AS s USING (failure) GROUP BY failure ORDER BY 4 DESC, 2 DESC, 1""").rows
    for failure, attempts, rollouts, unscored, with_output, message, example in rows:
        shown = evidence(example, None, quote(message, MOST_QUOTED))
        yield {
            "class": quote(failure, 60),
            "family": remedy(failure).family,
            "ungraded": is_ungraded(failure),
            "attempts": attempts,
            "rollouts": rollouts,
            "unscored": unscored,
            "with_output": with_output,
            "message": shown["quote"],
            "example": shown,
        }


NOTHING_SAID: Final = frozenset(
    ["the", "this", "an", "a", "attempt", "rollout", "ended", "failed", "stopped", "was", "with", "by", "because", "of", "error"]
)
"""Words that beside the name of a class tell nothing."""


def unscored_words(found: Mapping[str, Any] | None) -> str:
    """What left rollouts without a score, most of them first: class, rollouts, message."""
    lost = [one for one in (found or {}).get("classes", ()) if one["unscored"]]
    told = [f"{one['class']} ×{one['unscored']:,}{_said(one, SHORT_QUOTE)}" for one in lost[:MOST_TOLD]]
    more = [plural(len(lost) - MOST_TOLD, "more class", "more classes")] if len(lost) > MOST_TOLD else []
    return "; ".join([*told, *more])


def _said(one: Mapping[str, Any], most: int) -> str:
    return f": {quote(one['message'], most)}" if says_more(one) else ""


def says_more(one: Mapping[str, Any]) -> bool:
    """Whether the message of a class tells more than the class itself: `The attempt ended with timeout_exceeded.` does not."""
    rest = str(one["message"] or "").casefold().replace(str(one["class"]).casefold(), " ")
    return bool(set(re.findall(r"\w+", rest)) - NOTHING_SAID)


def failure_interventions(diagnosis: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What to do about the class that left most rollouts without a score; where nothing was even tried, to take the run up again."""
    counts = diagnosis.get("denominator") or {}
    found = diagnosis.get("failed_attempts")
    lost = [one for one in (found or {}).get("classes", ()) if one["unscored"]]
    if lost:
        first = lost[0]
        told = (
            f"The last attempt of {first['unscored']:,} of {counts['expected']:,} expected rollouts failed with {first['class']}"
        )
        return [
            _intervention(
                remedy(first["class"]), first["class"], f"{told}{_said(first, MOST_QUOTED)}", first["unscored"], diagnosis
            )
        ]
    if not counts.get("scored") and counts.get("missing"):
        told = f"{counts['missing']:,} of {counts['expected']:,} expected rollouts have neither a score nor a failed attempt"
        return [_intervention(ENDED, "missing", told, counts["missing"], diagnosis)]
    return []


def _intervention(found: Remedy, about: str, told: str, unscored: int, diagnosis: Mapping[str, Any]) -> dict[str, Any]:
    share = unscored / diagnosis["denominator"]["expected"]
    classes = (diagnosis.get("failed_attempts") or {}).get("classes", ())
    return {
        "id": f"unscored.{about}",
        "rank": 0,
        "family": found.family,
        "title": found.title,
        "detail": f"{told.rstrip('.')}. {found.detail}",
        "modes": [],
        "tasks": [],
        "gain": dict(NO_GAIN),
        "ranking": {"value": share, "by": "unscored"},
        "confidence": 1.0,
        "doubt": share > DOUBT,
        "confirm": {"command": command(INSPECT, None, diagnosis), "repeats": None, "read": None},
        "evidence": [one["example"] for one in classes if one["class"] == about],
    }
