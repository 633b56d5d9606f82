"""The scan: counts, problems with their places, extractors, and that no result depends on how the work was split."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.engines.local import LocalEngine
from blade.runs import scan as scan_module
from blade.runs import survey
from blade.runs.artifacts import locate
from blade.runs.run import open_run
from blade.runs.scan import RowView
from blade.runs.sources import ByteRange, Source
from blade.runs.survey import Scanned, scan_all

from .support import Line, column, encoded, opened, planned, row, scan, tables_of, write_jsonl


class Words:
    """An extractor: every word of every message, with its step."""

    table = "words"
    version = "1"
    columns = {"step": "int64", "word": "string"}  # noqa: RUF012 (the protocol's own shape)

    def extract(self, view: RowView) -> Iterable[tuple[Any, ...]]:
        for step in view.trajectory.output:
            for word in step.text.split():
                yield step.step, word


class Together(Words):
    """The same for the rows of a batch at once; it complains of every row that says nothing."""

    table = "together"

    def extract_together(self, views: Sequence[RowView]) -> Sequence[Iterable[tuple[Any, ...]]]:
        found = [list(self.extract(view)) for view in views]
        for view, words in zip(views, found, strict=True):
            if not words:
                view.problems.append(("silent", "it says nothing"))
        return found


def said(*texts: str) -> dict[str, Any]:
    return {"output": [{"type": "message", "role": "assistant", "content": text} for text in texts]}


def scanned_in_ranges(path: Path, size: int) -> Scanned:
    directory = path.parent / f"scratch-{size}"
    directory.mkdir()
    source = Source(str(path), path.stat().st_size)
    with mock.patch.object(survey, "RANGE_BYTES", size), LocalEngine(1) as engine:
        return scan_all(locate(path), {"rollouts": [source]}, engine, directory, (Words(),))


def everything(scanned: Scanned) -> tuple[Any, ...]:
    facts, words = scanned.table("rollouts"), scanned.table("words")
    return (
        None if facts is None else facts.select(sorted(facts.column_names)).to_pylist(),
        None if facts is None else {field.name: str(field.type) for field in facts.schema},
        words.to_pylist(),
        scanned.files["rollouts"],
        scanned.problems,
        {key: kinds for key, kinds in scanned.kinds.items() if kinds},
    )


lines = st.one_of(
    st.fixed_dictionaries(
        {},
        optional={
            "reward": st.sampled_from([0, 1, 0.5, True, None, "1", float("nan")]),
            "task_id": st.sampled_from([1, "1", 2.0, "x"]),
            "mine": st.sampled_from([1, 2.5, "x", True, None, [1], {"a": 1}, 2**53 + 1, 10**25]),
            "more": st.sampled_from([{"a": 1}, {"a": 2.5}, {"a": "s"}, {"b": [1]}, 3]),
            "response": st.sampled_from([said("hello you"), "hi", None, {"output": [[{"type": "function_call"}]]}]),
            "ground_truth": st.sampled_from(["g", {"b": 1, "a": 2}]),
        },
    ),
    st.sampled_from(["", "   ", "{", "[1]", '{"x": 1e400}', '{"a\\"b": 1}']),
)


@settings(max_examples=30)
@given(content=st.lists(lines, max_size=12), sizes=st.lists(st.integers(1, 300), min_size=1, max_size=2, unique=True))
def test_results_do_not_depend_on_where_the_ranges_are_cut(content: list[Line], sizes: list[int]) -> None:
    with TemporaryDirectory() as directory:
        path = write_jsonl(Path(directory) / "r.jsonl", [{"response": "x"}, *content])
        whole = everything(scanned_in_ranges(path, 1 << 30))
        for size in sizes:
            assert everything(scanned_in_ranges(path, size)) == whole


def mixed_rows(count: int) -> Iterator[Line]:
    for number in range(count):
        yield row(
            number // 3,
            number % 3,
            number % 2,
            response=said(f"word{number} again"),
            mine=number if number % 7 else "text",
            note="x" * number,
        )
        if number % 11 == 0:
            yield "{broken"
        if number % 13 == 0:
            yield row(number // 3, number % 3, number % 2, other=number)


def test_tables_do_not_depend_on_the_split_or_the_number_of_processes(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", mixed_rows(120))
    write_jsonl(tmp_path / "b.jsonl", mixed_rows(60))
    write_jsonl(tmp_path / "a_materialized_inputs.jsonl", [planned(task, repeat) for task in range(42) for repeat in range(3)])
    with open_run(tmp_path, use_index=False, extractors=(Words(),)) as run:
        expected, denominator = tables_of(run), run.denominator
    assert denominator.scored > 100
    for size in (997, 5000):
        with mock.patch.object(survey, "RANGE_BYTES", size), open_run(tmp_path, use_index=False, extractors=(Words(),)) as run:
            assert tables_of(run) == expected
    with (
        mock.patch.object(survey, "RANGE_BYTES", 4000),
        LocalEngine(2, preload=["blade.runs.scan"]) as engine,
        open_run(tmp_path, use_index=False, engine=engine, extractors=(Words(),)) as run,
    ):
        assert tables_of(run) == expected
        assert run.denominator == denominator


def test_lines_are_counted_and_problems_have_their_place() -> None:
    content = [json.dumps(row(0)), "", "{bad", "  \t", "[1]", json.dumps(row(1))]
    part = scan(content)
    assert (part.lines, part.blank, part.malformed) == (6, 2, 2)
    starts = [sum(len(encoded(line)) + 1 for line in content[:number]) for number in range(6)]
    assert [(problem.code, problem.line, problem.offset) for problem in part.problems] == [
        ("malformed", 3, starts[2]),
        ("not_an_object", 5, starts[4]),
    ]
    table = pa.ipc.open_stream(part.table).read_all()
    assert table["line"].to_pylist() == [1, 6]
    assert table["offset"].to_pylist() == [starts[0], starts[5]]


def test_a_torn_last_line_is_called_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(encoded(row(0)) + b'\n{"reward": 1, "resp')
    with open_run(path, use_index=False) as run:
        assert [(problem.code, problem.line) for problem in run.problems] == [("torn_last_line", 2)]
        assert (run.denominator.lines, run.denominator.rows, run.denominator.malformed) == (2, 1, 1)


def test_a_last_line_without_a_newline_is_a_row(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(encoded(row(0)) + b"\n" + encoded(row(1)))
    with open_run(path, use_index=False) as run:
        assert (run.denominator.rows, run.denominator.malformed) == (2, 0)


def test_a_line_over_the_limit_is_counted_and_the_rest_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLADE_MAX_LINE_MB", "1")
    with opened([row(0), row(1, note="x" * (2 << 20)), row(2)]) as run:
        assert (run.denominator.lines, run.denominator.rows, run.denominator.malformed) == (3, 2, 1)
        assert [(problem.code, problem.line) for problem in run.problems] == [("line_too_long", 2)]


def test_no_more_problems_than_the_limit_are_listed_and_the_rest_are_counted() -> None:
    with opened([row(0), *["{bad"] * 1500]) as run:
        assert run.denominator.malformed == 1500
        listed = [problem for problem in run.problems if problem.code == "malformed"]
        assert len(listed) + run.meta["unlisted_problems"] == 1500
        assert len(listed) <= 1000
        assert run.meta["unlisted_problems"] > 0


def test_what_an_extractor_yields_becomes_a_table_that_joins_the_rollouts(tmp_path: Path) -> None:
    rows = [
        row("t", 0, 1, response=said("one two", "three")),
        row("t", 1, 0, response=said()),
        row("u", 0, 1, response=said("four")),
    ]
    write_jsonl(tmp_path / "r.jsonl", rows)
    with open_run(tmp_path, index_dir=tmp_path / "cache", extractors=(Words(),)) as run:
        directory = run.directory
        found = run.query("SELECT rollout, class, step, word FROM words JOIN rollouts USING (rollout, class)").rows
        assert sorted(found) == [
            ("t:0", "scored", 0, "one"),
            ("t:0", "scored", 0, "two"),
            ("t:0", "scored", 1, "three"),
            ("u:0", "scored", 0, "four"),
        ]
    with open_run(tmp_path, index_dir=tmp_path / "cache", extractors=(Words(),)) as again:
        assert again.directory == directory
        assert len(column(again, "SELECT word FROM words")) == 4
    with open_run(tmp_path, index_dir=tmp_path / "cache") as plain:
        assert plain.directory != directory
        assert "words" not in plain.table_paths()


def test_an_extractor_that_finds_nothing_leaves_an_empty_table_of_its_columns() -> None:
    with opened([row(0)], extractors=(Words(),)) as run:
        assert run.query("SELECT step, word FROM words") == (["step", "word"], [])


@settings(max_examples=30)
@given(content=st.lists(lines, max_size=9), rows=st.integers(1, 9), size=st.integers(1, 400))
def test_nothing_depends_on_which_rows_are_read_together(content: list[Any], rows: int, size: int) -> None:
    with TemporaryDirectory() as directory:
        path = write_jsonl(Path(directory) / "rollouts.jsonl", content)
        source = Source(str(path), path.stat().st_size)
        task = scan_module.Task(ByteRange(source, 0, source.size), 0, extractors=(Words(), Together()))
        whole = scan_module.scan_range(task)
        with mock.patch.multiple(scan_module, BATCH_ROWS=rows, BATCH_BYTES=size):
            assert scan_module.scan_range(task) == whole
    numbers = [problem.line or 0 for problem in whole.problems]
    assert numbers == sorted(numbers)
    assert whole.extracted["together"] == whole.extracted["words"]


def test_how_deep_a_row_may_nest_does_not_depend_on_how_deep_the_caller_stands() -> None:
    rows = [b'{"reward": 1, "x": %s1%s}' % (b"[" * depth, b"]" * depth) for depth in range(600, 1_200, 10)]

    def from_below(frames: int) -> int:
        return from_below(frames - 1) if frames else scan(rows).malformed

    shallow = from_below(0)
    assert 0 < shallow < len(rows)
    assert from_below(300) == shallow


def test_rows_stay_as_they_are_while_another_run_is_scanned() -> None:
    """Two threads of a process may scan two runs: memory that one has not done with is not the other's."""
    rows, others = [row("t", number, note="x" * 400) for number in range(3)], [row("other", number) for number in range(5)]
    checked = scan_module._within_limit

    def meanwhile(text: Any, line: Any) -> Any:
        with mock.patch.object(scan_module, "_within_limit", checked):
            scan(others)
        return checked(text, line)

    alone = scan(rows)
    with mock.patch.object(scan_module, "_within_limit", meanwhile):
        assert scan(rows) == alone
