"""One answer to everything: said of a run whose tasks plainly want different things, and of no other."""

import pytest

from blade.diagnosis.diagnose import diagnose, extractors
from blade.diagnosis.patterns.constant import Constant, constant_answers, learn_constant
from tests.comparison.support import rolled
from tests.diagnosis.patterns.support import answer, call, repeat, signal, task_of
from tests.runs.support import opened


def said(task, gold, text, number=0):
    output = {"output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}]}
    return rolled(task, float(text == gold), number, response=output, expected_answer=gold, extracted_answer=text)


def learned(rows):
    with opened(rows, extractors=extractors()) as run:
        return learn_constant(run)


def test_a_run_that_answers_the_same_whatever_is_asked():
    found = learned([said(task, str(task), "7", number) for task in range(24) for number in range(2)])
    assert found == Constant("7", rollouts=48, of_rollouts=48, tasks=24, of_tasks=24, expected=24)


def test_nearly_all_is_enough_and_the_denominators_say_so():
    found = learned([said(task, str(task), "11" if task == 3 else "7") for task in range(24)])
    assert found is not None
    assert (found.rollouts, found.of_rollouts) == (23, 24)
    assert learned([said(task, str(task), "11" if task % 4 == 3 else "7") for task in range(24)]) is None


@pytest.mark.parametrize(
    "golds",
    [
        ["yes", "no"] * 12,
        list("ABCDEFGH") * 3,  # one of few options is often the same
        [str(number % 4) for number in range(24)],
        ["7"] * 20 + ["8", "9", "10", "11"],
    ],
)
def test_tasks_that_may_want_the_same(golds):
    constant = max(set(golds), key=golds.count)
    assert learned([said(task, gold, constant) for task, gold in enumerate(golds)]) is None


def test_few_tasks_say_nothing():
    assert learned([said(task, str(task), "7") for task in range(7)]) is None


KNOWN = Constant("7", 48, 48, 24, 24, 24)


def test_only_rollouts_that_gave_that_answer_and_nothing_else():
    view = task_of(
        repeat(0, False, answers=[answer("12", "7")]),
        repeat(1, False, answers=[answer("12", "7.0")]),
        repeat(2, False, answers=[answer("12", "8")]),
        repeat(3, False, answers=[answer("12", "7")], signals=[signal("output_truncated", 1)]),
        repeat(4, False, answers=[answer("12", "7")], calls=[call(2, "book_seat", seat="1A")]),
        repeat(5, True, answers=[answer("12", "7")]),
    )
    found = list(constant_answers(view, KNOWN))
    assert [finding.rollout for finding in found] == ["7:0", "7:1"]
    assert (
        "48 of 48 rollouts answer 7 (in 24 of 24 tasks every one), while the tasks expect 24 different answers" in found[0].detail
    )
    assert list(constant_answers(view, None)) == []


def test_the_diagnosis_says_it_of_the_run_and_asks_for_no_data():
    rows = [said(task, str(task), "7", number) for task in range(24) for number in range(2)]
    with opened(rows, extractors=extractors()) as run:
        document = diagnose(run)
    causes = [task["cause"] for task in document["tasks"] if task["cause"] is not None]
    assert {(cause["label"], cause["code"]) for cause in causes} == {("BI", "constant_answer")}
    (mode,) = document["modes"]
    assert mode["title"] == "one and the same answer, whatever is asked (7)"
    assert [item["family"] for item in document["interventions"]] == ["harness"]
