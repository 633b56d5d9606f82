"""Where a value stands in a rollout, however its figures are written there."""

import pytest

from blade.signals import read_rollout
from blade.signals.example import Example, call, says
from blade.signals.texts.origins import in_request, sources_of, whereabouts
from tests.signals.support import found


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("EUR 7,790.70 on the claim.", True),
        ("EUR 7.790,70 on the claim.", True),
        ("7790.7 on the claim.", True),
        ("It is 7,790.70.", True),
        ("EUR 17,790.70 on the claim.", False),
        ("EUR 7,790.75 on the claim.", False),
    ],
)
def test_an_amount_in_its_notations(text, named):
    assert in_request(read_rollout(Example(asked=text).text()), 7790.7) is named


def test_a_right_value_that_the_rollout_gave_itself_or_that_the_request_has_in_words():
    made = (call("set_fee", "ok", event="E-31078", amount=43), call("charge", "ok", event="E-31078", amount=36))
    wanted = [
        {"name": "set_fee", "arguments": {"event": "E-31078", "amount": 43}},
        {"name": "charge", "arguments": {"event": "E-31078", "amount": 43}},
    ]
    (signal,) = found(
        "action_wrong_argument", Example(made, asked="Raise the fee, then charge it.", fields={"expected_calls": wanted})
    )
    assert "43 stood in its own call of set_fee (step 0)" in signal.detail
    moved = (call("move_event", "ok", event="E-31078", start="2026-05-21T10:20"),)
    later = [{"name": "move_event", "arguments": {"event": "E-31078", "start": "2026-05-21T16:50"}}]
    asked = "Move E-31078 to Thursday 21 May, not 10:20 but 16:50."
    (signal,) = found("action_wrong_argument", Example(moved, asked=asked, fields={"expected_calls": later}))
    assert "2026-05-21T16:50 stood in the user's part of the prompt in words" in signal.detail


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("I am Mia Kim.", True),
        ("mia kim", True),
        ("It is _Mia_.", True),
        ("my id is mia_kim_4397", False),
        ("from JFK to MIA on Friday", False),
        ("Miami", False),
        ("user_id mia_kim_4397, destination MIA", False),
    ],
)
def test_a_short_name_is_no_part_of_an_id_and_no_code(text, seen):
    assert bool(sources_of(read_rollout(Example(asked=text).text())).places("Mia")) is seen


def test_a_code_is_found_as_it_is_written():
    assert sources_of(read_rollout(Example(asked="From JFK to MIA.").text())).places("MIA")


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (call("search", "[]", origin="SEA"), "SEA was given by no tool and no user; the agent used it itself (step 0)"),
        (says("There is one from SEA."), "SEA was given by no tool and no user; the agent used it itself (step 0)"),
        (call("search", '["SEA"]', city="Seattle"), "SEA stood in search (step 1)"),
        (call("search", "[]", origin="LAX"), "SEA was never seen in this rollout"),
    ],
)
def test_what_the_agent_came_up_with_itself_was_seen(made, told):
    rollout = read_rollout(Example((made,), asked="Fly me west.").text())
    assert whereabouts(rollout, "SEA", len(rollout.output)) == told


def test_a_small_number_that_was_given_for_something_else_stands_beside_its_name_in_the_request():
    made = (call("set_rebate", "ok", account="A-31078", rebate_percent=12),)
    wanted = [{"name": "set_rebate", "arguments": {"account": "A-31078", "rebate_percent": 8}}]
    asked = "Rebates: 12 per cent for the masons, 8 per cent for the stables (A-31078)."
    (signal,) = found("action_wrong_argument", Example(made, asked=asked, fields={"expected_calls": wanted}))
    assert "12 was seen in the user's part of the prompt beside its name" in signal.detail
    assert "8 stood in the user's part of the prompt beside its name" in signal.detail
