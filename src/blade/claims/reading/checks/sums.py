"""Do the rows of a table sum to its total, its sub-rows to the row above them, and its lists to their counts? No run is needed."""

import re
from collections.abc import Iterator

from blade.claims.reading.document import Passage, Table
from blade.claims.reading.numbers import Number
from blade.claims.reading.reading import Reading
from blade.claims.reading.references import complete, id_list
from blade.claims.reading.tally import CONTRADICTS_ITSELF

_TOTAL = re.compile(r"\W*(?:grand\s+)?(?:total|sum|overall|all|altogether)\b(?!.*\b(?:tokens|calls|time|steps)\b).{0,24}", re.I)
_SUB = re.compile(r"^\s*(?:[–—\-•↳└├│⤷>]+|of which|thereof|incl\.?|\.\.\.|…)\s*", re.I)
_OPEN = re.compile(r"\b(?:top|first|selected|examples?|some|among|most|main|largest|notable|not exclusive|overlap)", re.I)
_NOT_ADDITIVE = re.compile(
    r"rate|%|mean|avg|average|median|share|pass@|score|accuracy|reward|p-?value|lift|gain|interval|ci\b|per ", re.I
)


Cells = dict[int, tuple[Passage, Number]]
"""The counts of a column by their rows."""


def check_sums(reading: Reading) -> None:
    for table in reading.report.tables:
        if len(table.rows) > 1:
            _totals(reading, table)
            _sub_rows(reading, table)
        _list_counts(reading, table)


def _counts(reading: Reading, table: Table, column: int) -> Iterator[tuple[int, Passage, Number]]:
    """The cells of a column that begin with a count, with their rows."""
    for place, row in enumerate(table.rows):
        if column < len(row):
            read = reading.reads[row[column].number]
            if read.numbers and read.numbers[0].whole and read.numbers[0].span.start <= 2:
                yield place, row[column], read.numbers[0]


def _additive(table: Table, column: int) -> bool:
    return column > 0 and not _NOT_ADDITIVE.search(table.head[column].text)


def _totals(reading: Reading, table: Table) -> None:
    """A row called total, last or first, against all others; a table that counts everything several times over is left alone."""
    named = [place for place, row in enumerate(table.rows) if row and _TOTAL.fullmatch(row[0].text)]
    if len(named) != 1 or named[0] not in (0, len(table.rows) - 1) or any(_SUB.match(row[0].text) for row in table.rows if row):
        return
    for column in range(1, len(table.head)):
        cells = {place: (cell, number) for place, cell, number in _counts(reading, table, column)}
        if not _additive(table, column) or len(cells) != len(table.rows):
            continue
        total = cells[named[0]][1]
        parts = sum(number.value for place, (_, number) in cells.items() if place != named[0])
        if total.value and parts % total.value == 0 and parts:
            for part, number in cells.values():
                reading.tally.hold(part, number.span)
        else:
            _wrong(reading, cells, named[0], f"the {'rows above sum' if named[0] else 'rows below sum'} to {parts:,.0f}")


def _sub_rows(reading: Reading, table: Table) -> None:
    """Rows that are marked as parts of the row above them."""
    if _OPEN.search(" ".join([*table.section[-1:], *(head.text for head in table.head)])):
        return
    for parent, children in _families(table):
        for column in range(1, len(table.head)):
            cells = {place: (cell, number) for place, cell, number in _counts(reading, table, column)}
            if not _additive(table, column) or parent not in cells or not set(children) <= cells.keys():
                continue
            whole = cells[parent][1]
            parts = sum(cells[child][1].value for child in children)
            if parts == whole.value:
                for place in (parent, *children):
                    reading.tally.hold(cells[place][0], cells[place][1].span)
            elif len(children) > 1 or parts > whole.value:
                family = {place: cells[place] for place in (parent, *children)}
                _wrong(reading, family, parent, f"its sub-rows sum to {parts:,.0f}")


def _families(table: Table) -> Iterator[tuple[int, list[int]]]:
    parent, children = -1, list[int]()
    for place, row in enumerate(table.rows):
        if row and _SUB.match(row[0].text):
            children.append(place)
            continue
        if parent >= 0 and children:
            yield parent, children
        parent, children = place, []
    if parent >= 0 and children:
        yield parent, children


def _list_counts(reading: Reading, table: Table) -> None:
    """A row that counts tasks and lists them too."""
    counting = [
        place
        for place, head in enumerate(table.head)
        if re.fullmatch(r"\W*(?:#|n|number of)?\s*(?:tasks|count)\W*", head.text, re.I)
    ]
    for row in table.rows:
        listing = [
            cell
            for _, found, cell in reading.list_cells
            if found is row and cell.number not in {row[place].number for place in counting if place < len(row)}
        ]
        if len(counting) != 1 or len(listing) != 1 or counting[0] >= len(row):
            continue
        ids = id_list(listing[0].text, reading.names) or []
        numbers = reading.reads[row[counting[0]].number].numbers
        if numbers and numbers[0].whole and complete(listing[0].text) and all(one.sort == "task" for one in ids) and len(ids) > 1:
            right = int(numbers[0].value) == len({one.name for one in ids})
            cell = row[counting[0]]
            reading.tally.judge(
                right, cell, numbers[0].span, CONTRADICTS_ITSELF, f"{len(ids)} tasks are listed", found=numbers[0].text
            )


def _wrong(reading: Reading, cells: Cells, total: int, expected: str) -> None:
    """The total is named; where the run says that the total is right, the parts that nothing speaks for are."""
    if any(reading.tally.is_false(part, found.span) for part, found in cells.values()):
        return  # what is wrong is known already
    cell, number = cells[total]
    if not reading.tally.is_true(cell, number.span):
        reading.tally.judge(False, cell, number.span, CONTRADICTS_ITSELF, expected, found=number.text)
        return
    for place, (part, found) in cells.items():
        if place != total and not reading.tally.is_true(part, found.span):
            said = f"{expected}, where {number.text} is right"
            reading.tally.judge(False, part, found.span, CONTRADICTS_ITSELF, said, found=found.text)
