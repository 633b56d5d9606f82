"""The view: calls with their own answers, errors, status, the last word."""

import msgspec
import pytest

from blade.signals.example import Example, call, says, thinks, tool, user
from blade.signals.rollout import Rollout, once_for_each, read_rollout


def test_an_output_belongs_to_the_nearest_call_with_its_id():
    rollout = read_rollout(Example((call("a", "first"), call("b", "second"), call("c"))).text())
    assert [(made.name, made.output and made.output.text) for made in rollout.calls] == [
        ("a", "first"),
        ("b", "second"),
        ("c", None),
    ]


def test_equal_calls_have_equal_keys():
    first, second, third = read_rollout(
        Example((call("a", "", x=1, y=2), call("a", "", raw='{ "y":2,"x": 1}'), call("a", "", x=2))).text()
    ).calls
    assert first.key == second.key != third.key


def test_the_status_is_what_the_response_says():
    status = read_rollout(
        Example(
            response={
                "status": "incomplete",
                "incomplete_details": {"reason": "max_output_tokens"},
                "usage": {"output_tokens": 7},
                "error": {"code": "server_error", "message": "gone"},
            }
        ).text()
    ).status
    assert (status.state, status.incomplete, status.cut, status.output_tokens, status.error) == (
        "incomplete",
        "max_output_tokens",
        True,
        7,
        "server_error: gone",
    )


def test_tools_are_read_in_both_notations():
    chat = {"type": "function", "function": {"name": "walk", "parameters": {"properties": {"to": {}}}}}
    rollout = read_rollout(Example((says("hi"),), tools=(tool("fly", "Fly there."), chat, {"type": "web_search"})).text())
    assert set(rollout.tools) == {"fly", "walk"}
    assert rollout.unnamed_tools


def test_a_row_without_a_request_may_declare_its_tools_in_a_field_of_its_own():
    schema = {"type": "object", "properties": {"to": {"type": "string"}}}
    row = {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}
    declared = {"tools": [{"type": "function", "function": {"name": "walk", "parameters": schema}}]}
    calls = {"expected_calls": [{"name": "walk", "parameters": {"to": "Oslo"}}]}
    assert set(read_rollout(msgspec.json.encode(row | declared)).tools) == {"walk"}
    assert not read_rollout(msgspec.json.encode(row | calls)).tools


def test_the_closing_message_is_the_last_thing_that_happened():
    assert read_rollout(Example((says("a"), thinks("b"))).text()).closing.text == "a"
    assert read_rollout(Example((says("a"), user("bye"))).text()).closing.text == "a"
    assert read_rollout(Example((says("a"), *call("t", "x"))).text()).closing is None


def test_until_ends_the_rollout_earlier():
    rollout = read_rollout(Example((call("a", "x"), call("a", "y"))).text())
    assert [made.output is None for made in rollout.until(2).calls] == [False, True]


def test_odd_rows_are_read():
    for row in (
        {"response": None},
        {"response": {"output": [[{"type": "function_call", "name": "a"}], "text", 3, None]}},
        {
            "messages": [
                {"role": "user", "content": "q"},
                {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "f"}}]},
            ]
        },
        {
            "response": {
                "output": [{"type": "function_call", "name": 3, "arguments": {"a": 1}}],
                "usage": 3,
                "incomplete_details": "x",
            }
        },
        {"responses_create_params": {"input": "q", "tools": "none"}, "response": {"output": []}},
    ):
        assert read_rollout(msgspec.json.encode(row)).calls is not None


def test_an_object_that_was_written_down_as_text_is_read_back():
    example = Example(
        (says("25"),), fields={"verifier_metadata": '{"expected_answer": "30"}', "metadata": "{not JSON", "note": '{"a": 1}'}
    )
    fields = read_rollout(example.text()).fields
    assert fields["verifier_metadata"] == {"expected_answer": "30"}
    assert fields["metadata"] == "{not JSON"
    assert fields["note"] == '{"a": 1}'


@pytest.mark.parametrize(
    ("name", "read"),
    [("test_case", True), ("evalInstance", True), ("doc", True), ("report", True), ("answer", False), ("final_output", False), ("casework", False)],
)  # fmt: skip
def test_rows_of_datasets_and_verdicts_are_read_back_and_answers_are_not(name: str, read: bool) -> None:
    text = '{"gold": "30"}'
    fields = read_rollout(Example((says("25"),), fields={name: text}).text()).fields
    assert fields[name] == ({"gold": "30"} if read else text)


def test_the_request_is_what_was_asked_last():
    assert read_rollout(Example((says("25"),), asked="How many?", system="Be brief.").text()).request == "How many?"


def test_a_call_has_the_plain_values_of_its_arguments():
    made, broken = read_rollout(Example((call("a", "", x=1, y=[{"z": "b"}]), call("a", "", raw="no JSON"))).text()).calls
    assert made.leaves == (("x", 1), ("y[0].z", "b"))
    assert broken.leaves == ()


def test_texts_in_lower_case_are_made_once():
    rollout = read_rollout(Example((user("Cancel ORDER W1."), call("get", "Order W1: OPEN", id="W1"), says("Done."))).text())
    place = next(place for place, item in enumerate(rollout.output) if item.kind == "tool_output")
    assert rollout.lowered(place) == "order w1: open"
    assert rollout.lowered(place) is rollout.lowered(place)
    assert rollout.lowered_prompt == rollout.prompt_text.lower()


def test_what_is_worked_out_of_a_rollout_is_kept_with_it():
    asked: list[Rollout] = []

    @once_for_each
    def steps(rollout: Rollout) -> int:
        asked.append(rollout)
        return len(rollout.output)

    rollout = read_rollout(Example((says("one"), says("two"))).text())
    assert (steps(rollout), steps(rollout), steps(rollout.until(0))) == (2, 2, 1)
    assert len(asked) == 2
