"""From scanned parts to the facts tables: identity, classes and plan settled, columns typed, Parquet written.

Tables: `rollouts` (every row that was read, with its class), `plan` (every expected rollout and what became of it), `tasks`,
`inputs` (every row of the materialized inputs and its place), `problems`. Most rows settle in SQL; only contested ones (a key claimed twice, tasks that stand in several files) are looked at
one by one.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import msgspec

from blade.runs import identity as ids
from blade.runs.definition import digest
from blade.runs.identity import Identity
from blade.runs.own_columns import BOOL, CHILD, FLOAT, INT, USAGE, VALUE_KINDS, column_type
from blade.runs.plan import Plan, make_plan, owners_of
from blade.runs.quoting import identifier, literal
from blade.runs.rows import BadRow
from blade.runs.scan import OWN_PREFIX, Problem
from blade.runs.settle import Claim, Settlement, settle
from blade.runs.sources import Readers
from blade.runs.steps import read_row
from blade.runs.survey import Scanned
from blade.runs.task_table import task_rows
from blade.untrusted.limits import MAX_COLUMNS

SCORED = "reward IS NOT NULL AND unscored IS NULL"
DERIVED = ("rollout", "task", "repeat", "class", "agent", "model", "reward")
LEFT_OUT = frozenset({"repeat_field", "repeat_value", "line", "offset", "length", "definition", "reward", "agent", "model"})
CASE_MARK = "\ue000"
PLACE = ("path", "line", "offset", "length")


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
    db = duckdb.connect(config={"preserve_insertion_order": True, "threads": 1})  # sums in one order, the same on every machine
    db.execute(f"SET temp_directory = '{str(scanned.scratch).replace(chr(39), chr(39) * 2)}'")
    problems = list(scanned.problems)
    columns = {role: _register(db, scanned, role) for role in ("rollouts", "materialized_inputs", "failures")}
    identity = ids.choose_identity(db, columns["rollouts"], options.task_field)
    reward_field = _settle_reward_field(db, columns["rollouts"], scanned)
    _claims(db, identity, columns, scanned)
    problems += _keep_agents_apart(db)
    settlement = _settle_contested(db, scanned, names, identity)
    problems += _collision_problems(settlement, scanned)
    identity = Identity(
        identity.task_field,
        identity.repeat_field,
        identity.inferred,
        settlement.renumbered > 0 and identity.repeat_field is not None,
    )
    _write_keys(db, settlement)
    plan = make_plan(db, scanned, identity, options.repeats)
    problems += plan.problems
    own = _own_columns(db, scanned, columns["rollouts"], problems)
    _write_rollouts(db, scanned, own, target)
    for table in extracted:
        _write_extracted(db, scanned, table, target)
    problems += task_rows(db, scanned, target)
    problems += _reward_problems(db, scanned)
    problems += _class_problems(db)
    _write_problems(db, problems, target)
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
    table = table.rename_columns(_apart_whatever_the_case(table.column_names))
    table = table.append_column("row", pa.array(range(len(table)), pa.int64()))
    db.register(f"raw_{role if role == 'rollouts' else {'materialized_inputs': 'inputs', 'failures': 'failures'}[role]}", table)
    return set(table.column_names)


def _apart_whatever_the_case(names: list[str]) -> list[str]:
    """SQL takes `Score` and `score` for one name: all but one of such names are marked."""
    marked = {}
    taken: set[str] = set()
    for name in sorted(names, key=lambda name: (name != name.lower(), name)):
        marked[name] = name
        while marked[name].lower() in taken:
            marked[name] += CASE_MARK
        taken.add(marked[name].lower())
    return [marked[name] for name in names]


def _settle_reward_field(db: duckdb.DuckDBPyConnection, columns: set[str], scanned: Scanned) -> str:
    """`reward`, or `score` where no row at all has a reward and the scores are numbers."""
    found = db.execute("SELECT count(*) FROM raw_rollouts WHERE reward_kind NOT IN ('missing', 'null')").fetchall()
    score = OWN_PREFIX + "score"
    kinds = scanned.kinds.get(("rollouts", score), 0) & VALUE_KINDS
    use_score = not found[0][0] and score in columns and not kinds & ~(BOOL | INT | FLOAT)
    value = f"CAST({identifier(score)} AS DOUBLE)" if use_score and kinds in (BOOL, INT, FLOAT, INT | FLOAT) else "reward"
    db.execute(f"CREATE TEMP TABLE rewards AS SELECT row, {value} AS reward FROM raw_rollouts")
    return "reward" if value == "reward" else "score"


def _claims(db: duckdb.DuckDBPyConnection, identity: Identity, columns: dict[str, set[str]], scanned: Scanned) -> None:
    """`claims`: what each row says of itself; `planned` and `failed`: the same for the sidecars, with the rollout file they belong to."""
    repeat = ids.repeat_expression(identity)
    task = ids.task_expression(identity, columns["rollouts"])
    db.execute(f"""
        CREATE TEMP TABLE claims AS
        SELECT raw.row, file, {task} AS task, {repeat} AS repeat, agent, definition, user_turns > 0 AS dialogue,
               rewards.reward IS NOT NULL AND unscored IS NULL AS scored, rewards.reward, response_id
        FROM raw_rollouts AS raw JOIN rewards USING (row)""")
    for table, role in (("planned", "materialized_inputs"), ("failed", "failures")):
        raw = "raw_inputs" if table == "planned" else "raw_failures"
        task = ids.task_expression(identity, columns[role])
        db.execute(f"""
            CREATE TEMP TABLE {table} AS
            SELECT row, file, list_extract({owners_of(scanned, role)}::INTEGER[], file + 1) AS owner, {task} AS task, agent, definition, "offset", length, line,
                   coalesce({repeat}, row_number() OVER (PARTITION BY file, {task} ORDER BY row) - 1) AS repeat
            FROM {raw}""")


def _keep_agents_apart(db: duckdb.DuckDBPyConnection) -> list[Problem]:
    """Two agents that share tasks are two experiments: all but the first by name get ids of their own."""
    db.execute("""
        UPDATE claims SET agent = p.agent FROM planned AS p
        WHERE claims.agent IS NULL AND p.agent IS NOT NULL AND p.owner IN (claims.file, -1) AND p.task = claims.task AND p.repeat = claims.repeat""")
    everyone = "(SELECT task, agent FROM claims UNION SELECT task, agent FROM planned UNION SELECT task, agent FROM failed)"
    shared = db.execute(
        f"SELECT list(DISTINCT agent ORDER BY agent) FROM {everyone} WHERE agent IS NOT NULL GROUP BY task HAVING count(DISTINCT agent) > 1"
    ).fetchall()
    if not shared:
        return []
    agents = sorted({name for (names,) in shared for name in names})
    for table in ("claims", "planned", "failed"):
        db.execute(f"UPDATE {table} SET task = task || '@' || agent WHERE agent IS NOT NULL AND agent <> $1", [agents[0]])
    message = f"{len(shared)} tasks were run by several agents ({', '.join(agents)}); those of all but {agents[0]} are kept apart as <task>@<agent>"
    return [Problem("several_agents", None, None, None, message)]


def _settle_contested(db: duckdb.DuckDBPyConnection, scanned: Scanned, names: list[str], identity: Identity) -> Settlement:
    numbered = identity.repeat_field is not None
    key = "repeat" if numbered else "response_id"
    db.execute(f"""
        CREATE TEMP TABLE contested AS SELECT DISTINCT task FROM (
            SELECT task FROM (SELECT task, file FROM claims UNION SELECT task, owner FROM planned WHERE owner >= 0
                              UNION SELECT task, owner FROM failed WHERE owner >= 0) GROUP BY task HAVING count(*) > 1
            UNION ALL SELECT task FROM claims WHERE {key} IS NOT NULL GROUP BY task, {key} HAVING count(*) > 1
            {"UNION ALL SELECT task FROM claims WHERE repeat IS NULL" if numbered else ""})""")
    rows = db.execute("""
        SELECT row, file, task, repeat, scored, definition, dialogue, reward, response_id FROM claims
        WHERE task IN (SELECT task FROM contested) ORDER BY file, row""").fetchall()
    claims = [
        Claim(
            row,
            file,
            task,
            repeat,
            scored,
            definition,
            bool(dialogue),
            (reward, response_id) if numbered or response_id else (row,),
        )
        for row, file, task, repeat, scored, definition, dialogue, reward, response_id in rows
    ]
    planned = db.execute("""
        SELECT DISTINCT owner, task, repeat FROM (SELECT owner, task, repeat FROM planned UNION ALL SELECT owner, task, repeat FROM failed)
        WHERE owner >= 0 AND task IN (SELECT task FROM contested) ORDER BY 1, 2, 3""").fetchall()
    same = SameRow(db, scanned)
    try:
        return settle(claims, same, names=names, planned=planned if numbered else ())
    finally:
        same.close()


class SameRow:
    """Whether two rows are equal as JSON values; each row is read and digested once, however many it is compared with."""

    def __init__(self, db: duckdb.DuckDBPyConnection, scanned: Scanned) -> None:
        self._readers = Readers(dict(enumerate(scanned.sources["rollouts"])))
        self._digests: dict[int, str] = {}
        found = db.execute("""SELECT row, file, "offset", length FROM raw_rollouts
            WHERE row IN (SELECT row FROM claims WHERE task IN (SELECT task FROM contested))""").fetchall()
        self._places = {row: (file, offset, length) for row, file, offset, length in found}

    def _digest(self, row: int) -> str:
        if row not in self._digests:
            text = self._readers.read(*self._places[row])
            with suppress(ValueError, TypeError, RecursionError, BadRow):  # what has no canonical form is compared byte for byte
                text = msgspec.json.encode(read_row(text), order="deterministic")
            self._digests[row] = digest(text)
        return self._digests[row]

    def __call__(self, a: Claim, b: Claim) -> bool:
        return self._digest(a.row) == self._digest(b.row)

    def close(self) -> None:
        self._readers.close()


def _collision_problems(settlement: Settlement, scanned: Scanned) -> list[Problem]:
    problems = []
    if settlement.collisions:
        task, kept = next(iter(settlement.collisions.items()))
        parts = ", ".join(settlement.differing.get(task, []))
        message = (
            f"{len(settlement.collisions)} task ids mean different tasks in different files (they differ in {parts}): "
            f"kept apart, for example {' and '.join(kept)}"
        )
        problems.append(Problem("id_collision", None, None, None, message))
    if settlement.renumbered and len(scanned.files["rollouts"]) > 1:
        message = (
            f"{settlement.renumbered} rollouts repeat a key of an earlier file with another body: counted as further repeats"
        )
        problems.append(Problem("renumbered", None, None, None, message))
    return problems


def _write_keys(db: duckdb.DuckDBPyConnection, settlement: Settlement) -> None:
    """`keyed`: every row with its settled task, repeat and class; `settled_keys`: what the sidecars' keys became."""
    import pyarrow as pa

    settled = pa.table(
        {
            "row": pa.array([entry.row for entry in settlement.rows], pa.int64()),
            "task": pa.array([entry.task for entry in settlement.rows], pa.string()),
            "repeat": pa.array([entry.repeat for entry in settlement.rows], pa.int64()),
            "class": pa.array([entry.state for entry in settlement.rows], pa.string()),
        }
    )
    keys = list(settlement.keys.items())
    mapped = pa.table(
        {
            "file": pa.array([key[0] for key, _ in keys], pa.int32()),
            "claimed": pa.array([key[1] for key, _ in keys], pa.string()),
            "claimed_repeat": pa.array([key[2] for key, _ in keys], pa.int64()),
            "task": pa.array([value[0] for _, value in keys], pa.string()),
            "repeat": pa.array([value[1] for _, value in keys], pa.int64()),
        }
    )
    db.register("settled", settled)
    db.register("settled_keys", mapped)
    db.execute("""
        CREATE TEMP TABLE keyed AS
        SELECT claims.row, coalesce(settled.task, claims.task) AS task,
               coalesce(settled.repeat, claims.repeat, row_number() OVER (PARTITION BY claims.task ORDER BY claims.row) - 1) AS repeat,
               coalesce(settled.class, CASE WHEN scored THEN 'scored' ELSE 'errored' END) AS class, claims.file, claims.reward
        FROM claims LEFT JOIN settled USING (row) ORDER BY claims.row""")
    for table in ("planned", "failed"):
        db.execute(f"""
            CREATE TEMP TABLE {table}_keys AS
            SELECT coalesce(k.task, p.task) AS task, coalesce(k.repeat, p.repeat) AS repeat, p.row, p.file, p.definition,
                   p.agent, p.line, p."offset", p.length
            FROM {table} AS p LEFT JOIN settled_keys AS k ON k.file = p.owner AND k.claimed = p.task AND k.claimed_repeat = p.repeat""")


def _own_columns(
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


def _write_rollouts(db: duckdb.DuckDBPyConnection, scanned: Scanned, own: list[dict[str, Any]], target: Path) -> None:
    import pyarrow as pa

    sources = scanned.sources["rollouts"]
    paths = {
        "file": pa.array(range(len(sources)), pa.int32()),
        "path": pa.array([source.path for source in sources], pa.string()),
    }
    db.register("paths", pa.table(paths))
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
    inputs = scanned.sources["materialized_inputs"]
    db.register(
        "input_paths",
        pa.table(
            {"file": pa.array(range(len(inputs)), pa.int32()), "path": pa.array([source.path for source in inputs], pa.string())}
        ),
    )
    _copy(
        db,
        """SELECT task || ':' || repeat AS rollout, task, repeat, agent, path, line, "offset", length
           FROM planned_keys JOIN input_paths USING (file) ORDER BY row""",
        target / "inputs.parquet",
    )


def _write_extracted(db: duckdb.DuckDBPyConnection, scanned: Scanned, name: str, target: Path) -> None:
    """What an extractor yielded, each row with the rollout it was read from."""
    db.register("extracted", scanned.table(name))
    _copy(
        db,
        """SELECT keyed.task || ':' || keyed.repeat AS rollout, keyed.task, keyed.repeat, keyed.class, extracted.* EXCLUDE (file, "offset")
           FROM extracted JOIN raw_rollouts AS raw ON raw.file = extracted.file AND raw."offset" = extracted."offset"
           JOIN keyed ON keyed.row = raw.row ORDER BY raw.row""",
        target / f"{name}.parquet",
    )
    db.unregister("extracted")


def _reward_problems(db: duckdb.DuckDBPyConnection, scanned: Scanned) -> list[Problem]:
    """Rows without a valid score, one problem per kind with the first place."""
    found = db.execute("""
        SELECT coalesce(unscored, 'reward ' || reward_kind) AS why, count(*), arg_min(keyed.file, row), arg_min(line, row), arg_min("offset", row)
        FROM raw_rollouts JOIN keyed USING (row) WHERE class = 'errored' GROUP BY 1 ORDER BY 2 DESC, 1""").fetchall()
    paths = [source.path for source in scanned.sources["rollouts"]]
    return [
        Problem("row_without_score", paths[file], line, offset, f"{count} rows hold no valid score ({why}); this is the first")
        for why, count, file, line, offset in found
    ]


def _class_problems(db: duckdb.DuckDBPyConnection) -> list[Problem]:
    """Rows that were read and do not count, one problem per class with the first place."""
    meanings = {
        "duplicate": "repeat a row that counts already",
        "conflicting": "claim a key that another row has: the first counts",
        "unexpected": "are not in the plan and not in the score",
    }
    found = db.execute("""
        SELECT class, count(*), arg_min(path, (path, "offset")), arg_min(line, (path, "offset")), min((path, "offset"))[2] FROM final
        WHERE class IN ('duplicate', 'conflicting', 'unexpected') GROUP BY class ORDER BY class""").fetchall()
    return [
        Problem(f"{name}_rows", path, line, offset, f"{count} rows {meanings[name]}; this is the first")
        for name, count, path, line, offset in found
    ]


def _write_problems(db: duckdb.DuckDBPyConnection, problems: list[Problem], target: Path) -> None:
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


def _copy(db: duckdb.DuckDBPyConnection, query: str, path: Path) -> None:
    db.execute(f"COPY ({query}) TO {literal(path)} (FORMAT parquet, COMPRESSION zstd)")
