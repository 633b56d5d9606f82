"""Gold that the tools' own record speaks against, and the look-alikes where a user, a text or a rule may give the expected value."""

from dataclasses import replace

import pytest

from blade.signals.example import Example, call, says, tool, user
from tests.signals.support import steps

PROFILE = '{"name": {"first": "Ann", "last": "Lee"}, "born": "1981-05-26", "seat": "4A"}'
GUEST = {"first": "Ann", "last": "Lee", "born": "1981-05-26"}
WANTED = GUEST | {"born": "1985-04-04"}
TOLD = {"instruction": "You are Ann Lee. You want to go on the tour."}


def booked(given=GUEST, wanted=WANTED, *turns, profile=PROFILE, task=None, asked="Book the tour for member M-7."):
    fields = {"expected_calls": [{"name": "book_tour", "arguments": {"guests": [wanted]}}]}
    return Example(
        (call("get_member", profile, member_id="M-7"), *turns, call("book_tour", "booked", guests=[given])),
        asked=asked,
        fields=fields | ({} if task is None else {"task": task}),
    )


MAILS = GUEST | {"email": "ann@home.example"}
WORK = GUEST | {"email": "lee@firm.example"}
MEMBER = '{"name": {"first": "Ann", "last": "Lee"}, "born": "1981-05-26", "email": "ann@home.example", "employer_id": "E-3"}'
EMPLOYER = tool("get_employer_contact", required=("employer_id",), employer_id="string")
SAME_KEY = tool("get_second_contact", required=("member_id",), member_id="string")
FLIGHTS = tool("search_tours", required=("born", "place"), born="string", place="string")
CHANGES = tool("update_member", required=("member_id",), member_id="string", email="string")


def mailed(asked="Book the tour for member M-7.", *tools, turns=()):
    return replace(booked(MAILS, WORK, *turns, profile=MEMBER, asked=asked), tools=tools)


ASKS = says("Whom shall I book for?")

CASES = [
    ("gold_off_record", booked(), True),
    ("gold_off_record", booked(GUEST, WANTED, ASKS, user("Just for me."), task=TOLD), True),
    # A dialogue whose user's instructions nobody knows, or where the user says it, in figures or in words.
    ("gold_off_record", booked(GUEST, WANTED, ASKS, user("Just for me.")), False),
    ("gold_off_record", booked(GUEST, WANTED, ASKS, user("I was born on 1985-04-04."), task=TOLD), False),
    ("gold_off_record", booked(GUEST, WANTED, ASKS, user("My birthday is April 4, 1985."), task=TOLD), False),
    ("gold_off_record", booked(GUEST, WANTED, ASKS, user("Yes."), task={"instruction": "You are Ann Lee, born on 4 April 1985."}), False),
    # It may be counted from what is seen, or stands in the request.
    ("gold_off_record", booked(GUEST, GUEST | {"born": "1981-06-26"}), False),
    ("gold_off_record", booked(asked="Book the tour for member M-7, born 1985-04-04."), False),
    # Another guest is expected, the record has another value than was given, or it does not say who it is.
    ("gold_off_record", booked(GUEST, WANTED | {"last": "Ray"}), False),
    ("gold_off_record", booked(profile=PROFILE.replace("1981-05-26", "1985-04-05")), False),
    ("gold_off_record", booked(profile='{"born": "1981-05-26"}'), False),
    # Which of several is meant is said, or the lookup that has it was never made.
    ("gold_off_record", mailed(), True),
    ("gold_off_record", mailed("Book me (M-7) under my work address."), False),
    ("gold_off_record", mailed("Book M-7, and use the other email for it."), False),
    ("gold_off_record", mailed("M-7 has a new job and wants to go on the tour."), True),
    ("gold_off_record", mailed("Book the tour for member M-7.", EMPLOYER), False),
    ("gold_off_record", mailed("Book the tour for member M-7.", SAME_KEY), False),
    ("gold_off_record", mailed("Book the tour for member M-7.", FLIGHTS, CHANGES), True),
    ("gold_off_record", mailed("Book the tour for member M-7.", SAME_KEY, turns=(call("get_second_contact", "none", member_id="M-7"),)), True),
    # What is worked out is no field of a record.
    ("gold_off_record", booked({"first": "Ann", "last": "Lee", "price": 80}, {"first": "Ann", "last": "Lee", "price": 120}), False),
]  # fmt: skip


@pytest.mark.parametrize(("code", "example", "expected"), CASES)
def test_gold_that_contradicts_the_record(code, example, expected):
    assert bool(steps(code, example)) is expected
