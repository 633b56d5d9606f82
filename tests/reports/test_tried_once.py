"""A run in which each task was tried once is told without counts of one, and without what no repeat could have shown."""

import pytest

from blade.reports.effects import lift
from blade.reports.summary import summary
from blade.reports.task_story import evidence_line, story
from tests.reports.test_summary import document

CAUSE = {"label": "KG+UK", "code": "wrong_answer", "subject": "answer", "confidence": 0.5, "alternative": "UK", "why": "Wrong answer, tried once. 3:0 step 4: expected 9."}  # fmt: skip


def task(repeats, **cause):
    told = [{"rollout": f"3:{at}", "passed": False, "findings": [{"code": "repeated_call", "subject": "get", "step": 2}]} for at in range(repeats)]  # fmt: skip
    return {"task": "3", "bucket": "never", "n": repeats, "passed": 0, "cause": {**CAUSE, **cause}, "repeats": told, "modes": []}


def told(repeats, **cause):
    return "\n".join(story({"contrasts": [], "luck": [], "interventions": []}, task(repeats, **cause), lambda _: ""))


def test_one_repeat_is_not_counted_and_a_label_is_no_alternative_to_itself():
    text = told(1)
    assert "3:0 fails" not in text
    assert "The alternative" not in text
    assert "look alike" in text
    assert "Beside it: " in text
    assert "(3:0 step 2)" in text


def test_repeats_are_counted_and_another_label_is_named():
    text = told(2, label="KG", alternative="BI")
    assert "All 2 repeats fail." in text
    assert "The alternative: BI" in text
    assert "Beside it, in its failing repeats: " in text
    assert "(2 of 2: 3:0 step 2, 3:1 step 2)" in text


@pytest.mark.parametrize(
    ("backed", "once", "said"),
    [
        (True, True, "What it rests on is that the calls differ from the expected ones."),
        (False, True, ""),
        (False, False, "No task has scored repeats both with and without it, so its effect cannot be told from the tasks' difficulty."),
    ],
)  # fmt: skip
def test_that_no_lift_can_be_told_is_said_once(backed, once, said):
    assert lift({"id": "m", "lift": None, "backed": backed}, lambda _: "", once=once) == said


@pytest.mark.parametrize(
    ("quote", "detail", "line"),
    [("no get_user before its end", "", "3:0 step 4: no `get_user` before its end"), ("", "the last message is empty", "3:0 step 4: the last message is empty"), (" ", "", "3:0 step 4"), ("no", "late", "3:0 step 4: “no”; late")],
)  # fmt: skip
def test_no_quote_is_shown_where_there_are_no_words(quote, detail, line):
    assert evidence_line({"rollout": "3:0", "step": 4, "quote": quote, "detail": detail}, None) == line


def test_the_summary_counts_tasks_that_were_tried_once_as_passed_or_failed():
    made = document()
    made["repeats"] = {"min": 1, "max": 1, "mode": 1}
    assert ("tasks", "1 pass, 1 fail; each was tried once") in summary(made).numbers


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("pass_at_1", "inconclusive: -3.5 points [-13.6, +6.7] on 115 common tasks, baseline b.jsonl"),
        ("mean_reward", "inconclusive: -0.0350 reward [-0.1360, +0.0670] on 115 common tasks, baseline b.jsonl"),
    ],
)
def test_what_became_of_a_comparison_is_in_the_summary(metric, said):
    pair = {"a": "/runs/b.jsonl", "verdict": "inconclusive", "delta": -0.035, "ci": [-0.136, 0.067], "tasks": {"common": 115}}
    found = summary({**document(), "against": [{"metric": metric, "pairs": [pair]}]}, width=120)
    assert ("against", said) in found.notes
