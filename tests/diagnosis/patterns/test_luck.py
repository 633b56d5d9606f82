"""Passes that came through an error or a guess."""

from blade.diagnosis.patterns.luck import luck_entry, lucky_passes
from tests.diagnosis.patterns.support import call, repeat, signal, task_of, told

REFUSED = call(4, "pay_order", "Error: payment method not found", error="not_found", card="card_7334", order="A1")
PAID = call(8, "pay_order", card="card_9074", order="A1")
LOOKUP = call(6, "get_user", '{"cards": ["card_9074"]}', id="u1")
GUESS = signal("ungrounded_argument", 4, "card=card_7334", subject="pay_order.card")


def luck(*, calls=(), signals=(), passed=True):
    return list(lucky_passes(task_of(repeat(0, passed, calls=calls, signals=signals))))


def test_a_guess_that_only_the_error_put_right():
    (found,) = luck(calls=[REFUSED, LOOKUP, PAID], signals=[GUESS])
    entry = luck_entry(found)
    assert (entry["code"], entry["rollout"], entry["step"], entry["quote"]) == (
        "guess_refused_then_looked_up",
        "7:0",
        4,
        "card=card_7334",
    )
    for part in ("card_7334", "payment method not found", "get_user (step 6)", "card_9074", "step 8"):
        assert part in entry["why"]


def test_what_followed_the_error_decides_what_it_was():
    assert told(luck(calls=[REFUSED, LOOKUP, PAID])) == [("error_led_to_lookup", "7:0", 4)]
    assert told(luck(calls=[REFUSED, PAID])) == [("error_led_to_retry", "7:0", 4)]
    before = call(1, "get_user", '{"cards": ["card_9074"]}', id="u1")
    assert told(luck(calls=[before, REFUSED, LOOKUP, PAID])) == [("error_led_to_retry", "7:0", 4)]  # it knew the tool already
    assert luck(calls=[REFUSED, call(8, "pay_order", card="card_7334", order="A1")]) == []  # the same again: a flaky tool
    assert luck(calls=[REFUSED]) == []


def test_a_guess_that_held():
    assert told(luck(calls=[call(4, "pay_order", card="card_7334")], signals=[GUESS])) == [("guess_held", "7:0", 4)]


def test_wrong_actions_and_cut_ends():
    extra = signal("action_extra", 4, "pay_order(…)", subject="pay_order")
    assert told(luck(calls=[PAID], signals=[extra])) == [("passed_despite_wrong_action", "7:0", 4)]
    refused = signal("extra_refused", 4, "pay_order(…)", subject="pay_order")
    assert told(luck(calls=[REFUSED], signals=[refused])) == [("unwanted_change_refused", "7:0", 4)]
    assert told(luck(signals=[signal("output_truncated", 9)])) == [("passed_cut_short", "7:0", 9)]


def test_a_failure_is_never_luck():
    assert luck(calls=[REFUSED, LOOKUP, PAID], signals=[GUESS], passed=False) == []
