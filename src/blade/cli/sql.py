"""`blade sql`."""

import csv
import math
import re
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import click

from blade.cli.options import json_option, open_given, reading_options, run_argument
from blade.errors import UsageError
from blade.runs.scan import Extractor
from blade.sentences import plural

SECONDS: Final = 60.0
"""How long a query may take, unless the user says otherwise."""
FROM_TRAJECTORIES: Final = ("signals", "calls", "expected", "given", "answers", "checks", "restated", "outputs")
"""Tables that a diagnosis reads from the trajectories."""
READ_BY_DETECTORS: Final = re.compile(
    rf"(?:\b(?:from|join|describe|summarize|table)\b|,)\s*(?:[ab]\.)?\"?(?:{'|'.join(FROM_TRAJECTORIES)}|observations)\b",
    re.IGNORECASE,
)
"""A query that names one of the tables that a diagnosis reads from the trajectories."""


def _a_number(ctx: click.Context, param: click.Parameter, value: float) -> float:
    if math.isnan(value):
        raise click.BadParameter("nan is not a number of seconds.")
    return value


@click.command(
    epilog="Example: blade sql results/ \"SELECT task, avg(reward) FROM rollouts WHERE class = 'scored' GROUP BY task ORDER BY 2 LIMIT 10\""
)
@run_argument
@click.argument("query", metavar="QUERY")
@click.option(
    "--against",
    metavar="RUN",
    help="A second run: the tables of the first are then a.rollouts, a.tasks …, of this one b.rollouts …",
)
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@click.option(
    "--skill",
    type=click.Path(path_type=Path, exists=True),
    metavar="DIR",
    help="The skill/blade.yaml that a diagnosis was made with.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    callback=_a_number,
    default=SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Stop a query that takes longer; 0: never.",
)
@reading_options
def sql(
    run: str, query: str, against: str | None, as_json: bool, as_csv: bool, skill: Path | None, timeout: float, **reading: Any
) -> None:
    """Query a run's facts with SQL (DuckDB).

    Tables: rollouts (every row, with its class and your own fields as columns), tasks, plan (every expected rollout and what
    became of it), inputs (where each planned row stands), problems; and what a diagnosis reads from the trajectories, on first use:
    signals, calls, expected (calls), given, answers, checks, restated, outputs; observations with --skill. Read-only: no files, no network, no extensions.
    """
    from blade.cli.terminal import clean, console, print_json, rows_table
    from blade.runs.sql import run_sql

    with ExitStack() as stack:
        chosen = _extractors(query, skill)
        a, *b = (stack.enter_context(open_given(one, extractors=chosen, **reading)) for one in (run, against) if one is not None)
        try:
            table = run_sql({"a": a, "b": b[0]} if b else a, query, timeout)
        except UsageError as error:
            if not chosen and error.hint and error.hint.startswith("tables: "):
                error.hint = f"{error.hint}; read from the trajectories when a query names them: {', '.join(FROM_TRAJECTORIES)}"
            raise
    if as_json:
        print_json({"schema": "blade.sql/1", "columns": table.columns, "rows": table.rows})
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(map(clean, table.columns))
        writer.writerows([clean(value) if isinstance(value, str) else value for value in row] for row in table.rows)
    else:
        console().print(rows_table(table.columns, table.rows))
        click.echo(plural(len(table.rows), "row"), err=True)


def _extractors(query: str, skill: Path | None) -> tuple[Extractor, ...]:
    """Reading trajectories takes a while: only for a query about them, and as a diagnosis does it, so that the index is shared."""
    if not READ_BY_DETECTORS.search(query):
        return ()
    from blade.diagnosis.opening import extractors

    if skill is None:
        return extractors()
    from blade.diagnosis.skill.reader import load_skill

    return extractors(load_skill(skill))
