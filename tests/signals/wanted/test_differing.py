"""Where something else was given than is expected: in the arguments of calls first, then in the answer."""

import pytest

from blade.signals.example import Example, call, says
from blade.signals.rollout import read_rollout
from blade.signals.wanted.differing import differing

BOOK = {"name": "book_room", "arguments": {"room": "Aurora", "guests": [{"age": 40}]}}


def booked(*said, answer=None, **arguments):
    fields = {"expected_calls": [BOOK]} | ({} if answer is None else {"expected_answer": answer})
    return Example((call("book_room", "booked", **arguments), *said), fields=fields)


def answered(text, **fields):
    return Example((says(text),), fields={"expected_answer": "42"} | fields)


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        (booked(room="Aurora", guests=[{"age": 40}]), ()),
        (
            booked(room="Borealis", guests=[{"age": 41}]),
            (("book_room.room", "Aurora", "Borealis", 0), ("book_room.guests.age", 40, 41, 0)),
        ),
        # what the verifier took for the answer, or else the last word of the message
        (answered("It is 41 in all.", extracted_answer="41"), (("expected_answer", "42", "41", 0),)),
        (answered("It is **41**."), (("expected_answer", "42", "41", 0),)),
        (answered("It is 42."), ()),
        # the calls come before the answer
        (
            booked(says("The key is K-2"), answer="K-1", room="Borealis", guests=[{"age": 40}]),
            (("book_room.room", "Aurora", "Borealis", 0), ("expected_answer", "K-1", "K-2", 2)),
        ),
    ],
)
def test_what_differs(example, expected):
    assert differing(read_rollout(example.text())) == expected
