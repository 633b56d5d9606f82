"""Answers that hand on what a lookup showed."""

import pytest

from blade.diagnosis.patterns.last_step import stopped_short
from tests.diagnosis.patterns.support import answer, call, repeat, task_of, told

LOOKED = call(2, "find_claim", '{"ref": "C1", "lossDate": "2025-09-13", "sign": "SLO"}', ref="C1")


def claim(number, passed, gold, given):
    return repeat(number, passed, calls=[LOOKED], answers=[answer(gold, given, f"It is {given}.")])


@pytest.mark.parametrize(("gold", "given"), [("Saturday", "2025-09-13"), ("a", "SLO")])
def test_what_was_looked_up_is_given_as_it_is(gold, given):
    view = task_of(claim(0, True, gold, gold), claim(1, False, gold, given))
    assert [code for code, *_ in told(stopped_short(view))] == ["stopped_short"]


@pytest.mark.parametrize(
    "view",
    [
        task_of(claim(1, False, "Saturday", "2025-09-13")),  # nobody shows that there is a step to take
        task_of(claim(0, True, "Saturday", "Saturday"), claim(1, False, "Saturday", "Sunday")),  # worked out, and wrongly
        task_of(
            claim(0, True, "2025-09-14", "2025-09-14"), *(claim(n, False, "2025-09-14", "2025-09-13") for n in (1, 2))
        ),  # a rule
        task_of(claim(0, True, "SLO", "SLO"), claim(1, False, "SLO", "2025-09-13")),  # the wrong part of the same record
    ],
)
def test_what_is_another_matter(view):
    assert told(stopped_short(view)) == []


def weighed(number, passed, given, asked="kg"):
    listed = call(2, "list_sacks", "sack;weight\n1;180 lb\n2;220 lb", load="L1")
    return repeat(number, passed, calls=[listed], answers=[answer("181.4", given, f"It is {given}.")._replace(unit=asked)])


@pytest.mark.parametrize(
    ("given", "asked", "found"),
    [
        ("400 lb", "kg", True),  # nothing shows it as it is: it was added up, and left in pounds
        ("400 pounds", "kg", True),
        ("400", "kg", False),  # it does not say so, and may be meant for kilograms
        ("410 lb", "kg", False),  # wrong in pounds as well
        ("400 lb", None, False),  # no unit is asked for
        ("400 ft", "kg", False),
        ("182.4 kg", "kg", False),
    ],
)
def test_the_unit_of_the_record_where_another_one_is_asked_for(given, asked, found):
    view = task_of(weighed(0, True, "181.4", asked), weighed(1, False, given, asked))
    assert told(stopped_short(view)) == ([("stopped_short", "7:1", 3)] if found else [])


def test_where_nobody_converts_it_may_be_the_gold():
    assert told(stopped_short(task_of(weighed(0, False, "400 lb"), weighed(1, False, "400 lb")))) == []
