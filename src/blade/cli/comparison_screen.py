"""The comparison drawn on a terminal: one screen for two runs, a table for more. No line is wider than the screen."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from blade.cli.terminal import clean_line, console, print_entry

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from blade.reports.comparison.summary import Screen

COLOURS = {
    "improved": "green",
    "regressed": "red",
    "equivalent": "cyan",
    "inconclusive": "yellow",
    "not_comparable": "magenta",
}
LABEL = 19
NARROWEST, WIDE, WIDEST = 32, 80, 120
HALF_BAR = 7
TEXT = 400


def print_screen(document: dict[str, Any], written: Sequence[str]) -> None:
    """Of a document with one pair."""
    from rich.text import Text

    from blade.reports.comparison.summary import screen, verdict_words

    out = console()
    width = max(NARROWEST, min(out.width, WIDEST))
    found = screen(document, written)
    out.print(Text(found.title, "bold"))
    for letter, path, size in found.runs:
        entry(out, letter, f"{tail(path, max(width - 8 - len(size), 20))} · {size}", 4)
    out.print()
    verdict = verdict_words(found.verdict)
    print_entry(out, Text(f"  {verdict}  ", f"bold {COLOURS[found.verdict]}"), clean_line(found.reason, TEXT))
    for label, text in found.facts:
        entry(out, label, text)
    _print_terms(out, found, width)
    if found.movers:
        title(out, "Tasks that moved", found.moved)
        out.print(_movers(found, width))
    if found.modes:
        stars = "; * more than chance, these first" if any(mode.clear for mode in found.modes) else ""
        title(out, "Failure modes", f"change in points, failed rollouts of A → B{stars}")
        out.print(_modes(found, width))
    if found.slices:
        title(out, "Slices")
        for text in found.slices:
            entry(out, "", text, 2)
    if found.steps:
        title(out, "What to do")
        for number, text in enumerate(found.steps, 1):
            out.print(Text(f"  {number}. {clean_line(text, width - 5)}"), no_wrap=True, overflow="ellipsis")
    out.print()
    for label, text in found.notes:
        entry(out, label, text)


def entry(out: "Console", label: str, text: str, column: int = LABEL) -> None:
    from rich.text import Text

    print_entry(out, Text(f"  {label:<{column - 2}}", "dim"), clean_line(text, TEXT))


def title(out: "Console", text: str, note: str = "") -> None:
    from rich.text import Text

    out.print()
    print_entry(out, Text(f"{text}  " if note else text, "bold"), clean_line(note, TEXT), "dim")


def tail(path: str, room: int) -> str:
    """The end of a path: runs that lie together differ there."""
    line = clean_line(path, 2_000)
    return line if len(line) <= room else f"…{line[-(room - 1) :]}"


def _print_terms(out: "Console", found: "Screen", width: int) -> None:
    if not found.total:
        return
    title(out, "What it is made of", found.unit)
    table = _table(width)
    table.add_column(no_wrap=True, overflow="ellipsis", min_width=8)
    table.add_column(no_wrap=True, justify="right")
    if width >= WIDE:
        table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    widest = max((abs(term.delta) for term in found.terms), default=0.0)
    for term in found.terms:
        note = f" ({term.note})" if term.note else ""
        cells = [f"  {term.name}", term.figure, *([_bar(term.delta, widest)] if width >= WIDE else [])]
        table.add_row(*_texts([*cells, term.ci, f"{term.rollouts}{note}"], width))
    blank = [""] if width >= WIDE else []
    table.add_row(*_texts(["  sum", found.total, *blank, "", ""], width))
    out.print(table)
    if found.none_found:
        entry(out, "none found", found.none_found)


def _bar(value: float, widest: float) -> Any:
    from rich.text import Text

    from blade.cli.plain import bar_signs
    from blade.reports.comparison.waterfall import signed_bar

    full, _ = bar_signs(sys.stdout.encoding)
    return Text(signed_bar(value, widest, HALF_BAR, full, "|" if full == "#" else "│"), "red" if value < 0 else "green")


def _movers(found: "Screen", width: int) -> "Table":
    table = _table(width)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=24)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for mover in found.movers:
        sign = "  +" if mover.gained else "  −"
        table.add_row(*_texts([sign, mover.task, mover.rates, f"P {mover.chance}", mover.why], width))
    return table


def _modes(found: "Screen", width: int) -> "Table":
    table = _table(width)
    table.add_column(no_wrap=True, justify="right", min_width=8)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for mode in found.modes:
        cells = [f"{mode.figure}{'*' if mode.clear else ' '}", mode.rollouts, mode.label, mode.title]
        table.add_row(*_texts(cells, width))
    return table


def _table(width: int) -> "Table":
    from rich.table import Table

    return Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False, width=width, expand=True)


def _texts(cells: Sequence[Any], width: int) -> list[Any]:
    """Cells made safe; leading space stays, for it is ours."""
    from rich.text import Text

    made = []
    for cell in cells:
        if isinstance(cell, str):
            space = len(cell) - len(cell.lstrip(" "))
            made.append(Text(" " * space + clean_line(cell, width) if cell.strip() else ""))
        else:
            made.append(cell)
    return made
