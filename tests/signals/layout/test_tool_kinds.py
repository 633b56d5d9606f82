"""What tools do, told by their answers and by who calls and expects them, where their names mislead or say nothing."""

import json

import pytest

from blade.signals.example import call, tool
from tests.signals.layout.crates import moves
from tests.signals.layout.support import layout, row

TOOLS = (tool("find_vessel", called="string"), tool("check_schedule", vessel="string"))


def checked(answer, times=8):
    looked, scheduled = call("find_vessel", '{"id": "V-1"}', called="Heron"), call("check_schedule", answer, vessel="V-1")
    asked = "Have the bow door of the Heron checked."
    return [row(task, 0, True, looked, *[scheduled] * (task < times), asked=asked, tools=TOOLS) for task in range(8)]


@pytest.mark.parametrize(
    ("answer", "times", "kind"),
    [
        ("{'saved': True, 'journal': 888128}", 8, "change"),
        ('{"recorded": true}', 8, "change"),
        ("Change(number=49640, saved=True)", 8, "change"),
        ("{'saved': True}", 1, None),  # once is no habit
        ('{"day": "2026-06-09", "free": true}', 8, None),
        ('{"status": "ok", "next": "2026-06-09"}', 8, None),
        ('{"saved": false}', 8, None),
        ('{"filed": true, "on": "2026-06-09"}', 8, None),  # a state that was looked up
    ],
)
def test_a_tool_that_saves_something_changes_it_though_it_may_be_called_one_that_looks(answer, times, kind):
    assert {one.name: one.kind for one in layout(checked(answer, times)).tools}.get("check_schedule") == kind


def test_a_tool_with_the_plainest_name_of_looking_looks_whatever_it_answers():
    made = (call("find_vessel", "{'saved': True}", called="Heron"),)
    rows = [row(task, 0, True, *made, asked="Find the Heron.", tools=TOOLS) for task in range(8)]
    assert layout(rows).tools == ()


def test_a_tool_that_passing_rollouts_call_and_nobody_expects_is_a_lookup():
    rows = [
        text.replace(b"crate_state", b"crate_yonder")
        for text in moves(lambda name, given: {"name": name, "arguments": given}, reads=True)
    ]
    rows = [text.replace(b'"zeta"', b'"expected_calls"') for text in rows]
    kinds = {one.name: one.kind for one in layout(rows).tools}
    assert kinds.get("crate_yonder") == "read"


def envelopes(rows):
    """The same rollouts with answers in an envelope, and tools whose names say nothing."""
    wrapped = [json.loads(text) for text in rows]
    for made in wrapped:
        for item in made["response"]["output"]:
            if item["type"] == "function_call_output":
                item["output"] = json.dumps({"ok": True, "result": [item["output"]]})
    texts = [json.dumps(made).encode() for made in wrapped]
    return [text.replace(b"crate_state", b"crate_lore").replace(b"shift_crate", b"crate_frob") for text in texts]


def test_an_envelope_makes_no_lookup_a_change():
    rows = envelopes(moves(lambda name, given: {"p": name, "q": given}, reads=True))
    found = layout(rows)
    assert {one.name: one.kind for one in found.tools} == {"crate_frob": "change", "crate_lore": "read"}
    assert [one.agreeing for one in found.calls] == [7]


def test_a_call_that_tasks_expect_where_lookups_are_not_is_a_change_whatever_its_name_says():
    rows = moves(lambda name, given: {"name": name, "arguments": given}, reads=True)
    named = [text.replace(b'"zeta"', b'"expected_calls"').replace(b"shift_crate", b"view_crate") for text in rows]
    assert {one.name: one.kind for one in layout(named).tools}.get("view_crate") is None  # nothing else is looked up for sure
    for at, text in enumerate(named):
        made = json.loads(text)
        made["response"]["output"][:0] = [*call("find_crate", "C-1", q="crate"), *call("get_bay", "B1", bay="B1")]
        made["expected_calls"].append({"name": "seal_crate", "arguments": {"crate": "C-1"}})
        made["response"]["output"][-1:-1] = call("seal_crate", "ok", crate="C-1")
        named[at] = json.dumps(made).encode()
    assert {one.name: one.kind for one in layout(named).tools}.get("view_crate") == "change"
    opaque = [
        text.replace(b"find_crate", b"fn_1").replace(b"get_bay", b"fn_2").replace(b"view_crate", b"see_crate") for text in named
    ]
    told = {one.name: one.kind for one in layout(opaque).tools}
    assert (told["see_crate"], told["fn_1"], told["fn_2"]) == ("change", "read", "read")
