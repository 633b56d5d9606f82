"""The scan: a byte range of an artifact as a table of facts, in one pass.

`scan_range` is what runs in worker processes and on Ray; it takes and returns plain data, so it gives the same bytes wherever
it runs. What else should be read from each row (signals, say) is handed in as extractors: the scan knows no detector.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from blade.runs.facts import FIXED_COLUMNS, FactsReader
from blade.runs.lines import BOM, Line, batches
from blade.runs.own_columns import BOOL, FLOAT, INT, VALUE_KINDS, as_text, column_type
from blade.runs.rows import BadRow, Row, RowDecoder
from blade.runs.sources import ByteRange
from blade.runs.steps import Trajectory, trajectory
from blade.untrusted.escapes import one_line
from blade.untrusted.limits import MAX_JSON_DEPTH, MAX_PROBLEMS, max_line_bytes
from blade.untrusted.redaction import redact

RANGE_BYTES = 8 << 20
"""A worker holds a range and what was read from it; in larger ones it is no quicker."""
BATCH_ROWS = 64
BATCH_BYTES = 2 << 20
"""How many rows are read together: each step of the reading then goes over all of them with its code at hand, and memory holds no more of them."""
OWN_PREFIX = "own:"


@dataclass(frozen=True)
class Problem:
    """Something wrong with an artifact, and where."""

    code: str
    path: str | None
    line: int | None
    offset: int | None
    message: str


class RowView:
    """What an extractor sees of a row; the trajectory is decoded only when it is looked at.

    What goes wrong while extracting is put into `problems` as (code, message); the scan adds the place. `kept` is for what one extractor
    works out of the row and others ask for as well.
    """

    def __init__(self, row: Row, text: bytes) -> None:
        self.row = row
        self.text = text
        self.problems: list[tuple[str, str]] = []
        self.kept: dict[str, Any] = {}
        self._trajectory: Trajectory | None = None

    @property
    def trajectory(self) -> Trajectory:
        if self._trajectory is None:
            self._trajectory = trajectory(self.text)
        return self._trajectory


class Extractor(Protocol):
    """Reads more from each row: yields tuples that fill `columns` (name → Arrow type) of the table it names."""

    @property
    def table(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def columns(self) -> Mapping[str, str]: ...

    def extract(self, view: RowView) -> Iterable[tuple[Any, ...]]: ...


@runtime_checkable
class ExtractsTogether(Protocol):
    """An extractor that takes the rows of a batch at once, and gives for each what `extract` would."""

    def extract_together(self, views: Sequence[RowView]) -> Sequence[Iterable[tuple[Any, ...]]]: ...


@dataclass(frozen=True)
class Task:
    """One unit of work: a range, the number of its artifact, and what is asked of it."""

    piece: ByteRange
    file: int
    role: str = "rollouts"  # or materialized_inputs, failures
    extractors: tuple[Extractor, ...] = ()
    task_field: str | None = None  # where the user says the task id is


@dataclass
class Part:
    """What a range gave: tables as Arrow IPC bytes, counts, and problems with line numbers inside the range."""

    file: int
    role: str
    start: int
    length: int
    table: bytes | None = None
    kinds: dict[str, int] = field(default_factory=dict)
    extracted: dict[str, bytes] = field(default_factory=dict)
    lines: int = 0
    blank: int = 0
    malformed: int = 0
    problems: list[Problem] = field(default_factory=list)
    unlisted_problems: int = 0
    dropped_fields: int = 0


def scan_range(task: Task) -> Part:
    """Read one range. How deep a row may nest must not depend on how deep the caller stands, so the room is measured from here."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(_frames_below() + MAX_JSON_DEPTH)
    try:
        return _scan_range(task)
    finally:
        sys.setrecursionlimit(usual)


def _frames_below() -> int:
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth


def _scan_range(task: Task) -> Part:
    piece = task.piece
    part = Part(task.file, task.role, piece.start, piece.end - piece.start)
    decoder = RowDecoder(expects_response=task.role != "materialized_inputs")
    facts = FactsReader(decoder, every_field_defines=task.role == "materialized_inputs", task_field=task.task_field)
    extracted: dict[str, list[tuple[Any, ...]]] = {extractor.table: [] for extractor in task.extractors}
    reader = piece.source.open()
    try:
        for batch in batches(reader, piece, BATCH_ROWS, BATCH_BYTES):
            offsets: list[int] = []
            views: list[RowView] = []
            noted: list[tuple[int, int, list[tuple[str, str]]]] = []  # line, offset and problems, in the order of the lines
            for line in batch:
                part.lines += 1
                row_text = _row_text(line)
                if row_text is not None and not len(row_text):
                    part.blank += 1
                    continue
                try:
                    row = decoder.decode(_within_limit(row_text, line))
                    facts.add(row, part.lines, line.offset, line.length)
                except BadRow as bad:
                    part.malformed += 1
                    noted.append((part.lines, line.offset, [_bad_line(bad, line)]))
                    continue
                problems = [(oddity, f"the row was read, but holds {oddity.replace('_', ' ')}") for oddity in row.oddities]
                if task.extractors and row_text is not None:
                    view = RowView(row, bytes(row_text))
                    view.problems = problems
                    offsets.append(line.offset)
                    views.append(view)
                noted.append((part.lines, line.offset, problems))
            for extractor in task.extractors:
                for offset, found in zip(offsets, _extracted(extractor, views), strict=True):
                    extracted[extractor.table] += [(offset, *values) for values in found]
            for number, offset, problems in noted:
                for code, message in problems:
                    _note(part, piece.source.path, number, offset, code, message)
    finally:
        reader.close()
    if len(facts):
        part.table, part.kinds, part.dropped_fields = _facts_table(facts)
    part.extracted = {extractor.table: _extracted_table(extractor, extracted[extractor.table]) for extractor in task.extractors}
    return part


def _extracted(extractor: Extractor, views: Sequence[RowView]) -> Iterable[Iterable[tuple[Any, ...]]]:
    return extractor.extract_together(views) if isinstance(extractor, ExtractsTogether) else map(extractor.extract, views)


def _row_text(line: Line) -> bytes | memoryview | None:
    """The text of a line without a byte order mark; empty for a blank line, None for one over the limit."""
    text = line.text
    if text is not None and line.offset == 0 and bytes(text[: len(BOM)]) == BOM:
        text = text[len(BOM) :]
    return b"" if text is not None and not bytes(text[:64]).strip() and not bytes(text).strip() else text


def _within_limit(text: bytes | memoryview | None, line: Line) -> bytes | memoryview:
    if text is None:
        megabytes = (
            f"{line.length / 2**20:.0f} MiB long; the limit is {max_line_bytes() >> 20} MiB (set BLADE_MAX_LINE_MB to change it)"
        )
        raise BadRow("line_too_long", megabytes)
    return text


def _bad_line(bad: BadRow, line: Line) -> tuple[str, str]:
    if not line.terminated and bad.code == "malformed":
        return "torn_last_line", f"the file ends inside this row (a killed writer?): {bad.message}"
    shown = one_line(redact(bytes((line.text or b"")[:500]).decode("utf-8", "replace")), 60)
    return bad.code, f"{bad.message}: {shown}" if bad.code == "malformed" else bad.message


def _note(part: Part, path: str, line: int, offset: int, code: str, message: str) -> None:
    if len(part.problems) < MAX_PROBLEMS:
        part.problems.append(Problem(code, path, line, offset, message))
    else:
        part.unlisted_problems += 1


def _facts_table(facts: FactsReader) -> tuple[bytes, dict[str, int], int]:
    import pyarrow as pa

    types = {"int64": pa.int64(), "double": pa.float64(), "string": pa.string()}
    own_types = {"BOOLEAN": pa.bool_(), "BIGINT": pa.int64(), "DOUBLE": pa.float64(), "VARCHAR": pa.string()}
    fixed, own, dropped = facts.columns()
    arrays = {name: pa.array(fixed[name], types[kind]) for name, kind in FIXED_COLUMNS.items()}
    for name, (kinds, column) in own.items():
        # Mixed kinds travel as text: what 1 beside 2.5 becomes is for the whole run to say.
        kind = column_type(kinds) if kinds & VALUE_KINDS in (BOOL, INT, FLOAT) else "VARCHAR"
        values = [as_text(value) for value in column] if kind == "VARCHAR" else column
        arrays[OWN_PREFIX + name] = pa.array(values, own_types[kind])
    return _ipc(pa.table(arrays)), {name: kinds for name, (kinds, _) in own.items()}, dropped


def _extracted_table(extractor: Extractor, rows: Sequence[tuple[Any, ...]]) -> bytes:
    import pyarrow as pa

    types = {"offset": pa.int64()} | {name: getattr(pa, kind)() for name, kind in extractor.columns.items()}
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(types)
    return _ipc(pa.table({name: pa.array(column, kind) for (name, kind), column in zip(types.items(), columns, strict=True)}))


def _ipc(table: Any) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())
