"""Expected records instead of expected calls: which tool makes them, learned from what passing rollouts do."""

import json

import pytest

from blade.signals import read_rollout
from blade.signals.example import call, says, tool
from blade.signals.options import Options
from tests.signals.layout.support import layout, row

TOOLS = (
    tool("find_valve", parcel="string"),
    tool("valves__update", key="string", set={"type": "object"}),
    tool("valves__close", key="string"),
    tool("parcels__prune", key="string", set={"type": "object"}),
)


def by_collection(records):
    """`{"valves": [{"op": "update", "key": …, "body": …}]}`"""
    found: dict[str, list[object]] = {}
    for collection, op, key, body in records:
        found.setdefault(collection, []).append({"op": op, "key": key, "body": body})
    return found


def in_one_list(records):
    return [{"table": f"{collection}.{op}", "pk": key, "set": body} for collection, op, key, body in records]


def under_their_ids(records):
    return {
        f"{collection}_{op}": {key: body for *what, key, body in records if what == [collection, op]}
        for collection, op, *_ in records
    }


def as_text(records):
    return json.dumps(by_collection(records))


SHAPES = {"by collection": by_collection, "in one list": in_one_list, "under their ids": under_their_ids, "as text": as_text}


def wanted(task):
    """Even tasks set a valve, odd ones set it and close another one."""
    records = [("valves", "update", f"VA-7{task}", {"minutes": 30 + task})]
    return records if task % 2 == 0 else [*records, ("valves", "close", f"VA-8{task}", {})]


def done(records):
    return [
        call(f"{collection}__{op}", "ok", key=key, **({"set": body} if body else {})) for collection, op, key, body in records
    ]


def watered(shape, tasks=8):
    """Valves are found and set; one repeat of some tasks gives another number of minutes."""
    rows = []
    for task in range(tasks):
        for repeat in range(3):
            records = wanted(task)
            wrong = repeat == 1 and task < 3
            made = [(*records[0][:3], {"minutes": 99}), *records[1:]] if wrong else records
            items = [call("find_valve", f"VA-7{task}", parcel="mill"), *done(made), says("Done.")]
            rows.append(row(task, repeat, not wrong, *items, tools=TOOLS, zeta=shape(records), asked="Set the valve."))
    return rows


def expected(rows, number):
    found = read_rollout(rows[number], Options(layout=layout(rows))).expectation
    return None if found is None else [(one.name, one.arguments) for one in found.calls]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_records_read_as_the_calls_that_make_them(shape):
    rows = watered(shape)
    assert expected(rows, 4) == [
        ("valves__update", {"key": "VA-71", "set": {"minutes": 31}}),
        ("valves__close", {"key": "VA-81"}),
    ]
    assert expected(rows, 0) == [("valves__update", {"key": "VA-70", "set": {"minutes": 30}})]


def test_records_that_nobody_who_passes_makes_go_to_the_tool_that_failing_rollouts_call_for_them():
    records = [("parcels", "prune", "PC-1", {"height": 3})]
    failing = [
        row(
            20,
            repeat,
            False,
            *done([("parcels", "prune", "PC-1", {"height": 4})]),
            says("Done."),
            tools=TOOLS,
            zeta=by_collection(records),
        )
        for repeat in range(3)
    ]
    rows = [*watered(by_collection), *failing]
    assert expected(rows, len(rows) - 1) == [("parcels__prune", {"key": "PC-1", "set": {"height": 3}})]


def test_a_tool_that_names_and_takes_what_a_record_holds_goes_before_one_that_failing_rollouts_call():
    """Failing rollouts do something else, with an argument of the same name; the words and the columns of the record are another tool's own."""
    tools = (*TOOLS, tool("gates__raise", key="string", until="string", warden="string"))
    body = {"key": "VA-90", "until": "noon", "warden": "W-1"}
    failing = [
        row(
            20, repeat, False, call("valves__close", "ok", key="VA-91"), says("Done."), tools=tools, asked="Set the valve.",
            zeta=[{"table": "gates.raise", **body}],
        )
        for repeat in range(3)
    ]  # fmt: skip
    rows = [
        *watered(lambda records: [{"table": f"{what}.{op}", "key": key, "set": body} for what, op, key, body in records]),
        *failing,
    ]
    assert expected(rows, len(rows) - 1) == [("gates__raise", body)]


def test_a_rule_is_for_the_records_whose_words_its_tool_has():
    """Only one tool's records are made by rollouts that pass; those of another tool have the same columns and another word."""
    failing = [
        row(
            20,
            repeat,
            False,
            says("No."),
            tools=TOOLS,
            asked="Set it.",
            zeta=[{"op": "prune", "key": "PC-1", "set": {"minutes": 3}}],
        )
        for repeat in range(3)
    ]
    made = watered(lambda records: [{"op": op, "key": key, "set": body} for _, op, key, body in records if op == "update"])
    made = [one for number, one in enumerate(made) if number // 3 % 2 == 0]
    rows = [*made, *failing]
    assert expected(rows, 0) == [("valves__update", {"key": "VA-70", "set": {"minutes": 30}})]
    assert expected(rows, len(rows) - 1) == [("parcels__prune", {"key": "PC-1", "set": {"minutes": 3}})]


def test_a_value_that_nobody_can_know_is_not_expected():
    rows = watered(
        lambda records: [{"table": f"{what}.{op}", "pk": key, "set": body, "stamp": "*"} for what, op, key, body in records]
    )
    assert expected(rows, 0) == [("valves__update", {"key": "VA-70", "set": {"minutes": 30}})]


def test_records_that_passing_rollouts_do_not_make_are_not_expected():
    rows = watered(lambda records: by_collection([(*one[:3], {"minutes": 7}) for one in records]))
    assert layout(rows).state == ()


def test_what_the_request_says_anyway_is_no_expectation():
    rows = []
    for task in range(8):
        for repeat in range(3):
            key, wrong = f"VA-7{task}", repeat == 1 and task < 3
            made = call("valves__update", "ok", key=key, set={"minutes": 99 if wrong else 30})
            rows.append(
                row(task, repeat, not wrong, made, says("Done."), tools=TOOLS, zeta=[{"valve": key}], asked=f"Set {key} to 30.")
            )
    assert layout(rows).state == ()


def test_where_two_tools_update_one_table_the_columns_tell_which_of_them_makes_a_record():
    tools = (
        tool("find_outage", street="string"),
        tool("set_streets", outage="string", streets="array"),
        tool("set_stage", outage="string", stage="string"),
    )
    rows = []
    for task in range(8):
        streets, name = [f"Mill {task}", f"Lane {task}"], f"OU-7{task}"
        entries = [{"table": "outages", "op": "update", "row": {"outage": name, "streets": streets}}]
        entries += [{"table": "outages", "op": "update", "row": {"outage": name, "stage": ("open", "shut")[task % 2]}}]
        for repeat in range(3):
            wrong = repeat == 1 and task < 3
            made = [call("set_streets", "ok", **entries[0]["row"]), call("set_stage", "ok", **entries[1]["row"])]
            items = [call("find_outage", name, street="mill"), *(made[:1] if wrong else made), says("Done.")]
            rows.append(row(task, repeat, not wrong, *items, tools=tools, zeta=json.dumps(entries), asked="Enter the streets."))
    assert expected(rows, 0) == [
        ("set_streets", {"outage": "OU-70", "streets": ["Mill 0", "Lane 0"]}),
        ("set_stage", {"outage": "OU-70", "stage": "open"}),
    ]


def test_the_whole_list_is_expected_and_not_its_records_of_one_kind():
    tools = (
        tool("find_parcel", parcel="string"),
        *(tool(f"set_{kind}", key="string", minutes="integer") for kind in ("valve", "pump")),
    )
    rows = []
    for task in range(12):
        kind, key = ("valve", "pump")[task % 2], f"KE-7{task}"
        entries = [{"table": f"{kind}s", "row": {"key": key, "minutes": 30 + task}}]
        for repeat in range(3):
            failed = repeat == 1 and task < 6
            minutes = (
                99 if failed and kind == "valve" else 30 + task
            )  # the verifier fails some who set the right minutes of a pump
            items = [call("find_parcel", key, parcel="mill"), call(f"set_{kind}", "ok", key=key, minutes=minutes), says("Done.")]
            rows.append(row(task, repeat, not failed, *items, tools=tools, zeta=entries, asked="Set it."))
    assert [field.path for field in layout(rows).state] == [("zeta",)]
    assert expected(rows, 0) == [("set_valve", {"key": "KE-70", "minutes": 30})]
    assert expected(rows, 3) == [("set_pump", {"key": "KE-71", "minutes": 31})]


def parcels(journal):
    """Parcels get a weight and a label, which nobody gets right; plans are opened. A field has what each rollout changed."""
    names = ("get_parcel", "find_owner", "set_weight", "set_label", "set_valve", "open_plan")
    tools = tuple(tool(name, key="string", figure="integer", place="string") for name in names)
    rows = []
    for task in range(12):
        key, first = f"PA-7{task}", ("set_valve", "open_plan", "set_weight")[task % 3]
        wanted = [(first, {"key": key, "figure": 40 + task})]
        wanted += [("set_label", {"key": key, "place": "Mill"})] if first == "set_weight" else []
        for repeat in range(3):
            wrong = first == "set_weight" or repeat == task == 0
            made = [(name, given | ({"figure": 7} if wrong and "figure" in given else {})) for name, given in wanted]
            seen = [call("get_parcel", key, place="mill"), call("find_owner", key, place="mill")]
            items = [*seen, *(call(name, "{'id': 12}", **given) for name, given in made), says("Done.")]
            fields = {"zeta": list(map(entry, wanted))} | ({"theta": list(map(entry, made))} if journal else {})
            rows.append(row(task, repeat, not wrong, *items, tools=tools, asked="Enter it.", **fields))
    return rows


def entry(one):
    name, given = one
    return {"table": {"set_valve": "valves", "open_plan": "plans"}.get(name, "parcels"), "row": given}


def test_records_that_rollouts_made_teach_what_nobody_who_passes_shows():
    assert expected(parcels(journal=True), 6) == [
        ("set_weight", {"key": "PA-72", "figure": 42}),
        ("set_label", {"key": "PA-72", "place": "Mill"}),
    ]
    assert expected(parcels(journal=False), 6) != expected(parcels(journal=True), 6)


def test_a_tool_whose_calls_are_recorded_changes_something_whatever_its_name_says():
    assert {kind.name: kind.kind for kind in layout(parcels(journal=True)).tools}.get("open_plan") == "change"
    assert "get_parcel" not in {kind.name for kind in layout(parcels(journal=True)).tools if kind.kind == "change"}
