"""Printing: data to stdout, progress and warnings to stderr, colour and bars only on a terminal.

Everything that comes from artifacts passes through `clean` on its way out.
"""

import codecs
import json
import math
import os
import sys
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING, Any, cast

import click

from blade.cli.plain import PlainStream, plain
from blade.cli.streams import abandon
from blade.errors import BladeError, UnreadableRun
from blade.runs import build
from blade.untrusted.escapes import json_escapes, one_line, printable
from blade.untrusted.redaction import redact

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

build.process_is_ours = True  # whoever prints to the terminal is a command
WIDTH_WITHOUT_TERMINAL = 120
MOST_PROBLEMS_SHOWN = 10
MOST_LINES_SHOWN = 3
"""Of a file in which no line can be read, a few say what all of them are."""
MOST_COLUMNS_ACROSS = 16
NARROWEST = 20
INDENT = 4
PIECE = 1 << 20
"""Bytes of a long text that are printed at a time."""
LEAST_COLUMN = 24
"""Columns that the text beside a label needs to be readable."""


def console(stream: IO[str] | None = None) -> "Console":
    from rich.console import Console

    class Quiet(Console):
        def on_broken_pipe(self) -> None:
            abandon(out)  # the command goes on to its verdict

    out = stream or sys.stdout
    return Quiet(file=cast(IO[str], PlainStream(out)), width=_width(out), markup=False, highlight=False, soft_wrap=False)


def _width(stream: IO[str]) -> int | None:
    """The terminal's own; elsewhere what COLUMNS says, else a page's."""
    if stream.isatty():
        return None
    said = os.environ.get("COLUMNS", "")
    return max(int(said), NARROWEST) if said.isdecimal() and len(said) < 5 else WIDTH_WITHOUT_TERMINAL


def clean(text: str) -> str:
    """Text from an artifact, safe to print here."""
    return printable(plain(text, sys.stdout.encoding), sys.stdout.encoding)


def clean_line(text: object, limit: int = 120) -> str:
    line = plain(one_line(clean(str(text)), limit), sys.stdout.encoding)
    return line if len(line) <= limit else line[: max(limit - 3, 0)].rstrip() + "..."[:limit]


def print_entry(out: "Console", head: "Text", text: "Text | str", style: str = "") -> None:
    """A label and its text; what does not fit the line goes on under the text, or under the label where that column is too narrow."""
    from rich.text import Text

    column = head.cell_len
    if out.width - column < LEAST_COLUMN:
        head.rstrip()
        out.print(head, no_wrap=True, overflow="ellipsis")
        head, column = Text(" " * INDENT), INDENT
    body = text if isinstance(text, Text) else Text(text, style)
    for line in body.wrap(out, out.width - column) or [Text()]:
        line.rstrip()
        out.print(Text.assemble(head, line), no_wrap=True, overflow="ellipsis")
        head = Text(" " * column)


def print_json(value: Any) -> None:
    """One JSON object, in the order given, with null for what is not a number; what steers a terminal is written as an escape."""
    _print_pieces([json_text(value) if prints_unicode() else _dumped(value)])


def prints_unicode() -> bool:
    """Whether standard output takes all signs; elsewhere JSON is printed in ASCII."""
    return (sys.stdout.encoding or "utf-8").lower().startswith("utf")


def print_json_text(text: bytes) -> None:
    """The same where it is JSON already, in UTF-8."""
    pieces = (text[start : start + PIECE] for start in range(0, len(text), PIECE))
    _print_pieces(codecs.iterdecode(pieces, "utf-8"))


def _print_pieces(pieces: Iterable[str]) -> None:
    try:
        for piece in pieces:
            sys.stdout.write(piece)
        sys.stdout.write("\n")
    except BrokenPipeError:  # the command goes on to its verdict
        abandon(sys.stdout)


def json_text(value: Any, *, indent: int | None = None) -> str:
    """The same as text, for a file."""
    text = _dumped(value, ensure_ascii=False, indent=indent)
    return json_escapes(text.encode("utf-8", "replace").decode())


def _dumped(value: Any, **options: Any) -> str:
    """As JSON, null for what is not a number. A document is copied for that only where it holds such a thing: it can be large."""
    try:
        return json.dumps(value, allow_nan=False, default=_plain, **options)
    except (ValueError, TypeError):
        return json.dumps(_finite(value), allow_nan=False, default=str, **options)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else str(value)  # a numpy scalar


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    if hasattr(value, "item"):  # a numpy scalar
        return _finite(value.item())
    return value


def percent(rate: float | None, digits: int = 1) -> str:
    return "–" if rate is None else f"{100 * rate:.{digits}f} %"


def warn(message: str) -> None:
    click.echo(f"warning: {clean(message)}", err=True)


def print_error(name: str, error: BladeError, as_json: bool) -> None:
    problems = list(getattr(error, "problems", ()))
    click.echo(f"{name}: {clean(redact(str(error)))}", err=True)
    most = MOST_LINES_SHOWN if isinstance(error, UnreadableRun) else MOST_PROBLEMS_SHOWN
    for problem in problems[:most]:
        place = f"line {problem.line}: " if getattr(problem, "line", None) else ""
        click.echo(f"  {place}{clean_line(redact(problem.message), 200)}", err=True)
    if len(problems) > most:
        click.echo(f"  and {len(problems) - most:,} more", err=True)
    if as_json:
        listed = [vars(problem) | {"message": redact(problem.message)} for problem in problems]
        print_error_object(redact(str(error)), error.exit_code, listed)


def print_error_object(message: str, exit_code: int, problems: Sequence[object] = ()) -> None:
    """What a script reads on stdout in place of the result."""
    print_json({"schema": "blade.error/1", "error": message, "exit_code": int(exit_code), "problems": list(problems)})


def rows_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], limit: int = 60) -> Any:
    """A plain table of query results; rows of more columns than fit a page are printed as one line for each value."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    listed = list(rows)
    if len(columns) > MOST_COLUMNS_ACROSS:
        pairs = [(number, name, value) for number, row in enumerate(listed, 1) for name, value in zip(columns, row, strict=True)]
        listed, columns = [pair for pair in pairs if pair[2] is not None], ("row", "column", "value")
    for position, name in enumerate(columns):
        numeric = bool(listed) and all(
            isinstance(row[position], int | float | None) and not isinstance(row[position], bool) for row in listed
        )
        table.add_column(Text(clean_line(name, limit)), justify="right" if numeric else "left", overflow="fold")
    for row in listed:
        table.add_row(*(Text(_cell(value, limit)) for value in row))
    return table


def _cell(value: Any, limit: int) -> str:
    if value is None:
        return "·"
    if isinstance(value, float):
        return f"{value:.6g}"
    return clean_line(json.dumps(value, default=str) if isinstance(value, dict | list) else value, limit)
