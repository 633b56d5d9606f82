"""`blade package score`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blade.cli.knowledge import skill_option
from blade.cli.options import json_option, reading_options
from blade.cli.package_runs import runs_option
from blade.sentences import plural

if TYPE_CHECKING:
    from blade.packages.scoring.score import Score

FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
MOST_SHOWN = 20


@click.command(
    epilog="Example: blade package score --report draft.md --golden golden_reports/model_a_golden_report.md "
    "--anchor-facts golden_reports/model_a_anchor_facts.json"
)
@click.option("--report", required=True, type=FILE, help="The report to score.")
@click.option("--golden", required=True, type=FILE, help="The golden report.")
@click.option("--anchor-facts", required=True, type=FILE, help="The golden report's anchor facts.")
@click.option("--output-dir", type=click.Path(path_type=Path, file_okay=False), help="Write the score there too, as reward.json.")
@runs_option
@skill_option
@json_option
@reading_options
def score(
    report: Path,
    golden: Path,
    anchor_facts: Path,
    output_dir: Path | None,
    runs: tuple[str, ...],
    skill: Path | None,
    as_json: bool,
    **reading: Any,
) -> None:
    """How good is a report? Anchor facts count only when they are stated rightly, claims only when they hold, a diagnosis only with
    evidence that resolves; what is false costs more than what is missing, and text without sentences scores nothing.

    The run is the one given, else the one in the golden report's package; without one, the report is held against itself and the
    golden report alone.
    """
    from blade.cli.files import write_files
    from blade.cli.package_runs import facts_of
    from blade.cli.terminal import json_text, print_json
    from blade.packages.anchors.anchor import load_anchors
    from blade.packages.scoring.document import SCHEMA
    from blade.packages.scoring.document import as_json as score_json
    from blade.packages.scoring.score import Judge
    from blade.packages.texts import read_markdown

    anchors, text = load_anchors(anchor_facts), read_markdown(report)
    with facts_of(golden, runs, skill, reading) as (facts, paths):
        found = Judge(read_markdown(golden), anchors, facts).score(text)
    document = {"schema": SCHEMA, "report": str(report), "golden": str(golden), "runs": paths} | score_json(found)
    if output_dir is not None:
        write_files(output_dir, {"reward.json": json_text(document, indent=2) + "\n"})
    if as_json:
        print_json(document)
    else:
        _print(report, found, paths)


def _print(report: Path, found: "Score", runs: list[str]) -> None:
    from rich.text import Text

    from blade.cli.terminal import clean_line, console, print_entry

    out = console()
    out.print(Text(clean_line(f"{report}: {found.value:.3f}", out.width), "bold"), no_wrap=True, overflow="ellipsis")
    checked = f"{found.verification.checked:,} of {found.verification.claims:,} claims could be checked"
    against = f"against {', '.join(runs)}" if runs else "against the report itself alone: no run is at hand (--run RUN)"
    print_entry(out, Text(), clean_line(f"{checked}, {against}", 400), "dim")
    for part in found.parts:
        print_entry(out, Text(f"  {part.name:<10}"), f"{part.got:,.0f} of {part.of:,.0f} {part.note}")
    print_entry(out, Text("  truth     "), f"{found.truth:.3f} of what could be checked, and of the causes given, is right")
    reads = found.readability
    print_entry(
        out, Text("  sentences "), f"{reads.reading:,} of {reads.sentences:,} read as language (counts {reads.share:.2f})"
    )
    out.print()
    for one in found.anchors:
        place = f"line {one.line}" if one.line is not None else ""
        head = Text.assemble((f"  {one.anchor.id:<4}", "bold"), f"{one.status:<13}{place:<10}")
        print_entry(out, head, clean_line(one.anchor.fact, 200), "" if one.status == "found" else "yellow")
        if one.says:
            said = f"says {one.says}" + (f", should say {one.expected}" if one.expected else "")
            print_entry(out, Text(" " * 19), clean_line(said, 240), "red")
    _print_false(found)


def _print_false(found: "Score") -> None:
    from rich.text import Text

    from blade.cli.terminal import clean_line, console, print_entry

    out = console()
    told = {one.line: f"says {one.found}, the golden report {one.expected}: {one.text}" for one in found.contradictions}
    told |= {
        one.line: f"{one.kind.replace('_', ' ')}, says {one.found}, true {one.expected}: {one.text}"
        for one in found.verification.findings
    }
    for line in sorted(told)[:MOST_SHOWN]:
        print_entry(out, Text.assemble((f"  line {line:<6}", "red")), clean_line(told[line], 300))
    if len(told) > MOST_SHOWN:
        print_entry(out, Text("  "), f"and {plural(len(told) - MOST_SHOWN, 'more line')} (--json has all)", "dim")
