"""Rewards against the verifier's own verdict, which is learned from the run."""

from blade.diagnosis.patterns.outcomes import learn_outcomes
from tests.runs.support import opened, row


def learned(rows):
    with opened(rows) as run:
        return {rollout: (said.field, said.value) for rollout, said in learn_outcomes(run).items()}


def run_with(field, good, bad, odd):
    rows = [row(task, 0, 1.0, **{field: good}) for task in range(12)] + [
        row(task, 0, 0.0, **{field: bad}) for task in range(12, 24)
    ]
    return [*rows, row(30, 0, 0.0, **{field: odd})]


def test_a_flag_that_goes_with_passing():
    assert learned(run_with("is_correct", True, False, True)) == {"30:0": ("is_correct", "True")}
    assert learned(run_with("is_correct", True, False, False)) == {}


def test_a_score_with_a_threshold():
    assert learned(run_with("rubric_score", 0.9, 0.4, 0.95)) == {"30:0": ("rubric_score", "0.95")}


def test_counts_are_of_another_scale_in_every_task():
    assert learned(run_with("tests_passed", 5, 2, 6)) == {}


def test_a_field_that_does_not_divide_says_nothing():
    rows = [row(task, 0, float(task % 2), is_correct=task % 3 == 0) for task in range(24)]
    assert learned(rows) == {}


def test_a_field_of_another_name_is_not_asked():
    assert learned(run_with("finished", True, False, True)) == {}


def test_another_verdict_may_say_why_it_failed():
    rows = [row(task, 0, float(task < 20), actions_correct=task < 20, answer_correct=task < 20) for task in range(30)]
    assert learned([*rows, row(30, 0, 0.0, actions_correct=True, answer_correct=False)]) == {}
    assert learned([*rows, row(30, 0, 0.0, actions_correct=True, answer_correct=True)]) == {"30:0": ("actions_correct", "True")}


def test_another_verdict_may_say_so_in_words():
    def words(calls, answer):
        return {"calls_match": calls, "answer_match": answer}

    right, wrong = "correct", "incorrect"
    rows = [row(task, 0, 1.0, **words(right, right)) for task in range(12)] + [
        row(task, 0, 0.0, **words(wrong, None)) for task in range(12, 24)
    ]
    assert learned([*rows, row(30, 0, 0.0, **words(right, wrong))]) == {}
    assert learned([*rows, row(30, 0, 0.0, **words(right, right))]) == {"30:0": ("calls_match", right)}
