"""The readiness checklist: seven lines, each computed, none ticked by hand.

The first five are what `validate` finds; then calibration must tell the golden report from its controls, and sanitizing the package
must find nothing left to take out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from blade.errors import BladeError
from blade.packages.anchors.anchor import anchors_of, load_anchors
from blade.packages.calibration import calibrate
from blade.packages.check import Check
from blade.packages.layout import Golden
from blade.packages.runs import PackageRuns
from blade.packages.sanitize import sanitize
from blade.packages.texts import read_json, read_markdown
from blade.packages.validate import validate
from blade.runs.build import Progress

LINES: Final = (
    "D1 skill has overview, schema, taxonomy, workflow, and report template.",
    "D2 rollouts include at least two scored, comparable runs.",
    "D3 golden reports cite task-level evidence, not only aggregate tables.",
    "Metrics sidecars parse and match the report.",
    "Anchor facts exist for each golden report and are concrete.",
    "Shallow baselines exist for calibration.",
    "Sanitization removes private source, endpoints, credentials, user names, unreleased benchmark names, and raw data that is not "
    "cleared for sharing.",
)
MOST_NAMED: Final = 3


@dataclass(frozen=True)
class Reason:
    """Why a line does not hold, and what to do."""

    message: str
    path: str
    fix: str


@dataclass(frozen=True)
class Line:
    text: str
    ok: bool
    evidence: str
    """What was computed."""
    reasons: tuple[Reason, ...] = ()


def readiness(runs: PackageRuns, *, private: Sequence[str] = (), progress: Progress | None = None) -> list[Line]:
    """The checklist of a package; `private` are names that must not leave the house."""
    checks = validate(runs)
    golden = runs.package.golden()
    return [
        _line(0, [check for check in checks if check.phase == "skill"]),
        _line(1, [check for check in checks if check.phase == "rollouts"]),
        _line(
            2,
            [
                check
                for check in checks
                if check.phase == "golden" and not check.id.startswith(("golden.metrics", "golden.anchors"))
            ],
        ),
        _line(3, [check for check in checks if check.id.startswith("golden.metrics")], needs_golden=golden),
        _line(4, [check for check in checks if check.id.startswith("golden.anchors")], _unreviewed(golden), needs_golden=golden),
        _calibrated(golden, runs),
        _sanitized(runs, private, progress),
    ]


def _line(
    number: int, checks: Sequence[Check], more: Iterable[Reason] = (), needs_golden: Sequence[Golden] | None = None
) -> Line:
    reasons = [Reason(check.message, check.place, check.fix) for check in checks if not check.ok]
    reasons += more
    if needs_golden is not None and not needs_golden:
        reasons.append(Reason("D3 golden report missing", "golden_reports", "write golden_reports/<model>_golden_report.md"))
    held = sum(check.ok for check in checks)
    return Line(LINES[number], not reasons, f"{held} of {len(checks)} checks pass", tuple(reasons))


def _unreviewed(golden: Sequence[Golden]) -> list[Reason]:
    """Facts that do not carry the mark that a person has looked at them."""
    found = []
    for one in golden:
        try:
            anchors = anchors_of(read_json(one.anchors)) if one.anchors.is_file() else []
        except BladeError:
            continue
        waiting = [
            str(anchor.get("id") or f"number {number}")
            for number, anchor in enumerate(anchors, 1)
            if anchor.get("reviewed") is not True
        ]
        if waiting:
            named = ", ".join(waiting[:MOST_NAMED]) + (", …" if len(waiting) > MOST_NAMED else "")
            message = f"{len(waiting)} of {len(anchors)} anchor facts are not reviewed ({named})"
            found.append(Reason(message, str(one.anchors), 'read each, drop the weak ones, and set "reviewed": true'))
    return found


def _calibrated(golden: Sequence[Golden], runs: PackageRuns) -> Line:
    reasons, evidence = [], []
    if not golden:
        reasons.append(Reason("D3 golden report missing", "golden_reports", "write golden_reports/<model>_golden_report.md"))
    for one in golden:
        if not one.shallow.is_file():
            fix = f"blade package make-shallow --input {one.report} --output {one.shallow}"
            reasons.append(Reason("missing shallow baseline", str(one.shallow), fix))
        elif not one.anchors.is_file():
            reasons.append(Reason("no calibration without anchor facts", str(one.anchors), "generate and review them"))
        else:
            said, wrong = _calibration(one, runs)
            evidence.append(said)
            reasons += wrong
    return Line(LINES[5], not reasons, "; ".join(evidence) or "no calibration", tuple(reasons))


def _calibration(golden: Golden, runs: PackageRuns) -> tuple[str, list[Reason]]:
    """The golden report and its controls, scored against the rollouts of its model."""
    fix = "see docs/calibration.md: weak anchor facts, or a report that says too little"
    path = runs.package.rollouts_of(golden.model)
    try:
        facts = [] if path is None else [runs.facts(path)]
        texts = [read_markdown(one) for one in (golden.report, golden.shallow)]
        found = calibrate(texts[0], load_anchors(golden.anchors), texts[1], facts)
    except BladeError as error:
        message = f"calibration failed: {error.message}"
        return "not calibrated", [Reason(message, error.path or str(golden.report), error.hint or fix)]
    missed = [case for case in found.cases if not case.ok]
    said = f"{golden.model}: {len(found.cases) - len(missed)} of {len(found.cases)} calibration targets met"
    where = str(golden.report)
    return said, [Reason(f"calibration, {one.name}: {one.score:.2f}, target {one.target}", where, fix) for one in missed]


def _sanitized(runs: PackageRuns, private: Sequence[str], progress: Progress | None) -> Line:
    """A copy is sanitized aside: where that takes something out, the package has it still."""
    share = runs.skill.share if runs.skill is not None and runs.skill.share else None
    root = runs.package.root
    fix = f"blade package sanitize {root} --out SHARED{f' --skill {root}' if share else ''}, and share that copy"
    try:
        with TemporaryDirectory(prefix="blade-ready-") as folder:
            found = sanitize([root], Path(folder) / "out", private=private, share=share, progress=progress)
    except BladeError as error:
        return Line(LINES[6], False, "not sanitized", (Reason(error.message, error.path or str(root), error.hint or fix),))
    counts = {name: count for name, count in found["totals"].items() if count}
    files = [file for file in found["files"] if any(file["findings"].values())]
    reasons = [
        Reason(
            f"{_kinds(found, file['path'])} still in it",
            f"{root / file['path']}{_first(found, file['path'])}",
            fix,
        )
        for file in files
    ]
    reasons += [Reason("no text, so nobody can say what is in it", str(root / name), "take it out") for name in found["left_out"]]
    reasons += [
        Reason("a link that leads out of the package, so it was not looked through", str(root / name), "put a copy in its place")
        for name in found["links_left_out"]
    ]
    said = f"{len(found['files'])} files looked through, {sum(counts.values()):,} places to clean"
    return Line(LINES[6], not reasons, said, tuple(reasons))


def _kinds(found: dict[str, Any], file: str) -> str:
    counts: dict[str, int] = {}
    for one in found["findings"]:
        if one["file"] == file:
            counts[one["kind"]] = counts.get(one["kind"], 0) + one["count"]
    listed = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{kind.replace('_', ' ')} {count:,}" for kind, count in listed[:MOST_NAMED]) or "something private"


def _first(found: dict[str, Any], file: str) -> str:
    return next((f":{one['line']}" for one in found["findings"] if one["file"] == file and one["line"]), "")
