"""Where an empty list of expected calls says nothing."""

import pytest

from blade.diagnosis.patterns.unbound import bound_only, learn_unbound
from blade.diagnosis.views import ExpectedRow
from blade.engines.local import LocalEngine
from blade.runs.run import open_run
from blade.signals.expected import ExpectedExtractor
from blade.signals.extractor import SignalsExtractor
from tests.diagnosis.patterns.support import repeat, signal, task_of
from tests.runs.support import write_jsonl

SAVED = signal("action_extra", 4, subject="save_label")
CANCELLED = signal("action_extra", 4, subject="cancel_order")
WANTED = ExpectedRow(0, "book_trip", "{}", "change", "made", 8, "")


def line(task, number, reward, *tools, gold_calls=()):
    calls = [
        item
        for at, tool in enumerate(tools)
        for item in (
            {"type": "function_call", "name": tool, "call_id": f"c{at}", "arguments": '{"order_id": "W1"}'},
            {"type": "function_call_output", "call_id": f"c{at}", "output": "saved"},
        )
    ]
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}
    return {
        "_ng_task_index": task,
        "_ng_rollout_index": number,
        "reward": reward,
        "gold_calls": list(gold_calls),
        "responses_create_params": {"input": f"Task {task}"},
        "response": {"output": [*calls, said]},
    }


def learned(tmp_path, rows):
    path = write_jsonl(tmp_path / "rollouts.jsonl", rows)
    with (
        LocalEngine(1) as engine,
        open_run(path, engine=engine, use_index=False, extractors=(SignalsExtractor(), ExpectedExtractor())) as run,
    ):
        return learn_unbound(run)


@pytest.mark.parametrize(
    ("passing", "tasks", "expected"),
    [(8, 2, {"update_label"}), (2, 2, {"update_label"}), (1, 2, set()), (4, 1, set()), (0, 2, set())],
    ids=["usual", "a fifth", "fewer", "one task alone", "never"],
)
def test_what_passing_rollouts_do_under_an_empty_list(tmp_path, passing, tasks, expected):
    rows = [line(number % tasks, number, float(number < passing), "update_label") for number in range(10)]
    questions = [line(5, number, 1.0) for number in range(20)]
    assert learned(tmp_path, [*rows, *questions]) == expected


def test_a_list_that_names_calls_binds(tmp_path):
    wanted = [{"tool": "book_trip", "args": {}}]
    rows = [line(number % 3, number, 1.0, "update_label", gold_calls=wanted) for number in range(9)]
    assert learned(tmp_path, rows) == frozenset()


def test_only_the_changes_that_no_list_forbids_are_left_out():
    empty, listed = repeat(0, False, signals=[SAVED, CANCELLED]), repeat(1, False, signals=[SAVED], expected=[WANTED])
    seen = bound_only(task_of(empty, listed), frozenset({"save_label"}))
    assert [list(rollout.signals) for rollout in seen.rollouts] == [[CANCELLED], [SAVED]]
