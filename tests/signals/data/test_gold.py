"""Gold that is wrong by itself, or that the rollout's own work speaks against; and the look-alikes that are not."""

from dataclasses import replace

import msgspec
import pytest

from blade.signals.example import Example, call, says, tool, user
from tests.signals.support import steps


def closed(given, expected, *, query="Ann Lee", other=None, more=None):
    """An account is closed under an id that a listing gives, where another one is expected."""
    listed = [{"customer_id": given, "name": "Ann Lee"}, *([other] if other else [])]
    wanted = {"name": "close_account", "arguments": {"customer_id": expected}}
    answer = msgspec.json.encode({"data": listed, **(more or {})}).decode()
    made = (call("find_customer", answer, query=query), call("close_account", "ok", customer_id=given))
    return Example(made, asked="Close the account of Ann Lee.", fields={"expected_calls": [wanted]})


def charged(given, expected, **schema):
    wanted = {"name": "charge_card", "arguments": {"amount": expected}}
    tools = (tool("charge_card", amount=schema),) if schema else ()
    return Example((call("charge_card", "ok", amount=given),), fields={"expected_calls": [wanted]}, tools=tools)


def booked_room(given, expected, seen="Two rooms."):
    wanted = {"name": "book_room", "arguments": {"room": expected}}
    made = (call("list_rooms", seen), call("book_room", "booked", room=given))
    return Example(made, asked="Book the room Aurora.", fields={"expected_calls": [wanted]})


LUNCH = "We would be happy to have you over for lunch when you are in town at the end of the month."


def worded(given, expected):
    """A board gets the words that the request quotes, where another one is expected."""
    wanted = {"name": "set_sign", "arguments": {"board_id": "B-1204", "wording": expected}}
    made = call("set_sign", "ok", board_id="B-1204", wording=given)
    return Example((made,), asked=f'Have board B-1204 say "{LUNCH}"', fields={"expected_calls": [wanted]})


def lined_up(given, expected, asked="Line up C-20787:\nBoard 1: Ann\nBoard 2: Bo\nBoard 3: Cy"):
    wanted = {"name": "set_lineup", "arguments": {"club": "C-20787", "boards": expected}}
    return Example((call("set_lineup", "ok", club="C-20787", boards=given),), asked=asked, fields={"expected_calls": [wanted]})


CLOSE = {"name": "close_account", "arguments": {"customer_id": "C-20418"}}
CLOSED_ONCE = Example(
    (call("close_account", "ok", customer_id="C-20418"),),
    asked="Please close the account C-20418.",
    fields={"expected_calls": [CLOSE, CLOSE]},
)


def on_day(given, wanted, asked="Book it on 8 October 2026 at noon."):
    """A change on the eighth of October."""
    made = call("book_room", "booked", start=given)
    return Example(
        (made,),
        asked=asked,
        fields={"expected_calls": [{"name": "book_room", "arguments": {"start": wanted}}]},
    )


def spanned(first, last, given=("2026-06-22", "2026-06-28"), names=("first_day", "last_day")):
    """A lane is closed for some days, where others are expected."""
    wanted = {"name": "close_lane", "arguments": dict(zip(names, (first, last), strict=True))}
    made = call("close_lane", "ok", **dict(zip(names, given, strict=True)))
    return Example((made,), asked="Close the lane.", fields={"expected_calls": [wanted]})


def declared(expected):
    schema = tool("close_account", customer_id="string", why={"type": "string", "enum": ["moved", "deceased"]})
    return Example((call("close_account", "ok", customer_id="C-1"),), tools=(schema,), fields={"expected_calls": [expected]})


def deducted(given, gold, name="percent"):
    expected = {"name": "set_deduction", "arguments": {"ticket": "T-1001", name: gold}}
    made = call("set_deduction", "ok", ticket="T-1001", **{name: given})
    return Example((made,), asked=f"Take {given} percent off ticket T-1001.", fields={"expected_calls": [expected]})


def declared_so(schema, description="", said=""):
    """A discount of 14 per cent that gold has as 0.14."""
    example = deducted(14, 0.14, "discount_percent")
    tools = (tool("set_deduction", description, ticket="string", discount_percent=schema),)
    return replace(example, tools=tools, asked=f"{example.asked} {said}".strip())


NOTE = "look again tomorrow"


def noted(given, expected):
    """A note that the request dictates in quotes, where another one (or the same, several times) is expected."""
    notes = expected if isinstance(expected, list) else [expected]
    wanted = [{"name": "add_note", "arguments": {"account": "A-1", "note": note}} for note in notes]
    made = (call("add_note", "saved", account="A-1", note=given),)
    return Example(made, asked=f'Please note "{given}" on A-1.', fields={"expected_calls": wanted})


def sent(asked, query):
    """An invoice is sent once after a search, where twice is expected."""
    wanted = {"name": "send_invoice", "arguments": {"invoice_id": "I-20444"}}
    made = (call("search_faq", "nothing", query=query), call("send_invoice", "sent", invoice_id="I-20444"))
    return Example(made, asked=asked, fields={"expected_calls": [wanted, wanted]})


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
    ("gold_doubled", replace(CLOSED_ONCE, happened=(says("Which one?"), user("C-20418."), *CLOSED_ONCE.happened)), [2]),
    (
        "gold_doubled",
        replace(CLOSED_ONCE, happened=(says("Which one?"), user("C-20418, and do it twice."), *CLOSED_ONCE.happened)),
        [],
    ),
    ("gold_reordered", lined_up(["P-1204", "P-3177", "P-6508"], ["P-3177", "P-1204", "P-6508"]), [0]),
    ("gold_reordered", lined_up(["P-1204", "P-3177", "P-6508"], ["P-1204", "P-3177", "P-6508"]), []),
    (
        "gold_reordered",
        lined_up(["P-1204", "P-3177", "P-6508"], ["P-3177", "P-1204", "P-6508"], asked="Put Ann, Bo and Cy into C-20787."),
        [],
    ),
    ("gold_refuses", worded(LUNCH, "I'm sorry, but as an AI language model I can't help."), [0]),
    ("gold_refuses", worded(LUNCH, "Sorry, I'm not able to generate this content."), [0]),
    ("gold_refuses", worded("Come by any time.", "Sorry, I'm not able to provide a room."), []),  # a letter may say so
    (
        "gold_refuses",
        Example((says("I'm sorry, but I can't help with that."),), fields={"expected_answer": "As an AI model I can't help."}),
        [],
    ),
    ("gold_damaged", closed("JFK", "SFO -> JFK"), []),
    ("gold_damaged", closed("Oxygen", "Oxygen, not nitrogen"), []),
    ("gold_damaged", spanned("2026-06-28", "2026-06-22"), [0]),
    ("gold_impossible", spanned("2026-06-22", "2026-06-31"), [0]),
    ("gold_impossible", spanned("2026-06-22", "2026-06-30"), []),
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
    ("gold_doubled", CLOSED_ONCE, [0]),
    ("gold_doubled", replace(CLOSED_ONCE, asked="Close the account C-20418 twice."), []),
    ("gold_doubled", replace(CLOSED_ONCE, happened=(says("No."),)), []),
    ("gold_doubled", noted("look again tomorrow", [NOTE, NOTE]), [0]),  # the note says again, and nobody asks for two
    ("gold_doubled", replace(noted("look again tomorrow", [NOTE, NOTE]), asked="Note it again on A-1: look again tomorrow"), []),
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
    ("gold_doubled", sent("Send the invoice I-20444 twice, please.", "Send the invoice I-20444 twice, please."), []),
    ("gold_doubled", sent("Send the invoice I-20444 twice, please.", "invoice I-20444 twice"), []),
    ("gold_doubled", sent("Send the invoice I-20444 of the Double Sheets, please.", "Double Sheets"), [2]),  # a name
    ("gold_doubled", replace(CLOSED_ONCE, happened=CLOSED_ONCE.happened * 2), []),
    ("gold_impossible", declared({"name": "close_accounts", "arguments": {"customer_id": "C-1"}}), [None]),
    ("gold_impossible", declared({"name": "close_account", "arguments": {"customer": "C-1"}}), [0]),
    ("gold_impossible", declared({"name": "close_account", "arguments": {"customer_id": "C-1", "why": "none"}}), [0]),
    ("gold_impossible", declared({"name": "close_account", "arguments": {"customer_id": "C-1", "why": "Moved"}}), []),
    ("gold_impossible", declared({"name": "close_accounts", "arguments": {"customer_id": "C-2"}}), []),  # nobody did it otherwise
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
    ("gold_unseen", closed("C-20418", "C-20418"), []),
    ("gold_unseen", closed("C-20418", "C-77120", other={"customer_id": "C-77120", "name": "Bo Lee"}), []),  # seen beside it
    ("gold_unseen", closed("C-20418", "C-77120", other={"customer_id": "C-55555", "name": "Ann Lee"}), []),  # two that fit alike
    ("gold_unseen", closed("C-20418", "C-77120", other={"customer_id": "C-55555", "name": "Bo Ray"}), [2]),
    ("gold_unseen", closed("C-20418", "C-77120", more={"next_page": 2}), []),
    ("gold_unseen", closed("C-20418", "C-77120", more={"total": 9}), []),
    ("gold_unseen", closed("C-20418", "C-77120", query="lee@x.org"), []),  # looked up by what nobody named
    ("gold_unseen", closed("C-20418", "Annette"), []),  # a name of another scheme
    ("gold_not_named", booked_room("Aurora", "Aurora"), []),
    ("gold_not_named", booked_room("Aurora", "Borealis", seen="Borealis is free."), []),
    ("gold_not_named", booked_room("Solaris", "Borealis"), []),  # what was given stands nowhere either
]


@pytest.mark.parametrize(("code", "example", "expected"), CASES, ids=[f"{case[0]}-{number}" for number, case in enumerate(CASES)])
def test_evidence(code, example, expected):
    assert steps(code, example) == expected
