"""The same outputs under two verifiers: what changed is counted, and nothing is said of the model."""

from typing import Any

import pytest

from blade.claims.claim import from_json
from blade.claims.runner import recompute_all
from blade.comparison.compare import compare
from blade.comparison.pair import Asked
from blade.diagnosis.diagnose import diagnose, extractors
from blade.reports.comparison.markdown import comparison_report
from blade.reports.comparison.summary import screen
from tests.comparison.support import both, rolled

TASKS = 24


def said(task: int, reward: float, text: str, **fields: Any) -> dict[str, Any]:
    output = {"output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}]}
    return rolled(f"t{task}", reward, response=output, **fields)


def original() -> list[dict[str, Any]]:
    return [said(task, float(task % 2), f"I say {task}.") for task in range(TASKS)]


def again(changed: int, *, verifier: str = "v2", others: int = 0) -> list[dict[str, Any]]:
    """The same rows graded again, the first few failures now as passes; the last few with other outputs."""
    failed = [task for task in range(TASKS) if task % 2 == 0][:changed]
    told = {"previous_verifier": "v1", "verifier": verifier}
    return [
        said(
            task,
            1.0 if task in failed else float(task % 2),
            f"I say {task}." if task < TASKS - others else "something else",
            reverified={"previous_reward": float(task % 2)} | told,
        )
        for task in range(TASKS)
    ]


def compared(a: list[dict[str, Any]], b: list[dict[str, Any]]) -> dict[str, Any]:
    with both(a, b, extractors=extractors()) as runs:
        found = compare(runs, diagnose, metric=None, asked=Asked(0.02))
        claims = [from_json(claim) for claim in found["claims"]]
        wrong = [one.claim.id for one in recompute_all(dict(zip("ab", runs, strict=True)), claims) if not one.ok]
        assert wrong == []
    return found


def test_a_run_that_was_graded_again_says_nothing_of_the_model() -> None:
    found = compared(original(), again(2))
    said = "the outputs are the same; 2 of 24 verdicts changed, +8.3 points, all of it the verifier; nothing is known about the model"
    assert found["reason"] == f"Inconclusive: {said}."
    assert found["verdict"] == "inconclusive"
    assert found["same_outputs"] == {"rollouts": 24, "same": 24, "changed": 2, "graded_again": True}
    assert found["cause"]["assignable"] is True
    assert "because of the verifier: 2 of 24 verdicts changed" in found["cause"]["sentence"]
    (step,) = found["interventions"]
    assert step["family"] == "verifier"
    assert "t0, t2" in step["detail"]
    told = screen(found)
    assert told.reason == said
    assert "cannot be assigned" not in str(told)
    assert "blade plan" not in str(told.notes)
    report = comparison_report(found)
    assert "counted and not estimated: 2 verdicts" in report
    assert "Add tasks" not in report


def test_a_stricter_verifier_moves_the_score_and_the_reason_says_that_it_is_no_more() -> None:
    found = compared(original(), again(12))
    assert found["verdict"] == "improved"  # what the rules make of the scores, as the claim computes it again
    assert found["reason"].startswith(
        "Improved: only the score moved: the outputs are the same; 12 of 24 verdicts changed, +50.0"
    )


def test_unchanged_grades_are_told_as_no_difference() -> None:
    found = compared(original(), again(0, verifier="v1"))
    assert found["reason"] == (
        "Inconclusive: nothing differs: the outputs are the same, and so are 24 of 24 verdicts; nothing is known about the model."
    )
    assert found["interventions"] == []
    assert "Nothing differs" in found["cause"]["sentence"]
    copy = compared(original(), original())
    assert copy["reason"].endswith("24 of 24 verdicts; no difference of the systems is seen.")


def test_a_few_other_outputs_are_told_apart() -> None:
    found = compared(original(), again(2, others=1))
    assert found["reason"] == (
        "Inconclusive: 23 of 24 outputs are the same; 2 of 23 verdicts changed, +8.3 points with the 1 other rollout; "
        "nothing is known about the model."
    )


@pytest.mark.parametrize("others", [3, 24])
def test_other_outputs_are_another_behaviour(others: int) -> None:
    found = compared(original(), again(2, others=others))
    assert found["same_outputs"] is None
    assert "interval" in found["reason"]


def test_nearly_the_same_outputs_without_a_word_of_grading_again_are_two_runs() -> None:
    found = compared(original(), [*original()[:-1], said(23, 1.0, "something else")])
    assert found["same_outputs"] is None
