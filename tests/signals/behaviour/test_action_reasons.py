"""What is said of a wrong value, beside where it comes from."""

import json
from time import process_time

import pytest

from blade.signals.behaviour.action_reasons import NAMED_RECORD, OFFERED, offers_both
from blade.signals.example import Example, call, says
from tests.signals.support import found


@pytest.mark.parametrize(
    ("request_text", "offered"),
    [
        ('Set its side, "stage left" or "stage right".', True),
        ("Set its side: stage left/stage right.", True),
        ("Set its side, either stage right or stage left.", True),
        ("Set its side: stage left, stage centre or stage right.", True),
        ("Set its side: stage left, stage right, or stage centre.", False),  # not told from a list that is to be entered
        ("Set it to stage left if the reading is low, or else to stage right.", False),
        ("Stage left for the bonnet, stage right for the suit.", False),
        ("From stage left to stage right.", False),
        ("Stage left.", False),
    ],
)
def test_values_that_are_offered(request_text, offered):
    assert offers_both(request_text, "stage left", "stage right") is offered
    assert offers_both(request_text, "stage right", "stage left") is offered


def test_commas_with_nothing_but_blanks_between_are_read_in_time():
    blanks = " " * 60
    started = process_time()
    assert not offers_both("red" + f",{blanks}" * 4 + "or" + f"{blanks}," * 4 + "x blue", "red", "blue")
    assert process_time() - started < 2


def booked(asked, given="P-70512", records=(("P-70512", "actor"), ("P-81334", "chorus singer"))):
    people = [{"id": number, "name": "Ann Lee", "role": role} for number, role in records]
    made = (call("find_person", json.dumps(people), name="Ann Lee"), call("book_slot", "ok", who=given))
    return Example(made, asked=asked, fields={"expected_calls": [{"name": "book_slot", "arguments": {"who": "P-81334"}}]})


def test_the_record_that_is_meant():
    (told,) = found("action_wrong_argument", booked("Book a slot for Ann Lee the chorus singer."))
    assert NAMED_RECORD in told.detail
    (told,) = found("action_wrong_argument", booked("Book a slot for Ann Lee."))
    assert NAMED_RECORD not in told.detail
    (told,) = found("action_wrong_argument", booked("Book a slot for Ann Lee the actor."))
    assert NAMED_RECORD not in told.detail


def test_a_choice_is_told():
    made = call("set_field", "ok", item="I-7", side="stage right")
    wanted = {"name": "set_field", "arguments": {"item": "I-7", "side": "stage left"}}
    example = Example((made,), asked='Set the side of I-7, "stage left" or "stage right".', fields={"expected_calls": [wanted]})
    (told,) = found("action_wrong_argument", example)
    assert OFFERED in told.detail


def test_a_tool_that_was_called_for_other_records_is_told_with_them():
    fields = {"expected_calls": [{"name": "cancel_order", "arguments": {"order_id": "W1"}}]}
    others = [call("cancel_order", "ok", order_id=f"W{number}") for number in (2, 3)]
    (signal,) = found("action_missing", Example((*others, says("Done.")), fields=fields))
    assert "the tool was called 2 times, for W2, W3, and not for W1" in signal.detail
