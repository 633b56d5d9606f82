"""Requests that name somebody of whom there are two."""

import json
from dataclasses import replace

import pytest

from blade.signals.data.namesakes import NOTED
from blade.signals.example import Example, call, says, tool
from tests.signals.support import found, steps

ACTOR = {"id": "P-70512", "name": "Ann Lee", "role": "actor"}
SINGER = {"id": "P-81334", "name": "Ann Lee", "role": "chorus singer"}


def booked(asked="Book a slot for Ann Lee.", taken="P-70512", records=(ACTOR, SINGER), note="", tools=(), **arguments):
    listed = call("find_person", json.dumps(list(records)), **(arguments or {"name": "Ann Lee"}))
    made = (
        (says("There are two of that name; I have booked nobody."),)
        if taken is None
        else (call("book_slot", "ok", person=taken),)
    )
    fields = {
        "expected_calls": [{"name": "book_slot", "arguments": {"person": "P-81334"}}],
        **({"rationale": note} if note else {}),
    }
    return Example((listed, *made), asked=asked, tools=tools, fields=fields)


@pytest.mark.parametrize(
    ("example", "wanted"),
    [
        (booked(), [2]),
        (booked(taken=None), [0]),  # asked back
        (booked('Book a slot for Ann Lee, "the second act".'), [2]),  # dictated
        (booked("Book a slot for Ann Lee the chorus singer."), []),
        (booked("Book a slot for Ann Lee the actor."), []),
        (booked("Book a slot for the second Ann Lee."), []),
        (booked("Book a slot for the newest Ann Lee."), []),
        (booked(records=(ACTOR, {**SINGER, "name": "Ann Leeds"})), []),
        (booked(records=(SINGER,)), []),
        (booked(taken="P-81334"), []),
        (booked(taken="P-55555"), []),  # none of the two
        (booked(query="role:any"), []),  # not looked up by that name
        (booked(tools=(tool("get_duties", id="string"),)), []),  # a lookup that may have told them apart
        (booked(tools=(tool("get_person", person_id="string"),)), []),
        (booked(tools=(tool("find_room", title="string"),)), [2]),
        (booked(tools=(tool("find_room", room_id="string"),)), [2]),
        (booked("Book a slot for Ann Lee, the singer."), []),  # a word of what is on record
        (
            booked("Book a slot for Ann Lee of flat 12.", records=({**ACTOR, "flat": 7}, {**ACTOR, "id": "P-81334", "flat": 12})),
            [],
        ),
        (
            booked("Book a slot for Ann Lee, born on 3 May 1990.", records=(ACTOR, {**SINGER, "born": "1990-05-03"})),
            [],
        ),
    ],
)
def test_two_of_one_name(example, wanted):
    assert steps("record_not_told_apart", example) == wanted


def looked_up(*cities):
    """Of Ann Lee who lives in Oslo, both records are listed, and the details of some of them were looked up."""
    details = [call("get_person", json.dumps({"id": number, "city": city}), person_id=number) for number, city in cities]
    example = booked("Book a slot for Ann Lee, who lives in Oslo.", tools=(tool("get_person", person_id="string"),))
    return replace(example, happened=(example.happened[0], *details, *example.happened[1:]))


@pytest.mark.parametrize("cities", [(), [("P-70512", "Bergen")], [("P-70512", "Bergen"), ("P-81334", "Oslo")]])
def test_details_that_tell_them_apart_or_may(cities):
    assert steps("record_not_told_apart", looked_up(*cities)) == []


def test_details_that_tell_nothing():
    assert len(steps("record_not_told_apart", looked_up(("P-70512", "Bergen"), ("P-81334", "Bergen")))) == 1


def test_a_note_that_tells_them_apart():
    (told,) = found("record_not_told_apart", booked(note="It is Ann Lee the chorus singer."))
    assert told.detail.endswith(NOTED)
    assert told.subject == "book_slot.person"
    (told,) = found("record_not_told_apart", booked(note="It is Ann Lee."))
    assert not told.detail.endswith(NOTED)
