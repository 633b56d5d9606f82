"""The tables in a run, and what a broken detector leaves behind."""

import json

import pytest

from blade.runs.rows import RowDecoder
from blade.runs.run import open_run
from blade.runs.scan import RowView
from blade.signals import CallsExtractor, SignalsExtractor, extractor, plugins
from blade.signals.example import Example, call, says
from blade.signals.signal import BUILT_IN, Detector

SECRET = "sk-abcdefghij1234567890abcdefghij"


@pytest.fixture
def run_file(tmp_path):
    rows = [
        Example((call("get_order", f"Error: order not found \x1b[31m{SECRET}", id=7), says("I could not find it."))).row(),
        Example(
            (call("update_order", "ok", id=7, note=f"\x1b[31m{SECRET}", password="hunter2hunter2"), says("I have updated it."))
        ).row(),
    ]
    path = tmp_path / "rollouts.jsonl"
    path.write_text("".join(json.dumps(row | {"reward": 0.0, "task_id": str(number)}) + "\n" for number, row in enumerate(rows)))
    return path


def test_signals_and_calls_are_tables_of_the_run(run_file, tmp_path):
    with open_run(run_file, extractors=(SignalsExtractor(), CallsExtractor()), index_dir=tmp_path / "index") as run:
        assert run.query("SELECT task, code, label, step FROM signals WHERE code = 'failed_call'").rows == [
            ("0", "failed_call", "BI", 0)
        ]
        calls = run.query("SELECT task, step, name, arguments, output_step, error_class, mutation FROM calls ORDER BY task").rows
        assert calls == [
            ("0", 0, "get_order", '{"id":7}', 1, "not_found", "read"),
            (
                "1",
                0,
                "update_order",
                '{"id":7,"note":"[redacted:api_key]","password":"[redacted:credential]"}',
                1,
                None,
                "change",
            ),
        ]


def test_a_call_is_answered_where_an_answer_came_and_says_anything(tmp_path):
    path = tmp_path / "rollouts.jsonl"
    steps = (call("a", "yes"), call("b", " \n"), call("c"))
    path.write_text(json.dumps(Example(steps).row() | {"reward": 0.0, "task_id": "0"}) + "\n")
    with open_run(path, extractors=(CallsExtractor(),), index_dir=tmp_path / "index") as run:
        assert run.query("SELECT name, answered FROM calls ORDER BY name").rows == [("a", True), ("b", False), ("c", False)]


def test_quotes_carry_no_secret_and_no_escape(run_file, tmp_path):
    with open_run(run_file, extractors=(SignalsExtractor(), CallsExtractor()), index_dir=tmp_path / "index") as run:
        told = str(run.query("SELECT quote, detail FROM signals").rows) + str(
            run.query("SELECT arguments, output FROM calls").rows
        )
    assert "redacted" in told
    assert SECRET not in told
    assert "\x1b" not in told


def broken(rollout):
    raise RuntimeError(f"no luck with {SECRET}")
    yield


def test_a_detector_that_fails_is_a_problem_of_the_line_and_stops_nothing(run_file, tmp_path, monkeypatch):
    loaded = plugins.Loaded((Detector("broken", "BI", "fails", "plugin", broken, True, None), BUILT_IN["failed_call"]), ())
    monkeypatch.setattr(extractor, "installed", lambda: loaded)
    with open_run(run_file, extractors=(SignalsExtractor(),), index_dir=tmp_path / "index") as run:
        assert [(problem.code, problem.line) for problem in run.problems] == [("detector_failed", 1), ("detector_failed", 2)]
        assert "RuntimeError" in run.problems[0].message
        assert SECRET not in run.problems[0].message
        assert run.query("SELECT code FROM signals").rows == [("failed_call",)]


def test_the_version_follows_the_registry(monkeypatch):
    before = SignalsExtractor().version
    assert SignalsExtractor().version == before
    monkeypatch.setattr(extractor, "installed", lambda: plugins.Loaded((), ()))
    assert SignalsExtractor().version != before


def test_a_flood_of_one_signal_is_cut(monkeypatch):
    text = Example(tuple(call("get_order", "Error: order not found", id=number) for number in range(200))).text()
    rows = SignalsExtractor().extract(RowView(RowDecoder().decode(text), text))
    assert sum(row[0] == "failed_call" for row in rows) == extractor.MAX_SIGNALS
