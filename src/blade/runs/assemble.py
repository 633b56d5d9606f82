"""From scanned parts to the facts tables: identity, classes and plan settled, columns typed, Parquet written.

Tables: `rollouts` (every row that was read, with its class), `plan` (every expected rollout and what became of it), `tasks`,
`inputs` (every row of the materialized inputs and its place), `failures` (every attempt that failed), `problems`. `keyed` says which row is which rollout, `written` makes the
files; here is the order in which it happens.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from blade.runs import identity as ids
from blade.runs.database import connect
from blade.runs.identity import Identity
from blade.runs.keyed import collision_problems, keep_agents_apart, settle_contested, write_claims, write_keys
from blade.runs.own_columns import BOOL, FLOAT, INT, VALUE_KINDS
from blade.runs.plan import Plan, make_plan
from blade.runs.quoting import identifier
from blade.runs.scan import OWN_PREFIX, Problem
from blade.runs.survey import Scanned
from blade.runs.task_table import task_rows
from blade.runs.written import (
    apart_whatever_the_case,
    own_columns,
    write_extracted,
    write_failures,
    write_problems,
    write_rollouts,
)
from blade.sentences import plural

RAW = {"rollouts": "raw_rollouts", "materialized_inputs": "raw_inputs", "failures": "raw_failures"}
"""The tables that the scanned roles are registered as."""


@dataclass
class Options:
    """What a user may say about how a run is to be read; part of the index key."""

    task_field: str | None = None
    repeats: int | None = None


@dataclass
class Assembled:
    identity: Identity
    plan: Plan
    reward_field: str
    own_fields: list[dict[str, Any]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def assemble(scanned: Scanned, target: Path, names: list[str], options: Options, extracted: tuple[str, ...] = ()) -> Assembled:
    """Settle everything and write the tables into `target`."""
    db = connect(preserve_insertion_order=True, temp_directory=str(scanned.scratch))
    problems = list(scanned.problems)
    columns = {role: _register(db, scanned, role) for role in RAW}
    role = _identifying(scanned)
    identity = ids.choose_identity(db, columns[role], options.task_field, RAW[role])
    reward_field = _settle_reward_field(db, columns["rollouts"], scanned)
    write_claims(db, identity, columns, scanned)
    problems += keep_agents_apart(db)
    settlement = settle_contested(db, scanned, names, identity)
    problems += collision_problems(settlement, scanned)
    identity = Identity(
        identity.task_field,
        identity.repeat_field,
        identity.inferred,
        settlement.renumbered > 0 and identity.repeat_field is not None,
    )
    write_keys(db, settlement)
    plan = make_plan(db, scanned, identity, options.repeats)
    problems += plan.problems
    own = own_columns(db, scanned, columns["rollouts"], problems)
    write_rollouts(db, scanned, own, target)
    write_failures(db, scanned, columns["failures"], target)
    write_extracted(db, scanned, extracted, target)
    problems += task_rows(db, scanned, target)
    problems += _reward_problems(db, scanned)
    problems += _class_problems(db)
    write_problems(db, problems, target)
    db.close()
    return Assembled(identity, plan, reward_field, own, problems)


def _register(db: duckdb.DuckDBPyConnection, scanned: Scanned, role: str) -> set[str]:
    import pyarrow as pa

    from blade.runs.facts import FIXED_COLUMNS

    table = scanned.table(role)
    if table is None:
        types = {"int64": pa.int64(), "double": pa.float64(), "string": pa.string()}
        table = pa.table(
            {"file": pa.array([], pa.int32())} | {name: pa.array([], types[kind]) for name, kind in FIXED_COLUMNS.items()}
        )
    table = table.rename_columns(apart_whatever_the_case(table.column_names))
    table = table.append_column("row", pa.array(range(len(table)), pa.int64()))
    db.register(RAW[role], table)
    return set(table.column_names)


def _identifying(scanned: Scanned) -> str:
    """Whose rows say what a task is: the rollouts', and where there is none the plan's, else those of the attempts that failed."""
    return next((role for role in RAW if any(count.rows for count in scanned.files[role])), "rollouts")


def _settle_reward_field(db: duckdb.DuckDBPyConnection, columns: set[str], scanned: Scanned) -> str:
    """`reward`, or `score` where no row at all has a reward and the scores are numbers."""
    found = db.execute("SELECT count(*) FROM raw_rollouts WHERE reward_kind NOT IN ('missing', 'null')").fetchall()
    score = OWN_PREFIX + "score"
    kinds = scanned.kinds.get(("rollouts", score), 0) & VALUE_KINDS
    use_score = not found[0][0] and score in columns and not kinds & ~(BOOL | INT | FLOAT)
    value = f"CAST({identifier(score)} AS DOUBLE)" if use_score and kinds in (BOOL, INT, FLOAT, INT | FLOAT) else "reward"
    db.execute(f"CREATE TEMP TABLE rewards AS SELECT row, {value} AS reward FROM raw_rollouts")
    return "reward" if value == "reward" else "score"


def _reward_problems(db: duckdb.DuckDBPyConnection, scanned: Scanned) -> list[Problem]:
    """Rows without a valid score, one problem per kind with the first place."""
    found = db.execute("""
        SELECT coalesce(unscored, 'reward ' || reward_kind) AS why, count(*), arg_min(keyed.file, row), arg_min(line, row), arg_min("offset", row)
        FROM raw_rollouts JOIN keyed USING (row) WHERE class = 'errored' GROUP BY 1 ORDER BY 2 DESC, 1""").fetchall()
    paths = [source.path for source in scanned.sources["rollouts"]]
    return [
        Problem(
            "row_without_score",
            paths[file],
            line,
            offset,
            f"{plural(count, 'row holds', 'rows hold')} no valid score ({why}); this is the first",
        )
        for why, count, file, line, offset in found
    ]


def _class_problems(db: duckdb.DuckDBPyConnection) -> list[Problem]:
    """Rows that were read and do not count, one problem per class with the first place."""
    meanings = {
        "duplicate": ("row repeats one that counts already", "rows repeat one that counts already"),
        "conflicting": (
            "row claims a key that another row has: the first counts",
            "rows claim a key that another row has: the first counts",
        ),
        "unexpected": ("row is not in the plan and not in the score", "rows are not in the plan and not in the score"),
    }
    found = db.execute("""
        SELECT class, count(*), arg_min(path, (path, "offset")), arg_min(line, (path, "offset")), min((path, "offset"))[2] FROM final
        WHERE class IN ('duplicate', 'conflicting', 'unexpected') GROUP BY class ORDER BY class""").fetchall()
    return [
        Problem(f"{name}_rows", path, line, offset, f"{plural(count, *meanings[name])}; this is the first")
        for name, count, path, line, offset in found
    ]
