"""The facts tables as Parquet files: `rollouts` with the run's own columns, `plan`, `inputs`, `failures`, `problems`, and what extractors read."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb

from blade.runs.own_columns import CHILD, USAGE, VALUE_KINDS, column_type
from blade.runs.quoting import identifier, literal
from blade.runs.scan import OWN_PREFIX, Problem
from blade.runs.survey import Scanned
from blade.untrusted.limits import MAX_COLUMNS

DERIVED = ("rollout", "task", "repeat", "class", "agent", "model", "reward")
LEFT_OUT = frozenset({"repeat_field", "repeat_value", "line", "offset", "length", "definition", "reward", "agent", "model"})
CASE_MARK = "\ue000"
PLACE = ("path", "line", "offset", "length")
MESSAGES = ("failure_message", "_ng_failure_judge_error")
"""Fields of a failed attempt that say what happened, the first that is there."""
FAILED_FACTS = (
    *("agent", "model", "status", "incomplete", "error", "input_tokens", "output_tokens", "total_tokens"),
    *("steps", "messages", "tool_calls", "user_turns", "last_step"),
)


def apart_whatever_the_case(names: list[str]) -> list[str]:
    """SQL takes `Score` and `score` for one name: all but one of such names are marked."""
    marked = {}
    taken: set[str] = set()
    for name in sorted(names, key=lambda name: (name != name.lower(), name)):
        marked[name] = name
        while marked[name].lower() in taken:
            marked[name] += CASE_MARK
        taken.add(marked[name].lower())
    return [marked[name] for name in names]


def own_columns(
    db: duckdb.DuckDBPyConnection, scanned: Scanned, columns: set[str], problems: list[Problem]
) -> list[dict[str, Any]]:
    """Names and types of the run's own columns; over the limit nested and then the least filled are left out, and that is said."""
    own = sorted(name for name in columns if name.startswith(OWN_PREFIX) and name != OWN_PREFIX + "_ng_task_index")
    if len(own) > MAX_COLUMNS:
        counts = db.execute(
            "SELECT " + ", ".join(f"count({identifier(name)})" for name in own) + " FROM raw_rollouts"
        ).fetchall()[0]
        ranked = sorted(
            zip(own, counts, strict=True),
            key=lambda pair: (scanned.kinds.get(("rollouts", pair[0]), 0) & CHILD, -pair[1], pair[0]),
        )
        own = sorted(name for name, _ in ranked[:MAX_COLUMNS])
    dropped = (
        len({name for name in columns if name.startswith(OWN_PREFIX)}) - len(own) - (OWN_PREFIX + "_ng_task_index" in columns)
    )
    if dropped or scanned.dropped_fields:
        message = f"{max(dropped, 0)} of the rows' own fields have no column (the limit is {MAX_COLUMNS}); their values stay in the rollouts"
        problems.append(Problem("fields_without_column", None, None, None, message))
    taken = {name.lower() for name in (*DERIVED, *PLACE)} | {name.lower() for name in _fixed_columns()}
    found = []
    for name in sorted(own, key=lambda name: (name != name.lower(), name)):  # of Note and note, note is the column note
        field_name = name.removeprefix(OWN_PREFIX).rstrip(CASE_MARK)
        column = f"row.{field_name}" if field_name.lower() in taken or not field_name else field_name
        while column.lower() in taken:
            column += "_"
        taken.add(column.lower())
        seen = scanned.kinds.get(("rollouts", OWN_PREFIX + field_name), 0)
        kinds, place = seen & VALUE_KINDS, "usage" if seen & USAGE else "nested" if seen & CHILD else "row"
        found.append(
            {"field": field_name, "raw": name, "column": column, "type": column_type(kinds), "kinds": kinds, "place": place}
        )
    return sorted(found, key=lambda item: str(item["raw"]))


def _fixed_columns() -> list[str]:
    from blade.runs.facts import FIXED_COLUMNS

    return [name for name in FIXED_COLUMNS if name not in LEFT_OUT]


def write_rollouts(db: duckdb.DuckDBPyConnection, scanned: Scanned, own: list[dict[str, Any]], target: Path) -> None:
    _register_paths(db, scanned, "rollouts", "paths")
    fixed = ", ".join(f"raw.{identifier(name)}" for name in _fixed_columns())
    extra = "".join(f", raw.{identifier(item['raw'])} AS {identifier(item['column'])}" for item in own)
    db.execute(f"""
        CREATE TEMP VIEW final AS
        SELECT keyed.task || ':' || keyed.repeat AS rollout, keyed.task, keyed.repeat,
               CASE WHEN keyed.class IN ('scored', 'errored') AND p.task IS NULL THEN 'unexpected' ELSE keyed.class END AS class,
               raw.agent, raw.model, keyed.reward, {fixed}, raw.definition, paths.path, raw.line, raw."offset", raw.length{extra}
        FROM raw_rollouts AS raw JOIN keyed USING (row) JOIN paths ON paths.file = raw.file
        LEFT JOIN plan AS p ON p.task = keyed.task AND p.repeat = keyed.repeat
        ORDER BY raw.row""")
    _copy(db, "SELECT * FROM final", target / "rollouts.parquet")
    _copy(
        db,
        "SELECT task || ':' || repeat AS rollout, task, repeat, state, attempts FROM plan ORDER BY first_row, task, repeat",
        target / "plan.parquet",
    )
    _register_paths(db, scanned, "materialized_inputs", "input_paths")
    _copy(
        db,
        """SELECT task || ':' || repeat AS rollout, task, repeat, agent, path, line, "offset", length
           FROM planned_keys JOIN input_paths USING (file) ORDER BY row""",
        target / "inputs.parquet",
    )


def _register_paths(db: duckdb.DuckDBPyConnection, scanned: Scanned, role: str, name: str) -> None:
    import pyarrow as pa

    listed = [source.path for source in scanned.sources.get(role, ())]
    db.register(name, pa.table({"file": pa.array(range(len(listed)), pa.int32()), "path": pa.array(listed, pa.string())}))


def write_failures(db: duckdb.DuckDBPyConnection, scanned: Scanned, columns: set[str], target: Path) -> None:
    """Every attempt that failed: its rollout, its class and message, how far it came, and its place; in the order of the files.

    A message that begins with the class goes on after it: the class stands beside it.
    """
    _register_paths(db, scanned, "failures", "failure_paths")

    def text(field: str) -> str:
        name = OWN_PREFIX + field
        return f"nullif(CAST(raw.{identifier(name)} AS VARCHAR), '')" if name in columns else "CAST(NULL AS VARCHAR)"

    failure, message = text("_ng_failure_class"), ", ".join([*map(text, MESSAGES), "raw.error", "''"])
    facts = ", ".join(f"raw.{name}" for name in FAILED_FACTS)
    _copy(
        db,
        f"""SELECT k.task || ':' || k.repeat AS rollout, k.task, k.repeat, raw.attempt, coalesce({failure}, 'unknown') AS failure,
                   CASE WHEN starts_with(coalesce({message}), {failure} || ': ') THEN substr(coalesce({message}), length({failure}) + 3)
                        ELSE coalesce({message}) END AS message, {facts}, path, raw.line, raw."offset", raw.length
            FROM failed_keys AS k JOIN raw_failures AS raw USING (row) JOIN failure_paths ON failure_paths.file = raw.file ORDER BY row""",
        target / "failures.parquet",
    )


def write_extracted(db: duckdb.DuckDBPyConnection, scanned: Scanned, names: Sequence[str], target: Path) -> None:
    """What the extractors yielded, two tables at a time: most of it is the packing, which the database does outside Python's lock.

    They are joined as written here: with the small table in memory, and the texts passing by it.
    """
    db.execute("""CREATE TABLE placed AS SELECT raw.file, raw."offset", keyed.task || ':' || keyed.repeat AS rollout, keyed.task, keyed.repeat, keyed.class
        FROM raw_rollouts AS raw JOIN keyed USING (row)""")
    db.execute("SET disabled_optimizers = 'join_order,build_side_probe_side'")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda name: _write_extracted(db.cursor(), scanned, name, target), names))
    db.execute("RESET disabled_optimizers")


def _write_extracted(db: duckdb.DuckDBPyConnection, scanned: Scanned, name: str, target: Path) -> None:
    """What an extractor yielded, each row with the rollout it was read from.

    The rows are in the order of the files already and come out of the join as they went in; sorting them would take their texts into memory.
    """
    db.register("extracted", scanned.stream(name))
    _copy(
        db,
        """SELECT placed.rollout, placed.task, placed.repeat, placed.class, extracted.* EXCLUDE (file, "offset")
           FROM extracted JOIN placed ON placed.file = extracted.file AND placed."offset" = extracted."offset" """,
        target / f"{name}.parquet",
    )
    db.close()


def write_problems(db: duckdb.DuckDBPyConnection, problems: list[Problem], target: Path) -> None:
    import pyarrow as pa

    table = pa.table(
        {
            "code": pa.array([problem.code for problem in problems], pa.string()),
            "path": pa.array([problem.path for problem in problems], pa.string()),
            "line": pa.array([problem.line for problem in problems], pa.int64()),
            "offset": pa.array([problem.offset for problem in problems], pa.int64()),
            "message": pa.array([problem.message for problem in problems], pa.string()),
        }
    )
    db.register("problems_found", table)
    _copy(db, "SELECT * FROM problems_found", target / "problems.parquet")


FORMAT = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE 4096"
"""Small groups, so that who asks about some tasks, which mostly stand together in a file, need not read the others."""


def _copy(db: duckdb.DuckDBPyConnection, query: str, path: Path) -> None:
    db.execute(f"COPY ({query}) TO {literal(path)} ({FORMAT})")
