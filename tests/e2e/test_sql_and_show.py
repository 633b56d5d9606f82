"""`blade sql` reads the run's tables and nothing else; `blade show` finds every rollout and says what there is when it does not."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.e2e.support import blade, message, row, sql, write


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write(tmp_path / "r.jsonl", [row(task, repeat, task % 2, note=f"n{task}") for task in range(4) for repeat in range(2)])


BEYOND = [
        "COPY rollouts TO '{0}/out.csv'", "COPY (SELECT 1) TO '{0}/out.parquet'", "EXPORT DATABASE '{0}/out'", "INSTALL httpfs", "LOAD httpfs", "LOAD '{0}/x'",
        "ATTACH '{0}/out.db'", "SET memory_limit = '1GB'", "SET enable_external_access = true", "RESET lock_configuration", "PRAGMA database_list",
        "SELECT * FROM read_text('/etc/passwd')", "SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM read_blob('/etc/passwd')",
        "SELECT * FROM read_json('/etc/passwd')", "SELECT * FROM '/etc/passwd'", "SELECT * FROM '{0}/r.jsonl'", "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM read_parquet('{0}/*')", "SELECT * FROM read_text('https://example.com')", "SELECT * FROM sniff_csv('/etc/passwd')",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO '{0}/out.csv'", "SELECT 1; SELECT 2", "SELECT 1; DROP VIEW rollouts", "CREATE TABLE x AS SELECT 1",
        "CREATE MACRO f(x) AS x", "DROP VIEW rollouts", "DELETE FROM rollouts", "INSERT INTO rollouts SELECT * FROM rollouts", "UPDATE tasks SET task = 'x'",
        "ALTER TABLE tasks RENAME TO t", "CALL pragma_version()", "BEGIN TRANSACTION", "VACUUM", "CHECKPOINT", "USE memory", "PREPARE p AS SELECT 1",
        "WITH x AS (DELETE FROM rollouts RETURNING *) SELECT * FROM x", "CREATE SECRET (TYPE s3)", "SELECT * FROM duckdb_secrets()",
    ]  # fmt: skip


def test_whatever_reaches_beyond_the_tables_is_refused(run: Path) -> None:
    before = sorted(run.parent.iterdir())
    for query in BEYOND:
        result = blade("sql", run, query.format(run.parent), "--json")
        assert result.code == 2, query
        assert result.json["schema"] == "blade.error/1"
        assert len(result.err.strip().splitlines()) == 1, query
        assert sorted(run.parent.iterdir()) == before, query
        assert "root:" not in result.out, query


WRONG = (
    "", "   ", ";", "SELEC 1", "SELECT", "SELECT (", "SELECT nope FROM rollouts", "SELECT * FROM nope", "SELECT 'a'::INT", "SELECT $1",
    "SELECT error('x')", "SELECT 'unclosed",
)  # fmt: skip


def test_a_wrong_query_is_answered_in_one_sentence(run: Path) -> None:
    for query in WRONG:
        result = blade("sql", run, query)
        assert result.code == 2, query
        assert result.out == ""
        assert len(result.err.strip().splitlines()) == 1, query


@pytest.mark.parametrize("table", ["rollouts", "tasks", "plan", "problems"])
def test_every_table_can_be_read_in_every_form(run: Path, table: str) -> None:
    for query in (
        "SELECT count(*) FROM {0}",
        "FROM {0}",
        "DESCRIBE {0}",
        "SUMMARIZE {0}",
        "WITH x AS (SELECT * FROM {0}) SELECT * FROM x",
    ):
        assert blade("sql", run, query.format(table), "--json").code == 0
    assert blade("sql", run, f"EXPLAIN SELECT * FROM {table}").code == blade("sql", run, f"SUMMARIZE {table}").code == 0


def test_the_three_forms_of_output_hold_the_same_values(run: Path) -> None:
    query = "SELECT task, avg(reward) AS mean, count(*) AS n, NULL AS nothing FROM rollouts GROUP BY task ORDER BY task"
    expected = [[str(task), float(task % 2), 2, None] for task in range(4)]
    assert sql(run, query) == expected
    table = list(csv.reader(io.StringIO(blade("sql", run, query, "--csv").out)))
    assert table == [["task", "mean", "n", "nothing"], *([task, str(mean), str(n), ""] for task, mean, n, _ in expected)]
    shown = blade("sql", run, query)
    assert [line.split() for line in shown.out.splitlines()[-5:-1]] == [
        [task, f"{mean:g}", str(n), "·"] for task, mean, n, _ in expected
    ]
    assert "4 rows" in shown.err


def test_a_row_of_many_columns_is_printed_with_its_values(run: Path) -> None:
    shown = blade("sql", run, "SELECT * FROM rollouts LIMIT 2").out
    assert "note" in shown
    assert "n0" in shown


def test_values_that_json_has_no_word_for_are_null_or_text(run: Path) -> None:
    query = "SELECT 'nan'::DOUBLE, 'inf'::DOUBLE, DATE '2020-01-02', 'x'::BLOB, 2::HUGEINT ** 100, 1.50::DECIMAL(4,2), [1, NULL], {'a': 'nan'::FLOAT}"
    [values] = sql(run, query)
    assert values[:3] == [None, None, "2020-01-02"]
    assert values[6:] == [[1, None], {"a": None}]
    assert blade("sql", run, query, "--csv").code == blade("sql", run, query).code == 0


UNKNOWN = (
    "nope",
    "nope:0",
    "0:9",
    "0:-1",
    "0:",
    ":",
    "",
    "0:99999999999999999999999",
    "0:x",
    "0:0:0",
    "' OR 1=1 --",
    "0:" + "9" * 5_000,
)


def test_an_unknown_rollout_is_answered_with_what_there_is(run: Path) -> None:
    for name in UNKNOWN:
        result = blade("show", run, "--json", "--", name)
        assert result.code == 2, name
        assert "4 tasks" in result.json["error"] or "task 0 has 0:0" in result.json["error"]


def test_a_trajectory_is_shown_in_order_with_its_steps_numbered(tmp_path: Path) -> None:
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "think"}]},
        {"type": "function_call", "name": "look", "call_id": "c1", "arguments": '{"what": "door"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "a door"},
        {"type": "function_call_output", "call_id": "c1", "output": [{"type": "output_text", "text": "again"}]},
        {"type": "computer_call", "call_id": "c2", "action": {"type": "click"}},
        message("done"),
    ]
    prompt = {
        "input": [{"role": "system", "content": "rules"}, {"role": "user", "content": [{"type": "input_text", "text": "go"}]}]
    }
    run = write(
        tmp_path / "r.jsonl", [row(5, 3, 0.5, responses_create_params=prompt, response={"output": output}, verdict="poor")]
    )
    shown = blade("show", run, "5:3", "--json").json
    assert (shown["rollout"], shown["task"], shown["reward"], shown["status"]) == ("5:3", "5", 0.5, "scored")
    steps = [
        (step["step"], step["kind"], step["role"], step["name"], step["call_id"], step["text"], step["arguments"])
        for step in shown["steps"]
    ]
    assert steps == [
        (-2, "message", "system", None, None, "rules", None),
        (-1, "message", "user", None, None, "go", None),
        (0, "reasoning", "assistant", None, None, "think", None),
        (1, "tool_call", "assistant", "look", "c1", "", '{"what": "door"}'),
        (2, "tool_output", "tool", None, "c1", "a door", None),
        (3, "tool_output", "tool", None, "c1", "again", None),
        (4, "tool_call", "assistant", None, "c2", "", '{"type":"click"}'),
        (5, "message", "assistant", None, None, "done", None),
    ]
    assert shown["verifier"]["verdict"] == "poor"
    text = blade("show", run, "5:3").out
    places = [
        text.index(mark) for mark in ("[-2]", "[-1]", "[0]", "[1]", "what: door", "[2]", "a door", "[5]", "done", "verdict: poor")
    ]
    assert places == sorted(places)


def test_long_texts_are_folded_unless_asked_for(tmp_path: Path) -> None:
    run = write(
        tmp_path / "r.jsonl",
        [row(0, response={"output": [message("word " * 2_000 + "THE END"), message("\n".join(map(str, range(500))))]})],
    )
    folded, full = blade("show", run, "0:0").out, blade("show", run, "0:0", "--full").out
    assert "THE END" not in folded
    assert "--full" in folded
    assert "THE END" in full
    assert "  499" in [line.rstrip() for line in full.splitlines()]
    assert len(folded) < len(full) / 2


SHAPES = {
    "a string": {"response": "the answer"},
    "a list": {"response": [message("the answer")]},
    "lists in output": {"response": {"output": [[message("the answer")], [[message("more")]]]}},
    "strings in output": {"response": {"output": ["the answer"]}},
    "output as a string": {"response": {"output": "the answer"}},
    "a chat completion": {"response": {"choices": [{"message": {"role": "assistant", "content": "the answer"}}]}},
    "messages": {"response": ..., "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "the answer"}]},
    "completion": {"response": ..., "completion": "the answer"},
    "tool messages": {
        "response": ...,
        "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "tool_calls": [{"id": "x", "function": {"name": "f", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "x", "content": "the answer"}],
    },
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_conversations_of_other_shapes_are_shown(tmp_path: Path, shape: str) -> None:
    run = write(tmp_path / "r.jsonl", [row(0, **SHAPES[shape]), row(1)])
    shown = blade("show", run, "0:0", "--json").json
    assert "the answer" in [step["text"] for step in shown["steps"] if step["step"] >= 0]
    assert sql(run, "SELECT steps FROM rollouts ORDER BY line")[0][0] == sum(step["step"] >= 0 for step in shown["steps"])


ODD: list[object] = [None, 5, -1.5, True, "", "text", [], [None], [1, "x", [2, [3]], {}], {}, {"a": None}, {"output": None}, {"output": 5}, {"output": {"a": 1}},
    {"output": [None, 1, "s", [], {}]}, {"output": [{"type": 5, "role": [], "content": {"x": 1}, "name": {}, "call_id": 7}]},
    {"output": [{"type": "message", "content": [None, 5, {"text": None}, {"type": "refusal", "refusal": "no"}]}]},
    {"output": [{"type": "function_call", "arguments": {"a": 1}}, {"type": "function_call", "arguments": "[1"}, {"type": "function_call_output", "output": None}]},
    {"choices": []}, {"choices": [None]}, {"choices": [{"message": {"tool_calls": [5, {"function": None}]}}]}, {"usage": 5}, {"usage": {"input_tokens": "x", "output_tokens": 1e300}},
    {"error": 5}, {"error": {"code": {"a": 1}, "message": ["x"]}}, {"incomplete_details": "x"}, {"model": 5, "id": [], "created_at": "now", "status": {}}]  # fmt: skip
FIELDS = (
    "response", "responses_create_params", "messages", "conversation", "trajectory", "completion", "output", "prompt", "question", "agent_ref", "skills_ref",
    "ng_model_call_capture", "ng_trajectory", "_ng_failure_class", "_ng_attempt_index", "_ng_rollout_index", "_ng_task_index", "task_id", "expected_answer", "score", "meta",
)  # fmt: skip


@pytest.mark.parametrize("field", FIELDS)
def test_values_of_odd_types_in_any_field_lose_no_row(tmp_path: Path, field: str) -> None:
    """Every odd value in one file, so that columns meet every kind; each row can be shown."""
    rows = [row(number) | {field: value} for number, value in enumerate(ODD)] + [row("a"), row("b")]
    run = write(tmp_path / "r.jsonl", rows)
    result = blade("inspect", run, "--json")
    assert result.code == 0, result.err
    counts = result.json["denominator"]
    assert counts["rows"] == len(rows)
    assert counts["malformed"] == 0
    assert counts["scored"] + counts["errored_rows"] + counts["duplicate"] + counts["conflicting"] == len(rows)
    names = [name for (name,) in sql(run, "SELECT DISTINCT rollout FROM rollouts")]
    for name in names[:: 2 if field in ("response", "messages") else 9]:
        assert blade("show", run, "--json", "--", name).code == 0
        assert blade("show", run, "--", name).code == 0
    assert blade("sql", run, "SELECT * FROM rollouts", "--csv").code == 0


def test_show_prints_where_the_row_stands(run: Path) -> None:
    shown = blade("show", run, "3:1", "--json").json
    line = run.read_text().splitlines()[shown["line"] - 1]
    assert json.loads(line)["_ng_task_index"] == 3
    assert shown["path"] == str(run)


def test_a_query_without_end_is_stopped_in_one_sentence(run: Path) -> None:
    joined = ", ".join(f"range(100000) AS r{number}" for number in range(4))
    result = blade("sql", run, f"SELECT sum(hash(r0.range + r1.range * r2.range + r3.range)) FROM {joined}", "--timeout", "0.5")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("blade: the query was stopped after 0.5 s; ")
    assert "--timeout SECONDS" in result.err
    assert blade("sql", run, "SELECT 1", "--timeout", "0").code == 0


@pytest.mark.parametrize("query", ["SELECT * FROM master", "SELECT * FROM signal"])
def test_an_unknown_table_is_answered_with_those_that_there_are(run: Path, query: str) -> None:
    err = blade("sql", run, query).err
    assert "tables: failures, inputs, plan, problems, rollouts, tasks" in err
    assert "when a query names them: signals, calls, expected" in err
    assert not any(word in err for word in ("sqlite_", "pg_", "duckdb_"))
