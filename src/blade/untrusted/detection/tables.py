"""Columns of secrets: a header that names them (`user,password`, `| name | token |`), and cells below it.

Columns without a sign between them are told by where they begin, as programs align them.
"""

import re
from collections import deque
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.judgement import holds_secret
from blade.untrusted.detection.names import Promise, promise
from blade.untrusted.detection.telling import STEMS, places_of

_stems: Final = places_of(STEMS)
SIGNS: Final = "|,\t;"
ALIGNED: Final = "  "
_RULE: Final = re.compile(r"[\s|:+=-]*")
_ALIGNED_CELL: Final = re.compile(r"\S+(?: \S+)*")


def in_tables(text: str) -> Iterator[Sensitive]:
    """The secrets in tables whose header promises them."""
    telling = deque(at for at, _ in _stems(text)) if "\n" in text else None
    if not telling:
        return
    columns: dict[int, Promise] = {}
    begins: list[int] = []
    sign, width, start = "", 0, 0
    for line in text.split("\n"):
        cells = _aligned(line, begins) if sign == ALIGNED else _cells(line, sign) if sign else []
        if columns and len(cells) == width:
            yield from _row(line, cells, columns, start)
        elif not (columns and _RULE.fullmatch(line)):
            while telling and telling[0] < start:
                telling.popleft()
            named = bool(telling) and telling[0] < start + len(line)
            sign, width, columns = _header(line) if named else ("", 0, {})
            begins = [cell.start() for cell in _ALIGNED_CELL.finditer(_unquoted(line))] if sign == ALIGNED else []
        start += len(line) + 1


def _header(line: str) -> tuple[str, int, dict[int, Promise]]:
    if len(line) <= 400:
        for sign in SIGNS:
            if sign in line:
                cells = _cells(line, sign)
                names = [line[begin:end].strip(" \"'`*") for begin, end in cells]
                found: dict[int, Promise] = {
                    number: told
                    for number, name in enumerate(names)
                    if len(name) < 40 and (told := promise(name)) is not Promise.NOTHING
                }
                if found and len(cells) > 1 and all(re.fullmatch(r"[\w .-]{0,40}", name) for name in names):
                    return sign, len(cells), found
        if ALIGNED in line.strip():
            return _aligned_header(line)
    return "", 0, {}


def _aligned_header(line: str) -> tuple[str, int, dict[int, Promise]]:
    names = [cell[0] for cell in _ALIGNED_CELL.finditer(_unquoted(line))]
    found = {number: told for number, name in enumerate(names) if (told := promise(name)) >= Promise.TOKEN}
    plain = len(names) > 1 and all(re.fullmatch(r"[^\W\d][\w./#-]{0,30}(?: [\w./#-]{1,30}){0,2}", name) for name in names)
    return (ALIGNED, len(names), found) if plain and found else ("", 0, {})


def _unquoted(line: str) -> str:
    """The first line of a text may stand behind a quote: its columns count from there."""
    return line[line.rfind('"') + 1 :]


def _aligned(line: str, begins: list[int]) -> list[tuple[int, int]]:
    """The words that begin where the header's do; no cells where a column begins inside a word."""
    cells: list[tuple[int, int]] = []
    for begin in begins:
        if begin >= len(line) or (begin and line[begin - 1] != " "):
            return []
        end = line.find(" ", begin)
        cells.append((begin, end if end >= 0 else len(line)))
    return cells


def _cells(line: str, sign: str) -> list[tuple[int, int]]:
    cells: list[tuple[int, int]] = []
    begin = 0
    for part in line.split(sign):
        cells.append((begin, begin + len(part)))
        begin += len(part) + 1
    return cells


def _row(line: str, cells: list[tuple[int, int]], columns: dict[int, Promise], start: int) -> Iterator[Sensitive]:
    for number, told in columns.items():
        begin, end = cells[number]
        value = line[begin:end].strip(" \"'`\r")
        if " " not in value and holds_secret(told, value, quoted=False):
            place = start + line.index(value, begin)
            yield Sensitive("credential", place, place + len(value))
