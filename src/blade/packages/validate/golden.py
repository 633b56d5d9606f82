"""D3: golden reports with their figures and anchor facts, each held against the rollouts of its model."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from blade.claims.reading.facts import RunFacts
from blade.claims.reading.markdown import read_report
from blade.claims.reading.numbers import Number, numbers
from blade.errors import BladeError
from blade.packages import metrics_sidecar
from blade.packages.check import Check, Phase, failed, passed
from blade.packages.layout import Golden
from blade.packages.runs import PackageRuns
from blade.packages.texts import read_json, read_markdown
from blade.packages.validate.anchors import check_anchors
from blade.packages.validate.report import check_report
from blade.untrusted.escapes import one_line

MOST_NAMED: Final = 5
_PHASE: Final[Phase] = "golden"


def check_golden(runs: PackageRuns) -> Iterator[Check]:
    reports = runs.package.golden()
    if not reports:
        fix = "write golden_reports/<model>_golden_report.md (blade package init drafts one)"
        yield failed("golden.present", _PHASE, "D3 golden report missing", runs.package.golden_folder, fix)
    for golden in reports:
        yield passed("golden.present", _PHASE, f"D3 golden report of {golden.model}", golden.report)
        facts, about = _facts(golden, runs)
        yield about
        try:
            text = read_markdown(golden.report)
        except BladeError as error:
            yield failed(
                "golden.readable", _PHASE, f"golden report {error.message}", golden.report, "replace it by a Markdown text"
            )
            continue
        yield from check_report(golden, text, facts, runs)
        yield from _metrics(golden, text, facts)
        yield from check_anchors(golden, facts)


def _facts(golden: Golden, runs: PackageRuns) -> tuple[RunFacts | None, Check]:
    """What the report is held against."""
    path = runs.package.rollouts_of(golden.model)
    if path is None:
        where = runs.package.rollouts_folder / f"{golden.model}_rollouts.jsonl"
        fix = f"name the rollouts after the report's model: {golden.model}_rollouts.jsonl"
        return None, failed("golden.rollouts", _PHASE, f"no rollouts of {golden.model} to hold its report against", where, fix)
    try:
        facts = runs.facts(path)
    except BladeError as error:
        fix = error.hint or "see the checks of the rollouts"
        return None, failed(
            "golden.rollouts", _PHASE, f"the rollouts of {golden.model} cannot be read: {error.message}", path, fix
        )
    return facts, passed("golden.rollouts", _PHASE, f"rollouts of {golden.model} to hold its report against", path)


def _metrics(golden: Golden, text: str, facts: RunFacts | None) -> Iterator[Check]:
    path = golden.metrics
    if not path.is_file():
        yield failed("golden.metrics", _PHASE, "missing metrics sidecar", path, f"add {path.name} with the run's figures")
        return
    try:
        sidecar = read_json(path, printed=True)
    except BladeError as error:
        yield failed(
            "golden.metrics", _PHASE, f"metrics sidecar {error.message}", path, "write it as one JSON object", error.line
        )
        return
    if not isinstance(sidecar, dict):
        yield failed("golden.metrics", _PHASE, "metrics sidecar is no JSON object", path, "write it as one JSON object")
        return
    lacks = metrics_sidecar.lacks(sidecar)
    if lacks:
        message = f"metrics sidecar lacks {', '.join(lacks)}"
        yield failed("golden.metrics", _PHASE, message, path, "add them with the run's own values")
    else:
        yield passed("golden.metrics", _PHASE, "metrics sidecar parses", path)
    if facts is not None:
        yield from _recomputed(path, sidecar, facts)
    yield from _stated(golden, path, sidecar, text)


def _recomputed(path: Path, sidecar: dict[str, Any], facts: RunFacts) -> Iterator[Check]:
    """Every figure again from the rollouts."""
    found = metrics_sidecar.figures(sidecar, facts)
    wrong = [figure for figure in found if figure.facts and not figure.holds]
    for figure in wrong:
        true = " or ".join(dict.fromkeys(f"{fact:.6g}" for fact in figure.facts))
        message = (
            f"metrics sidecar says {one_line(figure.path, 80)} = {one_line(str(figure.value), 40)}, the rollouts give {true}"
        )
        line = _line_of(path, figure.name)
        yield failed("golden.metrics_recomputed", _PHASE, message, path, "put in the value that the rollouts give", line)
    held = sum(figure.holds for figure in found)
    unknown = [one_line(figure.path, 40) for figure in found if not figure.facts]
    named = f"; not checkable: {', '.join(unknown[:MOST_NAMED])}{', …' if len(unknown) > MOST_NAMED else ''}" if unknown else ""
    if not held and not wrong:
        message = "no figure of the metrics sidecar can be recomputed from the rollouts"
        yield failed("golden.metrics_recomputed", _PHASE, message, path, "name them pass_at_1, total_tasks, total_rollouts, …")
    elif not wrong:
        message = f"metrics sidecar agrees with the rollouts: {held} figures{named}"
        yield passed("golden.metrics_recomputed", _PHASE, message, path)


def _stated(golden: Golden, path: Path, sidecar: dict[str, Any], text: str) -> Iterator[Check]:
    """What the sidecar and the report both speak of, they must say alike."""
    printed = [number for passage in read_report(text).passages for number in numbers(passage.text)]
    said = {key: sidecar[key] for key in metrics_sidecar.STATED if _is_number(sidecar.get(key))}
    absent = [key for key, value in said.items() if not any(_says(one, value) for one in printed)]
    for key in absent:
        message = f"the report does not say {key} = {one_line(str(said[key]), 40)}, as its metrics sidecar does"
        yield failed("golden.metrics_stated", _PHASE, message, golden.report, f"state it in the report, or correct {path.name}")
    if said and not absent:
        message = f"metrics sidecar agrees with the report's text: {', '.join(said)}"
        yield passed("golden.metrics_stated", _PHASE, message, golden.report)


def _says(printed: Number, value: int | Decimal) -> bool:
    """Whether the report's number is the sidecar's, as a fraction or as a percentage, at the digits that both were written with."""
    if not -metrics_sidecar.MOST <= value <= metrics_sidecar.MOST:
        return False
    if printed.is_rate(float(value)) or printed.equals(float(value)):
        return True
    return isinstance(value, Decimal) and metrics_sidecar.same(
        value, printed.value / 100 if printed.unit == "%" else printed.value
    )


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, metrics_sidecar.NUMBER)


def _line_of(path: Path, name: tuple[str, ...]) -> int | None:
    """Where the figure stands: each name below the one that holds it."""
    lines, place = read_markdown(path).splitlines(), 0
    for key in name:
        found = next((number for number, line in enumerate(lines) if number >= place and f'"{key}"' in line), None)
        if found is None:
            return None
        place = found
    return place + 1
