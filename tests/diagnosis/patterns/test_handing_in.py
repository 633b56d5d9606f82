"""Work that is never handed in, where everybody who passes hands it in with one tool."""

import pytest

from blade.diagnosis.diagnose import extractors
from blade.diagnosis.patterns.handing_in import HandingIn, hands_in, learn_handing_in, not_handed_in
from blade.signals.example import Example, says
from blade.signals.example import call as made
from tests.diagnosis.patterns.support import call, repeat, signal, task_of, told
from tests.runs.support import opened

USUAL = HandingIn("submit_answer", 9)
COUNTED = call(1, "calculator", "10", expr="12*50/60")


@pytest.mark.parametrize(
    ("tool", "so"),
    [
        ("submit_answer", True),
        ("submit", True),
        ("finish", True),
        ("final_answer", True),
        ("env.submit_final_answer", True),
        ("submit_order", False),
        ("complete_order", False),
        ("find_answer", False),
        ("transfer_to_human_agents", False),
    ],
)
def test_the_name_of_a_tool_that_takes_the_finished_work(tool, so):
    assert hands_in(tool) is so


@pytest.mark.parametrize(
    ("passing", "tool"),
    [
        (["submit_answer"], ("submit_answer", 1)),
        (["submit_answer", None], None),  # one passes without
        (["calculator"], None),
        ([], None),
    ],
)
def test_what_all_who_pass_hand_their_work_in_with(passing, tool):
    rows = [
        Example((*([made(name, "ok")] if name else ()), says("It is 10."))).row() | {"task_id": f"t{number}", "reward": 1.0}
        for number, name in enumerate(passing)
    ]
    rows.append(Example((made("submit_answer", "ok"),)).row() | {"task_id": "failed", "reward": 0.0})
    with opened(rows, extractors=extractors()) as run:
        assert learn_handing_in(run) == tool


@pytest.mark.parametrize(
    ("rollout", "tool", "found"),
    [
        (repeat(0, False, calls=[COUNTED]), USUAL, True),
        (repeat(0, False, calls=[COUNTED, call(3, "submit_answer", "ok")]), USUAL, False),
        (repeat(0, False, calls=[COUNTED]), None, False),
        (repeat(0, False, calls=[COUNTED], signals=[signal("steps_exhausted", 9)]), USUAL, False),
        (repeat(0, False, calls=[COUNTED], signals=[signal("server_error", 1, label="IR")]), USUAL, False),
        (repeat(0, True, calls=[COUNTED]), USUAL, False),
    ],
)
def test_work_that_was_not_handed_in(rollout, tool, found):
    assert [code for code, *_ in told(not_handed_in(task_of(rollout), tool))] == (["not_handed_in"] if found else [])
