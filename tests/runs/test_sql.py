from collections.abc import Iterator
from pathlib import Path

import pytest

from blade.errors import UsageError
from blade.runs.run import Run, open_run
from blade.runs.sql import run_sql

from .support import row, write_jsonl


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    path = write_jsonl(tmp_path_factory.mktemp("sql") / "r.jsonl", [row(0, 0, 1), row(0, 1, 0), row(1, 0, 1)])
    with open_run(path, use_index=False) as opened:
        yield opened


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT task, avg(reward) FROM rollouts GROUP BY 1 ORDER BY 1", [("0", 0.5), ("1", 1.0)]),
        ("SELECT count(*) FROM tasks; ", [(2,)]),
        ("SELECT state, count(*) FROM plan GROUP BY 1", [("scored", 3)]),
        ("SELECT count(*) FROM problems", [(0,)]),
        ("WITH x AS (SELECT 1 AS a) SELECT a + 1 FROM x", [(2,)]),
        ("SELECT [1, 2], {'a': 1}, DATE '2024-01-02', NULL, true", [([1, 2], {"a": 1}, "2024-01-02", None, True)]),
        ("SELECT 1.5, [0.5], {'a': 0.25}", [(1.5, [0.5], {"a": 0.25})]),
        ("SELECT 1 WHERE false", []),
    ],
)
def test_a_query_gives_its_columns_and_rows(run: Run, sql: str, rows: list[tuple[object, ...]]) -> None:
    assert run_sql(run, sql).rows == rows


@pytest.mark.parametrize(
    "sql",
    [
        "EXPLAIN ANALYZE COPY (SELECT 666 AS reward) TO '{path}' (FORMAT parquet, USE_TMP_FILE false)",
        "EXPLAIN (ANALYZE) COPY (SELECT 666 AS reward) TO '{path}' (FORMAT parquet, USE_TMP_FILE false)",
        "explain /* */ analyze COPY (SELECT 666 AS reward) TO '{path}' (FORMAT parquet, USE_TMP_FILE false)",
        "-- a\nEXPLAIN ANALYZE CREATE OR REPLACE VIEW rollouts AS SELECT 666 AS reward",
        "EXPLAIN COPY (SELECT 666 AS reward) TO '{path}'",
    ],
)
def test_what_explains_does_not_write(run: Run, sql: str) -> None:
    path = run.table_paths()["rollouts"]
    before = path.read_bytes()
    with pytest.raises(UsageError):
        run_sql(run, sql.format(path=path))
    assert path.read_bytes() == before


@pytest.mark.parametrize("sql", ["DESCRIBE rollouts", "SUMMARIZE tasks", "EXPLAIN SELECT 1", "SHOW TABLES"])
def test_questions_about_the_tables_are_queries_too(run: Run, sql: str) -> None:
    assert run_sql(run, sql).rows


@pytest.mark.parametrize(
    "sql",
    [
        "",
        "SELECT 1; SELECT 2",
        "SELEC 1",
        "SELECT nothing FROM rollouts",
        "DROP VIEW rollouts",
        "CREATE TABLE x AS SELECT 1",
        "INSERT INTO rollouts SELECT * FROM rollouts",
        "UPDATE rollouts SET reward = 1",
        "DELETE FROM rollouts",
        "COPY rollouts TO '/tmp/blade-stolen.csv'",
        "ATTACH '/tmp/x.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "PRAGMA enable_external_access = true",
        "RESET enable_external_access",
        "EXPLAIN ANALYZE COPY rollouts TO '/tmp/blade-stolen.csv'",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM read_parquet('http://127.0.0.1/x.parquet')",
        "SELECT getenv('HOME')",
        "CALL pragma_version()",
        "SELECT * FROM query('DROP VIEW rollouts')",
    ],
)
def test_all_else_is_refused_in_one_sentence(run: Run, sql: str) -> None:
    with pytest.raises(UsageError) as caught:
        run_sql(run, sql)
    assert caught.value.message
    assert "\n" not in str(caught.value)
    assert not Path("/tmp/blade-stolen.csv").exists()


def test_a_query_that_takes_too_long_is_stopped_and_said_so(run: Run) -> None:
    joined = ", ".join(f"range(100000) AS r{number}" for number in range(4))
    with pytest.raises(UsageError) as caught:
        run_sql(run, f"SELECT sum(hash(r0.range + r1.range * r2.range + r3.range)) FROM {joined}", 0.2)
    assert caught.value.message == "the query was stopped after 0.2 s"
    assert "--timeout SECONDS" in str(caught.value)


def test_within_its_time_a_query_gives_what_it_gives(run: Run) -> None:
    assert run_sql(run, "SELECT count(*) FROM rollouts", 60.0).rows == [(3,)]
    with pytest.raises(UsageError, match="nothing"):
        run_sql(run, "SELECT nothing FROM rollouts", 60.0)


def test_the_runs_own_artifacts_cannot_be_read_around_the_tables(run: Run) -> None:
    with pytest.raises(UsageError):
        run_sql(run, f"SELECT * FROM read_text('{run.artifacts.rollouts[0]}')")


def test_a_refused_query_leaves_the_tables_as_they_were(run: Run) -> None:
    with pytest.raises(UsageError):
        run_sql(run, "DELETE FROM rollouts")
    assert run_sql(run, "SELECT count(*) FROM rollouts").rows == [(3,)]
