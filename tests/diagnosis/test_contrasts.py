"""The same task, passing and failing, side by side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.diagnosis.contrasts import contrast
from blade.diagnosis.patterns import Context
from tests.diagnosis.patterns.support import answer, call, repeat, signal, task_of

USER = call(2, "get_user", '{"cards": ["card_9074"]}', id="u1")
RIGHT = call(8, "pay_order", card="card_9074")
WRONG = call(8, "pay_order", card="card_4959")
WRONG_CARD = signal("action_wrong_argument", 8, "card=card_4959", "pay_order expects card=card_9074", subject="pay_order.card")


def found(*repeats, context=None):
    return contrast(task_of(*repeats), context)


def test_only_mixed_tasks_have_a_contrast():
    assert found(repeat(0, True), repeat(1, True)) is None
    assert found(repeat(0, False), repeat(1, False)) is None


def test_another_value_with_both_steps_and_both_values():
    entry = found(
        repeat(0, True, calls=[RIGHT]), repeat(1, False, calls=[WRONG], signals=[WRONG_CARD]), repeat(2, True, calls=[RIGHT])
    )
    assert (entry["code"], entry["subject"], entry["passing"], entry["failing"]) == (
        "action_wrong_argument",
        "pay_order.card",
        "7:0",
        "7:1",
    )
    assert (entry["divergence"]["step_passing"], entry["divergence"]["step_failing"]) == (8, 8)
    assert "card_4959" in entry["divergence"]["summary"]
    assert "7:0 has card_9074" in entry["divergence"]["summary"]
    assert entry["counts"] == {"passing_with": 0, "passing": 2, "failing_with": 1, "failing": 1}
    assert entry["strength"] == "strong"
    assert (entry["passing_all"], entry["failing_all"]) == (["7:0", "7:2"], ["7:1"])


def test_of_several_calls_the_one_about_the_same_thing_is_held_against_it():
    first, right = call(8, "pay_order", card="card_9074", order="o1"), call(10, "pay_order", card="card_1111", order="o2")
    wrong = call(11, "pay_order", card="card_9074", order="o2")
    said = signal("action_wrong_argument", 11, "card=card_9074", "pay_order expects card=card_1111", subject="pay_order.card")
    entry = found(repeat(0, True, calls=[first, right]), repeat(1, False, calls=[first, wrong], signals=[said]))
    assert "7:0 has card_1111 (step 10)" in entry["divergence"]["summary"]


def test_the_lookup_behind_a_wrong_value_is_the_cause():
    entry = found(repeat(0, True, calls=[USER, RIGHT]), repeat(1, False, calls=[WRONG], signals=[WRONG_CARD]))
    assert (entry["code"], entry["subject"]) == ("skipped_lookup", "get_user")
    for part in ("card_4959", "Behind it", "get_user", "7:0 step 2"):
        assert part in entry["divergence"]["summary"]
    assert entry["counts"] == {"passing_with": 1, "passing": 1, "failing_with": 0, "failing": 1}


def test_a_lookup_that_has_nothing_to_do_with_the_value_is_not_blamed():
    weather = call(2, "get_weather", "sunny", city="Rome")
    entry = found(repeat(0, True, calls=[weather, RIGHT]), repeat(1, False, calls=[WRONG], signals=[WRONG_CARD]))
    assert entry["code"] == "action_wrong_argument"
    assert [also["code"] for also in entry["also"]] == ["skipped_lookup"]
    given = Context(given={"7": (("pay_order.card", "get_weather"),)})  # unless other repeats had the value from it
    entry = found(repeat(0, True, calls=[weather, RIGHT]), repeat(1, False, calls=[WRONG], signals=[WRONG_CARD]), context=given)
    assert entry["code"] == "skipped_lookup"


def test_failing_repeats_that_differ_each_in_its_own_way():
    missing = signal("action_missing", 9, "pay_order(…)", "the tool was never called", subject="pay_order")
    entry = found(
        repeat(0, True, calls=[RIGHT]), repeat(1, False, calls=[WRONG], signals=[WRONG_CARD]), repeat(2, False, signals=[missing])
    )
    assert entry["code"] in ("action_missing", "action_wrong_argument")
    assert "in their own way" in entry["divergence"]["summary"]
    assert entry["strength"] == "strong"


def test_an_unexpected_call_that_was_refused_changed_nothing():
    extra = signal("action_extra", 8, "pay_order(…)", subject="pay_order")
    refused = call(8, "pay_order", "Error: no", error="not_found", card="card_4959")
    tried = signal("extra_refused", 8, "pay_order(…)", subject="pay_order")
    entry = found(repeat(0, True, calls=[refused], signals=[tried]), repeat(1, False, calls=[WRONG], signals=[extra]))
    assert entry["code"] == "action_extra"
    assert entry["counts"]["passing_with"] == 0


def test_a_long_call_is_cut_with_an_ellipsis_and_its_detail_begins_a_sentence():
    long = f"pay_order({', '.join(f'item_{number}=HAT{number}' for number in range(40))})"
    extra = signal("action_extra", 8, long, "it succeeded", subject="pay_order")
    told = found(repeat(0, True), repeat(1, False, calls=[WRONG], signals=[extra]))["divergence"]["summary"]
    assert f"not expected: {long[:100]}" in told
    assert "… (7:1 step 8)" in told
    assert "(7:1 step 8); 7:0 changes nothing. It succeeded" in told


def test_without_expected_calls_the_changes_are_compared_with_each_other():
    entry = found(repeat(0, True, calls=[RIGHT]), repeat(1, True, calls=[RIGHT]), repeat(2, False, calls=[WRONG]))
    assert (entry["code"], entry["subject"]) == ("other_argument", "pay_order.card")
    assert "card_4959" in entry["divergence"]["summary"]
    assert "card_9074" in entry["divergence"]["summary"]
    entry = found(repeat(0, True, calls=[RIGHT]), repeat(1, False))
    assert entry["code"] == "other_change"


def test_a_lookup_where_nothing_is_to_be_changed():
    silver = call(4, "get_user", "silver", id="u1")
    entry = found(*(repeat(number, number % 2 == 0, calls=[silver] if number % 2 == 0 else []) for number in range(4)))
    assert (entry["code"], entry["subject"], entry["strength"]) == ("skipped_lookup", "get_user", "weak")
    assert entry["chance"] == pytest.approx(1 / 6)  # two of four, dealt at random
    assert "17 %" in entry["note"]
    assert entry["divergence"]["step_passing"] == 4


@pytest.mark.parametrize(
    ("passing", "failing", "code"),
    [
        ({}, {"signals": [signal("output_truncated", 9)]}, "output_truncated"),
        ({}, {"signals": [signal("refusal", 1, "I can't")]}, "refusal"),
        ({}, {"signals": [signal("connection_failed", 3, label="IR")]}, "connection_failed"),
        ({"signals": [signal("handed_over", 4)]}, {}, None),  # an ending explains a failure only where the failing repeat has it
        ({"answers": [answer("18", "18")]}, {"answers": [answer("18", "26")]}, "other_answer"),
        ({}, {}, None),
    ],
)
def test_errors_endings_and_answers(passing, failing, code):
    assert found(repeat(0, True, **passing), repeat(1, False, **failing))["code"] == code


def test_one_error_met_in_two_ways():
    refused = call(4, "pay_order", "Error: card not found", error="not_found", card="x1")
    again = call(6, "pay_order", "Error: card not found", error="not_found", card="x1")
    entry = found(repeat(0, True, calls=[refused, call(6, "search_cards", "none")]), repeat(1, False, calls=[refused, again]))
    codes = [entry["code"], *(also["code"] for also in entry["also"])]
    assert "error_handled_otherwise" in codes


def test_none_found_is_said():
    entry = found(repeat(0, True, calls=[USER, RIGHT]), repeat(1, False, calls=[USER, RIGHT]))
    assert entry["code"] is None
    assert entry["divergence"] == {"step_passing": None, "step_failing": None, "summary": entry["divergence"]["summary"]}
    assert "none found" in entry["divergence"]["summary"]


@given(st.permutations([True, True, False, False, False]))
def test_the_order_of_repeats_does_not_matter(order):
    made = [repeat(number, passed, calls=[USER, RIGHT] if passed else [WRONG], signals=[] if passed else [WRONG_CARD]) for number, passed in enumerate(order)]  # fmt: skip
    entry = found(*made)
    assert (entry["code"], entry["subject"]) == ("skipped_lookup", "get_user")
    assert entry["counts"] == {"passing_with": 2, "passing": 2, "failing_with": 0, "failing": 3}
    assert entry["passing"] == f"7:{order.index(True)}"
    assert entry["failing"] == f"7:{order.index(False)}"


@given(st.lists(st.booleans(), min_size=2, max_size=6), st.data())
def test_counts_never_exceed_the_repeats(outcomes, data):
    tools = st.sampled_from(["get_user", "get_order", "pay_order", "send_mail"])
    made = [
        repeat(
            number,
            passed,
            calls=[call(2 * place, name, card="c1") for place, name in enumerate(data.draw(st.lists(tools, max_size=4)))],
        )
        for number, passed in enumerate(outcomes)
    ]
    entry = found(*made)
    assert (entry is None) == (len(set(outcomes)) == 1)
    if entry is not None:
        assert 0 <= entry["counts"]["passing_with"] <= entry["counts"]["passing"] == sum(outcomes)
        assert 0 <= entry["counts"]["failing_with"] <= entry["counts"]["failing"] == len(outcomes) - sum(outcomes)
