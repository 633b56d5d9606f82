"""`blade package extract-anchor-facts`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blade.cli.knowledge import skill_option
from blade.cli.options import NamedPath, json_option, reading_options
from blade.cli.package_runs import runs_option
from blade.errors import Exit
from blade.sentences import plural

if TYPE_CHECKING:
    from blade.packages.anchors.anchor import Anchor

FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command(
    "extract-anchor-facts",
    epilog="Example: blade package extract-anchor-facts --golden golden_reports/model_a_golden_report.md --benchmark evalplus "
    "--model-name model_a --output golden_reports/model_a_anchor_facts.json",
)
@click.option("--golden", required=True, type=FILE, help="The golden report.")
@click.option("--benchmark", required=True, metavar="NAME", help="The benchmark it is about.")
@click.option("--model-name", required=True, metavar="NAME", help="The model it is about.")
@click.option("--output", required=True, type=NamedPath(path_type=Path, dir_okay=False), help="Where to write the facts (JSON).")
@click.option("--num-facts", type=click.IntRange(1, 1000), default=12, show_default=True, help="Facts to draft at most.")
@click.option("--min-facts", type=click.IntRange(0), default=8, show_default=True, help="Fewer than these is exit code 1.")
@runs_option
@skill_option
@json_option
@reading_options
def extract_anchor_facts(
    golden: Path,
    benchmark: str,
    model_name: str,
    output: Path,
    num_facts: int,
    min_facts: int,
    runs: tuple[str, ...],
    skill: Path | None,
    as_json: bool,
    **reading: Any,
) -> int:
    """Concrete facts of a golden report that nobody could guess, those that need most reading first.

    Numbers, ids and evidence are kept, and each fact has a check: a query over the run, or words that must stand in a transcript. A
    sentence whose checks do not come out becomes no fact. Review them: `reviewed` is false until a person says otherwise.
    """
    from blade.cli.files import refuse_to_replace, write_whole
    from blade.cli.package_runs import facts_of
    from blade.cli.terminal import json_text, print_json, warn
    from blade.packages.anchors.anchor import as_json as file_of
    from blade.packages.anchors.ranking import anchors
    from blade.packages.texts import read_markdown

    refuse_to_replace([golden, *map(Path, runs)], [output])
    text = read_markdown(golden)
    with facts_of(golden, runs, skill, reading) as (facts, paths):
        made, against = anchors(text, facts[0] if facts else None, num_facts)
    refuse_to_replace(map(Path, paths), [output])
    document = file_of(made, benchmark, model_name, golden.name)
    output.parent.mkdir(parents=True, exist_ok=True)
    write_whole(output, json_text(document, indent=2) + "\n")
    for line, sentence in against:
        warn(f"{golden}, line {line}: it does not come out in the run, so it became no fact: {sentence[:120]}")
    enough = len(made) >= min_facts
    if as_json:
        told = {"schema": "blade.anchors/1", "output": str(output), "runs": paths, "enough": enough}
        print_json(told | document | {"against": [{"line": line, "text": sentence} for line, sentence in against]})
    else:
        _print(made, output, paths, min_facts)
    return Exit.FINE if enough else Exit.FELL_SHORT


def _print(made: "list[Anchor]", output: Path, runs: list[str], least: int) -> None:
    from rich.text import Text

    from blade.cli.terminal import clean_line, console, print_entry

    screen = console()
    screen.print(Text(f"{plural(len(made), 'anchor fact')} written to {clean_line(output, 200)}", "bold"))
    against = f"checked against {', '.join(runs)}" if runs else "no run is at hand, so nothing was checked (--run RUN)"
    print_entry(screen, Text(), clean_line(against, 300), "dim")
    for anchor in made:
        shown = {True: "holds", False: "fails", None: "unchecked"}[anchor.verified]
        head = Text.assemble((f"{anchor.id:<4}", "bold"), f"{anchor.difficulty:<7}{shown:<10}")
        print_entry(screen, head, clean_line(anchor.fact, 400))
    print_entry(screen, Text("review "), "drop weak facts, then set reviewed to true on those that stay", "dim")
    if len(made) < least:
        print_entry(screen, Text("few    "), f"{least} are wanted: the report names too little that can be checked", "yellow")
