"""Rollouts that were served otherwise than the rest of the run."""

import pytest

from blade.diagnosis.patterns.served import learn_served, served_otherwise
from blade.diagnosis.views import task_views
from tests.runs.support import opened, row


def found(rows):
    with opened(rows) as run:
        known = learn_served(run)
        return [(finding.rollout, finding.quote) for view in task_views(run) for finding in served_otherwise(view, known)]


def rollout(task, number, reward=1.0, model="gannet-70b"):
    return row(task, number, reward, response={"output": [], "model": model})


def run_with(odd, reward):
    """Ten tasks with four repeats; the last one of the first five was served by another model."""
    usual = [rollout(task, number, float(number > 0 or task % 3 > 0)) for task in range(10) for number in range(3)]
    return usual + [rollout(task, 3, *((reward, odd) if task < 5 else (1.0,))) for task in range(10)]


def test_a_fallback_that_fails():
    assert found(run_with("gannet-8b", 0.0)) == [(f"{task}:3", "model = gannet-8b") for task in range(5)]


def test_a_fallback_that_does_as_well_explains_nothing():
    assert found(run_with("gannet-8b", 1.0)) == []


def test_a_run_of_two_halves_has_no_usual_model():
    rows = [rollout(task, number, float(number < 2), "a" if number < 2 else "b") for task in range(10) for number in range(4)]
    assert found(rows) == []


def hot(task, number, reward, temperature):
    return row(task, number, reward, responses_create_params={"input": [], "temperature": temperature})


def test_tasks_that_are_all_sampled_so_may_ask_for_it():
    rows = [hot(task, number, 1.0, 0.2) for task in range(10) for number in range(4)]
    rows += [hot(task, number, 0.0, 1.0) for task in (20, 21) for number in range(4)]
    assert found(rows) == []


@pytest.mark.parametrize(("odd", "hit"), [((20, 21), 8), ((20,), 0)])
def test_another_model_for_whole_tasks_takes_more_evidence(odd, hit):
    rows = [rollout(task, number, float(task > 0)) for task in range(10) for number in range(4)]
    rows += [rollout(task, number, 0.0, "gannet-8b") for task in odd for number in range(4)]
    assert len(found(rows)) == hit
