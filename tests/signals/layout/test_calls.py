"""Expected calls that no name tells."""

import json

import pytest

from blade.signals import read_rollout
from blade.signals.example import call, says, tool
from blade.signals.layout.paths import value_at
from blade.signals.layout.shape import written
from blade.signals.options import Options
from blade.signals.wanted.comparison import comparison_of
from tests.signals.layout.crates import TOOLS, moves
from tests.signals.layout.support import layout, paths, row

ENTRIES = {
    "keys that say nothing": (lambda name, given: {"p": name, "q": given}, ("p", "q")),
    "arguments as text": (lambda name, given: {"p": name, "q": json.dumps(given)}, ("p", "q")),
    "arguments beside the name": (lambda name, given: {"p": name, **given}, ("p", None)),
    "arguments as a list": (
        lambda name, given: {"p": name, "q": [{"k": key, "v": value} for key, value in given.items()]},
        ("p", "q"),
    ),
    "arguments as a list, each with its type": (
        lambda name, given: {
            "p": name,
            "q": [{"name": key, "value": value, "value_type": "str"} for key, value in given.items()],
        },
        ("p", "q"),
    ),
    "by the name of the tool": (lambda name, given: {name: given}, (None, None)),
    "inside an object": (lambda name, given: {"id": "x", "fn": {"p": name, "q": given}}, ("fn.p", "fn.q")),
    "inside an object, beside the name": (lambda name, given: {"id": "x", "fn": {"p": name, **given}}, ("fn.p", None)),
    "inside the text of an object": (
        lambda name, given: {"id": "x", "fn": json.dumps({"p": name, "q": given})},
        ("fn.p", "fn.q"),
    ),
    "inside an object of an object": (
        lambda name, given: {"id": "x", "on": {"fn": {"p": name, "q": given}}},
        ("on.fn.p", "on.fn.q"),
    ),
    "server and tool apart": (
        lambda name, given: {"s": name.partition("_")[0], "t": name.partition("_")[2], "q": given},
        ("s+_+t", "q"),
    ),
    "as an element": (
        lambda name, given: f'<do tool="{name}">' + "".join(f'<arg name="{k}">{v}</arg>' for k, v in given.items()) + "</do>",
        (None, None),
    ),
    "as an assertion": (
        lambda name, given: f"assert called('{name}', {', '.join(f'{key}={value!r}' for key, value in given.items())})",
        (None, None),
    ),
    "as another assertion": (lambda name, given: f"expect({name}).toHaveBeenCalledWith({json.dumps(given)})", (None, None)),
    "as code": (lambda name, given: f"{name}({', '.join(f'{key}={value!r}' for key, value in given.items())})", (None, None)),
}


@pytest.mark.parametrize(("entry", "keys"), ENTRIES.values(), ids=ENTRIES)
def test_expected_calls(entry, keys):
    found = layout(moves(entry)).calls
    assert [(one.path, one.name, one.arguments, one.tasks, one.agreeing) for one in found] == [(("zeta",), *keys, 7, 7)]


@pytest.mark.parametrize("entry", [entry for entry, _ in ENTRIES.values()], ids=ENTRIES)
def test_a_rollout_is_read_by_what_was_learned(entry):
    rows = moves(entry)
    rollout = read_rollout(rows[1], Options(layout=layout(rows)))
    assert rollout.expectation is not None
    assert [(one.name, one.arguments) for one in rollout.expectation.calls] == [("shift_crate", {"crate": "C-077", "bay": "B0"})]


def asserted(rows, extra=()):
    """The same rows with their expected calls among assertions of other kinds."""
    made = [json.loads(text) for text in rows]
    for one in made:
        calls = [{"that": "is_called", "op": entry["p"], "with": entry["q"]} for entry in one.pop("zeta")]
        one["case"] = {"expect": [*calls, {"that": "nothing_else"}, *extra]}
    return [json.dumps(one).encode() for one in made]


def test_calls_among_assertions():
    rows = asserted(moves(lambda name, given: {"p": name, "q": given}), extra=({"that": "mentions", "text": "Done"},))
    found = layout(rows).calls
    assert [(one.path, one.name, one.arguments) for one in found] == [(("case", "expect", "that=is_called"), "op", "with")]
    rollout = read_rollout(rows[1], Options(layout=layout(rows)))
    assert rollout.expectation is not None
    assert [one.arguments for one in rollout.expectation.calls] == [{"crate": "C-077", "bay": "B0"}]


def test_calls_in_lines_that_their_keys_tell_apart():
    rows = [json.loads(text) for text in moves(lambda name, given: {"p": name, "q": given})]
    for made in rows:
        wanted = made.pop("zeta")
        made["sheet"] = [{"no": 1, "want": wanted[0]}, {"no": 2, "forbid": "anything else"}, {"no": 3, "mention": "Done"}]
    learned = layout([json.dumps(made).encode() for made in rows])
    assert [(one.path, one.name, one.arguments) for one in learned.calls] == [(("sheet", "*want"), "p", "q")]


def retold(write):
    """The same rows with what `write` makes of their expected calls instead of a list of them."""
    rows = [json.loads(text) for text in moves(lambda name, given: {"p": name, "q": given})]
    for made in rows:
        made |= write(made.pop("zeta"))
    return [json.dumps(made).encode() for made in rows]


def test_calls_among_entries_of_one_kind():
    rows = retold(
        lambda calls: {
            "stones": [{"at": "box", "to": one} for one in calls] + [{"at": "box", "to": {"who": "agent", "text": "Done."}}]
        }
    )
    rollout = read_rollout(rows[0], Options(layout=layout(rows)))
    assert rollout.expectation is not None
    assert [(one.name, one.arguments) for one in rollout.expectation.calls] == [("shift_crate", {"crate": "C-077", "bay": "B0"})]


def test_kinds_of_assertions_may_have_signs():
    rows = retold(
        lambda calls: {
            "must": [{"type": "steps:call-made", "value": one} for one in calls] + [{"type": "steps:count", "value": {"max": 1}}]
        }
    )
    assert [(one.path, one.name) for one in layout(rows).calls] == [(("must", "type=steps:call-made"), "value.p")]


def test_what_should_be_comes_before_what_was_seen():
    """A recorder that loses calls makes failing rollouts differ from its record, not from what was expected."""
    rows = retold(lambda calls: {"b_expected": calls, "a_box": calls})
    assert paths(layout(rows).calls) == ["b_expected"]


def test_calls_beside_what_failing_rollouts_say_are_a_record_of_theirs():
    asks = [
        row(90 + n, r, n < 4, says(f"Answer: {n}4"), tools=TOOLS, a={"list": [], "text": f"{n}4"}, case={"kept": {"list": []}})
        for n in range(6)
        for r in range(2)
    ]
    rows = [
        one
        for one in retold(lambda calls: {"a": {"list": calls, "text": None}, "case": {"kept": {"list": calls}}})
        if json.loads(one)["reward"]
    ]
    assert paths(layout(rows + asks).calls) == ["case.kept.list"]


@pytest.mark.parametrize(("name", "found"), [("a_box", []), ("a_target", ["a_target.list"])])
def test_where_all_did_what_a_field_lists_its_name_decides_whether_it_is_a_record(name, found):
    """What failing rollouts called and said stands side by side, and nothing else tells of calls."""
    rows = [
        row(
            task, repeat, task > 1, call("shift_crate", "ok", crate=f"C-{task}77", bay="B1"), says(f"Answer: {task}4"), tools=TOOLS,
            **{name: {"list": [{"p": "shift_crate", "q": {"crate": f"C-{task}77", "bay": "B1"}}], "text": f"{task}4"}},
        )
        for task in range(8)
        for repeat in range(2)
    ]  # fmt: skip
    assert paths(layout(rows).calls) == found


def test_a_field_with_calls_in_some_tasks_and_an_answer_in_others():
    rows = retold(lambda calls: {"right": {"text": json.dumps(calls)}})
    rows += [row(90 + n, 0, True, says(f"Answer: {n}4"), tools=TOOLS, right={"text": f"{n}4"}) for n in range(4)]
    learned = layout(rows)
    assert paths(learned.calls) == ["right.text"]
    assert read_rollout(rows[-1], Options(layout=learned)).expectation is None


def test_points_are_verdicts():
    rows = [json.loads(text) for text in moves(lambda name, given: {"p": name, "q": given})]
    for made in rows:
        made["marks"] = [
            {"line": "L1", "earned": 3 * int(made["reward"])},
            {"line": "L2", "earned": 2},
            {"line": "L3", "earned": 1},
        ]
    assert paths(layout([json.dumps(made).encode() for made in rows]).checks) == ["marks"]


def test_where_no_assertion_is_a_call_none_is_expected():
    rows = asserted(moves(lambda name, given: {"p": name, "q": given}))
    learned = Options(layout=layout(rows))
    asks = row(
        99,
        0,
        True,
        says("Answer: 4"),
        tools=TOOLS,
        case={"expect": [{"that": "nothing_else"}, {"that": "answer_is", "text": "4"}]},
    )
    expectation = read_rollout(asks, learned).expectation
    assert expectation is not None
    assert expectation.calls == ()


def test_calls_as_yaml():
    rows = [json.loads(text) for text in moves(lambda name, given: {"p": name, "q": given})]
    for made in rows:
        made["zeta"] = "".join(
            f"- p: {entry['p']}\n  q:\n" + "".join(f"    {key}: {value}\n" for key, value in entry["q"].items())
            for entry in made["zeta"]
        )
    found = layout([json.dumps(made).encode() for made in rows]).calls
    assert [(one.path, one.name, one.arguments) for one in found] == [(("zeta",), "p", "q")]


def test_calls_that_passing_rollouts_do_not_make_are_not_expected():
    assert layout(moves(lambda name, given: {"p": name, "q": given | {"bay": "elsewhere"}})).calls == ()


def test_a_record_of_what_was_done_is_no_expectation():
    rows = [json.loads(text) for text in moves(None)]
    for made in rows:
        done = next(item for item in made["response"]["output"] if item.get("name") == "shift_crate")
        made["zeta"] = [{"p": "shift_crate", "q": json.loads(done["arguments"])}]
    assert layout([json.dumps(made).encode() for made in rows]).calls == ()


def test_two_tasks_that_pass_are_enough_for_calls_of_declared_tools():
    def crates(passing, zeta):
        rows = []
        for task in range(6):
            wanted = {"crate": f"C-{task}77", "bay": f"B{task}"}
            made = wanted if task < passing else wanted | {"bay": "B99"}
            listed = [{"fn": zeta, "with": wanted if zeta == "shift_crate" else {"crate": wanted["crate"]}}]
            items = (call("crate_state", "in the yard", crate=wanted["crate"]), call("shift_crate", "ok", **made))
            rows.append(row(task, 0, made == wanted, *items, tools=TOOLS, zeta=listed))
        return [written(field.path) for field in layout(rows).calls]

    assert crates(2, "shift_crate") == ["zeta"]
    assert crates(1, "shift_crate") == []
    assert crates(2, "crate_state") == []


def test_a_note_that_holds_what_the_expected_calls_hold_tells_the_answer_again():
    rows = []
    for task in range(7):
        wanted = {"crate": f"C-{task}77", "bay": f"B-{task}44"}
        for repeat in range(2):
            made = wanted | {"bay": "B-999"} if repeat and task < 3 else wanted
            note = f"{wanted['crate']} belongs into {wanted['bay']}"
            items = (call("shift_crate", "ok", **made), says("Done."))
            rows.append(
                row(
                    task,
                    repeat,
                    made == wanted,
                    *items,
                    tools=TOOLS,
                    expected_calls=[{"name": "shift_crate", "arguments": wanted}],
                    eta=note,
                )
            )
    assert paths(layout(rows).retold) == ["eta"]


def test_of_two_lists_the_record_of_what_was_done_is_not_the_gold():
    """All repeats of two tasks do more than is expected, so that both lists are the same in all repeats, and all that is expected is made."""
    rows = []
    for task in range(8):
        wanted = [{"fn": "shift_crate", "with": {"crate": f"C-{task}77", "bay": f"B{task}"}}]
        made = wanted + ([{"fn": "seal_crate", "with": {"crate": f"C-{task}77"}}] if task < 2 else [])
        items = [call(one["fn"], "ok", **one["with"]) for one in made]
        tools = (*TOOLS, tool("seal_crate", crate="string"))
        rows += [row(task, repeat, task >= 2, *items, tools=tools, alpha=made, zeta=wanted) for repeat in range(2)]
    assert [written(field.path) for field in layout(rows).calls] == ["zeta"]


def test_tools_and_arguments_in_lists_side_by_side():
    """Beside the expected ones stand those that the verifier saw: names tell which lists belong together."""
    rows = []
    for task in range(7):
        wanted = {"crate": f"C-{task}77", "bay": f"B{task}"}
        for repeat in range(3):
            made = wanted | {"bay": "B99"} if repeat == 1 and task < 3 else wanted
            fields = {
                "zeta_a": ["shift_crate"],
                "zeta_b": [json.dumps(wanted)],
                "eta_a": ["shift_crate"],
                "eta_b": [json.dumps(made)],
            }
            rows.append(
                row(task, repeat, made == wanted, call("shift_crate", "ok", **made), says("Done."), tools=TOOLS, **fields)
            )
    assert paths(layout(rows).calls) == ["zeta_a+zeta_b"]
    assert value_at({"a": ["x"], "b": [{"k": 1}]}, ("a+b",)) == [{"name": "x", "arguments": {"k": 1}}]
    assert value_at({"a": [], "b": []}, ("a+b",)) == []
    assert value_at({"a": ["x"], "b": []}, ("a+b",)) is None


def test_an_argument_that_passing_rollouts_give_and_nobody_lists_is_not_compared():
    rows = []
    tools = (tool("shift_crate", crate="string", bay="string", remark="string"),)
    for task in range(7):
        wanted = {"crate": f"C-{task}77", "bay": f"B{task}"}
        for repeat in range(3):
            made = wanted | {"bay": "B99"} if repeat == 1 and task < 3 else wanted
            items = (call("shift_crate", "ok", **made, remark=f"Take care, {repeat} of them."), says("Done."))
            rows.append(
                row(
                    task,
                    repeat,
                    made == wanted,
                    *items,
                    tools=tools,
                    expected_calls=[{"name": "shift_crate", "arguments": wanted}],
                )
            )
    learned = layout(rows)
    assert [field.path for field in learned.free] == [("shift_crate", "remark")]
    compared = comparison_of(read_rollout(rows[0], Options(layout=learned)))
    assert [match.outcome for match in compared.matches] == ["made"]
    assert [match.outcome for match in comparison_of(read_rollout(rows[0])).matches] == ["wrong_argument"]


def test_a_list_beside_one_of_calls_does_not_take_its_place():
    rows = moves(lambda name, given: {"p": name, "q": given})
    rows = [json.dumps(json.loads(one) | {"eta": ["calls"]}).encode() for one in rows]
    assert paths(layout(rows).calls) == ["zeta"]


LISTS = {
    "turns": lambda calls: {"zeta": {"plan": [[one] for one in calls]}},
    "messages": lambda calls: {"zeta": {"plan": [{"role": "assistant", "tool_calls": [{"function": one}]} for one in calls]}},
    "keys that count": lambda calls: {"zeta": {"plan": {f"step_{number}": one for number, one in enumerate(calls)}}},
    "the only object of the row": lambda calls: {"zeta": {"eta": {"plan": {f"step_{n}": one for n, one in enumerate(calls)}}}},
}


@pytest.mark.parametrize("write", LISTS.values(), ids=LISTS)
def test_all_turns_of_a_list_are_expected_and_not_the_first_alone(write):
    """Failing rollouts leave out the second crate, so that the first turn alone is what they did."""
    rows = []
    for task in range(7):
        calls = [
            {"name": "shift_crate", "arguments": {"crate": f"C-{task}{n}", "bay": f"B{task}"}} for n in range(1 + (task > 1))
        ]
        for repeat in range(3):
            right = repeat != 1 or task < 2
            made = [call("shift_crate", "ok", **one["arguments"]) for one in calls[: None if right else 1]]
            rows.append(row(task, repeat, right, *made, says("Done."), tools=TOOLS, **write(calls)))
    found = layout(rows)
    last = read_rollout(rows[-1], Options(layout=found)).expectation
    assert last is not None
    assert [one.arguments["crate"] for one in last.calls] == ["C-60", "C-61"]
    assert [written(one.path) for one in found.calls] in (["zeta.plan"], ["zeta.eta.plan"])


def test_what_is_to_be_said_may_stand_among_the_calls_as_if_a_tool_did_it():
    """As simulated environments log what their oracle does: events, each with an app, a function and a list of arguments."""

    def event(name, given):
        listed = [{"name": key, "value": value, "value_type": "str"} for key, value in given.items()]
        return {"by": "oracle", "action": {"app": name[0], "function": name[1], "args": listed}}

    said = event(("interface", "send_message_to_user"), {"content": "Done."})
    rows = []
    for line in moves(lambda name, given: event(name.split("_"), given)):
        made = json.loads(line)
        rows.append(json.dumps(made | {"zeta": [*made["zeta"], *([said] if made["_ng_task_index"] % 2 else [])]}).encode())
    found = layout(rows)
    assert paths(found.calls) == ["zeta"]
    for number, task in ((0, 0), (3, 1)):
        expected = read_rollout(rows[number], Options(layout=found)).expectation
        assert expected is not None
        assert [(one.name, one.arguments) for one in expected.calls] == [
            ("shift_crate", {"crate": f"C-{task}77", "bay": f"B{task}"})
        ]
    only_said = json.dumps(json.loads(rows[0]) | {"zeta": [said]}).encode()
    nothing = read_rollout(only_said, Options(layout=found)).expectation
    assert nothing is not None
    assert nothing.calls == ()
