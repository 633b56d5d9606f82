"""Gold that the tools' own record speaks against, and the look-alikes where a user, a text or a rule may give the expected value."""

import pytest

from blade.signals.example import Example, call, says, user
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
    # What is worked out is no field of a record.
    ("gold_off_record", booked({"first": "Ann", "last": "Lee", "price": 80}, {"first": "Ann", "last": "Lee", "price": 120}), False),
]  # fmt: skip


@pytest.mark.parametrize(("code", "example", "expected"), CASES)
def test_gold_that_contradicts_the_record(code, example, expected):
    assert bool(steps(code, example)) is expected
