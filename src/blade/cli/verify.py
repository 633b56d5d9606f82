"""`blade verify`."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blade.cli.knowledge import open_for_diagnosis, refuse_unexplained, skill_option
from blade.cli.options import json_option, reading_options
from blade.errors import BladeError, Exit, UsageError
from blade.sentences import plural

if TYPE_CHECKING:
    from blade.claims.reading.sidecar import Sidecar
    from blade.claims.reading.tally import Verification

MOST_BYTES = 16 << 20
MOST_SHOWN = 50
MOST_WITH_A_FALSE = 0.999


@click.command(epilog="Example: blade verify report/report.md   ·   blade verify notes.md --run results/")
@click.argument("report", metavar="REPORT", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--run", "runs", multiple=True, metavar="RUN", help="A run that the report is about; may be given again.")
@skill_option
@json_option
@reading_options
def verify(report: Path, runs: tuple[str, ...], skill: Path | None, as_json: bool, **reading: Any) -> int:
    """Does a report say what the artifacts say, and what it says itself?

    Reads any Markdown report: numbers, ids, quotes and labels are held against the run, and against each other. The run is the one
    given, else the one that a report of ours names, else the one in its package (golden_reports/../rollouts), read by the package's own
    blade.yaml. Exit code 0 when all that can be checked holds, 1 when something is false, 3 when nothing can be checked.
    """
    from blade.claims.reading.sidecar import find_sidecar
    from blade.cli.terminal import print_json
    from blade.reports.verification import as_json as verified_json

    text = _text(report)
    sidecar = find_sidecar(report)
    given = list(runs) or _runs_of(report, text, sidecar)
    found = _verified(text, given, sidecar, skill or _packaged_rules(report), reading, required=bool(runs))
    if as_json:
        print_json(verified_json(found, str(report), given))
    else:
        _print(report, found, given)
    return Exit.FELL_SHORT if found.false else Exit.FINE if found.true else Exit.NOT_DECIDABLE


def _text(report: Path) -> str:
    if report.stat().st_size > MOST_BYTES:
        raise UsageError(
            f"{report} is larger than {MOST_BYTES >> 20} MB", hint="a report is Markdown; give a rollout file as --run"
        )
    return report.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").removeprefix("\ufeff")


def _runs_of(report: Path, text: str, sidecar: "Sidecar | None") -> list[str]:
    """The runs that the report itself, or its package, leads to: those that are there."""
    from blade.claims.reading.package import packaged_runs
    from blade.claims.reading.sidecar import titled_runs

    named = sidecar.runs if sidecar is not None else titled_runs(text) or []
    if named and all(_is_there(run) for run in named):
        return named
    return [str(path) for path in packaged_runs(report)]


def _packaged_rules(report: Path) -> Path | None:
    """The `blade.yaml` of the package in which a report lies; one that cannot be read is told of and left aside."""
    from blade.cli.terminal import warn
    from blade.diagnosis.skill import load_skill
    from blade.packages.layout import GOLDEN_REPORTS, Package

    folder = report.resolve().parent
    rules = Package(folder.parent).rules if folder.name == GOLDEN_REPORTS else None
    if rules is None:
        return None
    try:
        load_skill(rules)
    except BladeError as error:
        warn(f"the report is read without its package's rules: {error}")
        return None
    return rules


def _is_there(run: str) -> bool:
    from blade.runs.artifacts import locate

    try:
        locate(run)
    except BladeError:
        return False
    return True


def _verified(
    text: str, given: list[str], sidecar: "Sidecar | None", skill: Path | None, reading: dict[str, Any], *, required: bool
) -> "Verification":
    """The report against its runs. A run that nobody named and that cannot be read leaves the report without one."""
    from blade.cli.progress import LONG_DIAGNOSIS, Bar
    from blade.cli.terminal import warn
    from blade.diagnosis.stored import diagnosis
    from blade.reports.verification import verify_report

    reading = reading | {"pass_threshold": _threshold(reading["pass_threshold"], sidecar)}
    with ExitStack() as stack:
        opened, knowledge = [], None
        for run in given:
            try:
                one, knowledge = open_for_diagnosis(run, skill, reading)
                opened.append(stack.enter_context(one))
                refuse_unexplained(one, run)
            except BladeError as error:
                if required:
                    raise
                warn(f"the report is read without its run: {error}")
                opened = []
                break

        def diagnose(one: Any) -> dict[str, Any]:
            return diagnosis(one, skill=knowledge, progress=Bar("things", least=LONG_DIAGNOSIS), workers=reading["workers"])

        return verify_report(text, opened, diagnose, sidecar)


def _threshold(given: float | None, sidecar: "Sidecar | None") -> float | None:
    """The threshold on the command line, else the one that the report was made with."""
    rule = {} if sidecar is None or sidecar.is_comparison else sidecar.document.get("pass_rule") or {}
    told = rule.get("threshold") if rule.get("source") == "flag" else None
    return told if given is None and isinstance(told, int | float) else given


def _shown(found: "Verification") -> float | None:
    """The score as it is printed: where something is false, it never reads as all."""
    return min(found.score, MOST_WITH_A_FALSE) if found.score is not None and found.false else found.score


def _print(report: Path, found: "Verification", runs: list[str]) -> None:
    from rich.text import Text

    from blade.cli.terminal import clean_line, console, percent, print_entry

    out = console()
    holds = (
        f"{found.true:,} of {found.checked:,} checkable claims hold ({percent(_shown(found))})"
        if found.checked
        else "nothing could be checked"
    )
    against = f"against {', '.join(runs)}" if runs else "against itself alone: no run is at hand (--run RUN)"
    room = max(out.width - len(holds) - 2, 12)
    shown = clean_line(str(report), 4_096)
    name = shown if len(shown) <= room else f"…{shown[-room + 1 :]}"  # the end of a long path, and all of the verdict
    out.print(Text(f"{name}: {holds}", "bold"), no_wrap=True, overflow="ellipsis")
    print_entry(
        out,
        Text(),
        clean_line(f"{plural(found.claims, 'claim')} read, {found.not_checkable:,} not checkable; {against}", 400),
        "dim",
    )
    if found.restated:
        told = f"{found.restated:,} of those that hold were checked only by writing the report again from the run, {found.true - found.restated:,} against its rows or within the report"
        print_entry(out, Text(), told, "dim")
    for finding in found.findings[:MOST_SHOWN]:
        out.print()
        head = Text.assemble((f"line {finding.line:,}", "bold"), "  ", (finding.kind.replace("_", " "), "red"))
        out.print(head)
        print_entry(out, Text("  says  ", "dim"), clean_line(_words(finding.found), 300))
        if finding.expected is not None:
            print_entry(out, Text("  true  ", "dim"), clean_line(_words(finding.expected), 300))
        print_entry(out, Text("  in    ", "dim"), clean_line(finding.text, 300), "dim")
        for evidence in finding.evidence[:2]:
            print_entry(out, Text("  by    ", "dim"), clean_line(evidence, 200), "dim")
    if len(found.findings) > MOST_SHOWN:
        out.print(Text(f"\nand {len(found.findings) - MOST_SHOWN:,} more findings (--json has all)", "dim"))


def _words(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:.6g}" if isinstance(value, float) else str(value)
