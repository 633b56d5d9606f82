"""`blade package validate`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blade.cli.options import json_option
from blade.errors import Exit, UsageError

if TYPE_CHECKING:
    from blade.packages.check import Check
    from blade.packages.layout import Package

package_option = click.option(
    "--benchmark-dir", "directory", required=True, metavar="DIR", type=click.Path(path_type=Path), help="The package."
)


@click.command(epilog="Example: blade package validate --benchmark-dir benchmarks/evalplus --phase all")
@package_option
@click.option(
    "--phase",
    type=click.Choice(["all", "skill", "rollouts", "golden"]),
    default="all",
    show_default=True,
    help="Which deliverable: the skill (D1), the rollouts (D2), the golden reports (D3).",
)
@json_option
def validate(directory: Path, phase: str, as_json: bool) -> int:
    """Is a package complete, and true of its own rollouts?

    Every check is a line, [PASS] or [FAIL], with the file and the fix. Figures, ids, quotes and anchor facts are computed again from
    the rollouts. Exit code 0 when all hold, 1 when one fails.
    """
    from blade.cli.progress import LONG_DIAGNOSIS, Bar
    from blade.cli.terminal import print_json
    from blade.packages.check import PHASES
    from blade.packages.check import as_json as checks_json
    from blade.packages.runs import PackageRuns
    from blade.packages.validate import validate as validate_package

    package = open_package(directory)
    with PackageRuns(package, Bar("things", least=LONG_DIAGNOSIS)) as runs:
        checks = validate_package(runs, [one for one in PHASES if phase in ("all", one)])
    if as_json:
        print_json({"schema": "blade.package_validation/1", "package": str(directory), "phase": phase, **checks_json(checks)})
    else:
        print_checks(checks)
        _print_sum(checks, phase)
    return Exit.FINE if all(check.ok for check in checks) else Exit.FELL_SHORT


def open_package(directory: Path) -> "Package":
    from blade.packages.layout import Package

    if not directory.is_dir():
        raise UsageError(
            f"{directory} is no directory", hint="give the package: the folder with skill/, rollouts/, golden_reports/"
        )
    return Package(directory)


def print_checks(checks: "Sequence[Check]") -> None:
    """A line for each, whole, so that it can be searched: what, where, and the fix."""
    for check in checks:
        print_line(check.ok, f"{check.message} ({check.place})", check.fix)


def print_line(ok: bool, text: str, fix: str = "") -> None:
    from rich.text import Text

    from blade.cli.terminal import clean_line, console

    mark: Any = ("[PASS]", "green") if ok else ("[FAIL]", "bold red")
    line = Text.assemble(mark, " ", clean_line(text, 700))
    if fix:
        line.append(clean_line(f". Fix: {fix}", 500))
    console().print(line, soft_wrap=True)


def _print_sum(checks: "Sequence[Check]", phase: str) -> None:
    from rich.text import Text

    from blade.cli.terminal import console

    good = sum(check.ok for check in checks)
    bad = len(checks) - good
    said = f"{good} passed, {bad} failed" + ("" if phase == "all" else f" (phase {phase})")
    console().print(Text(f"\n{said}", "bold green" if not bad else "bold red"))
