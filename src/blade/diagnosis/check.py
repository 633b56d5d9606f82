"""A check of a run's health: one question to the artifacts, what was counted, and where."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from blade.diagnosis.findings import evidence
from blade.runs.run import Run
from blade.untrusted.quotes import clean

MOST_EVIDENCE: Final = 5


@dataclass(frozen=True)
class Check:
    """One question to the artifacts. `threshold` is where it warns and where it fails."""

    code: str
    status: str  # ok, warn, fail, unknown
    value: float | None
    threshold: dict[str, float] | None
    denominator: int | None
    message: str
    evidence: list[dict[str, Any]] = field(default_factory=list)
    sums_up: tuple[str, ...] = ()
    """The checks that this one was judged by, where it counts nothing itself."""


def share(
    code: str,
    part: int,
    whole: int,
    what: str,
    *,
    warn: float,
    fail: float,
    evidence: list[dict[str, Any]] | None = None,
    more: str = "",
) -> Check:
    """A share that should be small: ok up to `warn`, a warning up to `fail`."""
    value = part / whole if whole else None
    status = "unknown" if value is None else "fail" if value > fail else "warn" if value > warn else "ok"
    shown = "nothing to count" if value is None else f"{part:,} of {whole:,} {what} ({100 * value:.1f} %)"
    return Check(code, status, value, {"warn": warn, "fail": fail}, whole, shown + more, evidence or [])


def shown_by(run: Run, query: str) -> list[dict[str, Any]]:
    """Evidence from a query that gives rollout, step and quote."""
    return [quoted(*row) for row in run.query(query).rows]


def quoted(rollout: str, step: int | None, quote: str | None) -> dict[str, Any]:
    return evidence(rollout, step, clean(quote or ""))


def undecided(checks: Iterable[Mapping[str, Any]]) -> list[str]:
    """The codes of the checks (as JSON) that the artifacts cannot decide, without those that only sum up others."""
    return [check["code"] for check in checks if check["status"] == "unknown" and not check.get("sums_up")]
