"""`blade package sanitize`."""

from pathlib import Path
from typing import Any

import click

from blade.cli.options import NamedPath, json_option
from blade.sentences import plural

MOST_SHOWN = 12


@click.command(epilog="Example: blade package sanitize results/ --out shared/ --key-file ~/.blade-key --private 'Acme Labs'")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=NamedPath(path_type=Path), help="The folder for the copies.")
@click.option(
    "--report", "report_file", type=click.Path(path_type=Path), help="Write what was found and where (JSON; never the secrets)."
)
@click.option(
    "--key-file", type=click.Path(path_type=Path), help="The key of the pseudonyms (default: a fresh one, kept nowhere)."
)
@click.option(
    "--private", multiple=True, metavar="NAME", help="A name to replace wherever it stands; again for more, @FILE for a list."
)
@click.option(
    "--skill",
    type=click.Path(path_type=Path),
    help="The package or its blade.yaml: fields that `share` does not name are withheld.",
)
@click.option("--overwrite", is_flag=True, help="Replace copies that are there already; other files in the folder stay.")
@json_option
def sanitize(
    paths: tuple[Path, ...],
    out: Path,
    report_file: Path | None,
    key_file: Path | None,
    private: tuple[str, ...],
    skill: Path | None,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Copies of rollouts, sidecars and reports without credentials, people, places and fields that are not cleared.

    Scores never change: each copy is compared with its original before it is put in its place.
    """
    from blade.cli.files import refuse_to_replace, write_whole
    from blade.cli.progress import Bar
    from blade.cli.terminal import json_text, print_json
    from blade.packages.sanitize import sanitize as sanitize_files

    share = None if skill is None else _cleared(skill)
    if report_file is not None:
        inside = (file for path in paths if path.is_dir() for file in path.rglob("*") if file.is_file())
        refuse_to_replace([*(path for path in (*paths, key_file) if path is not None), *inside], [report_file])
    document = sanitize_files(
        paths, out, key_file=key_file, private=_names(private), share=share, overwrite=overwrite, progress=Bar()
    )
    if report_file is not None:
        report_file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(report_file, json_text(document, indent=2) + "\n")
    if as_json:
        print_json(document)
    else:
        _print(document, out, report_file)


def _names(given: tuple[str, ...]) -> list[str]:
    """Names as they are given, and those of a list."""
    from blade.errors import UsageError
    from blade.untrusted.files import read_at_most

    names: list[str] = []
    for one in given:
        if not one.startswith("@"):
            names.append(one)
            continue
        path = Path(one[1:]).expanduser()
        listed = read_at_most(path, 1 << 20).decode("utf-8", "replace").splitlines()
        if len(listed) > 10_000:
            raise UsageError("at most 10,000 names are taken", path=path)
        names += [line.strip() for line in listed if line.strip()]
    if short := [name for name in names if len(name.strip()) < 2]:
        raise UsageError(f"{short[0]!r} is too short for a name to look for", hint="give at least two letters")
    return names


def _cleared(skill: Path) -> tuple[str, ...]:
    """The fields that may be shared. A pass rule over a field that may not would change who passes, and is refused."""
    from blade.diagnosis.skill import load_skill
    from blade.diagnosis.skill.rules import FieldRule, conditions
    from blade.errors import UsageError
    from blade.packages.sanitize.withholding import in_frame

    read = load_skill(skill)
    needed = [rule.path for rule in conditions(read.pass_when) if isinstance(rule, FieldRule)] if read.pass_when else []
    for path in needed:
        if not in_frame(path.split(".")[0]) and not any(path == one or path.startswith(f"{one}.") for one in read.share):
            raise UsageError(
                f"the pass rule reads {path!r}, which `share` does not clear, so withholding it would change the score",
                path=read.path,
                hint=f"add {path} to share",
            )
    return read.share


def _print(document: dict[str, Any], out: Path, report_file: Path | None) -> None:
    from rich.table import Table
    from rich.text import Text

    from blade.cli.terminal import clean_line, console, print_entry

    screen, totals = console(), document["totals"]
    screen.print(Text(f"{plural(len(document['files']), 'file')} written to {clean_line(out, 200)}", "bold"))
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for head in ("  file", "rows", "changed", "credentials", "personal", "endpoints", "withheld"):
        table.add_column(head, justify="left" if head.strip() == "file" else "right", overflow="fold")
    for file in document["files"][:MOST_SHOWN]:
        found = file["findings"]
        cells = (
            file["rows"] or file["lines"],
            file["changed"],
            *(found[name] for name in ("credential", "personal", "endpoint", "withheld")),
        )
        table.add_row(Text("  " + clean_line(file["path"], 80)), *(f"{number:,}" for number in cells))
    screen.print(table)
    if (more := len(document["files"]) - MOST_SHOWN) > 0:
        print_entry(screen, Text("  "), f"and {more} more: --json lists them", "dim")
    screen.print()
    listed = ", ".join(f"{kind} {count:,}" for kind, count in list(document["kinds"].items())[:MOST_SHOWN])
    print_entry(screen, Text("  found   "), f"{plural(sum(totals.values()), 'place')}" + (f": {listed}" if listed else ""))
    print_entry(
        screen, Text("  checked "), f"{plural(document['checked_rows'], 'row')}: every reward, index and count is what it was"
    )
    for name in document["left_out"][:MOST_SHOWN]:
        print_entry(screen, Text("  left out"), f" {clean_line(name, 200)}: no text, so nobody can say what is in it", "yellow")
    for name in document["links_left_out"][:MOST_SHOWN]:
        said = f" {clean_line(name, 200)}: a link that leads out of what was given"
        print_entry(screen, Text("  left out"), said, "yellow")
    if stays := document["stays"]:
        listed = ", ".join(clean_line(name, 80) for name in stays[:3]) + (", …" if len(stays) > 3 else "")
        said = f"{plural(len(stays), 'other file was', 'other files were')} in the folder and not looked at: {listed}"
        print_entry(screen, Text("  stays   "), said, "yellow")
    if not document["withholding"]:
        print_entry(screen, Text("  fields  "), "all are shared, because no blade.yaml was given (--skill)", "dim")
    if report_file is not None:
        print_entry(screen, Text("  report  "), clean_line(report_file, 200), "dim")
