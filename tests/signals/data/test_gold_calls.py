"""Expected calls that are wrong by themselves, and the look-alikes that are not."""

from dataclasses import replace

import pytest

from blade.signals.example import Example, call, says, tool, user
from tests.signals.data.gold_cases import NOTE, noted, spanned
from tests.signals.support import steps


def lined_up(given, expected, asked="Line up C-20787:\nBoard 1: Ann\nBoard 2: Bo\nBoard 3: Cy"):
    wanted = {"name": "set_lineup", "arguments": {"club": "C-20787", "boards": expected}}
    return Example((call("set_lineup", "ok", club="C-20787", boards=given),), asked=asked, fields={"expected_calls": [wanted]})


CLOSE = {"name": "close_account", "arguments": {"customer_id": "C-20418"}}


CLOSED_ONCE = Example(
    (call("close_account", "ok", customer_id="C-20418"),),
    asked="Please close the account C-20418.",
    fields={"expected_calls": [CLOSE, CLOSE]},
)


def declared(expected):
    schema = tool("close_account", customer_id="string", why={"type": "string", "enum": ["moved", "deceased"]})
    return Example((call("close_account", "ok", customer_id="C-1"),), tools=(schema,), fields={"expected_calls": [expected]})


def sent(asked, query):
    """An invoice is sent once after a search, where twice is expected."""
    wanted = {"name": "send_invoice", "arguments": {"invoice_id": "I-20444"}}
    made = (call("search_faq", "nothing", query=query), call("send_invoice", "sent", invoice_id="I-20444"))
    return Example(made, asked=asked, fields={"expected_calls": [wanted, wanted]})


CASES = [
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
    ("gold_impossible", spanned("2026-06-22", "2026-06-31"), [0]),
    ("gold_impossible", spanned("2026-06-22", "2026-06-30"), []),
    ("gold_doubled", CLOSED_ONCE, [0]),
    ("gold_doubled", replace(CLOSED_ONCE, asked="Close the account C-20418 twice."), []),
    ("gold_doubled", replace(CLOSED_ONCE, happened=(says("No."),)), []),
    ("gold_doubled", noted("look again tomorrow", [NOTE, NOTE]), [0]),  # the note says again, and nobody asks for two
    ("gold_doubled", replace(noted("look again tomorrow", [NOTE, NOTE]), asked="Note it again on A-1: look again tomorrow"), []),
    ("gold_doubled", sent("Send the invoice I-20444 twice, please.", "Send the invoice I-20444 twice, please."), []),
    ("gold_doubled", sent("Send the invoice I-20444 twice, please.", "invoice I-20444 twice"), []),
    ("gold_doubled", sent("Send the invoice I-20444 of the Double Sheets, please.", "Double Sheets"), [2]),  # a name
    ("gold_doubled", replace(CLOSED_ONCE, happened=CLOSED_ONCE.happened * 2), []),
    ("gold_impossible", declared({"name": "close_accounts", "arguments": {"customer_id": "C-1"}}), [None]),
    ("gold_impossible", declared({"name": "close_account", "arguments": {"customer": "C-1"}}), [0]),
    ("gold_impossible", declared({"name": "close_account", "arguments": {"customer_id": "C-1", "why": "none"}}), [0]),
    ("gold_impossible", declared({"name": "close_account", "arguments": {"customer_id": "C-1", "why": "Moved"}}), []),
    ("gold_impossible", declared({"name": "close_accounts", "arguments": {"customer_id": "C-2"}}), []),  # nobody did it otherwise
]


@pytest.mark.parametrize(("code", "example", "expected"), CASES, ids=[f"{case[0]}-{number}" for number, case in enumerate(CASES)])
def test_evidence(code, example, expected):
    assert steps(code, example) == expected
