"""`blade health`."""

from pathlib import Path
from typing import Any

import click

from blade.cli.knowledge import open_for_diagnosis, refuse_unexplained, skill_option
from blade.cli.options import NamedPath, json_option, reading_options, run_argument
from blade.errors import Exit

LABEL = 26
MARKS = {"ok": ("✓", "green"), "warn": ("!", "yellow"), "fail": ("✗", "red"), "unknown": ("?", "dim")}


@click.command(epilog="Example: blade health results/rollouts.jsonl --strict")
@run_argument
@json_option
@click.option("--strict", is_flag=True, help="Exit with 1 for a suspect run too.")
@click.option(
    "--out", type=NamedPath(path_type=Path, file_okay=False), help="Write health.md and health.json into this directory."
)
@skill_option
@reading_options
def health(run: str, as_json: bool, strict: bool, out: Path | None, skill: Path | None, **reading: Any) -> int:
    """Can this score be trusted? Exit code 0 healthy or suspect, 1 unhealthy (or suspect with --strict), 3 not decidable.

    The checks are those of `blade diagnose`, from the same findings.
    """
    from blade.cli.progress import LONG_DIAGNOSIS, Bar
    from blade.cli.terminal import print_json
    from blade.diagnosis.stored import diagnosis

    opened, knowledge = open_for_diagnosis(run, skill, reading)
    with opened:
        refuse_unexplained(opened, run)
        watch = Bar("things", least=LONG_DIAGNOSIS)
        document = diagnosis(opened, skill=knowledge, progress=watch, workers=reading["workers"])["health"]
    if out is not None:
        _write(out, document)
    if as_json:
        print_json(document)
    else:
        _print(document)
    wanting = ("unhealthy", "suspect") if strict else ("unhealthy",)
    return Exit.FELL_SHORT if document["verdict"] in wanting else Exit.FINE


def _print(document: dict[str, Any]) -> None:
    from rich.text import Text

    from blade.cli.terminal import INDENT, clean_line, console, print_entry

    out = console()
    colour = {"healthy": "green", "suspect": "yellow", "unhealthy": "red"}[document["verdict"]]
    out.print(
        Text.assemble(
            (clean_line(document["run"], 300), "bold"), ": ", (document["verdict"], f"bold {colour}"), (_rest(document), "dim")
        )
    )
    for check in document["checks"]:
        mark, style = MARKS[check["status"]]
        head = Text.assemble((f"  {mark} ", style), (f"{check['code'].replace('_', ' '):<21}", "dim"))
        print_entry(out, head, clean_line(check["message"], 400))
        if check["status"] in ("warn", "fail"):
            for item in check["evidence"]:
                where = item["rollout"] if item["step"] is None else f"{item['rollout']} step {item['step']}"
                indent = LABEL if out.width >= 2 * LABEL else INDENT + 2
                quote = clean_line(f"{where}  {item['quote']}", min(160, out.width - indent))
                out.print(Text(" " * indent + quote, "dim"), no_wrap=True, overflow="ellipsis")


def _rest(document: dict[str, Any]) -> str:
    """What the verdict leaves open: a run can be healthy only as far as the artifacts tell."""
    from blade.reports.effects import undecided

    unknown = undecided({"health": document})
    return f"; {unknown}" if unknown else ""


def _write(folder: Path, document: dict[str, Any]) -> None:
    import json

    from blade.untrusted.escapes import one_line, safe_markdown

    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        f"# Health of {safe_markdown(one_line(document['run'], 300))}: {document['verdict']}{_rest(document)}",
        "",
        "| check | status | what was found |",
        "|---|---|---|",
    ]
    for check in document["checks"]:
        shown = "; ".join(
            f"{item['rollout']}: {item['quote']}" for item in check["evidence"] if check["status"] in ("warn", "fail")
        )
        text = one_line(check["message"] + (f" ({shown})" if shown else ""), 600)
        lines.append(f"| {check['code'].replace('_', ' ')} | {check['status']} | {safe_markdown(text)} |")
    (folder / "health.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "health.json").write_text(json.dumps(document, ensure_ascii=False, indent=2, default=str) + "\n", encoding="utf-8")
