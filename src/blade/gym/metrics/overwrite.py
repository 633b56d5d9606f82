"""An output that its own globs catch: an earlier merge may be written anew, an input must not be lost.

The output is never read as an input, or a second merge would count every row twice. So before it is overwritten, each of its rows
must be found in one of the other inputs: as it stands, or, for a row that a merge gave its indices, with other indices or none.
Two rows are the same when their fields are, token by token; in which order they stand does not matter.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from blade.errors import UsageError
from blade.gym.metrics.counted import tokens
from blade.runs.run import Place, Run, open_run

INDICES = ("_ng_task_index", "_ng_rollout_index")


class Row(NamedTuple):
    indices: tuple[bytes | None, ...]
    digest: bytes  # of all other fields


def refuse_to_lose(output: Path, run: Run, **reading: Any) -> None:
    """Raise `UsageError` if `output` holds rows that the inputs, opened as `run`, do not hold."""
    if output.stat().st_size == 0:
        return
    with open_run(output, **reading) as earlier:
        unreadable = sum(count["malformed"] for count in earlier.meta["files"]["rollouts"])
        lost = unreadable + rows_not_held(_rows(earlier), _rows(run), indices_are_keys=_indices_are_keys(run))
    if lost:
        raise UsageError(
            f"{output} is the output and one of the inputs, and holds {lost} {'row' if lost == 1 else 'rows'} that the other "
            "inputs do not hold: they would be lost; nothing was written",
            hint="give --output another name (or move the file away, if its rows are to go)",
        )


def rows_not_held(earlier: Iterable[Row], inputs: Iterable[Row], *, indices_are_keys: bool = True) -> int:
    """How many of the earlier rows no input row accounts for; each input row accounts for one.

    A merge gives indices to rows that have none, that share theirs, or whose identity is not their indices.
    """
    left = Counter(earlier)
    keys: Counter[tuple[bytes | None, ...]] = Counter()
    others: list[Row] = []
    for row in inputs:
        keys[row.indices] += 1
        if left[row]:
            left[row] -= 1
        else:
            others.append(row)
    given_indices = Counter(row.digest for row in others if not indices_are_keys or None in row.indices or keys[row.indices] > 1)
    lost = 0
    for row, count in left.items():
        held = 0 if None in row.indices else min(count, given_indices[row.digest])
        given_indices[row.digest] -= held
        lost += count - held
    return lost


def _indices_are_keys(run: Run) -> bool:
    return (run.meta["identity"]["task_field"], run.meta["identity"]["repeat_field"]) == INDICES


def _rows(run: Run) -> Iterator[Row]:
    places = run.query('SELECT rollout, task, repeat, path, line, "offset", length FROM rollouts ORDER BY path, "offset"').rows
    for rollout, task, repeat, *where in places:
        fields = {
            name: bytes(raw).strip() for name, raw in tokens(run.text(Place(rollout, task, repeat, None, "", *where))).items()
        }
        indices = tuple(fields.pop(name, None) for name in INDICES)
        digest = blake2b(digest_size=16)
        for name in sorted(fields):
            for part in (name.encode("utf-8", "surrogatepass"), fields[name]):
                digest.update(len(part).to_bytes(8, "big") + part)
        yield Row(indices, digest.digest())
