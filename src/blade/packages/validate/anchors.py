"""Anchor facts beside a golden report: there, concrete, and true of the rollouts."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from blade.claims.reading.facts import RunFacts
from blade.claims.reading.references import rollouts
from blade.claims.reading.verify import verify_text
from blade.errors import BladeError
from blade.packages.anchors.anchor import SHORTEST, anchors_of
from blade.packages.anchors.checks import run_checks
from blade.packages.anchors.said import unconfirmed
from blade.packages.check import Check, Phase, failed, passed
from blade.packages.layout import Golden
from blade.packages.texts import CONCRETE, read_json, read_markdown
from blade.untrusted.escapes import one_line

_PHASE: Final[Phase] = "golden"


def check_anchors(golden: Golden, facts: RunFacts | None) -> Iterator[Check]:
    path = golden.anchors
    if not path.is_file():
        fix = f"generate and review {path.name} (blade package extract-anchor-facts)"
        yield failed("golden.anchors", _PHASE, "missing anchor facts", path, fix)
        return
    try:
        anchors = anchors_of(read_json(path))
    except BladeError as error:
        yield failed("golden.anchors", _PHASE, f"anchor facts: {error.message}", path, "write them as JSON", error.line)
        return
    if not anchors:
        yield failed(
            "golden.anchors", _PHASE, "anchor facts: none in the file", path, "keep at least one fact under anchor_facts"
        )
        return
    poor = list(_poor(anchors, path))
    yield from poor
    if not poor:
        yield passed("golden.anchors", _PHASE, f"{len(anchors)} anchor facts, all of them concrete", path)
    if facts is not None:
        yield from _true(anchors, facts, path)


def _poor(anchors: list[Mapping[str, Any]], path: Path) -> Iterator[Check]:
    seen: set[str] = set()
    for number, anchor in enumerate(anchors, 1):
        name = str(anchor.get("id") or f"number {number}")
        fact = anchor.get("fact")
        if not anchor.get("id") or name in seen:
            problem, fix = "has no id of its own", "give every fact an id"
        elif not isinstance(fact, str) or len(fact.strip()) < SHORTEST:
            problem, fix = f"says less than {SHORTEST} characters", "state the finding in a sentence"
        elif not CONCRETE.search(fact):
            problem, fix = "is not concrete: no number, id, name or quote", "name what the data show, or drop the fact"
        else:
            seen.add(name)
            continue
        message = f"anchor fact {one_line(name, 40)} {problem}"
        yield failed("golden.anchors", _PHASE, message, path, fix, _line_of(path, name))


def _true(anchors: list[Mapping[str, Any]], facts: RunFacts, path: Path) -> Iterator[Check]:
    """What the facts say and what their checks give, held against the rollouts."""
    wrong = checked = 0
    for number, anchor in enumerate(anchors, 1):
        name = str(anchor.get("id") or f"number {number}")
        held, problem = _held(anchor, facts)
        checked += held is not None
        if held is False:
            wrong += 1
            message = f"anchor fact {one_line(name, 40)} is not in the data: {problem}"
            yield failed("golden.anchors_true", _PHASE, message, path, "correct or drop the fact", _line_of(path, name))
    if not wrong:
        message = f"anchor facts exist in the data: {checked} of {len(anchors)} could be checked"
        yield passed("golden.anchors_true", _PHASE, message, path)


def _held(anchor: Mapping[str, Any], facts: RunFacts) -> tuple[bool | None, str]:
    """Whether a fact holds, and what does not where it does not; None where nothing could be checked."""
    fact = str(anchor.get("fact") or "")
    named = list(rollouts(fact, facts.names))
    if unknown := next((one.name for one in named if one.name not in facts.names.rollouts), None):
        return False, f"the run has no rollout {one_line(unknown, 80)}"
    verified = verify_text(fact, [facts])
    for finding in verified.findings:
        true = "" if finding.expected is None else f", the rollouts say {one_line(str(finding.expected), 120)}"
        return False, f"{finding.kind.replace('_', ' ')} {one_line(str(finding.found), 120)}{true}"
    checks = [one for one in _listed(anchor.get("check")) if isinstance(one, Mapping)]
    ran = run_checks(checks, facts)
    for check, came_out in zip(checks, ran, strict=True):
        said = one_line(str(check.get("says") or check.get("query") or ""), 160)
        if came_out is False:
            return False, f"its check fails, {said}"
        if came_out is None and "query" in check:
            return False, f"its check cannot be run, {said}"
    if checks and (loose := unconfirmed(fact, checks, facts)):
        return False, f"{one_line(loose, 80)} is neither in its checks nor confirmed by the run"
    return (True if named or verified.checked or True in ran else None), ""


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _line_of(path: Path, name: str) -> int | None:
    lines = read_markdown(path).splitlines()
    return next((number for number, line in enumerate(lines, 1) if f'"{name}"' in line), None)
