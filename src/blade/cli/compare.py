"""`blade compare`."""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from blade.cli.knowledge import open_for_diagnosis, refuse_unexplained, skill_option
from blade.cli.options import NamedPath, json_option, reading_options
from blade.errors import Exit, UsageError

GATES = ("regressed", "not-improved", "not-equivalent")
METRICS = ("pass_at_1", "mean_reward")
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"


@click.command(epilog="Example: blade compare results/before.jsonl results/after.jsonl --out comparison/ --gate regressed")
@click.argument("runs", metavar="A B [C]...", nargs=-1)
@click.option(
    "--out", type=NamedPath(path_type=Path, file_okay=False), help="Write comparison.md and comparison.json into this directory."
)
@json_option
@click.option("--metric", type=click.Choice(METRICS), help="What to compare (default: pass@1 where a rule says what passes).")
@click.option("--by", metavar="FIELD", help="Divide the tasks, and the change of the score, by this field.")
@click.option(
    "--margin",
    type=float,
    metavar="M",
    help="Differences within ±M count as equivalent: 0.02 or 2 are two points of a pass rate (default: 2 points).",
)
@click.option(
    "--ledger",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Check what an earlier diagnosis predicted (its ledger.jsonl).",
)
@click.option("--gate", type=click.Choice(GATES), help="Leave with 1 when this is so, and with 3 when it cannot be decided.")
@click.option("--junit", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write JUnit XML.")
@skill_option
@reading_options
def compare(
    runs: tuple[str, ...],
    out: Path | None,
    as_json: bool,
    metric: str | None,
    by: str | None,
    margin: float | None,
    ledger: Path | None,
    gate: str | None,
    junit: Path | None,
    skill: Path | None,
    **reading: Any,
) -> int:
    """Why did the score change, and is it real? Compares each run with the first.

    Several shards or seeds of one side may be given as one RUN (a directory or a quoted glob). Without --gate the exit code is 0
    whenever the comparison ran; 3 when a run has no scored rollout and nothing beside it says why. Where GITHUB_STEP_SUMMARY is set, a summary is appended there.
    """
    from blade.cli.terminal import clean, print_json
    from blade.comparison.pair import Asked
    from blade.diagnosis.ledger import read_ledger

    if len(runs) < 2:
        given = "one run was given" if runs else "no run was given"
        raise UsageError(
            f"a comparison takes at least two runs, and {given}", hint="blade compare BEFORE AFTER; the first is the baseline"
        )
    entries = read_ledger(ledger) if ledger is not None else ()
    document = compared(runs, Asked(margin, by, entries), metric, skill, reading)
    written = [] if out is None else _write(out, document)
    if junit is not None:
        written.append(_write_junit(junit, document))
    code, said = _decide(gate, document)
    _append_summary(document, said)
    if as_json:
        print_json(document)
    else:
        _print(document, written)
    if written and as_json:
        click.echo(f"written: {clean(', '.join(map(str, written)))}", err=True)
    if said:
        click.echo(clean(said), err=True)
    return code


def compared(
    runs: tuple[str, ...], asked: Any, metric: str | None, skill: Path | None, reading: dict[str, Any]
) -> dict[str, Any]:
    """The document of runs as they were given."""
    from blade.cli.progress import LONG_DIAGNOSIS, Bar
    from blade.comparison.compare import compare as compare_runs
    from blade.diagnosis.stored import diagnosis

    with ExitStack() as stack:
        opened, knowledge = [], None
        for run in runs:
            one, knowledge = open_for_diagnosis(run, skill, reading)
            opened.append(stack.enter_context(one))
            refuse_unexplained(one, run)

        def diagnose(one: Any) -> dict[str, Any]:
            return diagnosis(one, skill=knowledge, progress=Bar("things", least=LONG_DIAGNOSIS), workers=reading["workers"])

        return compare_runs(opened, diagnose, metric=metric, asked=asked)


def _write(folder: Path, document: dict[str, Any]) -> list[Path]:
    from blade.cli.files import write_files
    from blade.cli.terminal import json_text
    from blade.reports.comparison.markdown import comparison_report

    return write_files(
        folder, {"comparison.md": comparison_report(document), "comparison.json": json_text(document, indent=1) + "\n"}
    )


def _write_junit(path: Path, document: dict[str, Any]) -> Path:
    from blade.cli.files import write_files
    from blade.reports.comparison.junit import junit

    return write_files(path.parent, {path.name: junit(document)})[0]


def _decide(gate: str | None, document: dict[str, Any]) -> tuple[int, str]:
    """The exit code, and the sentence on which pair decided; no sentence where the gate lets everything through."""
    from blade.comparison.gates import decide

    if gate is None:
        return Exit.FINE, ""
    found = decide(gate, [pair["verdict"] for pair in document["pairs"]])
    if found.code == Exit.FINE:
        return Exit.FINE, ""
    pair = document["pairs"][found.pair]
    what = "falls short" if found.code == Exit.FELL_SHORT else "cannot be decided"
    return found.code, f"gate {gate}: {pair['b']} {what} against {pair['a']}. {pair['reason']}"


def _append_summary(document: dict[str, Any], gate: str) -> None:
    """For a CI job that has a place for it; a place that cannot be written is warned about and no more."""
    from blade.cli.terminal import warn

    place = os.environ.get(STEP_SUMMARY)
    if not place:
        return
    from blade.reports.comparison.step_summary import step_summary

    try:
        with open(place, "a", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(step_summary(document, gate))
    except OSError as error:
        warn(f"{place}: the step summary could not be written ({error.strerror or error})")


def _print(document: dict[str, Any], written: list[Path]) -> None:
    from blade.cli.comparison_screen import print_screen
    from blade.cli.comparison_table import print_table

    named = [str(path) if place == 0 else path.name for place, path in enumerate(written)]
    if len(document["pairs"]) == 1:
        print_screen(document, named)
    else:
        print_table(document, named)
