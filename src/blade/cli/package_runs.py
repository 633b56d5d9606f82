"""The runs that a report of a package is held against: those given, else the one in its package."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from blade.errors import BladeError

if TYPE_CHECKING:
    from blade.claims.reading.facts import RunFacts

Command = TypeVar("Command", bound=Callable[..., Any])


def runs_option(command: Command) -> Command:
    return click.option(
        "--run", "runs", multiple=True, metavar="RUN", help="A run the report is about (default: the one in its package)."
    )(command)


@contextmanager
def facts_of(
    golden: Path, runs: tuple[str, ...], skill: Path | None, reading: dict[str, Any]
) -> Iterator[tuple[list["RunFacts"], list[str]]]:
    """What the runs say, and which they are. One that nobody named and that cannot be read is warned of, and left aside."""
    from blade.claims.reading.measured import run_facts
    from blade.claims.reading.package import packaged_runs
    from blade.cli.knowledge import open_for_diagnosis, refuse_unexplained
    from blade.cli.progress import LONG_DIAGNOSIS, Bar
    from blade.cli.terminal import warn
    from blade.diagnosis.stored import diagnosis

    given = list(runs) or [str(path) for path in packaged_runs(golden)]
    rules = skill or _rules(golden)
    facts: list[RunFacts] = []
    with ExitStack() as stack:
        for run in given:
            try:
                opened, knowledge = open_for_diagnosis(run, rules, reading)
                stack.enter_context(opened)
                refuse_unexplained(opened, run)
            except BladeError as error:
                if runs:
                    raise
                warn(f"the report is read without its run: {error}")
                facts = []
                break
            bar = Bar("things", least=LONG_DIAGNOSIS)
            facts.append(run_facts(opened, diagnosis(opened, skill=knowledge, progress=bar, workers=reading["workers"])))
        yield facts, given if facts else []


def _rules(golden: Path) -> Path | None:
    """The `blade.yaml` of the package that a golden report lies in."""
    from blade.packages.layout import GOLDEN_REPORTS, Package

    folder = golden.resolve().parent
    return Package(folder.parent).rules if folder.name == GOLDEN_REPORTS else None
