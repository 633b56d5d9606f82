"""What to do about a difference: what makes it comparable, what B does worse, what it lacks."""

from typing import Any

import pytest

from blade.comparison.advice import advice
from tests.reports.comparison.support import mode, pair, term

NOTHING: dict[str, Any] = {"modes": [], "interventions": []}


def titles(**changes: Any) -> list[str]:
    return [one["title"] for one in advice(pair(**changes), NOTHING, None)]


def test_the_largest_part_that_is_not_the_change_comes_first() -> None:
    found = titles(unknown=["limits"])
    assert found[:2] == [
        "Run the 4 rollouts of A again that infrastructure ended",
        "Give both runs the same limits of tokens and steps",
    ]


@pytest.mark.parametrize(
    ("changes", "said"),
    [({}, False), ({"unknown": ["limits"]}, True), ({"changed": [{"what": "limits", "a": 1, "b": 2}]}, True)],
)
def test_one_limit_in_both_runs_is_behaviour(changes: dict[str, Any], said: bool) -> None:
    assert ("Give both runs the same limits of tokens and steps" in titles(**changes)) is said


def test_what_hardly_matters_is_no_step() -> None:
    terms = [term("change", 0.4, [0.3, 0.5], 9, 40), term("infrastructure", 0.01, [0.0, 0.02], 1, 1, rollouts_a=1, rollouts_b=0)]
    assert not [title for title in titles(waterfall=terms) if "infrastructure" in title]


def test_what_b_does_worse_is_told_by_its_own_diagnosis() -> None:
    grown = mode("thrashing", "BI", 1, 6)
    fix = {
        "family": "prompt", "title": "Stop it", "detail": "Say so.", "modes": ["m1"], "gain": {"upper": 0.1}, "confidence": 0.5,
        "evidence": [], "confirm": {"command": None, "repeats": None},
    }  # fmt: skip
    diagnosis = {"modes": [{"id": "m1", "code": "thrashing", "subject": ""}], "interventions": [fix]}
    found = [one for one in advice(pair(modes=[grown]), diagnosis, None) if one["title"] == "Stop it"]
    assert found[0]["detail"] == "thrashing: 1 failed rollout in A, 6 in B. Say so."
    third = [one for one in advice(pair(modes=[grown], letter="C"), diagnosis, None) if one["title"] == "Stop it"]
    assert third[0]["detail"] == "thrashing: 1 failed rollout in A, 6 in C. Say so."


def test_a_plan_is_a_step_only_where_nothing_was_decided() -> None:
    plan = {"title": "Run more", "detail": "d", "command": "blade plan", "repeats": 4}
    assert advice(pair(verdict="inconclusive"), NOTHING, plan)[-1]["confirm"] == {"command": "blade plan", "repeats": 4}
    assert "Run more" not in [one["title"] for one in advice(pair(), NOTHING, plan)]


def test_rewards_are_not_told_in_points() -> None:
    terms = [term("infrastructure", -8.565, [-9.0, -8.0], 3, 9, rollouts_a=9, rollouts_b=0)]
    (first, *_) = advice(pair(metric="mean_reward", waterfall=terms), NOTHING, None)
    assert first["detail"].endswith("It moves the booked difference by −8.56 over 3 tasks.")
    (rate, *_) = advice(pair(waterfall=[terms[0] | {"delta": -0.08565}]), NOTHING, None)
    assert rate["detail"].endswith("It moves the booked difference by −8.6 points over 3 tasks.")
