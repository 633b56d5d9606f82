"""Workings beside the gold that begin with what neither the request nor any lookup shows, and those that follow from what was seen."""

import pytest

from blade.signals.clock import times_of_day
from blade.signals.example import Example, call, says
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
