"""Gold in which a model refuses, and the refusals that are none of the gold's."""

import pytest

from blade.signals.example import Example, call, says
from tests.signals.support import steps

LUNCH = "We would be happy to have you over for lunch when you are in town at the end of the month."


def worded(given, expected):
    """A board gets the words that the request quotes, where another one is expected."""
    wanted = {"name": "set_sign", "arguments": {"board_id": "B-1204", "wording": expected}}
    made = call("set_sign", "ok", board_id="B-1204", wording=given)
    return Example((made,), asked=f'Have board B-1204 say "{LUNCH}"', fields={"expected_calls": [wanted]})


CASES = [
    ("gold_refuses", worded(LUNCH, "I'm sorry, but as an AI language model I can't help."), [0]),
    ("gold_refuses", worded(LUNCH, "Sorry, I'm not able to generate this content."), [0]),
    ("gold_refuses", worded("Come by any time.", "Sorry, I'm not able to provide a room."), []),  # a letter may say so
    (
        "gold_refuses",
        Example((says("I'm sorry, but I can't help with that."),), fields={"expected_answer": "As an AI model I can't help."}),
        [],
    ),
]


@pytest.mark.parametrize(("code", "example", "expected"), CASES, ids=[f"{case[0]}-{number}" for number, case in enumerate(CASES)])
def test_evidence(code, example, expected):
    assert steps(code, example) == expected
