"""Rows and runs for the tests of `blade.runs`: plain dicts, written as JSON lines."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from blade.runs.run import Run, open_run
from blade.runs.scan import Extractor, Part, Task, scan_range
from blade.runs.sources import ByteRange, Source

Line = dict[str, Any] | str | bytes


def row(task: Any = 0, repeat: Any = 0, reward: Any = 1.0, **fields: Any) -> dict[str, Any]:
    """A rollout row as the evaluation loop writes it; a field given as None is left out."""
    made = {"_ng_task_index": task, "_ng_rollout_index": repeat, "reward": reward, "response": {"output": []}} | fields
    return {name: value for name, value in made.items() if value is not None}


def planned(task: Any, repeat: Any, **fields: Any) -> dict[str, Any]:
    """A row of the materialized inputs."""
    prompt = {"input": [{"role": "user", "content": f"task {task}"}]}
    return {"_ng_task_index": task, "_ng_rollout_index": repeat, "responses_create_params": prompt} | fields


def encoded(line: Line) -> bytes:
    return line if isinstance(line, bytes) else line.encode() if isinstance(line, str) else json.dumps(line).encode()


def write_jsonl(path: Path, lines: Iterable[Line]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(encoded(line) + b"\n" for line in lines))
    return path


@contextmanager
def opened(files: dict[str, Iterable[Line]] | Iterable[Line], spec: str = "", **options: Any) -> Iterator[Run]:
    """The run in a directory that holds these files (or just these rows), read without an index."""
    with TemporaryDirectory() as directory:
        named = files if isinstance(files, dict) else {"rollouts.jsonl": files}
        for name, lines in named.items():
            write_jsonl(Path(directory) / name, lines)
        with open_run(str(Path(directory) / spec), use_index=False, **options) as run:
            yield run


def classes(run: Run) -> list[tuple[str, str]]:
    """Each row's rollout and class, in the order of the files."""
    return run.query("SELECT rollout, class FROM rollouts").rows


def states(run: Run) -> dict[str, str]:
    """What became of each expected rollout."""
    return dict(run.query("SELECT rollout, state FROM plan").rows)


def codes(run: Run) -> list[str]:
    return [problem.code for problem in run.problems]


def tables_of(run: Run) -> dict[str, tuple[list[str], list[tuple[Any, ...]]]]:
    """Every table, columns and rows, for comparing one way of reading with another."""
    return {name: tuple(run.query(f"SELECT * FROM {name}")) for name in run.table_paths()}


def whole(path: Path) -> ByteRange:
    size = path.stat().st_size
    return ByteRange(Source(str(path), size), 0, size)


def column(run: Run, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
    return [found[0] for found in run.query(sql, parameters).rows]


def scan(lines: Iterable[Line], role: str = "rollouts", extractors: tuple[Extractor, ...] = ()) -> Part:
    """What the scan of a file of these lines gives."""
    with TemporaryDirectory() as directory:
        return scan_range(Task(whole(write_jsonl(Path(directory) / "rollouts.jsonl", lines)), 0, role, extractors))


def facts(*lines: Line, role: str = "rollouts") -> list[dict[str, Any]]:
    """The facts of each row; a run's own fields under `own:<name>`, as text."""
    import pyarrow as pa

    part = scan(lines, role)
    return [] if part.table is None else pa.ipc.open_stream(part.table).read_all().to_pylist()
