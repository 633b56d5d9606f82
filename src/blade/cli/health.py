"""`blade health`."""

from pathlib import Path
from typing import Any

import click

from blade.cli.options import json_option, open_given, reading_options, run_argument
from blade.errors import Exit, NotDecidable

MARKS = {"ok": ("✓", "green"), "warn": ("!", "yellow"), "fail": ("✗", "red"), "unknown": ("?", "dim")}


@click.command(epilog="Example: blade health results/rollouts.jsonl --strict")
@run_argument
@json_option
@click.option("--strict", is_flag=True, help="Exit with 1 for a suspect run too.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Write health.md and health.json into this directory."
)
@reading_options
def health(run: str, as_json: bool, strict: bool, out: Path | None, **reading: Any) -> int:
    """Can this score be trusted? Exit code 0 healthy or suspect, 1 unhealthy (or suspect with --strict), 3 not decidable."""
    from blade.cli.terminal import print_json
    from blade.diagnosis import health as checks
    from blade.signals.extractor import SignalsExtractor

    with open_given(run, extractors=(SignalsExtractor(),), **reading) as opened:
        if not opened.denominator.scored:
            raise NotDecidable(f"{run} holds no scored rollout", hint="see blade inspect for where the rows went")
        found = checks.health(opened)
        document = checks.as_json(opened, found)
    if out is not None:
        _write(out, document)
    if as_json:
        print_json(document)
    else:
        _print(document)
    return Exit.FELL_SHORT if found.verdict == "unhealthy" or (strict and found.verdict == "suspect") else Exit.FINE


def _print(document: dict[str, Any]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from blade.cli.terminal import clean_line, console

    out = console()
    colour = {"healthy": "green", "suspect": "yellow", "unhealthy": "red"}[document["verdict"]]
    out.print(Text.assemble((clean_line(document["run"], 300), "bold"), ": ", (document["verdict"], f"bold {colour}")))
    for check in document["checks"]:
        mark, style = MARKS[check["status"]]
        out.print(
            Text.assemble(
                (f"  {mark} ", style), (f"{check['code'].replace('_', ' '):<21}", "dim"), clean_line(check["message"], 400)
            )
        )
        if check["status"] in ("warn", "fail"):
            for item in check["evidence"]:
                where = item["rollout"] if item["step"] is None else f"{item['rollout']} step {item['step']}"
                out.print(Padding(Text(clean_line(f"{where}  {item['quote']}", 160), style="dim"), (0, 0, 0, 26)))


def _write(folder: Path, document: dict[str, Any]) -> None:
    import json

    from blade.untrusted.escapes import one_line, safe_markdown

    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        f"# Health of {safe_markdown(one_line(document['run'], 300))}: {document['verdict']}",
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
