"""What the answers of a tool always are: they name what was asked for, and they close what they open."""

import pytest

from blade.diagnosis.patterns.habits import holds_data, learn_unusual
from blade.signals.extractor import CallsExtractor
from tests.runs.support import opened, row


def rollout(task, *answers, asked=None):
    """Calls of `get_order` for the task's own order, each answered so."""
    items = []
    for at, output in enumerate(answers):
        call = {"call_id": f"c{at}", "name": "get_order", "arguments": f'{{"order": "{asked or f"W-{task:04}"}"}}'}
        items += [{"type": "function_call", **call}, {"type": "function_call_output", "call_id": f"c{at}", "output": output}]
    return row(task, 0, 1.0, response={"output": items})


def data(task):
    return f'{{"order": "W-{task:04}", "status": "open", "lines": ["saw", "nails"]}}'


def unusual(rows):
    with opened(rows, extractors=(CallsExtractor(),)) as run:
        return {(task, output): why for (task, _, _, output), why in learn_unusual(run).items()}


def test_the_record_of_another_order():
    found = unusual([*(rollout(task, data(task)) for task in range(14)), rollout(14, data(99))])
    assert list(found) == [("14", data(99))]
    assert "in 14 of 15 answers" in found["14", data(99)]


def test_no_order_of_that_number_is_an_answer():
    rows = [rollout(task, data(task)) for task in range(14)]
    assert unusual([*rows, rollout(14, '{"status": "none", "message": "no such order in the archive"}')]) == {}


def test_an_answer_that_stops_within_an_object():
    half = data(14)[:40]
    found = unusual([*(rollout(task, data(task)) for task in range(14)), rollout(14, half)])
    assert list(found) == [("14", half)]
    assert "stops in the middle" in found["14", half]


@pytest.mark.parametrize(
    ("begun", "odd"), [('{"ord', True), ('[{"ord', True), ("{}", False), ('["W-1"]', False), ("[INFO]", False), ("none", False)]
)
def test_a_few_signs_of_data_stop_in_the_middle_too(begun, odd):
    found = unusual([*(rollout(task, data(task)) for task in range(14)), rollout(14, begun)])
    assert list(found) == ([("14", begun)] if odd else [])


@pytest.mark.parametrize("calls", [1, 10])
def test_a_few_calls_are_no_habit(calls):
    assert unusual([*(rollout(task, data(task)) for task in range(calls)), rollout(14, data(99))]) == {}


def test_a_tool_that_often_names_others_has_no_such_habit():
    rows = [rollout(task, data(task)) for task in range(8)]
    assert unusual([*rows, *(rollout(task, data(task + 50)) for task in range(8, 16))]) == {}


def test_two_answers_to_one_call_weigh_more_than_the_habit():
    rows = [rollout(task, data(task)) for task in range(10)]
    found = unusual([*rows, *(rollout(task, data(task + 50), data(task + 70)) for task in range(10, 15))])
    assert {task for task, _ in found} == {"10", "11", "12", "13", "14"}
    assert len(found) == 10


def test_a_sentence_holds_no_data():
    assert not holds_data("The order was found and it is open at the moment.")


def test_bytes_that_are_no_text():
    noise = "\ufffd\x1f\ufffd\ufffd0k\ufffd\ufffd<o\ufffdQ\ufffdc\ufffd\ufffdBK{\ufffd%\ufffdd\ufffd&?\ufffd-a" * 2
    found = unusual([*(rollout(task, data(task)) for task in range(14)), rollout(14, noise)])
    assert [task for task, _ in found] == ["14"]
    assert "bytes" in next(iter(found.values()))


PAGE = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form action='/sso/login'></form></body></html>"


def test_a_web_page_in_place_of_an_answer():
    found = unusual([*(rollout(task, data(task)) for task in range(14)), rollout(14, PAGE)])
    assert list(found) == [("14", " ".join(PAGE.split()))]
    assert "14 of 15 answers of the tools are no web page" in next(iter(found.values()))


def test_fields_that_are_all_empty():
    blank = '{"status": "success", "order": null, "lines": null, "customer": null}'
    found = unusual([*(rollout(task, data(task)) for task in range(14)), rollout(14, blank)])
    assert [task for task, _ in found] == ["14"]
    assert "leaves all of them empty" in next(iter(found.values()))


def led(task, *answers):
    """A rollout that asks for the leads of a team, so often, and for its order."""
    items = []
    for at, output in enumerate(answers):
        asked = {"call_id": f"l{at}", "name": "get_leads", "arguments": f'{{"team": "T{task}-{at}"}}'}
        items += [{"type": "function_call", **asked}, {"type": "function_call_output", "call_id": f"l{at}", "output": output}]
    rest = rollout(task, data(task))
    return {**rest, "response": {"output": items + rest["response"]["output"]}}


NOBODY = '{"manager": null, "deputy": null}'
SOMEBODY = '{"manager": "Ann Lee", "deputy": null}'
NO_RECORD = '{"lead_id": null, "manager": null, "deputy": null}'


@pytest.mark.parametrize(
    ("answers", "found"),
    [
        ((NOBODY,), False),  # nobody may be the answer
        ((NOBODY, SOMEBODY), False),
        ((NOBODY, SOMEBODY, SOMEBODY), False),
        ((NOBODY, SOMEBODY, SOMEBODY, SOMEBODY), True),
        ((NOBODY, NOBODY, NOBODY, SOMEBODY), False),  # it is what the tool mostly says
        (('{"manager": null, "deputy": null, "clerk": null}',), False),
        ((NO_RECORD,), True),  # it lacks even what a record is known by
    ],
)
def test_nobody_is_an_answer_of_a_tool_that_does_not_fill_its_fields(answers, found):
    rows = [rollout(task, data(task)) for task in range(20)]
    assert bool(unusual([*rows, led(20, *answers)])) is found


def test_one_empty_field_is_an_answer():
    partly = '{"order": "W-0014", "status": "open", "lines": null}'
    assert unusual([*(rollout(task, data(task)) for task in range(14)), rollout(14, partly)]) == {}


def test_a_tool_that_fetches_pages_sends_pages():
    assert unusual([*(rollout(task, data(task)) for task in range(9)), *(rollout(task, PAGE) for task in range(9, 18))]) == {}


@pytest.mark.parametrize(
    "answer",
    [
        '{"matches": [], "did_you_mean": ["W-0002", "W-0003"]}',
        '{"hits": 0, "searched": "All Contacts of the Company"}',
        '{"events": [], "next_event_on": "2026-05-28", "more": 0}',
    ],
)
def test_an_honest_nothing_found_breaks_no_habit(answer):
    assert unusual([*(rollout(task, data(task)) for task in range(14)), rollout(14, answer)]) == {}


def test_a_shell_prints_what_it_is_asked_for():
    rows = [rollout(task, f"total {task}: nothing to see in this folder today") for task in range(10)]
    rows += [rollout(task, data(task)) for task in range(10, 24)]
    assert unusual([*rows, rollout(24, "[main 3f2a1b9] fix the padding of the header")]) == {}


def test_the_answer_to_another_call_has_its_fields():
    def both(task, vessel):
        asked = {"call_id": "v", "name": "find_vessel", "arguments": f'{{"q": "Vessel {task:04}"}}'}
        items = [{"type": "function_call", **asked}, {"type": "function_call_output", "call_id": "v", "output": vessel}]
        rest = rollout(task, data(task))
        return {**rest, "response": {"output": items + rest["response"]["output"]}}

    usual = [both(task, f'{{"imo": "92921{task:02}", "gt": 34169, "kind": "container"}}') for task in range(14)]
    found = unusual([*usual, both(14, data(14))])
    assert list(found) == [("14", data(14))]
    assert "those of another tool" in found["14", data(14)]
    assert (
        unusual([*usual, both(14, '{"unknown": true, "hint": "ask the harbour master first"}')]) == {}
    )  # no other tool's either
