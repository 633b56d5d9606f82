"""What names say of checks: which fields hold a verdict, and which value of it is the good one; which hold the name of a check, or what is said of it.

The names come again with every row of a run, so what they say is worked out once.
"""

import re
from functools import lru_cache
from typing import Final

from blade.runs.definition import BOOKKEEPING
from blade.signals.repeats import once_for_names

VERDICTS: Final = (
    "passed", "pass", "met", "satisfied", "is_following", "followed", "action_match", "match", "matched", "correct", "is_correct",
    "success", "verdict", "result", "status", "outcome", "score", "reward", "value",
)  # fmt: skip
"""Keys under which an entry keeps its verdict, those that speak of nothing else first."""
NAMES: Final = (
    "criterion_id", "check_id", "test_id", "rubric_id", "instruction_id", "name", "test_name", "test", "check", "id", "key", "metric",
    "instruction", "criterion", "criteria", "rubric", "assertion", "nl_assertion", "requirement", "title", "func_name", "info",
    "description", "question",
)  # fmt: skip
"""Keys under which an entry keeps its name, those that speak of nothing else first."""
INSIDE: Final = ("action", "env_assertion", "check", "test", "criterion")
"""Keys under which an entry keeps the object that has the name."""
DETAILS: Final = (
    "justification", "explanation", "reason", "reasons", "message", "error", "feedback", "comment", "evidence", "detail", "details",
    "longrepr", "traceback", "stderr", "note", "notes", "remark", "rationale", "why",
)  # fmt: skip
"""Keys under which an entry says why."""
DECIDING: Final = ("must_pass", "dealbreaker", "is_dealbreaker", "required", "critical", "mandatory", "must_have")
"""Keys that are true in an entry on which everything depends."""
_SPEAKS_OF_CHECKS: Final = re.compile(
    r"check|test|rubric|criteri|component|breakdown|assert|subscore|sub_score|verdict|judg[e]?ment|milestone|constraint|follow|validation"
    r"|(?:^|_)results?$|(?:^|_)scores?$",
    re.IGNORECASE,
)
NOT_CHECKS: Final = frozenset([
    "config", "instance_config", "task", "agent_ref", "tools", "judge_evaluations", "kwargs", "usage", "messages", "trajectory",
    "declared_tools", "predicted_calls", "spans", "rubric", "rubrics", "checklist", "criteria", "tests", "test_cases", "unit_tests",
    "reward_measurements", "delegated_response", "judge_response", "judge_responses_create_params", "osworld_steps",
]) | BOOKKEEPING - {"reward_components"}  # fmt: skip
"""What defines a task or books a rollout, and is no verdict; definitions that hold verdicts after all are caught by their shape."""
_FLAG: Final = re.compile(
    r"pass(?:ed)?$|match(?:ed)?$|(?:^|_)ok$|valid$|correct(?:_\w+)?$|success(?:ful)?$|seen$|mentions?_|satisfied$|resolved$|accuracy$"
    r"|exact$|following$|equivalent$|completed$|found$|(?:^|_)hit$|followed$",
    re.IGNORECASE,
)
_BAD_FLAG: Final = re.compile(r"fail(?:ed|ure)?$|invalid|violation|minefield|incorrect|mismatch$|hallucinat", re.IGNORECASE)
_HOLDS: Final = re.compile(
    r"(?:^|_)(?:ok|okay|holds?|held|fulfilled|achieved|passes|good|right|true|granted|complied|complies|same|equals?|identical|agrees?|matches)$",
    re.IGNORECASE,
)
"""Booleans of an entry that are its verdict, besides those that are one at the top of a row."""
_SETTING: Final = re.compile(
    r"requir|optional|mandatory|critical|hidden|public|visible|enabled|disabled|strict|blocking|weight|active|applicable|important|primary"
    r"|manual|auto|skip|negat|invert|case_|allow|expected|should|must|partial|cached|is_regex|binary",
    re.IGNORECASE,
)
"""Booleans of an entry that say what kind of check it is."""
_HAPPENED: Final = re.compile(
    r"call|step|event|log(?:s|ged)?$|history|turn|tool|message|episode|span|attempt|request", re.IGNORECASE
)
"""Lists of what a rollout did, whose entries may well say whether it went well."""
_BOOKED: Final = re.compile(
    r"timed_out|truncated|terminated|mask_sample|skipped|enforced|^invalid_|^is_valid$|^(?:eval(?:uation)?|grad(?:er|ing)|scor(?:er|ing)|verif(?:ier|ication)|judge|run|rollout|agent|sandbox)_"
    r"(?:\w+_)?(?:completed|success(?:ful)?|ok|valid|finished|ran)$",
    re.IGNORECASE,
)
"""Flags that say how the judging itself went, and nothing of the work."""
_SCORE: Final = re.compile(r"(?:^|_)(?:score|reward|grade|points?|accuracy)$", re.IGNORECASE)
_NAMING: Final = re.compile(r"id|name|instruction|check|test|criteri", re.IGNORECASE)


@once_for_names
def flags_by_name(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names at the top of a row that may be a flag's or a status's."""
    return tuple(
        name
        for name in names
        if name not in NOT_CHECKS and not name.startswith("_ng_") and (flag_means(name) is not None or is_status(name))
    )


@once_for_names
def counts_by_name(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name.endswith("_passed"))


def is_status(name: str) -> bool:
    return name.endswith("_status") and not _BOOKED.search(name)


@lru_cache(maxsize=4096)
def flag_means(name: str) -> bool | None:
    """Which value of a flag is the good one; None where its name speaks of no check."""
    if _BOOKED.search(name):
        return None
    if _BAD_FLAG.search(name):
        return False
    return True if _FLAG.search(name) else None


@lru_cache(maxsize=4096)
def says_verdict(name: str) -> bool:
    """Whether a boolean of this name is a verdict."""
    return is_flag(name) or name in VERDICTS


@lru_cache(maxsize=4096)
def is_flag(name: str) -> bool:
    """The same by the form of the name alone."""
    return bool(_FLAG.search(name) or _BAD_FLAG.search(name) or _HOLDS.search(name))


def is_bad_flag(name: str) -> bool:
    """Whether a flag speaks of a failure, and is a good one when it is not set."""
    return _BAD_FLAG.search(name) is not None


def is_setting(name: str) -> bool:
    return _SETTING.search(name) is not None


@lru_cache(maxsize=4096)
def speaks_of_checks(key: str) -> bool:
    return _SPEAKS_OF_CHECKS.search(key) is not None


@lru_cache(maxsize=4096)
def holds_names(key: str) -> bool:
    """Whether a list that stands beside one of verdicts is called like what names them."""
    return _NAMING.search(key) is not None


@lru_cache(maxsize=4096)
def happened(key: str) -> bool:
    return _HAPPENED.search(key) is not None


@lru_cache(maxsize=4096)
def is_score(name: str) -> bool:
    return _SCORE.search(name) is not None
