"""The expected change by another tool: only where somebody says that the two do the same."""

import pytest

from blade.signals.example import Example, call, tool
from tests.signals.support import steps

CLOSE = {"name": "close_permit", "arguments": {"permit": "P-118"}}


def closed(description, made, *, error="closed"):
    declared = (tool("close_permit", permit="string"), tool("set_state", permit="string", state="string"))
    declared = tuple({**one, "description": description if one["name"] == "set_state" else ""} for one in declared)
    return Example((call("set_state", error, **made),), tools=declared, fields={"expected_calls": [CLOSE]})


def cordon(radius, unit):
    wanted = {"name": "set_cordon", "arguments": {"mission": "M-94907", "radius": 2.2, "unit": "km"}}
    return Example((call("set_cordon", "ok", mission="M-94907", radius=radius, unit=unit),), fields={"expected_calls": [wanted]})


def phoned(given, gold, *, key="phone", system="", says="", **schema):
    wanted = {"name": "update_phone", "arguments": {"customer": "CU65590", key: gold}}
    declared = tool("update_phone", says, customer="string", **{key: {"type": "string", **schema}})
    made = call("update_phone", "ok", customer="CU65590", **{key: given})
    return Example((made,), asked=f"It is {gold} now.", system=system, tools=(declared,), fields={"expected_calls": [wanted]})


DIGITS = "Digits only, no spaces, brackets or hyphens."


CASES = [
    ("equal_notation", phoned("(01632) 960977", "01632 960977"), [0]),
    ("equal_notation", phoned("01632960977", "01632-960977"), [0]),
    ("equal_notation", phoned("01632 960978", "01632 960977"), []),
    ("equal_notation", phoned("01632960977", "01632 960977", pattern="^\\d{5} \\d{6}$"), []),
    ("equal_notation", phoned("2026/07/10", "2026-07-10"), []),
    ("equal_notation", phoned("555.123.4567", "555-123-4567", key="contactNumber"), [0]),
    ("equal_notation", phoned("01.63.29.60.97", "0163296097", key="mobile"), [0]),
    ("equal_notation", phoned("1234 5678 9012", "1234-5678-9012", key="account_id"), [0]),
    ("equal_notation", phoned("192.168.11.1", "192.168.1.11"), []),
    ("equal_notation", phoned("192.168.11.10", "192.168.1.110", key="host_number"), []),
    ("equal_notation", phoned("1000.000", "10000.00", key="account_limit"), []),
    ("equal_notation", phoned("1234567-8", "1234-5678", key="range"), []),
    ("equal_notation", phoned("01632 960977", "01632960977", description=DIGITS), []),
    ("equal_notation", phoned("01632 960977", "01632960977", says="Puts a number down, without spaces."), []),
    ("equal_notation", phoned("01632 960977", "01632960977", system=DIGITS), []),
    ("equal_notation", phoned("01632 960977", "01632960977", system="Numbers are kept in E.164."), []),
    ("equal_notation", phoned("01632 960977", "01632960977", description="The number, as the customer has it."), [0]),
    ("equal_quantity", cordon(2200, "m"), [0]),
    ("equal_quantity", cordon(220, "m"), []),
    ("equal_quantity", cordon(2.2, "m"), []),
    ("equal_quantity", cordon(2200, "g"), []),
    ("equal_tool", closed("Sets a state; closed is the same as close_permit.", {"permit": "P-118", "state": "closed"}), [0]),
    ("equal_tool", closed("Sets a state.", {"permit": "P-118", "state": "closed"}), []),
    ("equal_tool", closed("Not the same as close_permit.", {"permit": "P-118", "state": "closed"}), []),
    ("equal_tool", closed("Does the same as close_permit_request.", {"permit": "P-118", "state": "closed"}), []),
    ("equal_tool", closed("The same as close_permit.", {"permit": "P-777", "state": "closed"}), []),  # another record
    ("equal_tool", closed("The same as close_permit.", {"permit": "P-118", "state": "closed"}, error="Error: locked"), []),
]


@pytest.mark.parametrize(("code", "example", "expected"), CASES)
def test_tools_that_do_the_same(code, example, expected):
    assert steps(code, example) == expected
