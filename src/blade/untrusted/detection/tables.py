"""Columns of secrets: a header that names them (`user,password`, `| name | token |`), and cells below it."""

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
_RULE: Final = re.compile(r"[\s|:+-]*")


def in_tables(text: str) -> Iterator[Sensitive]:
    """The secrets in tables whose header promises them."""
    telling = deque(at for at, _ in _stems(text)) if "\n" in text else None
    if not telling:
        return
    columns: dict[int, Promise] = {}
    sign, width, start = "", 0, 0
    for line in text.split("\n"):
        cells = _cells(line, sign) if sign else []
        if columns and len(cells) == width:
            yield from _row(line, cells, columns, start)
        elif not (columns and _RULE.fullmatch(line)):
            while telling and telling[0] < start:
                telling.popleft()
            named = bool(telling) and telling[0] < start + len(line)
            sign, width, columns = _header(line) if named else ("", 0, {})
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
    return "", 0, {}


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
