"""All artifacts of a run, scanned: sources opened (compressed ones spooled), ranges mapped over an engine, parts put in order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from blade.engines import Engine
from blade.errors import UnreadableRun
from blade.runs.artifacts import Artifacts
from blade.runs.own_columns import as_text, column_type
from blade.runs.scan import OWN_PREFIX, RANGE_BYTES, Extractor, Part, Problem, Task, scan_range
from blade.runs.sources import Source, split
from blade.untrusted.limits import MAX_PROBLEMS

SCANNED_ROLES = ("rollouts", "materialized_inputs", "failures")
Advance = Callable[[int], None]


@dataclass
class FileCount:
    """Lines of one artifact: read = blank + malformed + rows."""

    path: str
    role: str
    lines: int = 0
    blank: int = 0
    malformed: int = 0

    @property
    def rows(self) -> int:
        return self.lines - self.blank - self.malformed


@dataclass
class Scanned:
    """What the scan of a whole run gave; tables lie as Arrow streams in the scratch directory."""

    scratch: Path
    sources: dict[str, list[Source]]
    files: dict[str, list[FileCount]]
    parts: dict[str, list[tuple[int, int, Path]]] = field(
        default_factory=dict
    )  # role or extractor table → (file, lines before, path)
    kinds: dict[tuple[str, str], int] = field(default_factory=dict)  # (role, column) → kinds of values seen
    problems: list[Problem] = field(default_factory=list)
    unlisted_problems: int = 0
    dropped_fields: int = 0

    def table(self, name: str) -> Any:
        """One Arrow table of all parts, with `file` and the line number in its file, or None where there is no row."""
        import pyarrow as pa

        tables = []
        for file, before, path in self.parts.get(name, ()):
            with pa.memory_map(str(path)) as mapped:
                table = pa.ipc.open_stream(mapped).read_all()
            table = table.append_column("file", pa.repeat(pa.scalar(file, pa.int32()), len(table)))
            if "line" in table.column_names and before:
                lines = pa.array(table["line"].to_numpy() + before, pa.int64())
                table = table.set_column(table.column_names.index("line"), "line", lines)
            tables.append(self._of_final_types(name, table))
        return pa.concat_tables(tables, promote_options="default") if tables else None

    def stream(self, name: str) -> Any:
        """What an extractor yielded, with `file`, part by part: each is read in its turn and let go, for most of a run's text is in these."""
        import pyarrow as pa

        def batches() -> Iterator[Any]:
            for file, _, path in self.parts[name]:
                with pa.memory_map(str(path)) as mapped:
                    for batch in pa.ipc.open_stream(mapped):
                        yield pa.record_batch([*batch.columns, pa.repeat(pa.scalar(file, pa.int32()), len(batch))], schema)

        with pa.memory_map(str(self.parts[name][0][2])) as mapped:
            schema = pa.ipc.open_stream(mapped).schema.append(pa.field("file", pa.int32()))
        return pa.RecordBatchReader.from_batches(schema, batches())

    def _of_final_types(self, role: str, table: Any) -> Any:
        """A part's own columns in the type that the whole run decides."""
        import pyarrow as pa

        types = {"BOOLEAN": pa.bool_(), "BIGINT": pa.int64(), "DOUBLE": pa.float64(), "VARCHAR": pa.string()}
        for position, field_ in enumerate(table.schema):
            kinds = self.kinds.get((role, field_.name))
            if kinds is None or field_.type == (final := types[column_type(kinds)]):
                continue
            column = table.column(position)
            if final == pa.string():
                column = pa.array([as_text(value) for value in column.to_pylist()], final)
            table = table.set_column(position, field_.name, column.cast(final, safe=False))
        return table


def tasks_of(sources: dict[str, list[Source]], extractors: tuple[Extractor, ...], task_field: str | None) -> Iterator[Task]:
    for role in SCANNED_ROLES:
        for file, source in enumerate(sources.get(role, ())):
            for piece in split(source, RANGE_BYTES):
                yield Task(piece, file, role, extractors if role == "rollouts" else (), task_field)


def scan_all(
    artifacts: Artifacts,
    sources: dict[str, list[Source]],
    engine: Engine,
    scratch: Path,
    extractors: tuple[Extractor, ...] = (),
    task_field: str | None = None,
    advance: Advance = lambda _: None,
) -> Scanned:
    """Scan every range of every artifact; the result does not depend on the engine."""
    files = {role: [FileCount(source.path, role) for source in sources.get(role, ())] for role in SCANNED_ROLES}
    scanned = Scanned(scratch, sources, files)
    try:
        for number, part in enumerate(engine.map(scan_range, tasks_of(sources, extractors, task_field))):
            _take(scanned, part, number)
            advance(part.length)
    except OSError as error:
        raise UnreadableRun(f"{error.filename or artifacts.spec} cannot be read: {error.strerror or error}") from error
    return scanned


def _take(scanned: Scanned, part: Part, number: int) -> None:
    count = scanned.files[part.role][part.file]
    before = count.lines
    count.lines += part.lines
    count.blank += part.blank
    count.malformed += part.malformed
    if part.table is not None:
        _store(scanned, part.role, part.file, before, number, part.table)
    for table, content in part.extracted.items():
        _store(scanned, table, part.file, before, number, content)
    for name, kinds in part.kinds.items():
        key = (part.role, OWN_PREFIX + name)
        scanned.kinds[key] = scanned.kinds.get(key, 0) | kinds
    if part.role == "rollouts":
        scanned.dropped_fields += part.dropped_fields
    room = MAX_PROBLEMS - len(scanned.problems)
    for problem in part.problems[: max(room, 0)]:
        scanned.problems.append(
            Problem(problem.code, problem.path, (problem.line or 0) + before, problem.offset, problem.message)
        )
    scanned.unlisted_problems += part.unlisted_problems + max(len(part.problems) - max(room, 0), 0)


def _store(scanned: Scanned, name: str, file: int, before: int, number: int, content: bytes) -> None:
    path = scanned.scratch / f"{number:06d}-{name}.arrow"
    path.write_bytes(content)
    scanned.parts.setdefault(name, []).append((file, before, path))
