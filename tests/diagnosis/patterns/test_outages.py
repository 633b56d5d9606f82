"""Outages by their shape: the same call in the same state, answered for some and not for others."""

from blade.diagnosis.patterns.outages import learn_outages, outages, shape
from blade.diagnosis.views import task_views
from blade.signals.expected import ExpectedExtractor
from blade.signals.extractor import CallsExtractor
from tests.runs.support import opened, row

GONE = "The environment behind handle {} has been recycled."


def rollout(task, number, *answers, reward=1.0):
    """Calls of `get_order` with the task's order, each answered so."""
    items = []
    for at, (tool, output) in enumerate(answers):
        items.append({"type": "function_call", "call_id": f"c{at}", "name": tool, "arguments": f'{{"order": "W{task}"}}'})
        items.append({"type": "function_call_output", "call_id": f"c{at}", "output": output})
    return row(task, number, reward, response={"output": items})


def data(task):
    return f'{{"order": "W{task}", "status": "open", "lines": ["saw", "nails for task {task}"]}}'


CALLS = (CallsExtractor(),)


def found(rows, extractors=CALLS):
    with opened(rows, extractors=extractors) as run:
        known = learn_outages(run)
        return [(finding.rollout, finding.step) for view in task_views(run) for finding in outages(view, known)]


def test_a_text_that_no_word_list_knows_is_told_by_its_siblings():
    rows = [rollout(task, number, ("get_order", data(task))) for task in range(4) for number in range(3)]
    for task in (1, 2):
        text = GONE.format(f"5f1c9a0{task}")
        rows.append(rollout(task, 3, ("get_order", text), ("get_order", text), reward=0.0))
    assert found(rows) == [("1:3", 1), ("2:3", 1)]


def test_what_was_answered_after_all_is_got_over():
    rows = [rollout(task, number, ("get_order", data(task))) for task in range(4) for number in range(3)]
    rows += [rollout(task, 3, ("get_order", GONE.format(task)), ("get_order", data(task)), reward=0.0) for task in (1, 2)]
    assert found(rows) == []


def test_an_error_that_every_repeat_gets_answers_the_call():
    rows = [
        rollout(task, number, ("get_order", f"Error: order W{task} not found"), reward=0.0)
        for task in range(3)
        for number in range(3)
    ]
    assert found(rows) == []


def test_after_other_changes_another_answer_is_fair():
    rows = [rollout(task, number, ("get_order", data(task))) for task in range(4) for number in range(3)]
    closed = "This order is closed."
    rows += [rollout(task, 3, ("cancel_order", "ok"), ("get_order", closed), reward=0.0) for task in (1, 2)]
    assert found(rows) == []


def test_an_answer_that_breaks_off():
    rows = [rollout(task, number, ("get_order", data(task))) for task in range(4) for number in range(3)]
    rows += [rollout(task, 3, ("get_order", data(task)[:30]), reward=0.0) for task in (1, 2)]
    assert found(rows) == [("1:3", 1), ("2:3", 1)]


def test_a_text_in_place_of_data_once():
    page = "<html><h1>Log in to your account</h1></html>"
    rows = [rollout(task, number, ("get_order", data(task))) for task in range(4) for number in range(3)]
    rows.append(rollout(1, 3, ("get_order", page), ("get_order", page), reward=0.0))
    assert found(rows) == [("1:3", 1)]


def test_a_text_in_place_of_data_that_stands_against_one_repeat_only():
    rows = [rollout(0, number, ("get_order", text)) for number, text in enumerate((data(0), "no longer listed"))]
    assert found([*rows, rollout(0, 2, ("get_order", "no longer listed"), reward=0.0)]) == []


def test_shapes_leave_out_what_differs_from_call_to_call():
    assert shape("get_order", "get_order: session 5f1c9a07 gone") == shape("list_loans", "list_loans: session 8d22e0b4 gone")
    assert shape("get_order", "") == shape("list_loans", "  ")


def test_a_text_on_which_rollouts_of_several_tasks_end_after_trying_again():
    text = "job requeued, device fell off the bus"
    rows = [rollout(task, 0, ("get_order", data(task))) for task in range(8)]
    rows += [rollout(task, 0, ("get_order", text), ("get_order", text), reward=0.0) for task in (11, 12, 13)]
    assert found(rows) == [("11:0", 1), ("12:0", 1), ("13:0", 1)]
    spoken = [rollout(task, 0, *(2 * [("get_order", f"order W{task} is gone")]), reward=0.0) for task in (1111, 1112, 1113)]
    assert found([*rows[:8], *spoken]) == []


def test_an_answer_about_another_record_than_the_one_asked_for():
    rows = [rollout(f"{task}77", number, ("get_order", data(f"{task}77"))) for task in range(4) for number in range(3)]
    rows += [rollout(f"{task}77", 3, ("get_order", data(f"{task + 5}31")), reward=0.0) for task in (1, 2)]
    assert found(rows) == [("177:3", 1), ("277:3", 1)]


def test_a_listing_in_plain_text_that_breaks_off_in_a_line():
    def listing(task):
        return "3 kept here\n" + "\n".join(f"W{task}{number} | lamp number {number} | brass, two arms" for number in range(3))

    rows = [rollout(task, number, ("get_order", listing(task))) for task in range(4) for number in range(3)]
    rows += [rollout(task, 3, ("get_order", listing(task)[:70]), reward=0.0) for task in (1, 2)]
    assert found(rows) == [("1:3", 1), ("2:3", 1)]


def test_an_expected_call_that_one_repeat_got_through_has_no_fault_of_its_own():
    def change(number, output, order="W1"):
        items = [
            {"type": "function_call", "call_id": "c", "name": "cancel_order", "arguments": f'{{"order": "{order}"}}'},
            {"type": "function_call_output", "call_id": "c", "output": output},
        ]
        wanted = [{"name": "cancel_order", "arguments": {"order": "W1"}}]
        return row(1, number, float(output == "ok"), response={"output": items}, expected_calls=wanted)

    refused = '{"status": 409, "problem": {"title": "Conflict", "detail": "left over from another session"}}'
    assert found([change(0, "ok"), change(1, refused)], (*CALLS, ExpectedExtractor())) == [("1:1", 1)]
    other = [change(0, "ok", "W2"), change(1, refused, "W2")]  # nobody expects this one, so it may well be turned down
    assert found(other, (*CALLS, ExpectedExtractor())) == []
