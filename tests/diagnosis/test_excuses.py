"""What a rollout itself shows to have cost it nothing weighs little; its look-alike keeps its weight."""

import pytest

from blade.diagnosis.excuses import EXCUSED, excused
from blade.diagnosis.findings import Finding
from blade.diagnosis.views import CallRow, RolloutView, SignalRow
from blade.signals.behaviour.ending import ITS_TURN
from blade.signals.behaviour.lookups import NEVER_CALLED, PUT_RIGHT
from blade.signals.example import Example, call, says, user
from tests.signals.test_expected import found as signals_found


def one(code, detail="", step=4, subject="tool"):
    return Finding(code, "BI", subject, "t", "t:0", step, "", detail, 0.8)


def view(ended="", calls=()):
    signals = (SignalRow("ended_as_error", "BI", "agent_error", 5, "ended by agent_error", ended),) if ended else ()
    return RolloutView("t:0", "t", 0, 0.0, False, 6, signals, calls, (), (), ())


LOOKED, CHANGED = (CallRow(step, "tool", "{}", step + 1, "ok", None, kind) for step, kind in ((4, "read"), (4, "change")))


@pytest.mark.parametrize(
    ("rollout", "findings", "share"),
    [
        (view(f"nothing, and {ITS_TURN}"), [one("action_missing")], EXCUSED),
        (view(f"nothing, and {ITS_TURN}"), [one("lookup_skipped", NEVER_CALLED)], EXCUSED),
        (view(f"nothing, and {ITS_TURN}"), [one("lookup_skipped", "expected is c9")], 1.0),  # what was done wrong was done
        (view(f"nothing, and {ITS_TURN}"), [one("action_wrong_argument")], 1.0),
        (view("nothing"), [one("action_missing")], 1.0),  # it had the last word
        (view(), [one("action_missing")], 1.0),
        (view(), [one("lookup_skipped", f"expected is c9; {PUT_RIGHT}")], EXCUSED),
        (view(), [one("lookup_skipped", "expected is c9")], 1.0),
        (view(calls=(LOOKED,)), [one("repeated_call")], EXCUSED),
        (view(calls=(LOOKED,)), [one("repeated_call"), one("repeated_call", step=6)], 1.0),  # it goes round
        (view(calls=(CHANGED,)), [one("repeated_call")], 1.0),
    ],
)
def test_what_cost_nothing_weighs_little(rollout, findings, share):
    assert round(excused(rollout, findings)[0].weight / findings[0].weight, 6) == share


PAY = {"expected_calls": [{"name": "pay", "arguments": {"card": "card_9074"}}]}
LOOKUP = call("get_user", '{"cards": ["card_9074"]}', user_id="u1")


@pytest.mark.parametrize(
    ("happened", "right"),
    [
        ((call("pay", "Error: not found", card="card_1"), LOOKUP, call("pay", "ok", card="card_9074")), True),
        ((call("pay", "Error: not found", card="card_1"), LOOKUP, call("pay", "Error: not found", card="card_2")), False),
        ((call("pay", "ok", card="card_1"), LOOKUP, says("Done."), user("Thanks.")), False),
    ],
)
def test_a_refused_value_is_put_right_by_a_later_call(happened, right):
    skipped = signals_found("lookup_skipped", Example(happened, fields=PAY))
    assert [PUT_RIGHT in signal.detail for signal in skipped] == [right] * len(skipped)
    assert skipped
