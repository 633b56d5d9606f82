"""`blade plan`."""

from contextlib import ExitStack
from typing import Any

import click

from blade.cli.knowledge import refuse_unscored
from blade.cli.options import json_option, open_given, reading_options, run_argument
from blade.errors import NotDecidable

MOST_OPTIONS = 12
MOST_NEXT = 8


@click.command(epilog="Example: blade plan results/before.jsonl results/after.jsonl --detect 2")
@run_argument
@click.argument("second", metavar="[RUN2]", required=False)
@click.option(
    "--detect", type=float, metavar="X", required=True, help="The change to find: 0.02 or 2 are two points of a pass rate."
)
@click.option(
    "--rollouts", type=click.IntRange(1, 1_000_000), metavar="N", help="Rollouts to give out next (default: one a task)."
)
@click.option("--metric", type=click.Choice(("pass_at_1", "mean_reward")), help="What the change is of.")
@json_option
@reading_options
def plan(
    run: str, second: str | None, detect: float, rollouts: int | None, metric: str | None, as_json: bool, **reading: Any
) -> None:
    """How many tasks and repeats would find a change of X, and which tasks deserve the next rollouts.

    From one run: for two runs of a benchmark like it. With RUN2: from the differences that the two show.
    """
    from blade.cli.terminal import print_json
    from blade.comparison.planner import plan as plan_runs

    with ExitStack() as stack:
        opened = []
        for one in (run, second):
            if one is not None:
                opened.append(stack.enter_context(open_given(one, **reading)))
                refuse_unscored(opened[-1], one)
        document = plan_runs(opened, detect, metric=metric, rollouts=rollouts)
    if not document["current"]["tasks"]:
        raise NotDecidable(
            f"{run} and {second} share no scored task, so nothing tells how their tasks differ", hint="plan from one of them"
        )
    if as_json:
        print_json(document)
    else:
        _print(document)


def _print(document: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    from blade.cli.terminal import clean_line, console, print_entry
    from blade.comparison.units import units

    out, of = console(), units(document)
    out.print(Text(f"Plan for a change of {of.size(document['target'])} of {of.what}, found in 4 of 5 cases", "bold"))
    for path in document["runs"]:
        print_entry(out, Text("  "), clean_line(path, 300), "dim")
    out.print()
    for text in document["says"]:
        print_entry(out, Text("  "), text)
    if document["options"]:
        out.print()
        out.print(Text("Ways", "bold"))
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
        ways = document["options"][:MOST_OPTIONS]
        chances = any(way["equivalent"] is not None for way in ways)
        for head in ("  ", "tasks", "repeats", "rollouts in both", "finds", *(["equivalent"] if chances else [])):
            table.add_column(head, no_wrap=True, justify="right")
        for way in ways:
            chance = "" if way["equivalent"] is None else f"{100 * way['equivalent']:.0f} %"
            cells = (
                f"{way['tasks']:,}",
                str(way["repeats"]),
                f"{way['rollouts']:,}",
                of.size(way["mde"]),
                *([chance] if chances else []),
            )
            table.add_row("  ✓" if way["finds"] else "", *cells)
        out.print(table)
    if document["next"]:
        out.print()
        out.print(Text("Where the next rollouts teach most", "bold"))
        for one in document["next"][:MOST_NEXT]:
            where = f" in {one['run'].upper()}" if "run" in one else ""
            more_of_it = Text(f"  +{one['repeats']:<3}")
            print_entry(out, more_of_it, clean_line(f"task {one['task']}{where}: {one['why']}", 300))
        more = len(document["next"]) - MOST_NEXT
        if more > 0:
            print_entry(out, Text("       "), f"and {more} more: --json lists them", "dim")
