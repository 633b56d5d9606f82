"""Text that wants to steer a terminal, break out of a page, forge a column or leak a secret."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support import blade, codes, inspect, message, row, sql, write

ESCAPES = (
    "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "\x9b31mC1", "\x9d0;C1 title\x9c", "\x90dcs\x9c",
    "\r overwrite", "\x08\x08back", "\x7fdel", "\x85next", "\x00nul", "\x1bc", "<script>alert(1)</script>", "\u202eright to left", "[bold red]rich[/]",
)  # fmt: skip
HOSTILE = " ".join(ESCAPES)


def hostile_row(task: str, repeat: int) -> dict[str, Any]:
    """A row that carries hostile text in every place that holds text."""
    output = [
        message(HOSTILE),
        {"type": "reasoning", "summary": [{"text": HOSTILE}], "content": HOSTILE},
        {"type": "function_call", "name": HOSTILE, "call_id": HOSTILE, "arguments": json.dumps({HOSTILE: HOSTILE})},
        {"type": "function_call", "name": HOSTILE, "call_id": "c2", "arguments": HOSTILE},
        {"type": "function_call_output", "call_id": HOSTILE, "output": HOSTILE},
        {"type": HOSTILE, "role": HOSTILE, "content": HOSTILE},
    ]
    response = {
        "id": HOSTILE,
        "model": HOSTILE,
        "status": HOSTILE,
        "output": output,
        "error": {"code": HOSTILE, "message": HOSTILE},
    }
    return row(
        task + HOSTILE,
        repeat,
        agent_ref={"name": HOSTILE},
        skills_ref={"hash": HOSTILE},
        responses_create_params={"input": [{"role": HOSTILE, "content": HOSTILE}], "model": HOSTILE, "instructions": HOSTILE},
        response=response | {"incomplete_details": {"reason": HOSTILE}, "usage": {HOSTILE: 1, "input_tokens": 5}},
        expected_answer=HOSTILE,
        verifier_metadata={HOSTILE: HOSTILE, "deep": {HOSTILE: [HOSTILE]}},
        **{HOSTILE: HOSTILE, "tags": [HOSTILE], "problem_id": HOSTILE},
    )


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    lines = [hostile_row("a", 0), hostile_row("a", 1), hostile_row("b", 0) | {"agent_ref": {"name": "two" + HOSTILE}}]
    run = write(tmp_path / "r.jsonl", [*lines, HOSTILE.replace("\r", "").encode(), hostile_row("a", 1) | {"reward": 0}])
    manifest = {
        "model": HOSTILE,
        "agent": [HOSTILE],
        "sampling": {HOSTILE: HOSTILE},
        "verifier": {"x": HOSTILE},
        "prompt": HOSTILE,
    }
    (tmp_path / "r_run.json").write_text(json.dumps(manifest))
    (tmp_path / "r_aggregate_metrics.json").write_text(HOSTILE)
    return run


NESTED_VALUES = "SELECT [model], map([model], [model]), {'a': model} FROM rollouts"
COMMANDS = (
    ("inspect",), ("inspect", "--json"),
    ("sql", "SELECT * FROM rollouts"), ("sql", "SELECT * FROM rollouts", "--json"), ("sql", "SELECT * FROM rollouts", "--csv"),
    ("sql", "SELECT * FROM problems"), ("sql", "SELECT * FROM problems", "--csv"), ("sql", "DESCRIBE rollouts"),
    ("sql", NESTED_VALUES), ("sql", NESTED_VALUES, "--json"), ("sql", NESTED_VALUES, "--csv"),
    ("show", "ROLLOUT"), ("show", "ROLLOUT", "--full"), ("show", "ROLLOUT", "--json"), ("show", "ROLLOUT", "--no-redact", "--full"),
)  # fmt: skip


def test_nothing_that_steers_a_terminal_is_printed(hostile: Path) -> None:
    """`blade` looks at both streams of every call."""
    rollout = sql(hostile, "SELECT rollout FROM rollouts WHERE repeat = 1 AND task LIKE 'a%'")[0][0]
    for command, *rest in COMMANDS:
        result = blade(command, hostile, *(rollout if argument == "ROLLOUT" else argument for argument in rest))
        assert result.code == 0, result.err
        assert "red" in result.out, (command, rest)


def test_errors_print_nothing_that_steers_a_terminal(hostile: Path) -> None:
    wrong = (
        ("show", "nope" + HOSTILE),
        ("sql", f"SELECT '{HOSTILE}' FROM nope"),
        ("sql", HOSTILE),
        ("inspect", "--task-field", HOSTILE),
    )
    for command, *rest in wrong:
        for form in ((), ("--json",)):
            result = blade(command, hostile, *rest, *form)
            assert result.code == 2
            assert result.err.startswith("blade: ")


def test_a_missing_path_with_escapes_is_named_cleanly(tmp_path: Path) -> None:
    for name in (HOSTILE.replace("\0", "").replace("/", ""), "*" + ESCAPES[0], "@" + ESCAPES[0]):
        assert blade("inspect", name).code == 2


def test_a_file_name_with_escapes_and_quotes_is_read(tmp_path: Path) -> None:
    folder = tmp_path / 'it\'s \x1b[31m a "dir"'
    run = write(folder / 'ro\'ll\x1b]0;t\x07 \n"o"uts.jsonl', [row(0), b"bad", row(1)])
    for target in (run, folder):
        found = inspect(target)
        assert found["denominator"]["scored"] == 2
        assert found["problems"][0]["path"] == str(run)
        assert blade("inspect", target).code == 0
        assert blade("show", target, "1:0").code == 0


def test_markup_in_text_is_shown_as_it_is(tmp_path: Path) -> None:
    text = "[bold]not markup[/bold] <b>not html</b> :smile: {x}"
    run = write(tmp_path / "r.jsonl", [row(0, response={"model": text, "output": [message(text)]}, note=text)])
    assert text in blade("inspect", run).out
    assert blade("show", run, "0:0").out.count(text) == 2
    assert text in blade("sql", run, "SELECT note FROM rollouts", "--csv").out


def test_two_different_characters_that_look_alike_are_told_apart(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row("pay\u202epal"), row("paypal")])
    assert "⟨U+202E⟩" in blade("sql", run, "SELECT task FROM tasks").out


# Columns ------------------------------------------------------------------------------------------------------------------


def test_own_fields_never_replace_the_tables_columns(tmp_path: Path) -> None:
    clashing = {
        "rollout": "x",
        "task": "y",
        "repeat": 9,
        "class": "z",
        "path": "p",
        "line": -1,
        "offset": -2,
        "agent": "me",
        "steps": 99,
        "Model": "M",
    }
    run = write(tmp_path / "r.jsonl", [row(0) | clashing, row(1) | clashing])
    assert sql(run, "SELECT rollout, task, repeat, class, line, steps, model FROM rollouts") == [
        ["0:0", "0", 0, "scored", 1, 1, "m"],
        ["1:0", "1", 0, "scored", 2, 1, "m"],
    ]
    columns = sql(run, "SELECT COLUMNS('^row[.]') FROM rollouts LIMIT 1")[0]
    assert {str(value) for value in columns} >= {"x", "y", "9", "z", "p", "-1", "-2"}


def test_fields_that_differ_only_by_case_keep_their_own_values(tmp_path: Path) -> None:
    run = write(
        tmp_path / "r.jsonl",
        [row(0, Note="upper", note="lower", NOTE="shout"), row(1, note="only lower"), row(2, NOTE="only shout")],
    )
    rows = blade("sql", run, "SELECT COLUMNS('(?i)note') FROM rollouts ORDER BY line", "--json").json["rows"]
    assert sorted(value for value in rows[0] if value) == ["lower", "shout", "upper"]
    assert [value for value in rows[1] if value] == ["only lower"]
    assert [value for value in rows[2] if value] == ["only shout"]
    assert sql(run, "SELECT note FROM rollouts ORDER BY line LIMIT 2") == [["lower"], ["only lower"]]
    assert rows[1].index("only lower") == rows[0].index("lower")
    assert rows[2].index("only shout") == rows[0].index("shout")


NAMES = (
    'quo"te', "apos'trophe", "", " ", "semi;colon", "a.b", "a.b.c", "new\nline", "nul\0byte", "tab\t", "back\\slash", "日本語", "\u202e", "own:x", "*", "%",
    "select", "true", "1", "-", "x" * 199, "x" * 500, "row.x", "usage.x", "\x1b[31m", "offset", "a b", "\ue000",
)  # fmt: skip


def test_column_names_of_any_characters_are_columns(tmp_path: Path) -> None:
    fields = {name: f"value {number}" for number, name in enumerate(NAMES)}
    run = write(tmp_path / "r.jsonl", [row(0) | fields, row(1) | fields, row(2)])
    assert inspect(run)["denominator"]["scored"] == 3
    first = sql(run, "SELECT * FROM rollouts LIMIT 1")[0]
    missing = {f"value {number}" for number in range(len(NAMES))} - {value for value in first if isinstance(value, str)}
    assert missing == {f"value {NAMES.index('x' * 500)}"}
    assert "fields_without_column" in codes(inspect(run))
    assert blade("sql", run, "SELECT * FROM rollouts").code == blade("sql", run, "SELECT * FROM rollouts", "--csv").code == 0


def test_column_names_of_any_characters_below_a_field_are_columns(tmp_path: Path) -> None:
    fields = {name: f"value {number}" for number, name in enumerate(NAMES)}
    usage = {name: number for number, name in enumerate(NAMES)}
    run = write(tmp_path / "r.jsonl", [row(0, meta=fields, response={"output": [], "usage": usage}), row(1)])
    assert inspect(run)["denominator"]["scored"] == 2
    first = sql(run, "SELECT * FROM rollouts LIMIT 1")[0]
    assert sum(isinstance(value, str) and value.startswith("value ") for value in first) >= len(NAMES) - 2


def test_rows_of_thousands_of_random_keys_are_read_and_the_limit_is_said(tmp_path: Path) -> None:
    rows = [row(task, note=f"kept {task}", **{f"key_{task}_{number}": number for number in range(3_000)}) for task in range(4)]
    rows += [row(9, meta={f"child_{number}": number for number in range(5_000)}, note="kept 9")]
    run = write(tmp_path / "r.jsonl", rows)
    found = inspect(run)
    assert found["denominator"]["scored"] == 5
    assert "fields_without_column" in codes(found)
    assert [value for (value,) in sql(run, "SELECT note FROM rollouts ORDER BY line")] == [
        "kept 0",
        "kept 1",
        "kept 2",
        "kept 3",
        "kept 9",
    ]
    assert len(blade("sql", run, "DESCRIBE rollouts", "--json").json["rows"]) < 400
    shown = blade("show", run, "2:0", "--json").json
    assert shown["verifier"]["key_2_2999"] == 2_999


def test_a_field_of_many_kinds_is_text(tmp_path: Path) -> None:
    values = [1, "1", 1.5, True, None, [1], {"a": 1}, 10**30, "x", -0.0]
    run = write(tmp_path / "r.jsonl", [row(number, mixed=value) for number, value in enumerate(values)])
    found = [value for (value,) in sql(run, "SELECT mixed FROM rollouts ORDER BY line")]
    assert found[:6] == ["1", "1", "1.5", "true", None, "[1]"]
    assert found[6] == '{"a":1}'
    assert found[8] == "x"


def test_numbers_keep_their_type_and_value(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(0, i=2**62, f=1, b=True), row(1, i=-5, f=2.5, b=False), row(2, i=None)])
    assert sql(run, "SELECT i, f, b, typeof(i), typeof(f), typeof(b) FROM rollouts ORDER BY line") == [
        [2**62, 1.0, True, "BIGINT", "DOUBLE", "BOOLEAN"],
        [-5, 2.5, False, "BIGINT", "DOUBLE", "BOOLEAN"],
        [None, None, None, "BIGINT", "DOUBLE", "BOOLEAN"],
    ]


# Secrets ------------------------------------------------------------------------------------------------------------------

KEY = "sk-proj-Zq8fT3kLm2Np7Rs1Vw6Xy4Bc9Dd0Gh5"
PASSWORD = "correct-horse-99"


def secretive(tmp_path: Path) -> Path:
    calls = [
        {"type": "function_call", "name": "login", "call_id": "c", "arguments": json.dumps({"password": PASSWORD, "env": KEY})},
        {"type": "function_call_output", "call_id": "c", "output": f"OPENAI_API_KEY={KEY}\nok"},
        message(f"I used {KEY}."),
    ]
    first = row(
        0,
        note=f"the key is {KEY}",
        api_key=PASSWORD,
        long_text="word " * 197 + KEY,
        verifier_metadata={"password": PASSWORD, "log": f"Authorization: Bearer {KEY}"},
        deep={"a": {"b": [{"password": PASSWORD, "key": KEY}]}},
        response={"output": calls, "error": {"code": "401", "message": f"Incorrect API key provided: {KEY}"}},
    )
    run = write(tmp_path / "r.jsonl", [first, f'{{"note": "{KEY}", broken'.encode(), row(1)])
    write(tmp_path / "r_materialized_inputs.jsonl", [row(0, note=KEY), row(1, note=KEY)])
    (tmp_path / "r_run.json").write_text(json.dumps({"model": "m", "verifier": {"api_key": PASSWORD, "note": f"key {KEY}"}}))
    return run


SECRET_PARTS = (KEY, KEY[:20], PASSWORD)


def test_secrets_are_not_printed(tmp_path: Path) -> None:
    run = secretive(tmp_path)
    for arguments in (
        ("inspect", run),
        ("inspect", run, "--json"),
        ("sql", run, "SELECT * FROM rollouts", "--json"),
        ("sql", run, "SELECT * FROM rollouts", "--csv"),
        ("sql", run, "SELECT * FROM problems", "--json"),
        ("show", run, "0:0"),
        ("show", run, "0:0", "--full"),
        ("show", run, "0:0", "--json"),
    ):
        result = blade(*arguments)
        assert result.code == 0, result.err
        assert not [part for part in SECRET_PARTS if part in result.out + result.err], arguments


def test_secrets_are_shown_to_who_asks(tmp_path: Path) -> None:
    for options in (("--full",), ("--json",)):
        shown = blade("show", secretive(tmp_path), "0:0", "--no-redact", *options).out
        assert all(part in shown for part in SECRET_PARTS)


def test_secrets_are_not_in_the_index(tmp_path: Path, cache: Path) -> None:
    import duckdb

    inspect(secretive(tmp_path))
    tables = list(cache.rglob("*.parquet"))
    assert len(tables) >= 4
    for table in tables:
        text = str(duckdb.sql(f"SELECT * FROM read_parquet('{table}')").fetchall())
        assert not [part for part in SECRET_PARTS if part in text], table.name
    for path in cache.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()


def test_only_the_owner_can_read_the_index(tmp_path: Path, cache: Path) -> None:
    inspect(write(tmp_path / "r.jsonl", [row(0)]))
    for folder in (cache / "runs").iterdir():
        closed = any(parent.stat().st_mode & 0o077 == 0 for parent in (folder, folder.parent))
        assert closed, f"{folder} can be read by others"
