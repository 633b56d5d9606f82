"""Anchors that can be run: a query over the run's tables, or words that must stand in a transcript.

A check is an object with `says`, and either `query` and `value` (as a claim has them: `blade sql` gives the value again) or `read`: the
rollout or task, the step where one is meant, and the words. Who edits a fact edits its check, or takes it out.
"""

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from blade.claims.claim import TOLERANCE
from blade.claims.reading.facts import RunFacts
from blade.claims.reading.transcripts import words
from blade.claims.runner import Calculator, CannotCompute
from blade.claims.values import difference
from blade.packages.scoring.stated import Stated
from blade.runs.quoting import literal

Check = dict[str, Any]
PASSES = "reward >= 1"
"""The rule that a check is written with where no run tells another."""


def check_of(one: Stated, passes: str = PASSES) -> Check | None:
    """What shows that a statement holds; None where nothing in the artifacts can."""
    if one.value.startswith("not "):
        return None
    _, _, name = one.subject.partition(" ")
    whose = literal(name)
    if one.kind == "outcome":
        query = f"SELECT CASE WHEN bool_or({passes}) THEN 'pass' ELSE 'fail' END FROM rollouts WHERE class = 'scored' AND rollout = {whose}"
    elif one.kind == "rate":
        query = f"SELECT count(*) FILTER ({passes}) || '/' || count(*) FROM rollouts WHERE class = 'scored' AND task = {whose}"
    elif one.kind == "bucket":
        query = (
            f"SELECT CASE WHEN bool_and({passes}) THEN 'always' WHEN bool_or({passes}) THEN 'sometimes' ELSE 'never' END "
            f"FROM rollouts WHERE class = 'scored' AND task = {whose}"
        )
    elif one.kind == "call":
        tool = literal(one.aspect)
        query = f"SELECT CASE WHEN count(*) > 0 THEN 'yes' ELSE 'no' END FROM calls WHERE rollout = {whose} AND name = {tool}"
    elif one.kind == "at":
        return {"says": str(one), "read": {"rollout": name, "step": int(one.value), "words": one.aspect}}
    elif one.kind == "value":
        return {"says": str(one), "read": {"task": name, "words": one.value}}
    else:
        return {"says": str(one), "read": {"task": name, "cause": one.value}}
    return {"says": str(one), "query": query, "value": one.value}


class Checker:
    """Runs checks over one run, on one connection."""

    def __init__(self, facts: RunFacts) -> None:
        self._facts = facts
        self._calculator = Calculator(facts.run)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._calculator.close()

    def run(self, checks: Sequence[Mapping[str, Any]]) -> list[bool | None]:
        """Which checks come out; None where one cannot be run here."""
        return [_run(check, self._facts, self._calculator) for check in checks]

    def verified(self, checks: Sequence[Mapping[str, Any]]) -> bool | None:
        """Whether a fact holds: false where a check fails, None where none could be run."""
        found = self.run(checks)
        return False if False in found else True if True in found else None


def run_checks(checks: Sequence[Mapping[str, Any]], facts: RunFacts) -> list[bool | None]:
    """Which checks of one fact come out; None where one cannot be run here."""
    with Checker(facts) as checker:
        return checker.run(checks)


def _run(check: Mapping[str, Any], facts: RunFacts, calculator: Calculator) -> bool | None:
    if isinstance(check.get("query"), str) and "value" in check:
        try:
            return difference(check["value"], calculator.value(check["query"]), TOLERANCE) is None
        except CannotCompute:
            return None
    read = check.get("read")
    return _read(read, facts) if isinstance(read, Mapping) else None


def _read(read: Mapping[str, Any], facts: RunFacts) -> bool | None:
    task, rollout = read.get("task"), read.get("rollout")
    if isinstance(read.get("cause"), str):
        known = facts.tasks.get(str(task))
        if known is None or known.cause is None or known.cause.label == "unknown":
            return None
        return bool({*known.cause.label.split("+"), known.cause.alternative} & set(read["cause"].split("+")))
    wanted = words(str(read.get("words") or ""))
    if not wanted.strip():
        return None
    if isinstance(rollout, str) and isinstance(read.get("step"), int):
        if rollout not in facts.rollouts:
            return False
        said = facts.transcripts.at(rollout, read["step"])
        return any(wanted in step for step in said) or _quoted(facts, rollout, read["step"], wanted)
    named = [name for name, one in facts.rollouts.items() if one.task == str(task)]
    if not named:
        return False
    return any(wanted in whole for name in named for whole in facts.transcripts.whole(name)) or None


def _quoted(facts: RunFacts, rollout: str, step: int, wanted: str) -> bool:
    """Whether the diagnosis shows the words there, where they are a call's values and stand in no text as they are."""
    return any(at == step and wanted.strip() in said for at, said in facts.evidence.get(rollout, ()))
