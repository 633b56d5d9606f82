"""Expected calls of which only the list of expected calls knows."""

import pytest

from blade.signals.behaviour.action_reasons import NOWHERE, UNTOLD
from blade.signals.example import Example, call, tool
from tests.signals.support import found

STRENGTH = {"name": "set_strength", "arguments": {"beer": "beer#11272", "abv": 5.0}}
COLOUR = {"name": "set_colour", "arguments": {"beer": "beer#11272", "ebc": 30}}
ASKED = "Enter the alcohol by volume of Ember Rauch (beer#11272)."
NOTE = "Ember Rauch: 48 points less 10 make 5.0 % by volume"


def entered(
    asked=ASKED, note=NOTE, expected=(STRENGTH, COLOUR), shown="srm 15", description="", system="Deal with each slip.", more=()
):
    made = (call("get_beer", shown, beer="beer#11272"), call("set_strength", "ok", beer="beer#11272", abv=5.0), *more)
    return Example(
        made,
        asked=asked,
        system=system,
        tools=(tool("set_strength", description), tool("set_colour", "Sets the colour."), tool("get_beer"), tool("set_label")),
        fields={"rationale": note, "expected_calls": list(expected)},
    )


@pytest.mark.parametrize(
    ("example", "untold"),
    [
        (entered(), True),
        (entered(asked="Enter the alcohol of beer#11272, and its colour."), False),
        (entered(asked="Enter the alcohol of beer#11272, and 30."), False),  # its value
        (entered(note=f"{NOTE}; 15 SRM are 30 EBC"), False),
        (entered(note=""), False),  # no text tells of anything
        (entered(note="A slip from the tray, in winter"), False),  # nor of the other call
        (entered(system="Whenever a strength is entered, enter the colour too."), False),  # a policy
        (entered(description="Enters the strength. Always set the colour afterwards."), False),
        (entered(shown="srm 15\nThe colour must be entered with the strength."), False),
        (entered(shown="colour in srm: 15"), True),  # which a record merely has
        (entered(more=(call("set_label", "ok", beer="beer#11272"),)), False),  # something else was done instead
        (entered(expected=(STRENGTH, COLOUR, {"name": "set_label", "arguments": {"beer": "beer#11272"}})), False),
    ],
)
def test_calls_that_nothing_tells_of(example, untold):
    told = [signal.detail for signal in found("action_missing", example) if signal.subject == "set_colour"]
    assert len(told) == 1
    assert (UNTOLD in told[0]) is untold


def test_a_change_that_answers_with_what_it_is_to_be_confirmed_by_asks_for_it():
    confirm = {"name": "set_colour", "arguments": {"token": "TK-4711"}}
    made = (call("set_strength", "held under TK-4711", beer="beer#11272", abv=5.0),)
    fields = {"rationale": NOTE, "expected_calls": [STRENGTH, confirm]}
    told = found("action_missing", Example(made, asked=ASKED, fields=fields))
    assert UNTOLD not in told[0].detail


@pytest.mark.parametrize(("asked", "nowhere"), [("What about HXDUBJ?", False), ("What about my trip?", True)])
def test_a_record_that_the_request_names_is_not_out_of_nowhere_whatever_it_is_paid_with(asked, nowhere):
    bags = {"name": "update_booking_bags", "arguments": {"booking_id": "HXDUBJ", "payment_id": "gift_card_6941833"}}
    told = found("action_missing", Example((call("think", "ok"),), asked=asked, fields={"expected_calls": [bags]}))
    assert (NOWHERE in told[0].detail) is nowhere


@pytest.mark.parametrize(
    ("asked", "nowhere"),
    [("Set the colour of the label, and its width.", False), ("Set the paper of the label.", True)],
)
def test_a_choice_whose_words_the_request_has_is_asked_for(asked, nowhere):
    fields = [{"name": "set_field", "arguments": {"label": "L-20", "field": field}} for field in ("label_hue", "label_width")]
    made = (call("set_field", "ok", label="L-20", field="label_hue"),)
    told = found("action_missing", Example(made, asked=asked.replace("label", "sticker"), fields={"expected_calls": fields}))
    assert (NOWHERE in told[0].detail) is nowhere
