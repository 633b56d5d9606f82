"""Where rows hold their expected calls, and what is none."""

import json

import pytest

from blade.signals.wanted.expectation import find_expectation, written_call

BOOK = {"name": "book", "arguments": {"seat": "12A"}}
PLAIN = [("book", {"seat": "12A"})]


def calls(fields, paths=()):
    found = find_expectation(fields, paths)
    return None if found is None else [(call.name, call.arguments) for call in found.calls]


@pytest.mark.parametrize(
    "fields",
    [
        {"ground_truth": [BOOK]},
        {"ground_truth": json.dumps([BOOK])},
        {"ground_truth": [{"name": "book", "arguments": '{"seat": "12A"}'}]},
        {"task": {"actions": [{"name": "book", "kwargs": {"seat": "12A"}}]}},
        {
            "task": {
                "evaluation_criteria": {"actions": [{"action_id": "0", "requestor": "assistant", **BOOK, "compare_args": None}]}
            }
        },
        {"reward_info": {"actions": [{"name": "book", "args": {"seat": "12A"}}]}},
        {"result": {"reward_info": {"actions": [BOOK]}}},
        {"expected_function_calls": [BOOK]},
        {"expected function calls": [BOOK]},
        {"expected_actions": [[BOOK]]},
        {"expected_calls": [{"book": {"seat": "12A"}}]},
        {"Expected-Calls": [BOOK]},
        {"expected_action": {"type": "function_call", "name": "book", "arguments": '{"seat": "12A"}'}},
        {"expected_action": {"type": "function_call_batch", "calls": [{"type": "function_call", **BOOK}]}},
        {"expected_tool_calls": [{"id": "c1", "type": "function", "function": {"name": "book", "arguments": '{"seat": "12A"}'}}]},
        {"expected_tool_calls": [{"type": "tool_use", "name": "book", "input": {"seat": "12A"}}]},
        {"answers": json.dumps([BOOK])},
        {"target": [BOOK]},
        {"ground_truth": ["book(seat='12A')"]},
        {"expected_calls": "book(seat='12A')"},
        {"verifier_metadata": {"expected_calls": [BOOK]}},
        {"extra_info": {"ground_truth": [BOOK]}},
        {"expected_calls": [{"functionCall": {"name": "book", "args": {"seat": "12A"}}}]},
        {"gold_actions": [{"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": BOOK}]}]},
        {"target": [{"role": "model", "parts": [{"functionCall": {"name": "book", "args": {"seat": "12A"}}}]}]},
        {"ground_truth": [{"turn": 1, "steps": [BOOK]}]},
        {"expected_calls": {"step_1": BOOK}},
        {"task": {"gold_actions": {"1": BOOK}}},
    ],
)
def test_calls_are_found_by_shape(fields):
    assert calls({"reward": 1.0, **fields}) == PLAIN


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"ground_truth": "42"},
        {"ground_truth": 42},
        {"ground_truth": {"name": "Ann", "age": 7}},
        {"answers": ["yes", "no"]},
        {"answers": [{"name": "Ann"}]},
        {"answers": []},
        {"expected_answer": "f(2)"},
        {"expected_answer": "[1, 2]"},
        {"target": [BOOK, "and more"]},
        {"expected_calls": None},
        {"task": "book a seat"},
        {"answer": [{"name": "book", "parameters": {"type": "object", "properties": {"seat": {}}}}]},
        {"target": [{"turn": 1, "seats": [{"row": 12, "letter": "A"}]}]},
        {"target": [{"suite": "a", "tests": [BOOK], "others": [BOOK]}]},
    ],
)
def test_what_is_no_expectation(fields):
    assert find_expectation(fields) is None


@pytest.mark.parametrize(
    "fields", [{"ground_truth": []}, {"expected_calls": []}, {"task": {"actions": []}}, {"expected_action": {"type": "message"}}]
)
def test_nothing_expected_is_an_expectation(fields):
    assert calls(fields) == []


@pytest.mark.parametrize("key", ["functionCall", "function_call", "toolUse", "tool_call", "function", "action"])
def test_a_call_may_stand_under_a_word_for_it(key):
    assert calls({"expected_calls": [{"id": "c1", key: BOOK}]}) == PLAIN


@pytest.mark.parametrize("tool", ["get_v2", "f1", "step_1"])
def test_a_tool_may_have_a_figure_in_its_name(tool):
    assert calls({"expected_calls": {tool: {"seat": "12A"}}}) == [(tool, {"seat": "12A"})]


@pytest.mark.parametrize("tool", ["call_taxi", "use", "tool", "book_function"])
def test_a_tool_that_takes_a_name_is_no_word_for_a_call(tool):
    assert calls({"expected_calls": [{tool: BOOK}]}) == [(tool, BOOK)]


def test_a_message_instead_of_calls_is_told():
    found = find_expectation({"expected_action": {"type": "message", "content": "Which seat?"}})
    assert found is not None
    assert found.instead_of_calls


def test_a_named_path_goes_first_and_reaches_anywhere():
    fields = {"ground_truth": [{"name": "other", "arguments": {}}], "verdict": {"deep": {"calls": [BOOK]}}}
    assert calls(fields) == [("other", {})]
    assert calls(fields, ("verdict.deep.calls",)) == PLAIN
    assert calls(fields, ("not.there",)) == [("other", {})]


def test_values_that_are_right_and_arguments_that_count():
    found = find_expectation({"ground_truth": [{"book": {"seat": ["12A", "12B"], "meal": [""]}}]})
    assert found is not None
    assert found.calls[0].arguments == {"seat": "12A"}
    assert found.calls[0].accepted == {"seat": ["12A", "12B"], "meal": [""]}
    tau = find_expectation(
        {"task": {"evaluation_criteria": {"actions": [{"requestor": "user", **BOOK, "compare_args": ["seat"]}]}}}
    )
    assert tau is not None
    assert tau.calls[0].compared == {"seat"}
    assert tau.calls[0].by_user


def test_calls_by_place_have_no_names_yet():
    assert calls({"expected_calls": ["sort('a.txt', reverse=True)"]}) == [("sort", {"arg0": "a.txt", "reverse": True})]
    assert calls({"expected_calls": ["sort(unknown)", "rm -rf /"]}) is None


@pytest.mark.parametrize("name", ["desk-book", "desk/book", "desk:book", "desk.book", "Desk-book_seat"])
def test_a_tool_may_have_a_name_that_no_code_has(name):
    assert calls({"expected_calls": [f"{name}(seat='12A', rows=[1, 2])"]}) == [(name, {"seat": "12A", "rows": [1, 2]})]


def test_a_text_may_have_a_call_on_each_line():
    assert calls({"expected_calls": "desk-book(seat='12A')\ndesk-pay(sum=3)"}) == [
        ("desk-book", {"seat": "12A"}),
        ("desk-pay", {"sum": 3}),
    ]


@pytest.mark.parametrize("text", ["a-b", "10 - f(2)", "f(2) / g(3)"])
def test_no_call(text):
    assert written_call(text) is None


def test_a_name_that_can_mean_nothing_else_tells_in_any_object():
    wanted = [{"type": "function", "function": {"name": "book", "arguments": '{"seat": "12A"}'}}]
    judged = [{"name": "tool_calls", "input": [], "reference": wanted}]
    found = find_expectation({"results": judged, "datasource_item": {"expected_tool_calls": wanted, "reference": None}})
    assert found is not None
    assert (found.place, found.calls[0].arguments) == ("datasource_item.expected_tool_calls", {"seat": "12A"})


def test_camel_case_means_the_same():
    found = find_expectation({"item": {"expectedToolCalls": [{"name": "book", "arguments": {"seat": "12A"}}]}})
    assert found is not None
    assert (found.place, found.calls[0].name) == ("item.expectedToolCalls", "book")


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"expected": {"calls": [], "answer": "7.5"}}, []),
        ({"expected": {"calls": [{"name": "book", "args": [{"name": "seat", "value": "12A", "value_type": "str"}]}]}}, PLAIN),
        ({"expected": {"answer": "7.5"}}, None),
        ({"expected": []}, None),
    ],
)
def test_an_object_whose_calls_are_none_says_that_nothing_is_to_be_done(fields, found):
    assert calls(fields) == found
