"""Which modes can be asked of both runs, and who carries them."""

from typing import Any

from blade.comparison.carriers import failing_carriers, full_reward, signatures
from blade.diagnosis.modes import signal_condition
from tests.comparison.support import both, rolled


def mode(code: str, condition: str | None, blind: bool, votes: int = 3) -> dict[str, Any]:
    return {
        "code": code,
        "subject": "",
        "label": "BI",
        "title": code,
        "condition": condition,
        "reward_blind": blind,
        "votes": votes,
    }


def document(*modes: dict[str, Any]) -> dict[str, Any]:
    return {"modes": list(modes)}


def test_a_condition_over_signals_is_asked_of_both_wherever_it_was_found() -> None:
    told = signal_condition("gave_up", "")
    (found,) = signatures(document(mode("gave_up", told, True)), document())
    assert found.conditions == (told, told)
    assert found.same_question


def test_a_list_of_rollouts_means_nothing_elsewhere() -> None:
    (found,) = signatures(document(), document(mode("luck", "r.rollout IN ('1:0')", False)))
    assert found.conditions == (None, "r.rollout IN ('1:0')")
    assert not found.same_question


def test_modes_with_the_most_votes_come_first_whichever_run_has_them() -> None:
    found = signatures(document(mode("lost", "x", True, votes=9)), document(mode("new", "y", True, votes=2)))
    assert [one.code for one in found] == ["lost", "new"]


def test_without_a_pass_rule_failing_means_the_same_in_both_runs() -> None:
    before = [rolled(task, 2.0 * task) for task in range(3)]
    after = [rolled(task, 5.0 * task) for task in range(3)]
    with both(before, after) as (a, b):
        full = full_reward(a, b)
        counts = [failing_carriers(run, "true", ["0", "1", "2"], full).tolist() for run in (a, b)]
    assert full == 10
    assert counts == [[1, 1, 1], [1, 1, 0]]
