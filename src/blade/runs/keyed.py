"""Which row is which rollout: what each row says of itself, agents kept apart, contested keys settled one by one.

Most rows settle in SQL; only contested ones (a key claimed twice, tasks that stand in several files) are looked at.
"""

from contextlib import suppress

import duckdb
import msgspec

from blade.runs import identity as ids
from blade.runs.definition import digest
from blade.runs.identity import Identity
from blade.runs.plan import owners_of
from blade.runs.rows import BadRow
from blade.runs.scan import Problem
from blade.runs.settle import Claim, Settlement, settle
from blade.runs.sources import Readers
from blade.runs.steps import read_row
from blade.runs.survey import Scanned
from blade.sentences import plural


def write_claims(db: duckdb.DuckDBPyConnection, identity: Identity, columns: dict[str, set[str]], scanned: Scanned) -> None:
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


def keep_agents_apart(db: duckdb.DuckDBPyConnection) -> list[Problem]:
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
    message = f"{plural(len(shared), 'task was', 'tasks were')} run by several agents ({', '.join(agents)}); those of all but {agents[0]} are kept apart as <task>@<agent>"
    return [Problem("several_agents", None, None, None, message)]


def settle_contested(db: duckdb.DuckDBPyConnection, scanned: Scanned, names: list[str], identity: Identity) -> Settlement:
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


def collision_problems(settlement: Settlement, scanned: Scanned) -> list[Problem]:
    problems = []
    if settlement.collisions:
        task, kept = next(iter(settlement.collisions.items()))
        parts = ", ".join(settlement.differing.get(task, []))
        message = (
            f"{plural(len(settlement.collisions), 'task id means', 'task ids mean')} different tasks in different files (they differ in {parts}): "
            f"kept apart, for example {' and '.join(kept)}"
        )
        problems.append(Problem("id_collision", None, None, None, message))
    if settlement.renumbered and len(scanned.files["rollouts"]) > 1:
        message = f"{plural(settlement.renumbered, 'rollout repeats', 'rollouts repeat')} a key of an earlier file with another body: counted as {'a further repeat' if settlement.renumbered == 1 else 'further repeats'}"
        problems.append(Problem("renumbered", None, None, None, message))
    return problems


def write_keys(db: duckdb.DuckDBPyConnection, settlement: Settlement) -> None:
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
        CREATE TABLE keyed AS
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
