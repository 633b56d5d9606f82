"""What was to be run: every expected rollout, and what became of it.

The plan is the materialized inputs, else the manifest, else a declared repeat count, else what was observed. `expected` =
scored + errored + missing, always.
"""

from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from blade.runs.artifacts import owners, read_manifest
from blade.runs.identity import Identity
from blade.runs.scan import OWN_PREFIX, Problem
from blade.runs.survey import Scanned

DECLARED_FIELDS = ("num_repeats", "num_trials", "n_repeats", "config.num_trials", "config.num_repeats")
MOST_REPEATS = 100_000


@dataclass
class Plan:
    source: str  # inputs, manifest, declared, observed
    stale_inputs: bool = False
    problems: list[Problem] = field(default_factory=list)


def make_plan(db: duckdb.DuckDBPyConnection, scanned: Scanned, identity: Identity, repeats: int | None) -> Plan:
    """Write table `plan` (task, repeat, state, attempts, first_row) and say where it comes from."""
    plan = _source(db, scanned, repeats)
    db.execute("CREATE TEMP TABLE observed_keys AS SELECT task, repeat, min(row) AS first_row FROM keyed GROUP BY 1, 2")
    db.execute("CREATE TEMP TABLE failure_keys AS SELECT task, repeat, count(*) AS failures FROM failed_keys GROUP BY 1, 2")
    if plan.source == "inputs":
        bare = _files_without_inputs(scanned)
        db.execute("CREATE TEMP TABLE expected_keys AS SELECT DISTINCT task, repeat FROM planned_keys")
        if bare:
            listed = ", ".join(str(file) for file in bare)
            db.execute(
                f"INSERT INTO expected_keys SELECT DISTINCT task, repeat FROM keyed WHERE file IN ({listed}) EXCEPT SELECT * FROM expected_keys"
            )
            message = f"{len(bare)} of the rollout files have no materialized inputs; for those the observed rollouts are taken as the plan"
            plan.problems.append(Problem("partial_plan", None, None, None, message))
    else:
        db.execute(
            "CREATE TEMP TABLE expected_keys AS SELECT task, repeat FROM observed_keys UNION SELECT task, repeat FROM failure_keys"
        )
    if plan.source == "declared":
        count = _declared(db, scanned, repeats) or 1
        _add_declared(db, f"SELECT DISTINCT task, {count} AS wanted FROM expected_keys", count)
    elif plan.source == "manifest":
        stated = _manifest_repeats(scanned)
        per_file = ", ".join(f"({file}, {count})" for file, count in stated.items())
        held = "SELECT DISTINCT task, file FROM keyed WHERE class <> 'duplicate'"
        wanted = f"SELECT task, sum(count)::INTEGER AS wanted FROM ({held}) JOIN (VALUES {per_file}) AS m(file, count) USING (file) GROUP BY task"
        _add_declared(db, wanted, sum(stated.values()))
    db.execute("""
        CREATE TEMP TABLE plan AS
        SELECT e.task, e.repeat, coalesce(r.attempts, 0) + coalesce(f.failures, 0) AS attempts,
               CASE WHEN r.scored THEN 'scored' WHEN r.attempts > 0 OR f.failures > 0 THEN 'errored' ELSE 'missing' END AS state,
               coalesce(o.first_row, 9223372036854775807) AS first_row
        FROM expected_keys AS e
        LEFT JOIN (SELECT task, repeat, bool_or(class = 'scored') AS scored, count(*) FILTER (class <> 'duplicate') AS attempts
                   FROM keyed GROUP BY 1, 2) AS r USING (task, repeat)
        LEFT JOIN failure_keys AS f USING (task, repeat) LEFT JOIN observed_keys AS o USING (task, repeat)""")
    return plan


def _source(db: duckdb.DuckDBPyConnection, scanned: Scanned, repeats: int | None) -> Plan:
    inputs = scanned.files["materialized_inputs"]
    if any(count.rows for count in inputs):
        overlap = _one(db, "SELECT count(*) FROM planned_keys JOIN keyed USING (task, repeat)")
        if overlap or not _one(db, "SELECT count(*) FROM keyed"):
            return Plan("inputs")
        message = "no rollout has a key of the materialized inputs: they belong to another run and are not used as the plan"
        problem = Problem("inputs_do_not_match", inputs[0].path, None, None, message)
        return Plan(_without_inputs(db, scanned, repeats), stale_inputs=True, problems=[problem])
    return Plan(_without_inputs(db, scanned, repeats))


def _without_inputs(db: duckdb.DuckDBPyConnection, scanned: Scanned, repeats: int | None) -> str:
    if repeats is None and _manifest_repeats(scanned):
        return "manifest"
    return "declared" if _declared(db, scanned, repeats) else "observed"


def _declared(db: duckdb.DuckDBPyConnection, scanned: Scanned, repeats: int | None) -> int | None:
    """A repeat count that someone stated: a flag, or a field that says the same on every row."""
    if repeats is not None:
        return repeats
    columns = {name for (name, *_) in db.execute("DESCRIBE raw_rollouts").fetchall()}
    for name in DECLARED_FIELDS:
        if OWN_PREFIX + name in columns:
            column = f'CAST("{OWN_PREFIX}{name}" AS VARCHAR)'
            low, high, count, rows = db.execute(
                f"SELECT min({column}), max({column}), count({column}), count(*) FROM raw_rollouts"
            ).fetchall()[0]
            if low == high and count == rows and str(low).isdigit() and len(low) < 10 and 1 <= int(low) <= MOST_REPEATS:
                most = _one(
                    db,
                    "SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM keyed WHERE class <> 'duplicate' GROUP BY task)",
                )
                return int(low) if most <= int(low) else None
    return None


def _manifest_repeats(scanned: Scanned) -> dict[int, int]:
    """The repeats that each rollout file's own manifest states."""
    stated = {}
    for file, count in enumerate(scanned.files["rollouts"]):
        manifest = read_manifest(Path(count.path)) or {}
        repeats = manifest.get("repeats")
        if isinstance(repeats, int) and not isinstance(repeats, bool) and 1 <= repeats <= MOST_REPEATS:
            stated[file] = repeats
    return stated


def _add_declared(db: duckdb.DuckDBPyConnection, wanted: str, most: int) -> None:
    """Tasks with fewer rollouts than wanted (a query of task and count) get the lowest free repeat numbers as missing ones."""
    db.execute(f"""
        INSERT INTO expected_keys
        SELECT task, repeat FROM (
            SELECT t.task, r.repeat, row_number() OVER (PARTITION BY t.task ORDER BY r.repeat) AS rank, t.lacking
            FROM (SELECT task, any_value(w.wanted) - count(*) AS lacking FROM expected_keys JOIN ({wanted}) AS w USING (task)
                  GROUP BY task HAVING count(*) < any_value(w.wanted)) AS t
            CROSS JOIN range({most}) AS r(repeat)
            WHERE NOT EXISTS (SELECT 1 FROM expected_keys AS e WHERE e.task = t.task AND e.repeat = r.repeat))
        WHERE rank <= lacking""")


def _files_without_inputs(scanned: Scanned) -> list[int]:
    with_inputs = set(owners_of(scanned, "materialized_inputs"))
    return [] if -1 in with_inputs else [file for file in range(len(scanned.files["rollouts"])) if file not in with_inputs]


def owners_of(scanned: Scanned, role: str) -> list[int]:
    """The rollout file that each sidecar belongs to."""
    return owners(role, *([source.path for source in scanned.sources.get(name, ())] for name in (role, "rollouts")))


def _one(db: duckdb.DuckDBPyConnection, query: str) -> int:
    return int(db.execute(query).fetchall()[0][0])
