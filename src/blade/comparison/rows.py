"""From two opened runs to their booked rows: what each is worth, whether it is set aside, what it put out, how else it was graded.

The runs are opened with `blade.diagnosis.diagnose.extractors()`. A grade by the other run's verifier is known where one run holds
rollouts of the other graded again (`reverified`): the row tells its previous grade, and the row that it was made from gets the
new one.

Rows stay columns all the way (Arrow from the tables, then arrays): a million of them are no Python objects.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from blade.comparison.booked import BookedRows
from blade.comparison.judging import PASS_AT_1, Judging
from blade.comparison.pairing import Pairing
from blade.comparison.set_aside import SET_ASIDE
from blade.runs.run import Run
from blade.stats.counts import BoolArray, FloatArray, IntArray

ROWS: Final = """
SELECT r.task, r.repeat, r.score, s.infrastructure, s.truncation, o.output_hash, o.previous, o.previous_verifier, o.verifier
FROM (SELECT rollout, task, repeat, {score} AS score FROM rollouts WHERE class = 'scored') AS r
JOIN ({set_aside}) AS s USING (rollout)
LEFT JOIN (SELECT rollout, output_hash, {previous} AS previous, previous_verifier, verifier
           FROM (SELECT *, previous_reward AS reward FROM outputs WHERE class = 'scored')) AS o USING (rollout)
ORDER BY r.task, r.repeat
"""


@dataclass(frozen=True, eq=False)
class Read:
    """The rows of one run as its tables have them; `previous` is by the metric, NaN where there is none."""

    task: IntArray
    repeat: IntArray
    score: FloatArray
    infrastructure: BoolArray
    truncation: BoolArray
    previous: FloatArray
    output: Any
    previous_verifier: Any
    verifier: Any
    """Words, as Arrow columns: a few names, or hashes that `_coded` numbers alike in both runs."""
    stated: str | None
    """The verifier as the run's provenance names it."""


@dataclass(frozen=True, eq=False)
class _Graded:
    """The rows of one run with their outputs and verifiers numbered alike in both; -1 where there is none."""

    read: Read
    output: IntArray
    before: IntArray
    """The verifier of the previous grade."""
    now: IntArray
    own: int
    """The run's verifier: as stated, else the first that a row names."""


def booked_rows(a: Run, b: Run, pairing: Pairing) -> tuple[BookedRows, BookedRows]:
    """The booked rows of both runs, tasks numbered as the pairing's keys and outputs alike in both."""
    reads = [
        read(run.db.sql(compact(rows_query(run, pairing.judging))).to_arrow_table(), side.index(), stated_verifier(run))
        for run, side in ((a, pairing.a), (b, pairing.b))
    ]
    return booked(reads[0], reads[1])


def booked(read_a: Read, read_b: Read) -> tuple[BookedRows, BookedRows]:
    """The rows of both runs as the waterfall takes them."""
    a, b = _graded(read_a, read_b)
    return _booked(a, _regraded(a, b)), _booked(b, _regraded(b, a))


def rows_query(run: Run, judging: Judging) -> str:
    """SQL for the booked rows of a run, whose columns `read` takes by their names."""
    score = judging.score(run)
    decided_elsewhere = judging.metric == PASS_AT_1 and run.pass_rule.condition is not None
    return ROWS.format(score=score, previous="CAST(NULL AS DOUBLE)" if decided_elsewhere else score, set_aside=SET_ASIDE)


def compact(rows: str) -> str:
    """The same rows with each output as a number of 64 bits: that any two of a million meet by chance has odds below 10⁻⁷."""
    return f"SELECT * REPLACE (CASE WHEN output_hash IS NOT NULL THEN hash(output_hash) END AS output_hash) FROM ({rows})"


def stated_verifier(run: Run) -> str | None:
    stated = run.provenance.get("verifier")
    return None if stated is None else str(stated)


def read(columns: Any, keys: Mapping[str, int], stated: str | None) -> Read:
    """The result of `rows_query`, an Arrow table or a dict of Arrow columns, its tasks numbered by `keys`."""
    import pyarrow as pa

    def numbers(name: str, kind: Any) -> Any:
        column = columns[name].cast(kind)
        return column.to_numpy() if isinstance(column, pa.ChunkedArray) else column.to_numpy(zero_copy_only=False)

    (tasks,), names = _coded(columns["task"])
    return Read(
        task=np.array([keys[name] for name in names], dtype=np.int64)[tasks],
        repeat=numbers("repeat", pa.int64()).astype(np.int64),
        score=numbers("score", pa.float64()).astype(np.float64),
        infrastructure=numbers("infrastructure", pa.bool_()).astype(np.bool_),
        truncation=numbers("truncation", pa.bool_()).astype(np.bool_),
        previous=numbers("previous", pa.float64()).astype(np.float64),
        output=columns["output_hash"],
        previous_verifier=columns["previous_verifier"],
        verifier=columns["verifier"],
        stated=stated,
    )


def _coded(*columns: Any) -> tuple[list[IntArray], list[str]]:
    """Columns of words as numbers into one list of them; -1 for null and for the empty word."""
    import pyarrow as pa
    import pyarrow.compute as pc

    chunks = [chunk for column in columns for chunk in getattr(column, "chunks", [column])]
    words = pa.chunked_array([chunk.cast(pa.large_string()) for chunk in chunks], pa.large_string()).combine_chunks()
    words = pc.if_else(pc.equal(words, ""), None, words).dictionary_encode()
    codes = words.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return np.split(codes, np.cumsum([len(column) for column in columns])[:-1]), words.dictionary.to_pylist()


def _numbered(*columns: Any) -> list[IntArray]:
    """The same of columns of whole numbers."""
    known = [column.is_valid().to_numpy() for column in columns]
    values = [column.fill_null(0).to_numpy() for column in columns]
    _, codes = np.unique(np.concatenate(values), return_inverse=True)
    parts = np.split(codes.astype(np.int64), np.cumsum([len(column) for column in columns])[:-1])
    return [np.where(valid, part, -1) for valid, part in zip(known, parts, strict=True)]


def _graded(a: Read, b: Read) -> tuple[_Graded, _Graded]:
    import pyarrow as pa

    outputs = _coded(a.output, b.output)[0] if a.output.type != pa.uint64() else _numbered(a.output, b.output)
    found, names = _coded(a.previous_verifier, a.verifier, b.previous_verifier, b.verifier)
    code = {name: number for number, name in enumerate(dict.fromkeys((*names, *filter(None, (a.stated, b.stated)))))}

    def of_run(run: Read, output: IntArray, before: IntArray, rows: IntArray) -> _Graded:
        stated = code[run.stated] if run.stated else -1
        own = stated if stated >= 0 else next(iter(rows[rows >= 0].tolist()), -1)
        return _Graded(run, output, before, np.where(rows >= 0, rows, stated), own)

    return of_run(a, outputs[0], found[0], found[1]), of_run(b, outputs[1], found[2], found[3])


def _regraded(one: _Graded, other: _Graded) -> FloatArray:
    """For each row its grade by the other run's verifier: told by the row itself, or by the row that it was graded again in.

    Verifiers are known by name; where a name is not told, the rows show it: the same rollout with the same output stands in both
    runs, and its earlier grade is the one that it has in the other.
    """
    mine, theirs = one.read, other.read
    found = np.full(mine.task.size, np.nan)
    if np.isnan(mine.previous).all() and np.isnan(theirs.previous).all():
        return found
    rows, places = _same_rollouts(mine, theirs)
    alike = one.output[rows] == other.output[places]
    rows, places = rows[alike], places[alike]
    has_twin = np.zeros(found.size, dtype=np.bool_)
    has_twin[rows] = True
    twin = np.zeros(found.size, dtype=np.int64)
    twin[rows] = places
    if not theirs.task.size:
        score = previous = np.full(found.size, np.nan)
        before = np.full(found.size, -1)
    else:
        score, previous, before = theirs.score[twin], theirs.previous[twin], other.before[twin]
    by_name = (one.before >= 0) & (other.own >= 0)
    told = ~np.isnan(mine.previous) & np.where(by_name, one.before == other.own, has_twin & (score == mine.previous))
    found[told] = mine.previous[told]
    again = ~told & has_twin & (previous == mine.score) & ((before < 0) | (one.now < 0) | (before == one.now))
    found[again] = score[again]
    return found


def _same_rollouts(one: Read, other: Read) -> tuple[IntArray, IntArray]:
    """The rows of both runs that are the same repeat of the same task."""
    _, repeats = np.unique(np.concatenate((one.repeat, other.repeat)), return_inverse=True)
    rollouts = np.concatenate((one.task, other.task)) * (repeats.max(initial=0) + 1) + repeats
    mine, theirs = np.split(rollouts, [one.task.size])
    _, rows, places = np.intersect1d(mine, theirs, return_indices=True)
    return rows, places


def _booked(of: _Graded, regraded: FloatArray) -> BookedRows:
    run = of.read
    return BookedRows(run.task, run.score, run.infrastructure, run.truncation, of.output, regraded)
