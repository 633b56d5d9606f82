"""Which call stands for which expected one, and what counts."""

import pytest

from blade.signals import read_rollout
from blade.signals.behaviour.action_reasons import OMITTED
from blade.signals.example import Example, call, says, tool, user
from blade.signals.wanted.comparison import comparison_of, target_of
from tests.signals.support import found


def cancel(order):
    return {"name": "cancel_order", "arguments": {"order_id": order}}


def pay(**arguments):
    return {"name": "pay_fee", "arguments": arguments}


def compared(expected, *happened, tools=(), asked="Please help."):
    return comparison_of(read_rollout(Example(happened, asked=asked, tools=tools, fields={"expected_calls": expected}).text()))


def outcomes(comparison):
    return [match.outcome for match in comparison.matches]


def test_free_text_may_say_it_in_other_words_unless_it_was_dictated():
    wanted = [{"name": "add_note", "arguments": {"order_id": "A", "note": "call before the delivery"}}]
    made = call("add_note", "ok", order_id="A", note="Please call before delivery")
    asked = "Note on order A that they should call before the delivery."
    assert outcomes(compared(wanted, made, asked=asked)) == ["made"]
    assert outcomes(compared(wanted, made, asked='Write on order A: "call before the delivery".')) == ["wrong_argument"]


@pytest.mark.parametrize(
    ("expected", "happened", "outcome", "extra"),
    [
        ([cancel("A")], [call("cancel_order", "ok", order_id="a")], ["made"], 0),
        ([cancel("A")], [], ["missing"], 0),
        ([cancel("A")], [call("cancel_order", "Error: order already shipped", order_id="A")], ["failed"], 0),
        # one of each left: one record was taken for another
        ([cancel("A")], [call("cancel_order", "ok", order_id="B")], ["wrong_argument"], 0),
        # otherwise one was left out, and others were taken in addition
        ([cancel("A")], [call("cancel_order", "ok", order_id="B"), call("cancel_order", "ok", order_id="C")], ["missing"], 2),
        ([cancel("A"), cancel("B")], [call("cancel_order", "ok", order_id="C")], ["missing", "missing"], 1),
        # the equal ones are paired first, whatever the order
        (
            [pay(fee="late", sum=5), pay(fee="late", sum=7)],
            [call("pay_fee", "ok", fee="late", sum=7), call("pay_fee", "ok", fee="late", sum=6)],
            ["wrong_argument", "made"],
            0,
        ),
        # a refused try before the right one is neither missing nor wrong
        ([pay(sum=5)], [call("pay_fee", "Error: wrong amount", sum=6), call("pay_fee", "ok", sum=5)], ["made"], 0),
        ([], [call("cancel_order", "ok", order_id="A")], [], 1),
        ([], [call("get_order", "{}", order_id="A")], [], 0),
        # a tool of which nobody knows: once more is one too many where it says that it did something
        (
            [{"name": "zap", "arguments": {"n": 1}}],
            [call("zap", '{"accepted": true}', n=1), call("zap", '{"accepted": true}', n=1)],
            ["made"],
            1,
        ),
        (
            [{"name": "zap", "arguments": {"n": 1}}],
            [call("zap", '{"n": 1, "size": 4}', n=1), call("zap", '{"n": 2, "size": 5}', n=2)],
            ["made"],
            0,
        ),
        ([], [call("cancel_order", "Error: not found", order_id="A")], [], 1),
        ([cancel("A")], [call("cancel_order", "Error: not found", order_id="B")], ["missing"], 0),
    ],
)
def test_what_becomes_of_expected_calls(expected, happened, outcome, extra):
    comparison = compared(expected, *happened, says("Done."))
    assert (outcomes(comparison), len(comparison.extra)) == (outcome, extra)


def test_lookups_and_handovers_do_not_count_where_calls_are_executed():
    expected = [{"name": "get_order", "arguments": {}}, {"name": "transfer_to_human_agents", "arguments": {}}, cancel("A")]
    comparison = compared(expected, call("get_user", "{}"), says("No."))
    assert [match.expected.name for match in comparison.missing] == ["cancel_order"]


def test_where_nothing_is_executed_the_calls_are_the_answer():
    expected = [{"name": "get_weather", "arguments": {"city": "Oslo"}}]
    assert outcomes(compared(expected, call("get_weather", city="Oslo"))) == ["made"]
    wrong = compared(expected, call("get_weather", city="Bergen"), call("get_time"))
    assert [(match.outcome, match.counts) for match in wrong.matches] == [("wrong_argument", True)]
    assert [extra.name for extra in wrong.extra] == ["get_time"]
    assert [match.counts for match in compared(expected, says("It is sunny.")).matches] == [True]
    assert [match.counts for match in compared(expected, says("Where?"), user("Oslo")).matches] == [False]


def test_a_row_without_an_expectation_is_not_compared():
    assert comparison_of(read_rollout(Example((call("cancel_order", "ok", order_id="A"),)).text())) is None


def test_defaults_of_the_schema_count_as_given():
    declared = tool("pay_fee", sum="number", currency={"type": "string", "default": "EUR"})
    assert outcomes(compared([pay(sum=5, currency="EUR")], call("pay_fee", "ok", sum=5), tools=(declared,))) == ["made"]
    assert outcomes(compared([pay(sum=5)], call("pay_fee", "ok", sum=5, currency="EUR"), tools=(declared,))) == ["made"]
    assert outcomes(compared([pay(sum=5)], call("pay_fee", "ok", sum=5, currency="NOK"), tools=(declared,))) == ["wrong_argument"]
    assert outcomes(compared([pay(sum=5, currency="EUR")], call("pay_fee", "ok", sum=5))) == ["wrong_argument"]


def test_prose_counts_only_where_it_was_dictated():
    text = "Your order has been shipped and arrives on Monday."
    expected = [{"name": "send_email", "arguments": {"body": text}}]
    made = call("send_email", "ok", body="The parcel is on its way and comes Monday.")
    assert outcomes(compared(expected, made)) == ["made"]
    assert outcomes(compared(expected, made, asked=f"Write: {text}")) == ["wrong_argument"]


@pytest.mark.parametrize(
    ("given", "outcome"),
    [
        ({"seat": "12B", "meal": "none"}, "made"),
        ({"seat": "12A"}, "made"),
        ({"seat": "14C"}, "wrong_argument"),
        ({"seat": "12A", "window": True}, "wrong_argument"),
    ],
)
def test_any_of_the_right_values_will_do(given, outcome):
    expected = [{"book": {"seat": ["12A", "12B"], "meal": ["none", ""]}}]
    assert outcomes(compared(expected, call("book", "ok", **given))) == [outcome]


def test_only_the_arguments_that_count_are_compared():
    action = {"name": "pay_fee", "arguments": {"sum": 5, "note": "x"}, "compare_args": ["sum"]}
    assert outcomes(compared([action], call("pay_fee", "ok", sum=5, note="y"))) == ["made"]
    assert outcomes(compared([action], call("pay_fee", "ok", sum=6, note="x"))) == ["wrong_argument"]


@pytest.mark.parametrize(
    ("name", "arguments", "target"),
    [
        ("cancel_order", {"order_id": "A"}, "order_id"),
        ("update_reservation_flights", {"payment_id": "c", "reservation_id": "R"}, "reservation_id"),
        ("exchange_delivered_order_items", {"item_ids": ["1"], "order_id": "A"}, "order_id"),
        ("send_certificate", {"user_id": "u", "amount": 5}, None),
        ("email_delete_email", {"email_id": "7"}, "email_id"),
    ],
)
def test_the_record_a_call_works_on(name, arguments, target):
    assert target_of(name, arguments) == target


def test_an_argument_that_was_left_out_is_told_as_such():
    declared = tool("book_shift", day="string", hours={"type": "integer", "default": 8})
    expected = [{"name": "book_shift", "arguments": {"day": "Monday", "hours": 4}}]
    for given, omitted in (({}, True), ({"hours": 8}, False)):
        example = Example(
            (call("book_shift", "ok", day="Monday", **given),),
            asked="A shift on Monday, of four hours.",
            tools=(declared,),
            fields={"expected_calls": expected},
        )
        told = found("action_wrong_argument", example)[0].detail
        assert (OMITTED in told) is omitted
        assert "4 stood in the user's part of the prompt beside its name" in told
