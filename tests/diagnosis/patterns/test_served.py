"""Rollouts that were served otherwise than the rest of the run."""

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


def test_tasks_that_are_all_served_so_may_ask_for_it():
    rows = [rollout(task, number) for task in range(10) for number in range(4)]
    rows += [rollout(task, number, 0.0, "gannet-8b") for task in (20, 21) for number in range(4)]
    assert found(rows) == []
