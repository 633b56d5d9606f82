"""The signs around the answers of passing messages, where no prompt says how to answer."""

import pytest

from blade.signals.example import says
from tests.signals.layout.support import PLACES, layout, row

OPENINGS = ("It is ", "Looked up: ", "The atlas has it as ", "")


def run(form, asked="Where?", tasks=8):
    rows = []
    for task in range(tasks):
        for repeat, said in enumerate((PLACES[task], "Paris")):
            text = OPENINGS[(task + repeat) % 4] + form.format(said)
            rows.append(row(task, repeat, not repeat, says(text), asked=asked, expected_answer=PLACES[task]))
    return [(form.before, form.after) for form in layout(rows).form]


@pytest.mark.parametrize(
    ("form", "learned"),
    [
        ("[[{}]]", [("[[", "]]")]),
        (">> {} <<", [(">>", "<<")]),
        ("RESULT={}", [("RESULT=", "")]),
        ("the town is {}.", []),  # words around an answer are no form
        ("'{}', of course", []),
    ],
)
def test_signs_that_all_messages_share(form, learned):
    assert run(form) == learned


def test_a_prompt_that_asks_for_a_form_is_believed():
    assert run("[[{}]]", asked="Where? End with 'Answer: <town>'.") == []


def test_a_few_tasks_are_no_habit():
    assert run("[[{}]]", tasks=4) == []


def test_a_bracket_that_may_nest_is_no_form():
    assert run("\\boxed{{{}}}") == []
    assert run("**{}**") == []


def test_the_first_line_with_reasons_below_it():
    below = "{}\n\nI looked it up in the atlas."
    rows = [
        row(task, repeat, not repeat, says(below.format((PLACES[task], "Paris")[repeat])), sheet=PLACES[task])
        for task in range(6)
        for repeat in range(2)
    ]
    learned = layout(rows)
    assert [field.path for field in learned.expected] == [("sheet",)]
    assert [field.path for field in learned.form] == [("the first line",)]
