"""From two runs to their booked rows: numbered alike, worth what the metric says, with the other verifier's grade where it is known."""

import math
from typing import Any

import pytest

from blade.comparison.booked import BookedRows
from blade.comparison.pairing import pair
from blade.comparison.rows import booked_rows
from blade.comparison.waterfall import Waterfall, waterfall
from blade.diagnosis.diagnose import extractors
from blade.signals.example import says
from tests.comparison.support import both, rolled


def said(task: str, reward: float, text: str, repeat: int = 0, **fields: Any) -> dict[str, Any]:
    response = fields.pop("response", {}) | {"output": [says(text)] if text else []}
    return rolled(task, reward, repeat, response=response, **fields)


def graded_again(task: str, reward: float, text: str, previous: float, **told: Any) -> dict[str, Any]:
    return said(task, reward, text, reverified={"previous_reward": previous} | told)


def compared(a: list[Any], b: list[Any], metric: str | None = None) -> tuple[BookedRows, BookedRows, Waterfall]:
    with both(a, b, extractors=extractors()) as (first, second):
        pairing = pair(first, second, metric)
        rows_a, rows_b = booked_rows(first, second, pairing)
        found = waterfall(rows_a, rows_b, pairing.a.present, pairing.b.present)
        if found.total is not None:
            assert pairing.a.value is not None
            assert pairing.b.value is not None
            assert found.total == pytest.approx(pairing.b.value - pairing.a.value, abs=1e-9)
            assert sum(term.delta for term in found.terms) == pytest.approx(found.total, abs=1e-9)
        return rows_a, rows_b, found


def deltas(found: Waterfall) -> dict[str, float]:
    return {term.term: term.delta for term in found.terms if term.delta}


def test_rows_are_numbered_alike_in_both_runs() -> None:
    a, b, _ = compared(
        [said("p", 1, "x"), said("q", 0, "y"), said("q", 1, "z", 1)],
        [said("q", 0, "y"), said("r", 1, "x"), said("q", 1, "", 1)],
    )
    assert a.task.tolist() == [0, 1, 1]
    assert b.task.tolist() == [1, 1, 2]
    assert a.output[1] == b.output[0] != a.output[2]
    assert b.output[1] == -1
    assert a.reward.tolist() == [1.0, 0.0, 1.0]


def test_only_the_first_of_duplicates_is_booked() -> None:
    a, _, _ = compared([said("p", 1, "x"), said("p", 1, "x"), said("p", 0, "y")], [said("p", 1, "x")])
    assert len(a) == 1


def test_flags_come_from_the_rows() -> None:
    cut = {"incomplete_details": {"reason": "max_output_tokens"}}
    a, b, found = compared(
        [said("p", 1, "x"), said("q", 1, "x")],
        [said("p", 0, "x", response=cut), said("q", 0, "", error="openai.APIConnectionError: Connection error.")],
    )
    assert not (a.infrastructure | a.truncation).any()
    assert (b.infrastructure.tolist(), b.truncation.tolist()) == ([False, True], [True, False])
    assert found.without_set_aside.task.size == 0


def test_rows_graded_again_tell_the_verifier_from_the_change() -> None:
    a = [said(task, 1, f"answer {task}") for task in "pqrs"]
    b = [graded_again(task, float(task == "p"), f"answer {task}", 1, previous_verifier="v1", verifier="v2") for task in "pqrs"]
    rows_a, rows_b, found = compared(a, b)
    assert rows_b.regraded.tolist() == [1.0] * 4
    assert rows_a.regraded.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert deltas(found) == {"verifier": pytest.approx(-0.75)}
    assert deltas(compared(b, a)[2]) == {"verifier": pytest.approx(0.75)}


def test_an_empty_output_that_was_graded_again_is_known_by_its_rollout() -> None:
    _, _, found = compared([said("p", 1, "")], [graded_again("p", 0, "", 1)])
    assert deltas(found) == {"verifier": pytest.approx(-1.0)}


def test_a_previous_grade_goes_by_the_pass_rule() -> None:
    rows = [graded_again("p", 1, "x", 0.5), graded_again("q", 0.25, "y", 1)]
    _, b, _ = compared([said("p", 0.5, "x"), said("q", 1, "y")], rows)
    assert b.regraded.tolist() == [0.0, 1.0]
    _, b, _ = compared([said("p", 0.5, "x"), said("q", 1, "y")], rows, "mean_reward")
    assert b.regraded.tolist() == [0.5, 1.0]


def test_a_grade_by_a_third_verifier_says_nothing() -> None:
    a = [graded_again("p", 1, "x", 0, previous_verifier="v0", verifier="v1")]
    b = [graded_again("p", 0, "y", 1, previous_verifier="v5", verifier="v6")]
    rows_a, rows_b, _ = compared(a, b)
    assert math.isnan(rows_a.regraded[0])
    assert math.isnan(rows_b.regraded[0])


def test_a_verifier_without_a_name_is_known_by_its_grades_only() -> None:
    b = [graded_again("p", 0, "y", 1), graded_again("q", 0, "y", 1), graded_again("r", 0, "y", 1)]
    rows_a, rows_b, _ = compared([said("p", 1, "y"), said("q", 1, "x"), said("r", 0, "y")], b)
    assert rows_b.regraded.tolist() == pytest.approx([1.0, math.nan, math.nan], nan_ok=True)
    assert rows_a.regraded.tolist() == pytest.approx([0.0, math.nan, math.nan], nan_ok=True)


def test_a_run_without_scored_rows_has_no_booked_rows() -> None:
    a, _, found = compared([said("p", 1, "x") | {"reward": None}], [said("p", 1, "x")])
    assert len(a) == 0
    assert (found.total, found.terms) == (None, ())
