"""`blade diagnose`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blade.cli.health import MARKS
from blade.cli.knowledge import open_for_diagnosis, refuse_unexplained, skill_option
from blade.cli.options import NamedPath, json_option, reading_options, run_argument
from blade.errors import NotDecidable, UsageError
from blade.sentences import plural

if TYPE_CHECKING:
    from blade.runs.run import Run

VERDICTS = {"healthy": "green", "suspect": "yellow", "unhealthy": "red"}
LEDGER = "ledger.jsonl"
BAR = 20
LABEL = 14
NARROWEST, NARROW, WIDE, WIDEST = 32, 56, 80, 120
"""Columns: fewer are not drawn for; below the next, no bars; below the next, short bars and no table; more are not used."""


@click.command(epilog="Example: blade diagnose results/rollouts.jsonl --out report/")
@run_argument
@click.option(
    "--against",
    multiple=True,
    metavar="RUN",
    help="Another run, the baseline that this one is compared with; may be given again.",
)
@click.option(
    "--out",
    type=NamedPath(path_type=Path, file_okay=False),
    help="Write report.md, diagnosis.json and ledger.jsonl into this directory.",
)
@click.option("--task", metavar="T", help="One task in depth: its repeats side by side, where they part, the evidence.")
@skill_option
@json_option
@reading_options
def diagnose(
    run: str, against: tuple[str, ...], out: Path | None, task: str | None, skill: Path | None, as_json: bool, **reading: Any
) -> None:
    """Which tasks failed, why, and what to fix next.

    Prints a summary of one screen; --out writes the whole report. Exit code 0 whatever was found, 3 when nothing is scored and no
    failed attempt or plan says why.
    """
    from blade.cli.progress import LONG_DIAGNOSIS, Bar
    from blade.cli.terminal import clean, console, print_json, print_json_text, prints_unicode
    from blade.diagnosis.stored import can_be_printed, read_document, stored

    if out is not None:
        _check_ledger(out)
    opened, knowledge = open_for_diagnosis(run, skill, reading)
    with opened:
        refuse_unexplained(opened, run)
        if task is not None:
            task = _known_task(opened, run, task)
        kept = stored(opened, skill=knowledge, progress=Bar("things", least=LONG_DIAGNOSIS), workers=reading["workers"])
        if as_json and prints_unicode() and not (task or out or against) and can_be_printed(kept):
            print_json_text(kept)
            return
        from blade.reports import deep_dive

        document = read_document(kept)
        document |= {"against": _compare(opened, document, against, skill, reading)}
        if task is not None:
            from blade.diagnosis.views import task_views

            document["task_view"] = next((deep_dive.task_view(view) for view in task_views(opened, [task])), None)
    written = [] if out is None else _write(out, document, task)
    if as_json:
        print_json(document if task is None else deep_dive.as_json(document, task))
    elif task is not None:
        from rich.markdown import Markdown

        from blade.cli.plain import plain

        console().print(Markdown(plain(deep_dive.deep_dive(document, task), sys.stdout.encoding)))
    else:
        _print(document, written)
    if written and (as_json or task is not None):
        click.echo(f"written: {clean(', '.join(map(str, written)))}", err=True)


def _compare(
    opened: "Run", document: dict[str, Any], others: tuple[str, ...], skill: Path | None, reading: dict[str, Any]
) -> list[dict[str, Any]]:
    """This run as B against each of the others as A, by the rule that the two share; the run keeps its own."""
    from blade.cli.progress import LONG_DIAGNOSIS, Bar
    from blade.comparison.compare import compare
    from blade.comparison.pair import Asked
    from blade.diagnosis.stored import diagnosis

    found, own = [], opened.pass_rule
    for other in others:
        baseline, knowledge = open_for_diagnosis(other, skill, reading)

        def diagnose(one: "Run", knowledge: Any = knowledge) -> dict[str, Any]:
            if one is opened and one.pass_rule is own:
                return document
            return diagnosis(one, skill=knowledge, progress=Bar("things", least=LONG_DIAGNOSIS), workers=reading["workers"])

        with baseline:
            refuse_unexplained(baseline, other)
            found.append(compare([baseline, opened], diagnose, metric=None, asked=Asked()))
        opened.judge_by(own)
    return found


def _known_task(opened: Any, run: str, task: str) -> str:
    """The task's id, also where it was given as we print it; refuse one that the run does not have, with those that look like it, and one without a score."""
    from difflib import get_close_matches

    from blade.cli.terminal import clean, clean_line

    tasks = dict(zip(opened.outcomes.tasks, opened.outcomes.scored, strict=True))
    if task not in tasks:
        printed = [one for one in tasks if task and task in (clean(one), clean_line(one))]
        task = printed[0] if len(printed) == 1 else task
    if task in tasks:
        if not tasks[task]:
            tried = opened.query("SELECT count(*) FROM failures WHERE task = $1", (task,)).rows[0][0]
            hint = (
                f"blade show … {task} shows how its last attempt failed" if tried else "see blade inspect for where its rows went"
            )
            raise NotDecidable(f"task {task} of {run} has no scored rollout", hint=hint)
        return task
    whole = task.rpartition(":")[0]
    close = [whole] if whole in tasks else get_close_matches(task, tasks, n=3)
    if close:
        hint = f"did you mean {' or '.join(close)}?"
    else:
        hint = f"it has {plural(len(tasks), 'task')}: {', '.join(list(tasks)[:5])}{', …' if len(tasks) > 5 else ''}"
    raise UsageError(f"{run} has no task {task}" if task.strip() else f"--task names no task of {run}", hint=hint)


def _check_ledger(folder: Path) -> None:
    """Refuse a ledger that cannot be read before anything is read or written: its lines are somebody's predictions, and stay."""
    from blade.diagnosis.ledger import read_ledger

    if (folder / LEDGER).exists():
        read_ledger(folder / LEDGER)


def _write(folder: Path, document: dict[str, Any], task: str | None) -> list[Path]:
    """The files of a report, each complete or not there.

    The ledger is kept: what an earlier diagnosis predicted stays until a comparison has tested it.
    """
    from blade.cli.files import write_files
    from blade.cli.terminal import json_text
    from blade.diagnosis.ledger import append_ledger, entries
    from blade.reports.deep_dive import deep_dive
    from blade.reports.markdown import report

    whole = {key: value for key, value in document.items() if key != "task_view"}
    files = {"report.md": report(document), "diagnosis.json": json_text(whole, indent=1) + "\n"}
    if task is not None:
        files[f"task-{_file_name(task)}.md"] = deep_dive(document, task)
    written = write_files(folder, files)
    (folder / LEDGER).touch()  # there, and empty, where nothing is predicted
    append_ledger(folder / LEDGER, entries(document))
    return [*written, folder / LEDGER]


def _file_name(task: str) -> str:
    """A task's name as a part of a file's; what could lead elsewhere becomes a dash."""
    from hashlib import blake2b

    kept = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._-") else "-" for letter in task[:80]).strip(
        "."
    )
    told_apart = blake2b(task.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
    return kept if kept == task else f"{kept or '-'}-{told_apart}"


def _print(document: dict[str, Any], written: Sequence[Path]) -> None:
    """The summary: on a usual screen no line wraps, on a narrow one texts go on below."""
    from rich.text import Text

    from blade.cli.terminal import clean_line, console, print_entry
    from blade.reports.summary import summary

    out = console()
    width = max(NARROWEST, min(out.width, WIDEST))
    page = width if width >= WIDE else WIDEST  # what wraps need not be cut
    found = summary(document, width=page, written=[str(path) if path is written[0] else path.name for path in written])

    def entry(label: str, text: str, column: int = LABEL) -> None:
        print_entry(out, Text(f"  {label:<{column - 2}}", "dim"), clean_line(text, page - column))

    def title(text: str, note: str = "") -> None:
        out.print()
        print_entry(out, Text(f"{text}  " if note else text, "bold"), clean_line(note, page), "dim")

    print_entry(out, Text(), clean_line(found.title, page), "bold")
    print_entry(out, Text(), clean_line(found.what, page), "dim")
    out.print()
    rest = clean_line(f"; {found.undecided}", page - LABEL - len(found.verdict)) if found.undecided else ""
    verdict = Text.assemble((found.verdict, f"bold {VERDICTS.get(found.verdict, 'dim')}"), (rest, "dim"))
    print_entry(out, Text(f"  {'health':<{LABEL - 2}}", "dim"), verdict)
    for status, text in found.checks:
        mark, style = MARKS[status]
        print_entry(out, Text.assemble(" " * LABEL, (f"{mark} ", style)), clean_line(text, 2 * page))
    for label, text in (*found.numbers, *found.failures):
        entry(label, text)
    if found.funnel:
        title("Funnel")
        for stage in found.funnel:
            out.print(Text.assemble(*_stage(stage, width)), no_wrap=True, overflow="ellipsis")
        if found.outside:
            entry("outside", found.outside)
    if found.modes:
        title("Failure modes", "failed rollouts with it · lift and gain in points of the score")
        if width >= WIDE:
            out.print(_modes(found.modes, width))
        else:
            for mode in found.modes:
                entry(mode.label, mode.title, 9)
                entry("", f"{mode.failed} · lift {mode.lift} · gain {mode.gain}", 9)
        if found.more_modes:
            entry("", f"and {found.more_modes} more in the report; in the order of the failures that each explains best")
    if found.interventions:
        title("What to do")
        for number, lines in enumerate(found.interventions, 1):
            told = lines if width >= WIDE else [" ".join(lines)]  # made for a page: a narrower screen breaks it elsewhere
            for position, text in enumerate(told):
                print_entry(out, Text(f"  {number}. " if position == 0 else "     "), clean_line(text, 2 * page))
    out.print()
    for label, text in found.notes:
        entry(label, text)


def _stage(stage: Any, width: int) -> Sequence[str | tuple[str, str]]:
    """A stage with its bar; on a narrow screen the bar, then the name, gives way to the numbers."""
    from blade.cli.plain import bar_signs
    from blade.cli.terminal import clean_line

    bar = BAR if width >= WIDE else BAR // 2 if width >= NARROW else 0
    name = max(min(31, width - 27 - bar), 8)
    share = stage.share or 0.0
    filled = round(bar * share)
    full, empty = bar_signs(sys.stdout.encoding)
    return (
        f"  {clean_line(stage.name, name - 1):<{name}}{stage.count:>9,} ",
        (full * filled, "cyan"),
        (empty * (bar - filled), "dim"),
        f" {100 * share:5.1f} %" if stage.share is not None else "",
        (f"  -{stage.lost:,}" if stage.lost else "", "dim"),
    )


def _modes(modes: Sequence[Any], width: int) -> Any:
    from rich.table import Table
    from rich.text import Text

    from blade.cli.terminal import clean_line

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False, width=width, expand=True)
    table.add_column(no_wrap=True, width=7)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for _ in range(3):
        table.add_column(no_wrap=True, justify="right")
    for mode in modes:
        cells = (mode.title, mode.failed, mode.lift, mode.gain)
        table.add_row(Text(f"  {clean_line(mode.label, 6)}", style="dim"), *(Text(clean_line(cell, width)) for cell in cells))
    return table
