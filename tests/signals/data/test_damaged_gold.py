"""Gold that is a damaged copy of what was given, and the look-alikes that are not."""

from dataclasses import replace

import pytest

from blade.signals.example import Example, call, tool
from tests.signals.data.gold_cases import NOTE, booked_room, closed, noted, spanned
from tests.signals.support import steps


def charged(given, expected, **schema):
    wanted = {"name": "charge_card", "arguments": {"amount": expected}}
    tools = (tool("charge_card", amount=schema),) if schema else ()
    return Example((call("charge_card", "ok", amount=given),), fields={"expected_calls": [wanted]}, tools=tools)


def on_day(given, wanted, asked="Book it on 8 October 2026 at noon."):
    """A change on the eighth of October."""
    made = call("book_room", "booked", start=given)
    return Example(
        (made,),
        asked=asked,
        fields={"expected_calls": [{"name": "book_room", "arguments": {"start": wanted}}]},
    )


def deducted(given, gold, name="percent"):
    expected = {"name": "set_deduction", "arguments": {"ticket": "T-1001", name: gold}}
    made = call("set_deduction", "ok", ticket="T-1001", **{name: given})
    return Example((made,), asked=f"Take {given} percent off ticket T-1001.", fields={"expected_calls": [expected]})


def declared_so(schema, description="", said=""):
    """A discount of 14 per cent that gold has as 0.14."""
    example = deducted(14, 0.14, "discount_percent")
    tools = (tool("set_deduction", description, ticket="string", discount_percent=schema),)
    return replace(example, tools=tools, asked=f"{example.asked} {said}".strip())


def valued(gold, given=48000):
    """A value is set as the request says it, in its own way of writing, where `gold` is expected."""
    wanted = {"name": "set_value", "arguments": {"permit": "P-1001", "usd": gold}}
    made = call("set_value", "ok", permit="P-1001", usd=given)
    return Example(
        made if isinstance(made, tuple) else (made,),
        asked="Set the value of P-1001 to $48,000.",
        fields={"expected_calls": [wanted]},
    )


CASES = [
    ("gold_damaged", valued("48,000"), [0]),  # as a spreadsheet shows it
    ("gold_damaged", valued("$48,000"), [0]),
    ("gold_damaged", valued("48,100"), []),
    ("gold_damaged", valued("48000"), []),  # no more than another type
    ("gold_damaged", valued("48,000", given="forty-eight thousand"), []),
    ("gold_damaged", noted(NOTE, f'"{NOTE}"'), [0]),  # a column's quotation marks
    ("gold_damaged", noted('the "big" one', '"the ""big"" one"'), [0]),
    ("gold_damaged", noted(f'"{NOTE}"', NOTE), []),
    ("gold_damaged", declared_so({"type": "number"}), [0]),
    ("gold_damaged", declared_so({"type": "number", "maximum": 100, "description": "Rounded to two decimal places."}), [0]),
    ("gold_damaged", declared_so({"type": "number", "description": "Between 0 and 100."}), [0]),
    ("gold_damaged", declared_so({"type": "number", "maximum": 1}), []),
    ("gold_damaged", declared_so({"type": "number", "description": "As a fraction of one."}), []),
    ("gold_damaged", declared_so({"type": "number", "description": "Between 0 and 1."}), []),
    ("gold_damaged", declared_so({"type": "number", "description": "0.05 means five per cent"}), []),
    ("gold_damaged", declared_so({"type": "number"}, "Takes a deduction off, given as a decimal."), []),
    ("gold_damaged", declared_so({"type": "number"}, said="Shares are written as fractions here."), []),
    ("gold_damaged", deducted(2.5, 0.025), [0]),
    ("gold_damaged", deducted(2.5, 0.025, "tonnes"), []),  # may be another unit
    ("gold_damaged", deducted(2.5, 0.25), []),
    ("gold_damaged", deducted(250, 2.5), []),
    ("gold_damaged", deducted("2026-06-24", 46197, "day"), [0]),
    ("gold_damaged", deducted("2026-06-24", "46197", "day"), [0]),
    ("gold_damaged", deducted("2026-06-24", 46198, "day"), []),
    ("gold_damaged", closed("C-20418", "C-77120"), []),
    ("gold_damaged", closed("C-20418", "C-20418 (was C-19266)"), [2]),
    ("gold_damaged", closed("C-20418", "C-19266 -> C-20418"), [2]),
    ("gold_damaged", closed("C-20418", "C-20418,C-77120"), [2]),
    ("gold_damaged", closed("C-20418", "C-20418, North"), []),
    ("gold_damaged", closed("C-20418", "C-20418 North"), []),
    ("gold_damaged", closed("JFK", "SFO -> JFK"), []),
    ("gold_damaged", closed("Oxygen", "Oxygen, not nitrogen"), []),
    ("gold_damaged", spanned("2026-06-28", "2026-06-22"), [0]),
    ("gold_damaged", spanned("2026-06-22", "2026-06-28", given=("2026-06-28", "2026-06-22")), []),  # the work is turned round
    ("gold_damaged", spanned("2026-06-28", "2026-06-22", names=("pickup", "delivery")), []),  # either may come first
    ("gold_damaged", closed("0020418", "20418"), [2]),
    ("gold_damaged", closed("20418", "0020418"), []),  # the zeros are lost in the work, not in the gold
    ("gold_damaged", closed("20418001122334455", "20418001122334400"), [2]),
    ("gold_damaged", closed("20418001122334455", "2.0418E+16"), [2]),
    ("gold_damaged", closed("20418001122334455", "2.0511E+16"), []),
    ("gold_damaged", closed("2026-03-04", "2026-04-03"), [2]),
    ("gold_damaged", closed("Northern Harvest", "Northern Harv"), [2]),
    ("gold_damaged", closed("Northern Harvest", "Northern"), []),
    ("gold_damaged", closed("North store, bay 28", "North store, bay 2"), []),  # another bay
    ("gold_damaged", closed("SKH-26-02090", "SKH-26-020"), [2]),
    ("gold_damaged", closed("2026-03-04T12:30", "2026-04-03T12:30"), [2]),
    ("gold_damaged", closed("2026-03-04T12:30", "2026-03-04"), [2]),
    ("gold_damaged", on_day("2026-10-08T12:00", "2026-08-10T12:00"), [0]),  # the request has the day in words
    (
        "gold_damaged",
        Example(
            (call("book", "ok", day="2027-04-05"),),
            asked="48 clear days from now.",
            fields={"expected_calls": [{"name": "book", "arguments": {"day": "2027-05-04"}}]},
        ),
        [0],
    ),  # worked out, and read nowhere
    (
        "gold_damaged",
        Example(
            (call("book", "ok", day="2027-04-05"),),
            asked="Two days before 06/05/2027.",
            fields={"expected_calls": [{"name": "book", "arguments": {"day": "2027-05-04"}}]},
        ),
        [],
    ),  # a date that reads both ways
    ("gold_damaged", on_day("2026-08-10T12:00", "2026-10-08T12:00"), []),
    ("gold_damaged", on_day("2026-10-08T12:00", "1926-10-08T12:00"), [0]),  # the year had two digits
    ("gold_damaged", on_day("1926-10-08T12:00", "2026-10-08T12:00"), []),  # the request names this one
    ("gold_damaged", on_day("2026-10-08T12:00", "1925-10-08T12:00"), []),  # off by more than the century
    ("gold_damaged", on_day("2026-10-08T12:00", "1926-10-08T12:00", "Book it on 8/10/26."), []),  # may be of either century
    ("gold_damaged", noted("quiet night, ask the manager", "quiet nigh"), [0]),
    (
        "gold_damaged",
        noted("quiet night, ask the manager", "quiet night"),
        [0],
    ),  # cut between two words, and the whole stands in quotes
    ("gold_damaged", noted("quiet night, ask the manager", "quiet "), [0]),
    (
        "gold_damaged",
        replace(noted("quiet night, ask the manager", "quiet night"), asked="Note a quiet night, ask the manager."),
        [],
    ),
    (
        "gold_damaged",
        replace(noted("quiet night, ask", "quiet night"), asked='Note a quiet night on A-1, or "quiet night, ask".'),
        [],
    ),  # it is named by itself as well
    ("gold_damaged", noted("Blue Heron,", "Blue Heron"), []),  # a mark that belongs to the sentence
    ("gold_damaged", noted("Blue Heron.", "Blue Heron"), []),
    ("gold_damaged", noted("blue heron.pdf", "blue heron"), []),
    ("gold_damaged", noted("blue heron, on A-1", "blue heron"), []),  # which is expected at another place
    ("gold_damaged", noted("blue heron, on B-2", "blue heron"), [0]),
    ("gold_damaged", closed("Café Größe", "CafÃ© GrÃ¶Ã\x9fe"), [2]),
    ("gold_damaged", charged(94.92, 94.91999999999999), [0]),
    ("gold_damaged", charged(0.3, 0.30000000000000004), [0]),
    ("gold_damaged", charged(94.92, 94.92), []),
    ("gold_damaged", charged(4, "7 // 4", type="integer"), [0]),  # of two annotators
    ("gold_damaged", charged(4, "[1] 7 [2] 4", type="number"), [0]),
    ("gold_damaged", charged(4, "7 | 4", type="string"), []),  # which may hold both
    ("gold_damaged", charged(4, "7 | 4"), []),
    ("gold_damaged", charged(3, "3/4", type="number"), []),  # a fraction
    ("gold_damaged", charged(5, "7 // 4", type="integer"), []),  # neither was given
    ("gold_damaged", charged(4, "4,700", type="integer"), []),  # one figure
    ("gold_damaged", charged("GB82WEST12345698765432", "GB28WEST12345698765432"), [0]),  # its check digits do not fit
    ("gold_damaged", charged("GB82 WEST 1234 5698 7654 32", "GB28WEST12345698765432"), [0]),
    ("gold_damaged", charged("GB28WEST12345698765432", "GB82WEST12345698765432"), []),  # those that were given do not
    ("gold_damaged", charged("GB83WEST12345698765432", "GB28WEST12345698765432"), []),  # neither do
    ("gold_damaged", charged(94.92, 94.95), []),
    ("gold_damaged", closed("Salt & Co", "Salt &amp; Co"), [2]),
    ("gold_damaged", closed("Northern Harvest", "Nothern Harvest"), [2]),
    ("gold_damaged", closed("Northern Harvest", "Northren Harvest"), [2]),
    ("gold_damaged", closed("ACC-2026-20418", "ACC-2026-2018"), [2]),
    ("gold_damaged", closed("ACC-2026-20418", "ACC-2026-20419"), []),  # another record
    ("gold_damaged", booked_room("Aurora", "Auorra"), [2]),
    ("gold_damaged", booked_room("Aurora", "Auorra", seen="Auorra has 20 seats."), []),
    ("gold_damaged", booked_room("Centre", "Center", seen="The Centre."), []),  # a way of spelling
    ("gold_damaged", booked_room("Salt", "Slat", seen="The Salt."), []),
    ("gold_damaged", closed("ACC-2026-20418", "ACC-2026-2018", other={"customer_id": "ACC-2026-2018", "name": "Bo"}), []),
]


@pytest.mark.parametrize(("code", "example", "expected"), CASES, ids=[f"{case[0]}-{number}" for number, case in enumerate(CASES)])
def test_evidence(code, example, expected):
    assert steps(code, example) == expected
