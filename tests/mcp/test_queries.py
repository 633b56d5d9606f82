"""SQL of an agent: the tables and nothing else, a bounded answer, and an end whatever the query does."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from blade.errors import BladeError, UsageError
from blade.mcp.desk import Study
from blade.mcp.pages import MOST
from blade.mcp.queries import query_answer
from tests.e2e.support import row
from tests.mcp.desk import desk_over


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    rows = [row(task, repeat, task % 2, note="n" * 900) for task in range(30) for repeat in range(2)]
    with desk_over(tmp_path_factory.mktemp("queries"), rows).study("run.jsonl") as opened:
        yield opened


def rows_of(answer: str) -> list[list[object]]:
    return [json.loads(line) for line in answer.split("```json\n")[1].split("\n```")[0].split("\n")]


def test_rows_come_as_json_with_their_columns(study: Study) -> None:
    told = query_answer(
        {"main": study}, "SELECT task, count(*) AS n, avg(reward) AS mean FROM rollouts GROUP BY 1 ORDER BY task::INT LIMIT 2", 50
    )
    assert told.startswith("2 rows.")
    assert rows_of(told) == [["task", "n", "mean"], ["0", 2, 0.0], ["1", 2, 1.0]]


def test_two_runs_have_a_schema_each(study: Study) -> None:
    told = query_answer({"a": study, "b": study}, "SELECT count(*) FROM a.rollouts JOIN b.rollouts USING (rollout)", 50)
    assert rows_of(told)[1] == [60]


def test_a_large_result_is_cut_and_says_so(study: Study) -> None:
    few = query_answer({"main": study}, "SELECT i FROM range(1000000) t(i)", 5)
    assert few.startswith("The first 5 rows; there are more.")
    wide = query_answer({"main": study}, "SELECT * FROM rollouts, range(1000)", 200)
    assert "there are more" in wide
    assert len(wide) <= MOST
    long = query_answer({"main": study}, "SELECT repeat('x', 100000) AS x", 5)
    assert "(100,000 characters)" in long
    assert len(long) < 1_000


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/*')",
        "ATTACH '{}/x.db'",
        "COPY rollouts TO '{}/x.csv'",
        "EXPORT DATABASE '{}/x'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SELECT 1; SELECT 2",
        "DELETE FROM rollouts",
        "SELECT nonsense",
        "",
    ],
)
def test_whatever_reaches_beyond_the_tables_is_refused(study: Study, query: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        query_answer({"main": study}, query.format(tmp_path), 5)
    assert "root:" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "query",
    [
        "WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t) SELECT count(*) FROM t",
        "SELECT count(*) FROM range(1000000000000) a, range(1000000000000) b WHERE a.range + b.range = -1",
        "SELECT length(repeat('x', 1000000000)) FROM range(1000000)",
    ],
)
def test_a_query_that_never_ends_is_ended(study: Study, query: str) -> None:
    with pytest.raises(BladeError, match=r"ended after 1.5 seconds|too much memory|Out of Memory"):
        query_answer({"main": study}, query, 5, seconds=1.5)


def test_a_query_that_wants_all_memory_is_ended(study: Study) -> None:
    with pytest.raises(BladeError, match="emory"):
        query_answer({"main": study}, "SELECT length(string_agg(repeat('x', 100000), '')) FROM range(100000)", 5)
