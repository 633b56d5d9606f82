"""From two opened runs to their booked rows: what each is worth, whether it is set aside, what it put out, how else it was graded.

The runs are opened with `blade.diagnosis.diagnose.extractors()`. A grade by the other run's verifier is known where one run holds
rollouts of the other graded again (`reverified`): the row tells its previous grade, and the row that it was made from gets the
new one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from blade.comparison.booked import BookedRows
from blade.comparison.judging import PASS_AT_1, Judging
from blade.comparison.pairing import Pairing
from blade.comparison.set_aside import SET_ASIDE
from blade.runs.run import Run
from blade.stats.counts import FloatArray, IntArray

ROWS: Final = """
SELECT r.task, r.repeat, r.score, s.infrastructure, s.truncation, o.output_hash, o.previous, o.previous_verifier, o.verifier
FROM (SELECT rollout, task, repeat, {score} AS score FROM rollouts WHERE class = 'scored') AS r
JOIN ({set_aside}) AS s USING (rollout)
LEFT JOIN (SELECT rollout, output_hash, {previous} AS previous, previous_verifier, verifier
           FROM (SELECT *, previous_reward AS reward FROM outputs WHERE class = 'scored')) AS o USING (rollout)
ORDER BY r.task, r.repeat
"""


@dataclass(frozen=True)
class Read:
    """The rows of one run as its tables have them; `previous` is by the metric."""

    task: IntArray
    repeat: list[int]
    score: FloatArray
    infrastructure: list[bool]
    truncation: list[bool]
    output: list[str | None]
    previous: list[float | None]
    previous_verifier: list[str | None]
    verifier: list[str | None]
    stated: str | None
    """The verifier as the run's provenance names it."""

    def graded_by(self, row: int) -> str | None:
        return self.verifier[row] or self.stated


def booked_rows(a: Run, b: Run, pairing: Pairing) -> tuple[BookedRows, BookedRows]:
    """The booked rows of both runs, tasks numbered as the pairing's keys and outputs alike in both."""
    reads = [
        read(run.query(rows_query(run, pairing.judging)).rows, side.index(), stated_verifier(run))
        for run, side in ((a, pairing.a), (b, pairing.b))
    ]
    return booked(reads[0], reads[1])


def booked(read_a: Read, read_b: Read) -> tuple[BookedRows, BookedRows]:
    """The rows of both runs as the waterfall takes them."""
    codes: dict[str, int] = {}
    for output in (*read_a.output, *read_b.output):
        if output is not None:
            codes.setdefault(output, len(codes))
    return _booked(read_a, _regraded(read_a, read_b), codes), _booked(read_b, _regraded(read_b, read_a), codes)


def rows_query(run: Run, judging: Judging) -> str:
    """SQL for the booked rows of a run, whose columns `read` takes in their order."""
    score = judging.score(run)
    decided_elsewhere = judging.metric == PASS_AT_1 and run.pass_rule.condition is not None
    return ROWS.format(score=score, previous="CAST(NULL AS DOUBLE)" if decided_elsewhere else score, set_aside=SET_ASIDE)


def stated_verifier(run: Run) -> str | None:
    stated = run.provenance.get("verifier")
    return None if stated is None else str(stated)


def read(rows: Sequence[Sequence[Any]], keys: Mapping[str, int], stated: str | None) -> Read:
    """The result of `rows_query`, its tasks numbered by `keys`."""
    task, repeat, scores, *others = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(9)]
    infrastructure, truncation, output, previous, previous_verifier, verifier = others
    return Read(
        task=np.array([keys[one] for one in task], dtype=np.int64),
        repeat=repeat,
        score=np.array(scores, dtype=np.float64),
        infrastructure=infrastructure,
        truncation=truncation,
        output=output,
        previous=previous,
        previous_verifier=previous_verifier,
        verifier=verifier,
        stated=stated,
    )


def _regraded(one: Read, other: Read) -> FloatArray:
    """For each row its grade by the other run's verifier: told by the row itself, or by the row that it was graded again in.

    Verifiers are known by name; where a name is not told, the rows show it: the same rollout with the same output stands in both
    runs, and its earlier grade is the one that it has in the other.
    """
    found = np.full(len(one.repeat), np.nan)
    if not any(previous is not None for previous in (*one.previous, *other.previous)):
        return found
    theirs = other.stated or next((name for name in other.verifier if name), None)
    places = {(int(task), repeat): row for row, (task, repeat) in enumerate(zip(other.task, other.repeat, strict=True))}
    for row, previous in enumerate(one.previous):
        place = places.get((int(one.task[row]), one.repeat[row]))
        twin = None if place is None or other.output[place] != one.output[row] else place
        named = one.previous_verifier[row]
        if previous is not None and (named == theirs if named and theirs else twin is not None and other.score[twin] == previous):
            found[row] = previous
        elif twin is not None and other.previous[twin] == one.score[row]:
            before, now = other.previous_verifier[twin], one.graded_by(row)
            if not (before and now) or before == now:
                found[row] = other.score[twin]
    return found


def _booked(read: Read, regraded: FloatArray, codes: Mapping[str, int]) -> BookedRows:
    return BookedRows(
        task=read.task,
        reward=read.score,
        infrastructure=np.array(read.infrastructure, dtype=np.bool_),
        truncation=np.array(read.truncation, dtype=np.bool_),
        output=np.array([-1 if output is None else codes[output] for output in read.output], dtype=np.int64),
        regraded=regraded,
    )
