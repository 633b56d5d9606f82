"""`blade package calibrate`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blade.cli.knowledge import skill_option
from blade.cli.options import json_option, reading_options
from blade.cli.package_runs import runs_option
from blade.errors import Exit

if TYPE_CHECKING:
    from blade.packages.calibration import Calibration

FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command(
    epilog="Example: blade package calibrate --golden-report golden_reports/model_a_golden_report.md "
    "--anchor-facts golden_reports/model_a_anchor_facts.json --shallow-report golden_reports/model_a_shallow.md"
)
@click.option("--golden-report", required=True, type=FILE, help="The golden report.")
@click.option("--anchor-facts", required=True, type=FILE, help="Its anchor facts.")
@click.option("--shallow-report", required=True, type=FILE, help="Its shallow baseline.")
@click.option(
    "--output-dir", type=click.Path(path_type=Path, file_okay=False), help="Write the summary and each score there too."
)
@click.option(
    "--min-spread", type=click.FloatRange(0, 1), default=0.50, show_default=True, help="Golden minus shallow, at least."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the copies that are tampered with.")
@runs_option
@skill_option
@json_option
@reading_options
def calibrate(
    golden_report: Path,
    anchor_facts: Path,
    shallow_report: Path,
    output_dir: Path | None,
    min_spread: float,
    seed: int,
    runs: tuple[str, ...],
    skill: Path | None,
    as_json: bool,
    **reading: Any,
) -> int:
    """Does the score tell a golden report from a shallow one, and from copies that were tampered with?

    Every case has a target, and all of them decide the exit code: 0 when all are met, else 1. Treat a failure as a sign that anchor
    facts are weak, evidence is missing, or the report needs more diagnosis.
    """
    from blade.cli.files import write_files
    from blade.cli.package_runs import facts_of
    from blade.cli.terminal import json_text, print_json
    from blade.packages.anchors.anchor import load_anchors
    from blade.packages.calibration import SCHEMA
    from blade.packages.calibration import as_json as calibration_json
    from blade.packages.calibration import calibrate as calibrated
    from blade.packages.scoring.document import as_json as score_json
    from blade.packages.texts import read_markdown

    anchors = load_anchors(anchor_facts)
    golden, shallow = read_markdown(golden_report), read_markdown(shallow_report)
    with facts_of(golden_report, runs, skill, reading) as (facts, paths):
        found = calibrated(golden, anchors, shallow, facts, seed=seed, least_spread=min_spread)
    document = {"schema": SCHEMA, "golden_report": str(golden_report), "runs": paths, "seed": seed} | calibration_json(found)
    if output_dir is not None:
        scores = {f"{case.name}.json": json_text(score_json(case.scored), indent=2) + "\n" for case in found.cases if case.scored}
        write_files(output_dir, {"calibration_summary.json": json_text(document, indent=2) + "\n"} | scores)
    if as_json:
        print_json(document)
    else:
        _print(golden_report, found, paths)
    return Exit.FINE if found.ok else Exit.FELL_SHORT


def _print(golden: Path, found: "Calibration", runs: list[str]) -> None:
    from rich.table import Table
    from rich.text import Text

    from blade.cli.terminal import clean_line, console, print_entry

    out = console()
    met = sum(case.ok for case in found.cases)
    out.print(Text(clean_line(f"{golden}: {met} of {len(found.cases)} targets are met", 300), "bold"))
    if runs:
        print_entry(out, Text(), clean_line(f"against {', '.join(runs)}", 300), "dim")
    for note in found.notes:
        print_entry(out, Text(), clean_line(note, 300), "yellow")
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for head in ("  case", "score", "target", "", "what it is"):
        table.add_column(head, justify="right" if head == "score" else "left", overflow="fold")
    for case in found.cases:
        said = f"{case.meaning}; {case.note}" if case.note else case.meaning
        verdict = Text("met", "green") if case.ok else Text("missed", "red")
        table.add_row(Text(f"  {case.name}"), f"{case.score:.3f}", Text(case.target), verdict, Text(clean_line(said, 200)))
    out.print(table)
