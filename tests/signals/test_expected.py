"""The signals about expected calls, their tables, and a real run whose answers are known."""

import json

import pytest

from blade.runs.run import open_run
from blade.signals import read_rollout
from blade.signals.example import Example, call, says, user
from blade.signals.expected import ExpectedExtractor, GivenExtractor
from blade.signals.extractor import SignalsExtractor
from blade.signals.options import Options
from tests.shared_data import needs_shared_data, shared_data
from tests.signals.support import DETECTORS, found
from tests.signals.test_real_data import by_key, run_detector

ACTIONS = ("action_missing", "action_partial", "action_extra", "extra_refused", "action_wrong_argument")
AIRLINE = "taubench/airline__gpt-4o__tool-calling__4t"
PAY = {"name": "pay_booking", "arguments": {"booking_id": "B1", "payments": [{"payment_id": "card_9074", "amount": 305}]}}


def paid(output, payment, amount):
    return call("pay_booking", output, booking_id="B1", payments=[{"payment_id": payment, "amount": amount}])


def test_a_wrong_value_is_told_with_its_origin_and_where_the_right_one_was():
    happened = (
        call("get_booking", '{"history": [{"payment_id": "card_4959"}], "price": 305}', booking_id="B1"),
        user("Use my card ending in 7334."),
        paid("ok", "card_4959", 355),
        call("get_user", '{"cards": ["card_9074"]}', user_id="u1"),
    )
    card, amount = found("action_wrong_argument", Example(happened, fields={"expected_calls": [PAY]}))
    assert (card.step, card.subject) == (3, "pay_booking.payments.payment_id")
    assert "expects payments[0].payment_id=card_9074" in card.detail
    assert "card_4959 was seen in get_booking (step 1)" in card.detail
    assert "card_9074 came only later, from get_user (step 6)" in card.detail
    assert (amount.subject, amount.quote) == ("pay_booking.payments.amount", "payments[0].amount=355")
    assert "305 stood in get_booking (step 1)" in amount.detail
    skipped = found("lookup_skipped", Example(happened, fields={"expected_calls": [PAY]}))
    assert [(signal.step, signal.subject) for signal in skipped] == [(3, "get_user")]


def test_a_wrong_value_is_placed_where_it_was_first_tried():
    happened = (paid("Error: amount does not add up", "card_1", 300), paid("ok", "card_1", 305))
    (card,) = found("action_wrong_argument", Example(happened, fields={"expected_calls": [PAY]}))
    assert card.step == 0
    assert "grounded in nothing" in card.detail
    assert "made at step 2" in card.detail


def test_each_side_of_a_list_is_quoted_with_its_own_place():
    flights = {"name": "book_trip", "arguments": {"flights": [{"to": "HAT110"}, {"to": "HAT172"}]}}

    def booked(output, *numbers):
        return call("book_trip", output, flights=[{"to": number} for number in numbers])

    (wrong,) = found("action_wrong_argument", Example((booked("ok", "HAT110", "HAT132"),), fields={"expected_calls": [flights]}))
    assert (wrong.quote, wrong.subject) == ("flights[1].to=HAT132", "book_trip.flights.to")
    assert "expects flights[1].to=HAT172" in wrong.detail
    (other,) = found("action_wrong_argument", Example((booked("ok", "HAT132", "HAT110"),), fields={"expected_calls": [flights]}))
    assert other.quote == "flights[0].to=HAT132"
    assert "expects flights[1].to=HAT172" in other.detail
    tried = (booked("Error: full", "HAT132", "HAT999"), booked("ok", "HAT110", "HAT132"))
    (first,) = found("action_wrong_argument", Example(tried, fields={"expected_calls": [flights]}))
    assert (first.step, first.quote) == (0, "flights[0].to=HAT132")


def test_a_derived_value_is_not_called_made_up():
    happened = (user("50 for each of the 4 of us."), paid("ok", "card_9074", 200))
    signals = found("action_wrong_argument", Example(happened, fields={"expected_calls": [PAY]}))
    assert ["follows from what was seen (" in signal.detail for signal in signals] == [True]


@pytest.mark.parametrize(
    ("said", "amount", "told"),
    [
        ("50 for each of the 4 of us.", 200, "amount: 200 was not seen but follows from what was seen ("),
        ("I am owed 200.", 200, ""),
        ("I am cross.", 217, "amount: 217 is grounded in nothing seen before"),
    ],
)
def test_an_unwanted_change_tells_what_its_figure_follows_from(said, amount, told):
    happened = (user(said), call("send_voucher", "sent", user_id="u1", amount=amount))
    (extra,) = found("action_extra", Example(happened, fields={"expected_calls": []}))
    assert (told in extra.detail) if told else ("amount:" not in extra.detail)


@pytest.mark.parametrize(
    ("expected", "happened", "detail"),
    [
        ([], call("cancel_order", "ok", order_id="A"), "it succeeded; no call is expected at all"),
        ([PAY], call("cancel_order", "ok", order_id="A"), "no call of this tool is expected"),
        (
            [{"name": "cancel_order", "arguments": {"order_id": "B"}}] * 2,
            call("cancel_order", "ok", order_id="A"),
            "has order_id=A",
        ),
    ],
)
def test_an_extra_call_is_told_with_why_it_is_one(expected, happened, detail):
    (signal,) = found("action_extra", Example((happened,), fields={"expected_calls": expected}))
    assert signal.subject == "cancel_order"
    assert detail in signal.detail


def test_an_extra_call_that_was_refused_changed_nothing():
    example = Example((call("cancel_order", "Error: not found", order_id="A"),), fields={"expected_calls": [PAY]})
    assert not found("action_extra", example)
    (signal,) = found("extra_refused", example)
    assert "refused: Error: not found" in signal.detail


def test_a_missing_call_names_the_attempts():
    (signal,) = found("action_missing", Example((paid("Error: no such card", "card_1", 305),), fields={"expected_calls": [PAY]}))
    assert (signal.step, signal.subject) == (0, "pay_booking")
    assert "tried once, refused: Error: no such card; with payments[0].payment_id=card_1 where card_9074" in signal.detail


def test_a_missing_call_is_held_against_what_was_reported_as_done():
    bags = {"name": "update_booking_bags", "arguments": {"booking_id": "B-4711", "bags": 3}}
    turns = (
        says("How can I help?"),
        user("Economy and 3 bags, please."),
        call("update_cabin", "ok", booking_id="B-4711", cabin="economy"),
        says("Good news. Your booking has been successfully updated, and three bags have been added. Anything else?"),
        user("No, thanks."),
        says("You're welcome!"),
    )
    told = "step 4 reports as done: Your booking has been successfully updated, and three bags have been added."
    (signal,) = found("action_missing", Example(turns, fields={"expected_calls": [bags]}))
    assert signal.step == 4
    assert signal.detail.endswith(told)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "Your booking has been successfully updated. One checked bag has been added as well.",
            "One checked bag has been added as well.",
        ),
        (
            "**The cabin** of your booking has been successfully updated!",
            "The cabin of your booking has been successfully updated!",
        ),
        ("Your booking B-4712 has been successfully updated.", ""),
        ("Your booking has been successfully updated with the following details:\n- economy", ""),
        ("Let's see now that we've reset it. I have not added bags.", ""),
        ("The total is $30.", ""),
    ],
)
def test_what_is_reported_as_done_is_told_where_it_may_be_of_the_missing_call(said, told):
    bags = {"name": "update_booking_bags", "arguments": {"booking_id": "B-4711", "bags": 3}}
    changed = call("update_booking_cabin", "ok", booking_id="B-4711", cabin="economy")
    turns = (
        says("How can I help?"),
        user("Economy and 3 bags, please."),
        changed,
        says(said),
        user("Thanks."),
        says("You're welcome!"),
    )
    (signal,) = found("action_missing", Example(turns, fields={"expected_calls": [bags]}))
    assert signal.step == 4
    assert signal.detail.partition("reports as done: ")[2] == told


def test_a_dialogue_that_ends_in_calls_let_go_of_the_expected_one_at_the_last_of_them():
    turns = (
        says("How can I help?"),
        user("Cancel it."),
        call("get_order", "{}", order_id="W1"),
        call("get_order", "{}", order_id="W1"),
    )
    (signal,) = found(
        "action_missing", Example(turns, fields={"expected_calls": [{"name": "cancel_order", "arguments": {"order_id": "W1"}}]})
    )
    assert signal.step == 4


def test_partial_work_names_what_is_left():
    fields = {"expected_calls": [PAY, {"name": "cancel_order", "arguments": {"order_id": "A"}}]}
    example = Example((paid("ok", "card_9074", 305), says("Done.")), fields=fields)
    (signal,) = found("action_partial", example)
    assert (signal.subject, signal.detail) == ("cancel_order", "1 of 2 expected calls were made")
    assert not found("action_partial", Example((says("No."),), fields=fields))


def test_expected_calls_become_tables_and_their_place_can_be_named(tmp_path):
    rows = [
        Example(
            (call("get_user", '{"cards": ["card_9074"]}', user_id="u1"), paid("ok", "card_9074", 305)),
            fields={"gold": {"todo": [PAY]}},
        ),
        Example((paid("ok", "card_1", 305),), fields={"gold": {"todo": [PAY]}}),
        Example(
            (says("\x1b[31mNo."),), fields={"gold": {"todo": [{"name": "log_in", "arguments": {"password": "hunter2hunter2"}}]}}
        ),
    ]
    path = tmp_path / "rollouts.jsonl"
    path.write_text(
        "".join(json.dumps(row.row() | {"reward": 0.0, "task_id": str(number)}) + "\n" for number, row in enumerate(rows))
    )
    options = Options(expected_fields=("gold.todo",))
    extractors = (ExpectedExtractor(("gold.todo",)), GivenExtractor(options), SignalsExtractor(options))
    with open_run(path, extractors=extractors, index_dir=tmp_path / "index") as run:
        assert run.query("SELECT task, name, mutation, outcome, step, detail FROM expected ORDER BY task").rows == [
            ("0", "pay_booking", "change", "made", 2, ""),
            ("1", "pay_booking", "change", "wrong_argument", 0, "payments[0].payment_id=card_1, expected card_9074"),
            ("2", "log_in", "read", "missing", None, ""),
        ]
        assert run.query("SELECT arguments FROM expected WHERE task = '2'").rows == [('{"password":"[redacted:credential]"}',)]
        given = run.query("SELECT task, argument, tool, step FROM given").rows
        assert given == [("0", "pay_booking.payments.payment_id", "get_user", 1)]
        assert run.query("SELECT task, subject FROM signals WHERE code = 'action_wrong_argument'").rows == [
            ("1", "pay_booking.payments.payment_id")
        ]


def test_the_version_follows_the_options():
    assert ExpectedExtractor().version != ExpectedExtractor(("gold.todo",)).version
    assert ExpectedExtractor(("gold.todo",)).version == ExpectedExtractor(options=Options(("gold.todo",))).version


@pytest.fixture(scope="module")
def airline():
    return by_key(AIRLINE)


def signals_of(rollout, *codes):
    return [signal for code in codes for signal in run_detector(DETECTORS[code], rollout)]


@needs_shared_data
def test_every_failed_rollout_that_differs_has_a_signal(airline):
    failed = {key for key, rollout in airline.items() if rollout.fields["reward"] < 1}
    told = {key for key, rollout in airline.items() if signals_of(rollout, *ACTIONS)}
    assert (len(failed), len(failed & told)) == (116, 113)
    # No state-changing call is expected in 44, and 2:1 fails by its answer.
    assert failed - told == {(2, 1), (44, 1), (44, 3)}
    assert len(told - failed) <= 4


@needs_shared_data
def test_the_wrong_card_comes_from_the_bookings_and_the_lookup_was_skipped(airline):
    for key, step in (((26, 1), 36), ((26, 3), 28)):
        (signal,) = signals_of(airline[key], "action_wrong_argument")
        assert (signal.step, signal.subject) == (step, "update_reservation_flights.payment_id")
        assert "credit_card_4959530 was seen in get_reservation_details" in signal.detail
        (skipped,) = signals_of(airline[key], "lookup_skipped")
        assert (skipped.step, skipped.subject) == (step, "")  # nothing in the row names the tool; siblings do
    for key, step in (((26, 0), 20), ((26, 2), 26)):
        assert signals_of(airline[key], *ACTIONS) == []
        (skipped,) = signals_of(airline[key], "lookup_skipped")
        assert (skipped.step, skipped.subject, skipped.quote) == (step, "get_user_details", "payment_id=credit_card_7334")


def test_an_empty_cell_among_the_expected_arguments_stops_no_table(tmp_path):
    wanted = [{"name": "pay_booking", "arguments": '{"booking_id": "B1", "amount": NaN}'}]
    made = Example((call("pay_booking", "ok", booking_id="B1", amount=305),), fields={"ground_truth": wanted, "reward": 0.0})
    path = tmp_path / "run.jsonl"
    path.write_bytes(made.text())
    extractors = (ExpectedExtractor(), GivenExtractor(), SignalsExtractor())
    with open_run(path, extractors=extractors, use_index=False) as run:
        assert run.query("SELECT name, outcome FROM expected").rows == [("pay_booking", "wrong_argument")]
        assert run.query("SELECT subject FROM signals WHERE code = 'unusable_gold'").rows == [("pay_booking.amount",)]


@needs_shared_data
def test_siblings_name_the_lookup(tmp_path):
    path = shared_data() / f"{AIRLINE}.jsonl.gz"
    with open_run(path, extractors=(GivenExtractor(),), index_dir=tmp_path) as run:
        rows = run.query(
            "SELECT DISTINCT tool FROM given WHERE task = '26' AND argument = 'update_reservation_flights.payment_id'"
        ).rows
    assert rows == [("get_user_details",)]


@needs_shared_data
def test_the_bags_are_wrong_in_all_four_from_the_first_try_on(airline):
    bags = [
        [
            signal
            for signal in signals_of(airline[0, repeat], "action_wrong_argument")
            if signal.subject.endswith("nonfree_baggages")
        ]
        for repeat in range(4)
    ]
    assert [[(signal.step, signal.quote) for signal in signals] for signals in bags] == [
        [(step, "nonfree_baggages=1")] for step in (18, 15, 14, 14)
    ]
    assert all("expects nonfree_baggages=0" in signals[0].detail for signals in bags)


@needs_shared_data
def test_the_certificate_is_extra_and_a_claim_is_a_skipped_lookup(airline):
    assert [(signal.step, signal.subject) for signal in signals_of(airline[37, 0], *ACTIONS)] == [(14, "send_certificate")]
    for repeat, skips in ((0, False), (1, True), (2, False), (3, True)):
        subjects = {signal.subject for signal in signals_of(airline[44, repeat], "lookup_skipped")}
        assert ("get_user_details" in subjects) is skips


def test_a_message_in_place_of_calls():
    fields = {"expected_action": {"type": "message", "content": "Which seat?"}}
    (signal,) = found("action_extra", Example((call("get_seats"),), fields=fields))
    assert "a message is expected" in signal.detail
    assert read_rollout(Example((says("Which seat?"),), fields=fields).text()).expectation is not None


@pytest.mark.parametrize("name", ["iam-rotate-key", "rotateIamKey", "iam.key.rotate"])
def test_a_call_that_the_request_names_is_told_as_such(name):
    fields = {"expected_calls": [{"name": "attach_policy", "arguments": {"role": "R-1"}}]}
    made = (call("attach_policy", "ok", role="R-1"), call(name, "ok", role="R-1"))
    (asked,) = found("action_extra", Example(made, asked="Attach the policy, then rotate the access key.", fields=fields))
    (unasked,) = found("action_extra", Example(made, asked="Attach the policy; leave the access key.", fields=fields))
    assert ("by name" in asked.detail, "by name" in unasked.detail) == (True, False)
