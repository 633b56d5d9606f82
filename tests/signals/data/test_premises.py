"""Workings beside the gold that begin with what neither the request nor any lookup shows, and those that follow from what was seen."""

import pytest

from blade.signals.example import Example, call, says
from blade.signals.texts.clock import times_of_day
from tests.signals.support import steps

VOLUME = "vol-28797547"


def grown(note, given=125, wanted=105, looked_up=VOLUME, size=80):
    expected = [{"name": "resize_volume", "arguments": {"volume": VOLUME, "size_gib": wanted}}]
    made = (
        call("get_volume", f'{{"volume": "{looked_up}", "size_gib": {size}}}', volume=looked_up),
        call("resize_volume", "ok", volume=VOLUME, size_gib=given),
    )
    return Example(made, asked="Grow the disk of the cache by 45 GiB.", fields={"rationale": note, "expected_calls": expected})


def decided(note, average=37.4):
    """An instance that is resized because of its load, where it should be stopped."""
    expected = [{"name": "stop_instance", "arguments": {"instance": "i-17058832"}}]
    made = (
        call("get_load", f'{{"instance": "i-17058832", "average": {average}}}', instance="i-17058832"),
        call("resize_instance", "ok", instance="i-17058832", size="large"),
    )
    asked = "If i-17058832 averaged less than 31%, stop it, else resize it."
    return Example(made, asked=asked, fields={"rationale": note, "expected_calls": expected})


def summed(note, given="310.25", wanted="324"):
    made = (
        call("list_charges", '[{"charge": 100.25}, {"charge": 110}, {"charge": 100}]', project="halo"),
        says(f"Answer: {given}"),
    )
    fields = {"rationale": note, "expected_answer": wanted, "extracted_answer": given}
    return Example(made, asked="What are the charges of halo?", fields=fields)


def visit(note, given="2026-06-08T15:30", wanted="2026-06-08T14:30", asked="Book the visit of 8 June 2026 at half past three."):
    expected = [{"name": "book_visit", "arguments": {"start": wanted}}]
    return Example((call("book_visit", "ok", start=given),), asked=asked, fields={"rationale": note, "expected_calls": expected})


SACKS = "sack;weight\n1;80 lb\n2;120 lb\n3;100 lb\n4;100 lb"


def weighed(note, given="181.4", wanted="167.8", listed=SACKS, asked="What did the load of Old Kiln weigh, in kg?"):
    made = (
        call("get_maltster", '{"maltster": "M-76680", "name": "Old Kiln"}', name="Old Kiln"),
        call("list_sacks", listed, maltster="M-76680"),
        says(f"Answer: {given}"),
    )
    return Example(made, asked=asked, fields={"rationale": note, "expected_answer": wanted})


def entered(note, given, wanted, record, argument="minutes"):
    expected = [{"name": "enter", "arguments": {"route": "R-87066", argument: wanted}}]
    made = (call("get_route", record, route="R-87066"), call("enter", "ok", route="R-87066", **{argument: given}))
    return Example(made, asked="Enter what is due for R-87066.", fields={"rationale": note, "expected_calls": expected})


def levied(
    note, asked="Charge R-87066 the fee with tax at the standard rate.", today="It is Tuesday, 9 June 2026.", answer="net 920"
):
    expected = [{"name": "charge", "arguments": {"trader": "R-87066", "amount": 1122.4}}]
    made = (call("get_fee", answer, trader="R-87066"), call("charge", "ok", trader="R-87066", amount=1131.6))
    return Example(made, asked=asked, system=today, fields={"rationale": note, "expected_calls": expected})


ROUTE = "### Pilgrim Couloir\n- length: 7.5 km\n- ascent: 1310 m"
CODE = "working_of_other_data"
CASES = [
    (CODE, grown(f"{VOLUME} has 60 GiB; with 45 more it is 105."), [2]),
    (CODE, grown(f"{VOLUME} has 80 GiB; with 25 more it is 105."), []),  # the lookup was as the working has it
    (CODE, grown(f"{VOLUME} has 60 GiB; with 45 more it is 105.", looked_up="vol-99999999"), []),  # another record
    (CODE, grown(f"{VOLUME} has 60 GiB; with 45 more it is 105.", given=130), []),
    (CODE, grown("With 45 more it is 105."), []),
    (CODE, decided("Average 29.1% against 31%: stop."), [None]),
    (CODE, decided("Average 29.1% against 31%: stop.", average=30.2), []),  # the same side of the limit
    (CODE, decided("Cost 29.1 against 31%: stop."), []),
    (CODE, summed("100.25 + 113.75 + 110 = 324", given="310.25"), [2]),
    (CODE, summed("100.25 + 113.75 + 110 = 324", given="312"), []),
    (CODE, weighed("80 + 120 + 70 + 100 lb are 167.8 kg"), [4]),  # a sum, converted and rounded
    (CODE, weighed("80 + 120 + 100 + 100 lb are 167.8 kg"), []),  # as the lookup has it
    (CODE, weighed("80 + 120 + 70 + 100 lb are 167.8 kg", given="190.5"), []),  # not what the lookup comes to
    (CODE, weighed("70 lb each are 167.8 kg"), []),
    (CODE, entered("33 SRM are 65 EBC", 53, 65, '{"colour_srm": 27, "bitterness": 40}', "ebc"), [2]),
    (CODE, entered("33 units are 65 EBC", 53, 65, '{"colour_srm": 27, "bitterness": 40}', "ebc"), []),  # of what, is not told
    (CODE, entered("33 SRM are 65 EBC", 60, 65, '{"colour_srm": 27, "bitterness": 40}', "ebc"), []),  # in no such proportion
    (
        CODE,
        entered("7.5 km with 1220 m of ascent take 212 min", 221, 212, ROUTE),
        [2],
    ),  # every measure of the record, one otherwise
    (CODE, entered("7.5 km with 1310 m of ascent take 212 min", 221, 212, ROUTE), []),
    (CODE, entered("1220 m of ascent take 212 min", 221, 212, ROUTE), []),  # one by itself may be worked out
    (CODE, entered("7.5 km with 1220 m and 40 kg take 212 min", 221, 212, ROUTE), []),  # more than the record has
    (
        CODE,
        entered("7.5 km with 1220 m take 212 min", 221, 212, f"{ROUTE}\n- height: 2400 m"),
        [],
    ),  # which of the two, is not told
    (CODE, levied("920 net and 22 % (table of 2009) make 1122.40"), [2]),
    (CODE, levied("920 net and 22 % (2009) make 1122.40"), []),  # of what, is not told
    (CODE, levied("920 net and 22 % (table of 2025) make 1122.40"), []),
    (CODE, levied("920 net and 22 % (rates in force since 2009) make 1122.40"), []),  # and still are
    (CODE, levied("920 net and 22 % (table of 2009)"), []),  # what is expected does not follow from it
    (CODE, levied("920 net and 22 % (table of 2009) make 1122.40", asked="Charge R-87066 the fee with the tax of 2009."), []),
    (CODE, levied("920 net and 22 % (table of 2009) make 1122.40", answer="net 920, season 2009"), []),
    (CODE, levied("920 net and 22 % (table of 2009) make 1122.40", today="Help."), []),  # which day it is, is not told
    (CODE, visit("8 June, 14:30"), [0]),
    (CODE, visit("8 June, 15:30"), []),
    (CODE, visit("8 June, 14:30 by UTC"), []),
    (CODE, visit("8 June, 14:30", wanted="2026-06-09T14:30"), []),
    (CODE, visit("15:30 is taken, so 16:00", wanted="2026-06-08T16:00"), []),
]


@pytest.mark.parametrize(("code", "example", "expected"), CASES)
def test_workings_of_other_data(code, example, expected):
    assert steps(code, example) == expected


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("half past three", {210}),
        ("a quarter to four", {225}),
        ("at 3.30 pm", {210}),
        ("2026-06-08T15:30:00", {210}),
        ("at ten o'clock, or 11 am", {600, 660}),
        ("version 3.30 costs 12", set()),
    ],
)
def test_times_of_day(text, minutes):
    assert set(times_of_day(text)) == minutes
