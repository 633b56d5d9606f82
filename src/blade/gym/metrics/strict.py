"""What must not be passed over in silence: every line and key that would change a figure without showing in it.

Strict is the default: lines that cannot be read, keys that stand twice, rollouts without an input and inputs without a rollout
end the command with all of them listed, and nothing is written. `allow_partial` forgives the last kind; `lenient` goes on without
the rows at fault and says how many there were; only rows that state a key of another file are kept, under keys of their own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from blade.errors import BladeError
from blade.gym.metrics.counted import tokens
from blade.runs.lines import BOM, lines
from blade.runs.rows import BadRow
from blade.runs.run import Place, Run
from blade.runs.scan import RANGE_BYTES
from blade.runs.sources import Source, compression, split
from blade.runs.steps import read_row

UNREADABLE = ("malformed", "torn_last_line", "not_an_object", "nul_bytes", "too_deep", "line_too_long")
MISSING = "missing_rollout"
TWO_FILES = "key_in_two_files"
PLURALS = {TWO_FILES: "keys in two files"}
FORGIVEN_BY_PARTIAL = frozenset({MISSING})


def number_of(code: str, count: int) -> str:
    """`1 missing rollout`, `6 keys in two files`."""
    one = code.replace("_", " ")
    return f"{count:,} {one if count == 1 else PLURALS.get(code, one + 's')}"


@dataclass(frozen=True)
class Fault:
    """One line or key at fault."""

    code: str
    path: str | None
    line: int | None
    key: str | None
    message: str


class NotStrict(BladeError):
    """Faults that strictness does not forgive; all of them are in `problems`."""

    def __init__(self, faults: list[Fault], hint: str) -> None:
        counts: dict[str, int] = {}
        for fault in faults:
            counts[fault.code] = counts.get(fault.code, 0) + 1
        listed = ", ".join(number_of(code, count) for code, count in counts.items())
        super().__init__(f"{listed}; nothing was written", hint=hint)
        self.problems = faults


def check(faults: list[Fault], *, allow_partial: bool, lenient: bool) -> dict[str, int]:
    """Raise what is not forgiven; else the number of faults of each kind that were."""
    if not lenient:
        left = [fault for fault in faults if not (allow_partial and fault.code in FORGIVEN_BY_PARTIAL)]
        if left:
            partial = all(fault.code in FORGIVEN_BY_PARTIAL for fault in left)
            flag = "++allow_partial_rollouts=True" if partial else "--lenient"
            raise NotStrict(left, hint=f"to go on without them and have them counted, add {flag}")
    counts: dict[str, int] = {}
    for fault in faults:
        counts[fault.code] = counts.get(fault.code, 0) + 1
    return counts


def find_faults(run: Run, planned: str, planned_by: str) -> list[Fault]:
    """All faults of a run against the relation `planned` (SQL for task, repeat), which `planned_by` names."""
    return [
        *_unreadable_lines(run),
        *_repeated_keys(run),
        *_repeated_inputs(run),
        *_keys_of_other_files(run),
        *_unplanned(run, planned, planned_by),
        *_missing(run, planned, planned_by),
    ]


def _unreadable_lines(run: Run) -> Iterator[Fault]:
    roles = ("rollouts", "materialized_inputs")
    files = {count["path"]: count["malformed"] for role in roles for count in run.meta["files"][role]}
    listed = [problem for problem in run.problems if problem.code in UNREADABLE and problem.path in files]
    for path, malformed in files.items():
        here = [problem for problem in listed if problem.path == path]
        if len(here) == malformed:
            for problem in here:
                yield Fault("unreadable_line", path, problem.line, None, f"{Path(path).name}: {problem.message}")
        else:  # the index keeps a bounded number of problems
            yield from _read_again(path)


def _read_again(path: str) -> Iterator[Fault]:
    """Every unreadable line of a file, however many there are."""
    if compression(Path(path)) is not None:
        message = f"{Path(path).name}: more unreadable lines than can be listed; unpack the file to see them all"
        yield Fault("unreadable_line", path, None, None, message)
        return
    source = Source(path, Path(path).stat().st_size)
    reader = source.open()
    try:
        pieces = (lines(reader, piece) for piece in split(source, RANGE_BYTES))
        for number, line in enumerate(chain.from_iterable(pieces), start=1):
            try:
                if line.text is None:
                    raise BadRow("line_too_long", "longer than the limit")
                if text := bytes(line.text).removeprefix(BOM if line.offset == 0 else b"").strip():
                    read_row(text)
            except BadRow as bad:
                yield Fault("unreadable_line", path, number, None, f"{Path(path).name}: {bad.message}")
    finally:
        reader.close()


def _repeated_keys(run: Run) -> Iterator[Fault]:
    """Rows that share the key of an earlier row of their file: equal (duplicate) or not (conflicting)."""
    rows = run.query("""
        SELECT class, path, line, rollout FROM rollouts
        QUALIFY class IN ('duplicate', 'conflicting')
            OR row_number() OVER (PARTITION BY task, repeat ORDER BY class IN ('duplicate', 'conflicting'), path, "offset") > 1
        ORDER BY path, line""").rows
    for kind, path, line, key in rows:
        equal = kind == "duplicate"
        what = "the same row again" if equal else "another row under the same key"
        yield Fault("duplicate_row" if equal else "conflicting_row", path, line, key, f"{Path(path).name}: {key} is {what}")


def _repeated_inputs(run: Run) -> Iterator[Fault]:
    rows = run.query("""
        SELECT path, line, rollout FROM inputs
        QUALIFY row_number() OVER (PARTITION BY task, repeat ORDER BY path, "offset") > 1 ORDER BY path, line""").rows
    for path, line, key in rows:
        yield Fault("duplicate_input", path, line, key, f"{Path(path).name}: input {key} stands there twice")


def _keys_of_other_files(run: Run) -> Iterator[Fault]:
    """Rows that state a key of another file: shards that restart their indices.

    They may be further repeats or other tasks; the Run keeps them apart either way, but whoever merges them should say so.
    """
    collided = any(problem.code == "id_collision" for problem in run.problems)
    if len(run.meta["files"]["rollouts"]) < 2 or not (run.meta["identity"]["renumbered"] or collided):
        return
    rows = run.query("""
        SELECT rollout, task, repeat, agent, path, line, "offset", length FROM rollouts
        WHERE class IN ('scored', 'errored', 'unexpected')
            AND (contains(task, '@') OR task IN (SELECT task FROM rollouts GROUP BY task HAVING count(DISTINCT path) > 1))
        ORDER BY path, line""").rows
    for rollout, task, repeat, agent, path, line, offset, length in rows:
        stated_task, stated_repeat = _stated_key(run, Place(rollout, task, repeat, None, "", path, line, offset, length))
        same_task = task in (stated_task, f"{stated_task}@{agent}")
        if stated_task is not None and not (same_task and stated_repeat in (None, str(repeat))):
            key = stated_task if stated_repeat is None else f"{stated_task}:{stated_repeat}"
            message = f"{Path(path).name}: {key} is also a key of another file (it would count as {rollout})"
            yield Fault(TWO_FILES, path, line, key, message)


def _stated_key(run: Run, place: Place) -> tuple[str | None, str | None]:
    """Task and repeat as the row itself has them."""
    fields, identity = tokens(run.text(place)), run.meta["identity"]
    names = (identity["task_field"], identity["repeat_field"])
    task, repeat = (bytes(fields[name]).decode().strip('"') if name in fields else None for name in names)
    return task, repeat


def _unplanned(run: Run, planned: str, planned_by: str) -> Iterator[Fault]:
    rows = run.query(f"""
        SELECT path, line, rollout FROM rollouts ANTI JOIN ({planned}) AS planned USING (task, repeat)
        WHERE class NOT IN ('duplicate', 'conflicting') ORDER BY path, line""").rows
    for path, line, key in rows:
        yield Fault("unexpected_row", path, line, key, f"{Path(path).name}: {key} is not in {planned_by}")


def _missing(run: Run, planned: str, planned_by: str) -> Iterator[Fault]:
    rows = run.query(f"""
        SELECT min(i.path), arg_min(i.line, i.path), p.task || ':' || p.repeat AS key
        FROM (SELECT * FROM ({planned}) ANTI JOIN (SELECT task, repeat FROM rollouts) USING (task, repeat)) AS p
        LEFT JOIN inputs AS i USING (task, repeat) GROUP BY p.task, p.repeat ORDER BY 1, 2, p.task, p.repeat""").rows
    return (Fault(MISSING, path, line, key, f"{key} is in {planned_by} and has no rollout") for path, line, key in rows)
