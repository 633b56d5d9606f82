"""The rollouts that count, as columns sorted by task and repeat, and the tasks they were to cover.

One row per planned key: of rows that share a key the first scored one, else the first. The plan is a relation of (task, repeat):
the inputs for a profile, the Run's own plan for an aggregate. A task without any rollout stays in the list of tasks, so that no
denominator shrinks unseen.

`_ng_task_index` of a task is the one its rows state; a task known by another id (or by its prompt) gets a free number, so that
rows without an index never meet at 0.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from blade.gym.metrics.metric_fields import MetricField, metric_fields
from blade.runs.rows import cut_fields
from blade.runs.run import Place, Run
from blade.runs.steps import read_row
from blade.stats.counts import BoolArray, FloatArray, IntArray

Fields = dict[str, msgspec.Raw]
KEPT = """
    SELECT * FROM rollouts WHERE class IN ('scored', 'errored', 'unexpected')
    QUALIFY row_number() OVER (PARTITION BY task, repeat ORDER BY reward IS NULL OR unscored IS NOT NULL, path, "offset") = 1"""


@dataclass(frozen=True)
class Metric:
    """One field over all counted rollouts: as the statistics take it (NaN where missing), and as the row says it."""

    name: str
    values: FloatArray
    stated: "np.ma.MaskedArray[Any, Any]"
    in_usage: bool


@dataclass
class Counted:
    """Tasks in the order of their index, and their rollouts; `task` is the position of a rollout's task in `tasks`."""

    tasks: list[str]
    index: list[int]
    agents: list[str | None]
    expected: IntArray
    task: IntArray
    repeat: IntArray
    scored: BoolArray
    reward: FloatArray
    paths: list[str]
    file: IntArray
    line: IntArray
    offset: IntArray
    length: IntArray
    metrics: list[Metric] = field(default_factory=list)

    @property
    def done(self) -> IntArray:
        """Rollouts per task."""
        return np.bincount(self.task, minlength=len(self.tasks)).astype(np.int64)

    def place(self, row: int) -> Place:
        task, repeat = self.tasks[int(self.task[row])], int(self.repeat[row])
        where = (self.paths[int(self.file[row])], int(self.line[row]), int(self.offset[row]), int(self.length[row]))
        return Place(f"{task}:{repeat}", task, repeat, None, "", *where)


def count_rollouts(run: Run, planned: str) -> Counted:
    """Settle which rollouts count for the relation `planned` (SQL for task, repeat) and read their metrics."""
    _number_tasks(run, planned)
    tasks = run.db.execute("SELECT task, index, agent, expected FROM numbered ORDER BY place").fetchall()
    fields = metric_fields(run.meta)
    columns = "".join(f", {item.in_statistics} AS s{number}, {item.in_infos} AS i{number}" for number, item in enumerate(fields))
    query = f"""
        SELECT place, repeat, reward IS NOT NULL AND unscored IS NULL AS scored, reward, list_position($1, path) - 1 AS file,
               line, "offset", length{columns}
        FROM ({KEPT}) AS kept JOIN ({planned}) AS planned USING (task, repeat) JOIN numbered USING (task)
        ORDER BY place, repeat"""
    found = run.db.execute(query, [_paths(run)]).fetchnumpy()
    counted = Counted(
        tasks=[task for task, *_ in tasks],
        index=[index for _, index, *_ in tasks],
        agents=[agent for _, _, agent, _ in tasks],
        expected=np.array([expected for *_, expected in tasks], dtype=np.int64),
        task=_filled(found["place"], np.int64, 0),
        repeat=_filled(found["repeat"], np.int64, 0),
        scored=_filled(found["scored"], np.bool_, False),
        reward=_filled(found["reward"], np.float64, np.nan),
        paths=_paths(run),
        **{name: _filled(found[name], np.int64, 0) for name in ("file", "line", "offset", "length")},
    )
    metrics = [_metric(run, counted, item, found[f"s{number}"], found[f"i{number}"]) for number, item in enumerate(fields)]
    counted.metrics = _as_met(run, counted, [metric for metric in metrics if np.isfinite(metric.values).any()])
    return counted


def _as_met(run: Run, counted: Counted, metrics: list[Metric]) -> list[Metric]:
    """In the order in which they are met, rollout by rollout, a row's own fields before its usage: the reference's order."""
    first = {metric.name: int(np.argmax(np.isfinite(metric.values))) for metric in metrics}
    places = {row: _places(row_fields(run, counted, row)) for row in set(first.values())}
    return sorted(metrics, key=lambda metric: (first[metric.name], places[first[metric.name]].get(metric.name, 0), metric.name))


def _places(fields: Fields) -> dict[str, int]:
    """Where in a row each of its fields stands, usage behind all others."""
    response = msgspec.json.decode(fields.get("response", b"null"))
    usage = response.get("usage") if isinstance(response, dict) else None
    names = dict.fromkeys([*fields, *(usage if isinstance(usage, dict) else ())])
    return {name: number for number, name in enumerate(names)}


def row_fields(run: Run, counted: Counted, row: int) -> Fields:
    """The top-level fields of a counted rollout as raw tokens, read back from the artifact."""
    return tokens(run.text(counted.place(row)))


def tokens(text: bytes) -> Fields:
    """The top-level fields of a line that the scan could read."""
    try:
        return cut_fields(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return cut_fields(json.dumps(read_row(text), ensure_ascii=False).encode("utf-8", "replace"))


def task_indices(tasks: Sequence[str], agents: Sequence[str | None], stated: bool) -> list[int]:
    """A number for each task: the stated one where the ids are the rows' `_ng_task_index`, else the next free one, in order.

    A second agent's tasks are kept apart as `<index>@<agent>` and share the index; their rows say which agent they are.
    """
    claimed = [_stated_index(task, agent) if stated else None for task, agent in zip(tasks, agents, strict=True)]
    free = max((number for number in claimed if number is not None), default=-1) + 1
    numbers = []
    for number in claimed:
        numbers.append(free if number is None else number)
        free += number is None
    return numbers


def _stated_index(task: str, agent: str | None) -> int | None:
    bare = task.removesuffix(f"@{agent}") if agent is not None else task
    return int(bare) if bare.isascii() and bare.isdigit() and len(bare) < 19 else None


def _number_tasks(run: Run, planned: str) -> None:
    """Temporary table `numbered`: place, task, index, agent, expected; every planned task, with or without rollouts."""
    import pyarrow as pa

    rows = run.db.execute(f"""
        SELECT p.task, coalesce(r.agent, i.agent, (SELECT min(agent) FROM rollouts HAVING count(DISTINCT agent) = 1)), p.expected
        FROM (SELECT task, count(*) AS expected FROM ({planned}) GROUP BY task) AS p
        LEFT JOIN (SELECT task, min(agent) AS agent, min(path) AS path, min("offset") AS place FROM rollouts GROUP BY task) AS r
            USING (task)
        LEFT JOIN (SELECT task, min(agent) AS agent, min(line) AS line FROM inputs GROUP BY task) AS i USING (task)
        ORDER BY i.line NULLS LAST, r.path NULLS LAST, r.place, p.task""").fetchall()
    stated = run.meta["identity"]["task_field"] == "_ng_task_index"
    indices = task_indices([task for task, *_ in rows], [agent for _, agent, _ in rows], stated)
    order = sorted(range(len(rows)), key=lambda number: (indices[number], rows[number][0]))
    table = pa.table(
        {
            "place": pa.array(range(len(rows)), pa.int64()),
            "task": pa.array([rows[number][0] for number in order], pa.string()),
            "index": pa.array([indices[number] for number in order], pa.int64()),
            "agent": pa.array([rows[number][1] for number in order], pa.string()),
            "expected": pa.array([rows[number][2] for number in order], pa.int64()),
        }
    )
    run.db.register("numbered_tasks", table)
    run.db.execute("CREATE OR REPLACE TEMP TABLE numbered AS SELECT * FROM numbered_tasks")
    run.db.unregister("numbered_tasks")


def _paths(run: Run) -> list[str]:
    return [count["path"] for count in run.meta["files"]["rollouts"]]


def _filled(column: Any, kind: Any, missing: Any) -> Any:
    """A column of the database as a plain array; it comes masked where it holds NULL."""
    if isinstance(column, np.ma.MaskedArray):
        return np.ma.filled(column.astype(kind), missing)
    return np.asarray(column).astype(kind)


def _metric(run: Run, counted: Counted, item: MetricField, statistic: Any, info: Any) -> Metric:
    values = _filled(statistic, np.float64, np.nan)
    stated = np.ma.masked_array(info)
    if item.mixed:
        text = _text_rows(run, counted, item, np.isfinite(_filled(info, np.float64, np.nan)))
        stated = np.ma.masked_array(stated, mask=np.ma.getmaskarray(stated) | text)
        if item.usage is None:
            values = np.where(text, np.nan, values)
    stated = np.ma.masked_invalid(stated) if stated.dtype.kind == "f" else stated
    return Metric(item.name, np.where(np.isfinite(values), values, np.nan), stated, in_usage=item.usage is not None)


def _text_rows(run: Run, counted: Counted, item: MetricField, candidates: BoolArray) -> BoolArray:
    """The rows whose value looks like a number but is JSON text."""
    text = np.zeros(candidates.size, dtype=np.bool_)
    for row in np.flatnonzero(candidates):
        text[row] = bytes(row_fields(run, counted, int(row)).get(item.name, b"")).startswith(b'"')
    return text


def answers(run: Run, counted: Counted, name: str) -> Iterator[bytes | None]:
    """The answer that each counted rollout gave in field `name`, as canonical JSON; None for null or nothing."""
    for row in range(counted.task.size):
        token = bytes(row_fields(run, counted, row).get(name, b"null"))
        yield None if token == b"null" else msgspec.json.encode(msgspec.json.decode(token), order="deterministic")
