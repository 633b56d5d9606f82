"""`blade package ready`."""

from pathlib import Path
from typing import Any

import click

from blade.cli.options import json_option
from blade.cli.package_validate import open_package, package_option
from blade.errors import Exit

MOST_REASONS = 8


@click.command(epilog="Example: blade package ready --benchmark-dir benchmarks/evalplus")
@package_option
@click.option("--private", multiple=True, metavar="NAME", help="A name that must not leave the house; again for more.")
@json_option
def ready(directory: Path, private: tuple[str, ...], as_json: bool) -> int:
    """The readiness checklist: all checks of `validate`, calibration, and whether anything private is left.

    Seven lines, all of them computed. Exit code 0 when the package is ready, 1 when a line does not hold.
    """
    from blade.cli.progress import LONG_DIAGNOSIS, Bar
    from blade.cli.terminal import print_json
    from blade.packages.ready import readiness
    from blade.packages.runs import PackageRuns

    package = open_package(directory)
    with PackageRuns(package, Bar("things", least=LONG_DIAGNOSIS)) as runs:
        lines = readiness(runs, private=private)
    is_ready = all(line.ok for line in lines)
    if as_json:
        print_json(
            {
                "schema": "blade.package_readiness/1",
                "package": str(directory),
                "ready": is_ready,
                "lines": [
                    {"text": line.text, "ok": line.ok, "evidence": line.evidence, "reasons": [vars(one) for one in line.reasons]}
                    for line in lines
                ],
            }
        )
    else:
        _print(lines, is_ready)
    return Exit.FINE if is_ready else Exit.FELL_SHORT


def _print(lines: list[Any], is_ready: bool) -> None:
    from rich.text import Text

    from blade.cli.package_validate import print_line
    from blade.cli.terminal import clean_line, console, print_entry

    out = console()
    for line in lines:
        print_line(line.ok, line.text)
        print_entry(out, Text("       "), clean_line(line.evidence, 300), "dim")
        for reason in line.reasons[:MOST_REASONS]:
            print_entry(out, Text("     - "), clean_line(f"{reason.message} ({reason.path}). Fix: {reason.fix}", 600))
        if len(line.reasons) > MOST_REASONS:
            print_entry(out, Text("     - "), f"and {len(line.reasons) - MOST_REASONS} more (--json lists them)", "dim")
    held = sum(line.ok for line in lines)
    said = "BLADE-ready" if is_ready else "not BLADE-ready"
    out.print(Text(f"\n{said}: {held} of {len(lines)} lines hold", "bold green" if is_ready else "bold red"))
