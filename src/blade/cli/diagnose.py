"""`blade diagnose`."""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from blade.cli.options import json_option, open_given, reading_options, run_argument
from blade.errors import NotDecidable, UsageError
from blade.runs.build import Progress

VERDICTS = {"healthy": "green", "suspect": "yellow", "unhealthy": "red"}
BAR = 20
LABEL = 14
NARROWEST, WIDEST = 60, 120
LONG = 2_000
"""Tasks from which on the diagnosis itself is worth a progress bar."""
AGAINST_NOTE = "the comparison of runs is not built yet: {} given with --against, and not read"


@click.command(epilog="Example: blade diagnose results/rollouts.jsonl --out report/")
@run_argument
@click.option("--against", multiple=True, metavar="RUN", help="Another run to compare with; may be given again.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write report.md, diagnosis.json and ledger.jsonl into this directory.",
)
@click.option("--task", metavar="T", help="One task in depth: its repeats side by side, where they part, the evidence.")
@click.option(
    "--skill", type=click.Path(path_type=Path, exists=True), metavar="DIR", help="The benchmark's own skill/blade.yaml."
)
@json_option
@reading_options
def diagnose(
    run: str, against: tuple[str, ...], out: Path | None, task: str | None, skill: Path | None, as_json: bool, **reading: Any
) -> None:
    """Which tasks failed, why, and what to fix next.

    Prints a summary of one screen; --out writes the whole report. Exit code 0 whatever was found, 3 when nothing is scored.
    """
    from blade.cli.terminal import clean, console, print_json, warn
    from blade.diagnosis.diagnose import apply, extractors
    from blade.diagnosis.skill.reader import load_skill
    from blade.diagnosis.stored import diagnosis
    from blade.reports import deep_dive

    knowledge = None if skill is None else load_skill(skill)
    told = reading["pass_threshold"]
    if knowledge is not None:
        if told is None:
            reading["pass_threshold"] = knowledge.pass_threshold
        else:
            knowledge = replace(knowledge, pass_when=None)  # what was said on the command line counts
    chosen = extractors(knowledge)
    for failure in (failure for extractor in chosen for failure in getattr(extractor, "failures", ())):
        warn(f"the plugin {failure.plugin} gave no detectors: {failure.message}")
    with open_given(run, extractors=chosen, **reading) as opened:
        if knowledge is not None and told is None:
            opened.threshold_source = "package"
        apply(knowledge, opened)
        if not opened.denominator.scored:
            raise NotDecidable(f"{run} holds no scored rollout", hint="see blade inspect for where the rows went")
        if task is not None:
            _known_task(opened, run, task)
        document = diagnosis(opened, skill=knowledge, progress=TaskBar(), workers=reading["workers"])
        document |= {"against": document.get("against") or []}
        if against:
            warn(AGAINST_NOTE.format(", ".join(against)))
            document["against_note"] = AGAINST_NOTE.format(", ".join(against))
        if task is not None:
            from blade.diagnosis.views import task_views

            document["task_view"] = next((deep_dive.task_view(view) for view in task_views(opened, [task])), None)
    written = [] if out is None else _write(out, document, task)
    if as_json:
        print_json(document if task is None else deep_dive.as_json(document, task))
    elif task is not None:
        from rich.markdown import Markdown

        console().print(Markdown(deep_dive.deep_dive(document, task)))
    else:
        _print(document, written)
    if written and (as_json or task is not None):
        click.echo(f"written: {clean(', '.join(map(str, written)))}", err=True)


def _known_task(opened: Any, run: str, task: str) -> None:
    """Refuse a task that the run does not have, with those that look like it; and one without a score."""
    from difflib import get_close_matches

    tasks = dict(zip(opened.outcomes.tasks, opened.outcomes.scored, strict=True))
    if task in tasks:
        if not tasks[task]:
            raise NotDecidable(f"task {task} of {run} has no scored rollout", hint="see blade inspect for where its rows went")
        return
    whole = task.rpartition(":")[0]
    close = [whole] if whole in tasks else get_close_matches(task, tasks, n=3)
    if close:
        hint = f"did you mean {' or '.join(close)}?"
    else:
        hint = f"it has {len(tasks):,} tasks: {', '.join(list(tasks)[:5])}{', …' if len(tasks) > 5 else ''}"
    raise UsageError(f"{run} has no task {task}", hint=hint)


def _write(folder: Path, document: dict[str, Any], task: str | None) -> list[Path]:
    """The files of a report, each complete or not there: written beside its place and moved into it.

    The ledger is kept: what an earlier diagnosis predicted stays until a comparison has tested it.
    """
    from blade.cli.terminal import json_text
    from blade.diagnosis.ledger import append_ledger, entries
    from blade.reports.deep_dive import deep_dive
    from blade.reports.markdown import report

    folder.mkdir(parents=True, exist_ok=True)
    whole = {key: value for key, value in document.items() if key != "task_view"}
    files = {"report.md": report(document), "diagnosis.json": json_text(whole, indent=1) + "\n"}
    if task is not None:
        files[f"task-{_file_name(task)}.md"] = deep_dive(document, task)
    for name, text in files.items():
        _replace(folder / name, text)
    (folder / "ledger.jsonl").touch()  # there, and empty, where nothing is predicted
    append_ledger(folder / "ledger.jsonl", entries(document))
    return [folder / name for name in (*files, "ledger.jsonl")]


def _file_name(task: str) -> str:
    """A task's name as a part of a file's; what could lead elsewhere becomes a dash."""
    from hashlib import blake2b

    kept = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._-") else "-" for letter in task[:80]).strip(
        "."
    )
    told_apart = blake2b(task.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
    return kept if kept == task else f"{kept or '-'}-{told_apart}"


def _replace(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


class TaskBar(Progress):
    """How many tasks are diagnosed, on stderr, when that is a terminal and there are many."""

    def __init__(self) -> None:
        self._shown: Any = None
        self._task: Any = None

    def start(self, what: str, total: int | None) -> None:
        if not sys.stderr.isatty() or (total is not None and total < LONG):
            return
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        from blade.cli.terminal import clean_line, console

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._shown = RichProgress(*columns, console=console(sys.stderr), transient=True)
        self._shown.start()
        self._task = self._shown.add_task(clean_line(what), total=total)

    def advance(self, amount: int) -> None:
        if self._shown is not None:
            self._shown.advance(self._task, amount)

    def finish(self) -> None:
        if self._shown is not None:
            self._shown.stop()
            self._shown = None


def _print(document: dict[str, Any], written: Sequence[Path]) -> None:
    """The summary, drawn so that no line wraps."""
    from rich.text import Text

    from blade.cli.terminal import clean_line, console
    from blade.reports.summary import summary

    out = console()
    width = max(NARROWEST, min(out.width, WIDEST))
    found = summary(document, width=width, written=[str(path) if path is written[0] else path.name for path in written])

    def line(*parts: str | tuple[str, str]) -> None:
        out.print(Text.assemble(*parts), no_wrap=True, overflow="ellipsis", crop=True)

    def entry(label: str, text: str, style: str = "") -> None:
        line((f"  {label:<{LABEL - 2}}", "dim"), (clean_line(text, width), style))

    def title(text: str, note: str = "") -> None:
        out.print()
        line((text, "bold"), (note, "dim"))

    line((clean_line(found.title, width), "bold"))
    line((clean_line(found.what, width), "dim"))
    out.print()
    entry("health", found.verdict, f"bold {VERDICTS.get(found.verdict, 'dim')}")
    for status, text in found.checks:
        mark, style = ("✗", "red") if status == "fail" else ("!", "yellow")
        line(" " * LABEL, (f"{mark} ", style), clean_line(text, width))
    for label, text in found.numbers:
        entry(label, text)
    if found.funnel:
        title("Funnel")
        for stage in found.funnel:
            line(*_stage(stage, clean_line))
    if found.modes:
        title("Failure modes", "  failed rollouts · lift and gain in points of the score")
        out.print(_modes(found.modes, clean_line, width))
        if found.more_modes:
            entry("", f"and {found.more_modes} more, in the order of the rollouts they explain, in the report")
    if found.interventions:
        title("What to do")
        for number, lines in enumerate(found.interventions, 1):
            for position, text in enumerate(lines):
                line((f"  {number}. " if position == 0 else "     "), clean_line(text, width))
    out.print()
    for label, text in found.notes:
        entry(label, text)


def _stage(stage: Any, clean_line: Any) -> Sequence[str | tuple[str, str]]:
    share = stage.share or 0.0
    filled = round(BAR * share)
    lost = f"  -{stage.lost:,}" if stage.lost else ""
    return (
        (f"  {clean_line(stage.name, 30):<31}", ""),
        f"{stage.count:>9,} ",
        ("█" * filled, "cyan"),
        ("·" * (BAR - filled), "dim"),
        f" {100 * share:5.1f} %" if stage.share is not None else "",
        (lost, "dim"),
    )


def _modes(modes: Sequence[Any], clean_line: Any, width: int) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False, width=width, expand=True)
    table.add_column(no_wrap=True, width=7)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for _ in range(3):
        table.add_column(no_wrap=True, justify="right")
    for mode in modes:
        cells = (mode.title, mode.failed, mode.lift, mode.gain)
        table.add_row(Text(f"  {clean_line(mode.label, 6)}", style="dim"), *(Text(clean_line(cell, width)) for cell in cells))
    return table
