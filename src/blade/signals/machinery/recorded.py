"""The error that a row records beside its trajectory: what stopped the rollout, in the words of whoever wrote the row."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from blade.signals.calls import matcher

ERROR_FIELDS: Final = (
    "error",
    "exception",
    "exception_message",
    "exception_type",
    "exception_class",
    "error_message",
    "agent_error",
    "rollout_error",
    "terminal_error",
)
"""Fields in which harnesses put what stopped the rollout."""
_ERROR_FIELD: Final = re.compile(
    r"^(?:harness|infra(?:structure)?|env(?:ironment)?|sandbox|runtime|container|system|server|client|network|model|llm|api|provider|worker|node|host|episode"
    r"|session|connection|transport|gateway)_(?:error|exception|failure|crash|fault)(?:_message|_reason|_text)?$"
)
"""Further names of such a field: whose error it was stands before it."""
GRADER_FAILED: Final = re.compile(
    r"\b(?:(?:grader|verifier|scorer|autograder|grading|scoring)\b|verify\(\))\W{0,3}[^\n.]{0,30}"
    r"(?:\b(?:timed out|time(?:d)? ?out|crashed|died|was killed|did not (?:finish|answer|respond))\b|\bexceeded (?:its|the|a)? ?(?:time limit|\d+ ?(?:s|sec|seconds?|min|minutes?))\b)",
    re.IGNORECASE,
)
"""Words that speak of whoever checks, and say that it came to no verdict."""
NOT_A_FAULT: Final = frozenset(["judge_failed", "skipped", "legitimate"])
"""Failure classes that are told elsewhere, or are none."""
_FLAGS: Final = {
    "agent_timed_out": "service_timeout",
    "agent_timeout_error": "service_timeout",
    "memory_limit_exceeded_error": "out_of_memory",
    "context_length_exceeded_error": "context_length",
}
"""Flags of a row, and the class that they speak of when they are set."""
_NOTHING: Final = frozenset(["none", "null", "no error", "nan"])


class Recorded(NamedTuple):
    place: str
    error: matcher.ErrorText


@lru_cache(maxsize=4096)
def _names_error(name: str) -> bool:
    """Names of fields come again with every row, so each is looked at once."""
    return _ERROR_FIELD.match(name) is not None


def recorded_errors(response_error: str | None, fields: dict[str, Any]) -> Iterator[Recorded]:
    """The recorded errors, the response's own first."""
    if response_error:
        yield Recorded("response.error", matcher.field_error(response_error))
    for name in (*ERROR_FIELDS, *(name for name in fields if _names_error(name))):
        told = fields.get(name)
        if isinstance(told, dict):
            told = told.get("message") or told.get("error")
        if isinstance(told, str) and told.strip() and told.strip().lower() not in _NOTHING:
            if GRADER_FAILED.search(told):
                continue  # it stopped whoever checks, not the rollout (`judging`)
            yield Recorded(name, matcher.field_error(told))
    for name, kind in _FLAGS.items():
        value = fields.get(name)
        if value is True or (isinstance(value, int | float) and value == 1):
            yield Recorded(name, matcher.ErrorText(kind, f"{name} = {value}", True))
    failure = fields.get("_ng_failure_class")
    if isinstance(failure, str) and failure and failure not in NOT_A_FAULT:
        yield Recorded("_ng_failure_class", matcher.field_error(failure))
