"""Lines that a killed writer, a bad disk or a hostile hand left: counted with their place, and the rest is read."""

import json
import os
from pathlib import Path

import pytest

from tests.e2e.support import (
    blade,
    blade_peak,
    blade_process,
    codes,
    counts,
    inspect,
    lines_of,
    message,
    refused,
    row,
    sql,
    write,
)

TWO_GOOD = {"lines": 3, "malformed": 1, "rows": 2, "scored": 2, "expected": 2, "passed": 2, "attempts": 2}
DEEP = 10_000


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"reward": 1, "_ng_task_index": 5', "malformed"),
        (b"not json at all", "malformed"),
        (b'{"reward": 1}{"reward": 0}', "malformed"),
        (b"{'reward': 1}", "malformed"),
        (b"[1, 2]", "not_an_object"),
        (b'"text"', "not_an_object"),
        (b"7", "not_an_object"),
        (b"null", "not_an_object"),
        (b"true", "not_an_object"),
        (b"NaN", "not_an_object"),
        (b"\0" * 300, "nul_bytes"),
        (nested(DEEP).encode(), "too_deep"),
        (b'{"reward": 1, "x": ' + nested(DEEP).encode() + b"}", "too_deep"),
        (b'{"x": ' * DEEP + b"1" + b"}" * DEEP, "too_deep"),
        (b"\xff\xfe\x00\x01", "malformed"),
        (b"{", "malformed"),
        (b"}", "malformed"),
    ],
)
def test_a_bad_line_is_counted_with_its_place_and_the_rest_is_read(tmp_path: Path, line: bytes, code: str) -> None:
    first = row(0)
    run = write(tmp_path / "r.jsonl", [first, line, row(1)])
    found = inspect(run)
    assert counts(found) == TWO_GOOD
    [problem] = found["problems"]
    assert problem["code"] == code
    assert (problem["path"], problem["line"], problem["offset"]) == (str(run), 2, len(lines_of([first])))
    assert problem["message"]


@pytest.mark.parametrize(
    "line",
    [b"\0" * 50, b"broken", nested(DEEP).encode(), b"[]", b"\xef\xbb\xbf", b"{" * 200],
)
def test_a_file_with_no_readable_row_is_refused_with_its_lines_listed(tmp_path: Path, line: bytes) -> None:
    run = write(tmp_path / "r.jsonl", [b"", line, line])
    result = blade("inspect", run, "--json")
    assert result.code == 2
    assert [problem["line"] for problem in result.json["problems"]] == [2, 3]
    assert str(run) in result.err


def test_a_torn_last_line_is_told_from_a_broken_one(tmp_path: Path) -> None:
    whole = lines_of([row(0), row(1)])
    (tmp_path / "r.jsonl").write_bytes(whole + json.dumps(row(2)).encode()[:-30])
    found = inspect(tmp_path / "r.jsonl")
    assert counts(found) == TWO_GOOD
    assert [(problem["code"], problem["line"], problem["offset"]) for problem in found["problems"]] == [
        ("torn_last_line", 3, len(whole))
    ]


@pytest.mark.parametrize("cut", [1, 2, 40, 100])
def test_a_last_row_without_a_newline_is_whole_only_when_all_of_it_is_there(tmp_path: Path, cut: int) -> None:
    whole = lines_of([row(0), row(1)])
    (tmp_path / "r.jsonl").write_bytes(whole[:-cut])
    found = inspect(tmp_path / "r.jsonl")
    assert found["denominator"]["rows"] == (2 if cut == 1 else 1)
    assert found["denominator"]["lines"] == 2


def test_crlf_lines_are_rows(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_bytes(lines_of([row(0), row(1, reward=0), b"", row(2)], end=b"\r\n"))
    found = inspect(tmp_path / "r.jsonl")
    assert counts(found) == {
        "lines": 4,
        "blank": 1,
        "rows": 3,
        "scored": 3,
        "expected": 3,
        "passed": 2,
        "failed": 1,
        "attempts": 3,
    }
    assert found["problems"] == []
    assert "answer 1 0" in blade("show", tmp_path / "r.jsonl", "1:0").out


def test_a_byte_order_mark_is_no_part_of_the_first_row(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_bytes(b"\xef\xbb\xbf" + lines_of([row(0), row(0), row(1)]))
    found = inspect(tmp_path / "r.jsonl")
    assert counts(found) == {"lines": 3, "rows": 3, "scored": 2, "duplicate": 1, "expected": 2, "passed": 2, "attempts": 2}
    assert "answer 0 0" in blade("show", tmp_path / "r.jsonl", "0:0").out


def test_byte_order_marks_of_concatenated_files_do_not_cost_their_rows(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_bytes(b"\xef\xbb\xbf" + lines_of([row(0)]) + b"\xef\xbb\xbf" + lines_of([row(1)]))
    assert counts(inspect(tmp_path / "r.jsonl"))["scored"] == 2


def test_nul_bytes_inside_a_string_do_not_cost_the_row(tmp_path: Path) -> None:
    raw = json.dumps(row(1, note="before after")).encode().replace(b"before after", b"before\0after")
    escaped = row(2, note="before\0after", task_name="a\0b")
    run = write(tmp_path / "r.jsonl", [row(0), raw, escaped])
    assert counts(inspect(run))["scored"] == 3
    assert [value for (value,) in sql(run, "SELECT note FROM rollouts WHERE note IS NOT NULL")] == ["before\0after"] * 2
    assert "beforeafter" in blade("show", run, "1:0").out


def test_nul_bytes_around_a_row_do_not_cost_it(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [b"\0" * 20 + json.dumps(row(0)).encode(), json.dumps(row(1)).encode() + b"\0\0", row(2)])
    assert counts(inspect(run))["scored"] == 3


def test_invalid_utf8_is_read_with_replacement_and_said(tmp_path: Path) -> None:
    bad = json.dumps(row(1, note="XX")).encode().replace(b"XX", b"caf\xe9 \xff\xc3")
    run = write(tmp_path / "r.jsonl", [row(0), bad, row(2)])
    found = inspect(run)
    assert counts(found)["scored"] == 3
    assert [(problem["code"], problem["line"]) for problem in found["problems"]] == [("invalid_utf8", 2)]
    assert sql(run, "SELECT note FROM rollouts WHERE note IS NOT NULL")[0][0].startswith("caf�")
    assert blade("show", run, "1:0").code == 0


FRAGMENTS = (r"\ud800", r"\udc00\ud800", r"\ud83d\ude00", r"\u0000", r"\q", "\t", "\x01", r"\u00zz")


@pytest.mark.parametrize("field", ["note", "expected_answer", "task_name", "model", "meta"])
def test_odd_escapes_in_a_field_never_stop_the_reading(tmp_path: Path, field: str) -> None:
    value = '{"inner": "xFRAGy"}' if field == "meta" else '"xFRAGy"'
    template = json.dumps(row("TASK")).replace("{", f'{{"{field}": {value}, ', 1)
    lines = [template.replace("FRAG", fragment).replace("TASK", f"t{number}") for number, fragment in enumerate(FRAGMENTS)]
    run = write(tmp_path / "r.jsonl", [row(0), *(line.encode() for line in lines), row(1)])
    found = inspect(run)
    assert found["denominator"]["lines"] == len(FRAGMENTS) + 2
    assert found["denominator"]["malformed"] <= 2, "what no reader can make sense of is a bad line, all else is read"
    assert found["denominator"]["scored"] == found["denominator"]["lines"] - found["denominator"]["malformed"]
    assert blade("sql", run, "SELECT * FROM rollouts", "--csv").code == 0


@pytest.mark.parametrize("content", [b"", b"\n", b"\n\n \n\t\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_a_file_of_nothing_is_refused_as_empty(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "r.jsonl").write_bytes(content)
    assert "empty" in refused(tmp_path / "r.jsonl")


def test_blank_lines_are_counted_apart(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [b"", row(0), b"   ", b"\t", row(1), b""])
    assert counts(inspect(run)) == {"lines": 6, "blank": 4, "rows": 2, "scored": 2, "expected": 2, "passed": 2, "attempts": 2}


DEPTHS = (50, 480, 700, 900, 950, 5_000)
PLACES = {
    "own field": lambda depth: {"x": depth},
    "expected answer": lambda depth: {"expected_answer": depth},
    "nested object": lambda depth: {"verifier_metadata": {"x": depth}},
    "tool list": lambda depth: {"responses_create_params": {"input": "q", "tools": depth}},
    "instructions": lambda depth: {"responses_create_params": {"input": "q", "instructions": depth}},
    "prompt": lambda depth: {"responses_create_params": {"input": [{"role": "user", "content": depth}]}},
    "prompt list": lambda depth: {"responses_create_params": {"input": depth}},
    "output": lambda depth: {"response": {"output": depth}},
    "output item": lambda depth: {"response": {"output": [{"type": "function_call_output", "output": depth}]}},
    "arguments": lambda depth: {"response": {"output": [{"type": "function_call", "name": "f", "arguments": depth}]}},
    "usage": lambda depth: {"response": {"output": [], "usage": depth}},
    "error": lambda depth: {"response": {"output": [], "error": depth}},
    "messages": lambda depth: {"messages": depth, "response": ...},
    "reward": lambda depth: {"reward": depth},
    "task id": lambda depth: {"_ng_task_index": depth},
    "agent": lambda depth: {"agent_ref": depth},
}


def test_nesting_of_any_depth_in_any_place_is_read_or_counted(tmp_path: Path) -> None:
    lines: list[object] = [row("good")]
    for place, fields in PLACES.items():
        for depth in DEPTHS:
            text = json.dumps(row(place, depth, **fields("MARK")))
            lines += [text.replace('"MARK"', wrap).encode() for wrap in (nested(depth), '{"k":' * depth + "1" + "}" * depth)]
    run = write(tmp_path / "r.jsonl", lines)
    found = inspect(run)
    assert found["denominator"]["lines"] == len(lines)
    assert codes(found).count("too_deep") == found["denominator"]["malformed"] >= 2 * len(PLACES)
    assert blade("sql", run, "SELECT * FROM rollouts", "--csv").code == 0
    deepest = sql(run, "SELECT arg_max(rollout, length) FROM rollouts WHERE task <> 'good' GROUP BY line // (2 * 6)")
    assert len(deepest) >= len(PLACES) - 2
    for (rollout,) in deepest:
        assert blade("show", run, rollout, "--json").code == 0
        assert blade("show", run, rollout, "--full").code == 0


def long_line_run(path: Path, megabytes: int) -> Path:
    """A row, a line of so many MiB (a hole in the file), a row."""
    with path.open("wb") as file:
        file.write(lines_of([row(0)]) + b'{"reward": 1, "_ng_task_index": 1, "note": "')
        file.seek(megabytes << 20, os.SEEK_CUR)
        file.write(b'"}\n' + lines_of([row(2, reward=0)]))
    return path


def test_a_line_of_200_mb_is_passed_over_in_bounded_memory(tmp_path: Path) -> None:
    run = long_line_run(tmp_path / "r.jsonl", 200)
    result, peak = blade_peak("inspect", run, "--json")
    found = result.json
    assert counts(found) == {
        "lines": 3,
        "malformed": 1,
        "rows": 2,
        "scored": 2,
        "expected": 2,
        "passed": 1,
        "failed": 1,
        "attempts": 2,
    }
    [problem] = found["problems"]
    assert (problem["code"], problem["line"], problem["offset"]) == ("line_too_long", 2, len(lines_of([row(0)])))
    assert "BLADE_MAX_LINE_MB" in problem["message"]
    assert peak < 300, peak


@pytest.mark.parametrize("compressed", [False, True])
def test_the_line_limit_can_be_set_and_a_new_limit_is_obeyed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compressed: bool
) -> None:
    import gzip

    content = lines_of([row(0), row(1, note="x" * (2 << 20)), row(2)])
    run = tmp_path / "r.jsonl"
    run.write_bytes(gzip.compress(content, 1) if compressed else content)
    monkeypatch.setenv("BLADE_MAX_LINE_MB", "1")
    found = inspect(run)
    assert counts(found) == TWO_GOOD
    assert codes(found) == ["line_too_long"]
    monkeypatch.setenv("BLADE_MAX_LINE_MB", "3")
    assert counts(inspect(run))["scored"] == 3, "the index must not answer for another limit"
    monkeypatch.setenv("BLADE_MAX_LINE_MB", "1")
    assert counts(inspect(run)) == TWO_GOOD


@pytest.mark.parametrize("limit", ["0", "-1", "lots", "1e3", "9" * 30])
def test_a_line_limit_that_makes_no_sense_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setenv("BLADE_MAX_LINE_MB", limit)
    assert "BLADE_MAX_LINE_MB" in refused(write(tmp_path / "r.jsonl", [row(0)]))


def test_long_last_lines_and_bad_lines_around_range_borders_are_all_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long lines that lie over the borders at which the work is cut, and one at the very end without a newline."""
    monkeypatch.setenv("BLADE_MAX_LINE_MB", "1")
    sizes = [1 << 14, 3 << 20, 900 << 10, 14 << 20, 1 << 10, 1 << 20, 17 << 20, 1 << 19, 2 << 20]
    lines = [json.dumps(row(number, note="x" * size)).encode() for number, size in enumerate(sizes)]
    (tmp_path / "r.jsonl").write_bytes(b"\n".join(lines))
    found = inspect(tmp_path / "r.jsonl")
    long = [number for number, line in enumerate(lines) if len(line) > 1 << 20]
    assert [problem["line"] for problem in found["problems"]] == [number + 1 for number in long]
    offsets = [sum(len(line) + 1 for line in lines[:number]) for number in long]
    assert [problem["offset"] for problem in found["problems"]] == offsets
    assert found["denominator"]["scored"] == len(lines) - len(long)
    kept = sql(tmp_path / "r.jsonl", "SELECT task, line FROM rollouts ORDER BY line")
    assert kept == [[str(number), number + 1] for number in range(len(lines)) if number not in long]


def test_results_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    """Rows of uneven length over several ranges, some broken."""
    lines: list[object] = []
    for number in range(600):
        lines.append(row(number // 3, number % 3, number % 2, note="x" * (number * 7919 % 120_000)))
        if number % 50 == 0:
            lines += [b"broken", b""]
    run = write(tmp_path / "r.jsonl", lines)
    one = inspect(run, "--workers", 1, "--no-index")
    two = inspect(run, "--workers", 2, "--no-index", call=blade_process)
    assert one == two
    assert counts(one) == {
        "lines": 624,
        "blank": 12,
        "malformed": 12,
        "rows": 600,
        "scored": 600,
        "expected": 600,
        "passed": 300,
        "failed": 300,
        "attempts": 600,
    }


def test_thousands_of_bad_lines_are_all_counted_and_some_are_listed(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(0)] + [b"bad"] * 5_000)
    found = inspect(run)
    assert found["denominator"]["malformed"] == 5_000
    assert len(found["problems"]) + found["problems_not_listed"] == 5_000
    assert "Problems (5000)" in blade("inspect", run).out


def test_a_pretty_printed_file_is_refused_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text(json.dumps([row(0), row(1)], indent=2))
    assert "no readable row" in refused(tmp_path / "r.jsonl")


def test_a_row_of_many_steps_is_counted_in_full(tmp_path: Path) -> None:
    run = write(tmp_path / "r.jsonl", [row(0, response={"output": [message("x")] * 5_000})])
    assert sql(run, "SELECT steps, messages FROM rollouts") == [[5_000, 5_000]]
