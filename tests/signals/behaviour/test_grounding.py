"""Where an argument comes from: seen, derived, free, or made up."""

from datetime import date

import pytest

from blade.signals.example import Example, call, says, tool, user
from blade.signals.texts.derivations import number_follows
from blade.signals.texts.values import date_follows, dates_in, numbers_in
from tests.signals.support import found

PROFILE = (
    '{"id": "mei_brown_7075", "cards": {"credit_card_9074831": {"last_four": "7334"}}, "email": "mei.brown7062@example.com"}'
)


def ungrounded(*happened, asked="Please help.", **more):
    return [signal.quote for signal in found("ungrounded_argument", Example(happened, asked=asked, **more))]


GROUNDED = [
    ("a number with a prefix and check digits", {'asked': "Invoice 648212072, as a creditor reference."}, [call("pay", "ok", creditor_ref="RF21648212072")]),
    ("a date with the day first", {'asked': "Book 22 August 2026."}, [call("book", "ok", day="22/08/2026")]),
    ("seen in the prompt", {'asked': "Cancel M20IZO."}, [call("cancel", "ok", reservation_id="M20IZO")]),
    ("seen in a user's turn", {}, [user("It is m20izo."), call("cancel", "ok", reservation_id="M20IZO")]),
    ("seen in an answer", {}, [call("get_user", PROFILE), call("pay", "ok", payment_id="credit_card_9074831")]),
    ("other separators", {'asked': "order #W237 8156"}, [call("cancel", "ok", order_id="W2378156")]),
    ("a phone number", {'asked': "ring (555) 123-2002"}, [call("update_user", "ok", phone_number="555-123-2002")]),
    ("the end of a number", {'asked': "card 4111222233337334"}, [call("pay", "ok", last_four="7334")]),
    ("a date in words", {'asked': "on May 22nd, 2024"}, [call("book", "ok", date="2024-05-22")]),
    ("a date without a year", {'asked': "on 22 May"}, [call("book", "ok", date="2024-05-22")]),
    ("a relative date", {'asked': "Today is 2026-03-04. Next Friday, please."}, [call("book", "ok", date="2026-03-13")]),
    ("days later", {'asked': "from 2024-05-20 for 40 days"}, [call("book", "ok", until="2024-06-29")]),
    ("a time", {'asked': "at two"}, [call("book", "ok", time="14:00")]),
    ("a product", {'asked': "$50 for each of the 4 passengers"}, [call("send", "ok", amount=200)]),
    ("a sum", {'asked': "fares of 136 and 109"}, [call("pay", "ok", amount=245)]),
    ("fares for two", {'asked': "fares of 430 and 412 instead of 136 and 109"}, [call("pay", "ok", amount=1194)]),
    ("a percentage", {'asked': "15 % off 240"}, [call("pay", "ok", amount=204)]),
    ("a count", {}, [call("book", "ok", bags=3)]),
    ("weeks as days", {'asked': "three more weeks"}, [call("extend", "ok", days=21)]),
    ("a dozen", {'asked': "two dozen"}, [call("order", "ok", pieces=24)]),
    ("a thousand with a comma", {'asked': "1,284.50 pounds"}, [call("pay", "ok", amount="1284.50")]),
    ("an enumeration", {'tools': (tool("book", tier={"enum": ["T1000"]}),)}, [call("book", "ok", tier="T1000")]),
    ("free text", {}, [call("send", "ok", message="Dear R2D2, we met in 1977.")]),
    ("a name of one's own", {}, [call("create_file", "ok", path="out/report_2031.md", title="Q7 review")]),
    ("a word", {}, [call("book", "ok", cabin="economy", insurance="no", confirmed=True, note=None)]),
    ("an airport", {'asked': "from Los Angeles"}, [call("book", "ok", origin="LAX")]),
    ("an address built like others", {}, [call("find", '{"x": "ann.lee@atlas.com"}'), user("Ben Ode"), call("send", "ok", to="ben.ode@atlas.com")]),
    ("an amount that the user let stand", {}, [says("I'll send 777."), user("Yes."), call("send", "ok", amount=777)]),
    ("an id that a lookup confirmed", {}, [call("get_user", '{"id": "U-12345"}', user_id="U-12345"), call("delete_user", "ok", user_id="U-12345")]),
    ("reads are not judged", {}, [call("get_user", "Error: user not found", user_id="john_doe_123")]),
    ("a shell is not judged", {}, [call("bash", "ok", command="kill 48151")]),
]  # fmt: skip


@pytest.mark.parametrize(("more", "happened"), [case[1:] for case in GROUNDED], ids=[case[0] for case in GROUNDED])
def test_a_value_with_a_source_is_not_accused(more, happened):
    assert ungrounded(*happened, **more) == []


MADE_UP = [
    ("an id put together", {}, [user("my credit card ending in 7334"), call("pay", "ok", payment_id="credit_card_7334")], ["payment_id=credit_card_7334"]),
    ("an id seen only later", {}, [call("pay", "no", payment_id="credit_card_9074831"), call("get_user", PROFILE)], ["payment_id=credit_card_9074831"]),
    ("an example in a schema", {'tools': (tool("pay", "Pay, e.g. with card_4711.", card_id={"description": "such as card_4711"}),)}, [call("pay", "no", card_id="card_4711")], ["card_id=card_4711"]),
    ("an echo in an error", {}, [call("pay", "Error: card_4711 not found", card_id="card_4711"), call("refund", "ok", card_id="card_4711")], ["card_id=card_4711"]),
    ("an echo of success", {}, [call("lend", "Accepted: M-0123", member_id="M-0123"), call("extend", "ok", member_id="M-0123")], ["member_id=M-0123"]),
    ("said by itself", {}, [says("I will use card_4711."), user("Yes."), call("pay", "ok", card_id="card_4711")], ["card_id=card_4711"]),
    ("a code in capitals", {}, [call("cancel", "ok", reservation_id="QWERTZ")], ["reservation_id=QWERTZ"]),
    ("a birthday", {'asked': "Today is 2024-05-15."}, [call("book", "ok", dob="1990-01-01")], ["dob=1990-01-01"]),
    ("an address", {}, [user("Write to Raj."), call("send_email", "ok", recipient="raj.patel@atlas.com")], ["recipient=raj.patel@atlas.com"]),
    ("a number", {'asked': "Refund the 31 dollars."}, [call("refund", "ok", amount=4817)], ["amount=4817"]),
    ("in a list", {}, [call("exchange", "ok", new_item_ids=["8572946271"])], ["new_item_ids[0]=8572946271"]),
    ("a house number", {'asked': "I moved to Willow Lane."}, [call("update_address", "ok", address1="8176 Willow Lane")], ["address1=8176 Willow Lane"]),
]  # fmt: skip


@pytest.mark.parametrize(("more", "happened", "quotes"), [case[1:] for case in MADE_UP], ids=[case[0] for case in MADE_UP])
def test_what_survives_every_benefit_of_the_doubt_is_accused_once(more, happened, quotes):
    assert ungrounded(*happened, **more) == quotes


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("1,284.50 and 3", {1284.5, 3.0}), ("two dozen", {2.0, 12.0}), ("card_7334", {7334.0}), ("no numbers", {0.0})],
)
def test_numbers(text, numbers):
    assert numbers <= set(numbers_in(text))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2024-05-22T10:00", [(2024, 5, 22)]),
        ("May 22, 2024", [(2024, 5, 22)]),
        ("the 22nd of May", [(None, 5, 22)]),
        ("05/22/2024", [(2024, 5, 22)]),
        ("99/99/2024", []),
        ("1.5 of 30.5", [(None, 1, 5), (None, 5, 1), (None, 5, 30)]),
    ],
)
def test_dates(text, days):
    assert list(dates_in(text)) == days


def test_a_number_says_how_it_follows():
    assert number_follows(200, {50.0, 4.0}) == "50 × 4"
    assert number_follows(245, {136.0, 109.0}) == "109 + 136"
    assert number_follows(7, set()) == "a small count"
    assert number_follows(4817, {31.0}) is None


def test_a_date_follows_from_a_near_one():
    seen = {(2024, 5, 15)}
    assert date_follows(date(2024, 5, 20), seen, set(), relative=False)
    assert not date_follows(date(2024, 9, 20), seen, set(), relative=False)
    assert date_follows(date(2024, 9, 20), seen, set(), relative=True)
    assert date_follows(date(2024, 9, 20), seen, {128.0}, relative=False)
