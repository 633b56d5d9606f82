"""`blade package init`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blade.cli.options import json_option

if TYPE_CHECKING:
    from blade.packages.init import Made


@click.command(
    epilog="Example: blade package init benchmarks/evalplus results/model_a_rollouts.jsonl results/model_b_rollouts.jsonl"
)
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("--link", is_flag=True, help="Link the rollouts instead of copying them.")
@click.option("--overwrite", is_flag=True, help="Replace what is there already (default: it is kept).")
@json_option
def init(directory: Path, runs: tuple[str, ...], link: bool, overwrite: bool, as_json: bool) -> None:
    """A package drafted from runs: rollouts, analysis skill, blade.yaml, and a golden report of the first run with its figures.

    The skill is marked as a draft until somebody has edited it. Files that are there already are kept, and named.
    """
    from blade.cli.files import write_whole
    from blade.cli.progress import LONG_DIAGNOSIS, Bar
    from blade.cli.terminal import print_json
    from blade.packages.init import init_package

    made = init_package(
        directory, runs, write_whole, link=link, overwrite=overwrite, progress=Bar("things", least=LONG_DIAGNOSIS)
    )
    if as_json:
        print_json(_document(made))
    else:
        _print(made)


def _document(made: "Made") -> dict[str, Any]:
    listed = {name: [str(path) for path in getattr(made, name)] for name in ("written", "replaced", "kept")}
    return {"schema": "blade.package_init/1", "package": str(made.root), "golden_report": str(made.golden.report), **listed}


def _print(made: "Made") -> None:
    from rich.text import Text

    from blade.cli.terminal import clean_line, console, print_entry

    out = console()
    print_entry(out, Text(), clean_line(f"A package in {made.root}", 300), "bold")
    for label, style, paths in (
        ("written", "green", made.written),
        ("replaced", "yellow", made.replaced),
        ("kept", "dim", made.kept),
    ):
        for path in paths:
            print_entry(out, Text(f"  {label:<9}", style), clean_line(path, 300))
    if made.kept:
        print_entry(out, Text("  "), "kept files were there already; --overwrite replaces them", "dim")
    out.print()
    model, folder = made.golden.model, made.golden.folder
    steps = (
        "edit the skill and blade.yaml, and delete the marks",
        f"curate {made.golden.report.name}",
        f"blade package extract-anchor-facts --golden {made.golden.report} --benchmark {made.root.name} --model-name {model}"
        f" --output {made.golden.anchors}",
        f"blade package make-shallow --input {made.golden.report} --output {folder / made.golden.shallow.name}",
        f"blade package validate --benchmark-dir {made.root} --phase all",
    )
    for number, step in enumerate(steps, 1):
        print_entry(out, Text(f"  {number}. "), clean_line(step, 400))
