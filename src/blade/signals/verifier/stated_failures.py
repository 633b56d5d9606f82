"""Why a verifier says that a rollout failed, where it lists no checks: in a reason of its own, or in the log of its test run.

A reason stands in a field that is called after it (`failure_reason`), or behind a status that says that it failed (`failed: name 'm' is not defined`). A log
is one of pytest, whose summary names each test that failed.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from blade.signals.repeats import once_for_names
from blade.signals.verifier.run_outcomes import outcome, tells_how

REASONS: Final = (
    "failure_reason",
    "fail_reason",
    "failed_reason",
    "failure_type",
    "failure_message",
    "rejection_reason",
    "invalid_reason",
)
STATUSES: Final = ("status", "result", "outcome", "verdict", "test_status", "eval_status")
MAX_REASON: Final = 120
MAX_LOG: Final = 200_000
_NONE: Final = frozenset(["", "none", "null", "nan", "n/a", "na", "-", "ok", "success", "passed", "no failure", "not applicable"])
MOST_WORDS: Final = 4
_RUNNER: Final = re.compile(r"[A-Za-z]+(?:Error|Exception)\b|\bis not defined\b|\bindent|\bsyntax\b|\bline \d+")
"""What a runner of programs says; a sentence of a judge may speak of time limits too."""
_FAILED: Final = re.compile(r"\s*(?:failed|failure|fail|error|wrong)(?:\s*:\s*|\s+[-–]\s+)(\S.*)", re.IGNORECASE | re.DOTALL)
_SUMMARY: Final = "short test summary info"
_TEST: Final = re.compile(r"^(?:FAILED|ERROR) (\S{1,200}?::\S{1,200})(?: - ([^\n]{0,200}))?", re.MULTILINE)
_LOG: Final = re.compile(r"(?:^|_)(?:stderr|stdout|log|logs|output|report)$")
_VALUES: Final = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|\d+")


class Stated(NamedTuple):
    """A failure as the verifier states it: where, what it is called in every rollout, and in its own words."""

    field: str
    name: str
    detail: str


def stated_failures(fields: dict[str, Any]) -> Iterator[Stated]:
    """What a row states of its failure at the top: the tests of a log, else the first reason."""
    logs = ((name, fields[name]) for name in _logs_among(fields))
    tests = [test for name, value in logs if isinstance(value, str) for test in _tests(name, value)]
    if tests:
        yield from tests
        return
    for name in REASONS:
        value = fields.get(name)
        if isinstance(value, str) and value.strip().lower() not in _NONE:
            yield Stated(name, _called(value), value.strip())
            return
    for name in STATUSES:
        value = fields.get(name)
        said = _FAILED.match(value) if isinstance(value, str) else None
        if said is not None:
            yield Stated(name, _called(said[1]), str(value).strip())
            return


@once_for_names
def _logs_among(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if _LOG.search(name))


def _called(reason: str) -> str:
    """A reason without the values of its case: how a program failed where it says that, else its own words."""
    runner = len(reason.split()) <= MOST_WORDS or _RUNNER.search(reason) is not None
    how = outcome("runtime error", reason) if runner and " " in reason else reason
    return how if tells_how(how) and how != "crashes" else _VALUES.sub("…", reason.strip().splitlines()[0])[:MAX_REASON]


def _tests(field: str, text: str) -> Iterator[Stated]:
    at = text[-MAX_LOG:].rfind(_SUMMARY)
    if at < 0:
        return
    for found in _TEST.finditer(text[-MAX_LOG:], at):
        yield Stated(field, found[1], (found[2] or "").strip())
