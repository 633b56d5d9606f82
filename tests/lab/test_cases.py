"""Cases: the same from the same seed, faults that really fail and noise that is told apart, rows that a run is made of."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from blade.lab.cases import Case, clean, plant
from blade.lab.environments import ENVIRONMENTS
from blade.lab.faults.catalogue import KINDS, SEVERITIES
from blade.lab.stage.script import Task
from blade.runs.run import open_run
from blade.signals.labels import LABELS
from tests.lab.support import check_case
from tests.lab.test_environments import PLACES

PAIRS = sorted((place, kind.name) for kind in KINDS for place in kind.environments if place not in PLACES)
"""Of the other environments; those that were written to be judged in have the same check among their own."""


def failed(case: Case) -> set[str]:
    """The rollouts whose first row failed, which is the one that counts."""
    first: dict[str, float] = {}
    for row in case.rows:
        first.setdefault(f"{row['_ng_task_index']}:{row['_ng_rollout_index']}", row["reward"])
    return {rollout for rollout, reward in first.items() if reward < 1.0}


def repeats_by_task(case: Case) -> Counter[str]:
    return Counter(rollout.rpartition(":")[0] for rollout in case.planted)


def test_the_catalogue_has_what_was_promised() -> None:
    by_label = Counter(kind.label for kind in KINDS)
    assert set(by_label) == set(LABELS)
    assert min(by_label.values()) >= 4
    assert len(KINDS) >= 28
    assert sum(kind.held_out for kind in KINDS) >= 8
    assert any(place.held_out for place in ENVIRONMENTS.values())
    assert {environment for kind in KINDS for environment in kind.environments} == set(ENVIRONMENTS)
    assert len([kind for kind in KINDS if "museum" in kind.environments and not kind.held_out]) >= 25
    assert {kind.label for kind in KINDS if "museum" in kind.environments and not kind.held_out} == set(LABELS)
    for label in LABELS:
        assert sum(kind.held_out for kind in KINDS if kind.label == label) >= 1


@pytest.mark.parametrize(("environment", "kind"), PAIRS)
def test_planted_rollouts_fail_and_all_other_failures_are_noise(environment: str, kind: str) -> None:
    for severity in SEVERITIES:
        check_case(plant(environment, kind, severity, 11), kind)


def test_equal_arguments_give_equal_rows_and_other_seeds_do_not() -> None:
    for environment in ENVIRONMENTS:
        one, two, other = (plant(environment, "flaky_verifier", "mild", seed) for seed in (3, 3, 4))
        assert (one.rows, one.planted, one.noise) == (two.rows, two.planted, two.noise)
        assert one.rows != other.rows
        assert clean(environment, 5).rows == clean(environment, 5).rows


@pytest.mark.parametrize("environment", sorted(ENVIRONMENTS))
def test_a_seed_says_all_tasks(environment: str) -> None:
    """Cases are drawn from tasks that are made once, so that equal cases do not show it."""
    place = ENVIRONMENTS[environment]
    one, two, other = (place.tasks(seed, 24) for seed in (3, 3, 4))
    assert list(map(told, one)) == list(map(told, two)) != list(map(told, other))


def told(task: Task) -> tuple[object, ...]:
    """All of a task but the world that it is set in."""
    return (
        task.index,
        task.family,
        task.request,
        task.sound,
        task.gold,
        task.faulty,
        task.extras,
        task.other_gold,
        task.other_script,
    )


@pytest.mark.parametrize("environment", sorted(ENVIRONMENTS))
def test_clean_runs_fail_by_noise_only_and_rarely(environment: str) -> None:
    cases = [clean(environment, seed) for seed in range(6)]
    rollouts = sum(len(case.rows) for case in cases)
    assert all(failed(case) == case.noise and not case.planted for case in cases)
    assert sum(len(case.noise) for case in cases) <= 0.08 * rollouts


def test_how_often_faults_strike_follows_their_nature() -> None:
    for severity in SEVERITIES:
        for seed in range(4):
            gap = plant("records", "wrong_rule", severity, seed)
            assert set(repeats_by_task(gap).values()) == {4 if severity == "severe" else 3}
            shaky = plant("questions", "scattered_numbers", severity, seed)
            assert set(repeats_by_task(shaky).values()) == {2 if severity == "severe" else 1}


def test_shaky_knowledge_goes_wrong_otherwise_each_time_and_a_gap_always_alike() -> None:
    answers: dict[str, dict[str, set[str]]] = {}
    for kind in ("scattered_numbers", "wrong_unit"):
        case = plant("questions", kind, "severe", 21)
        answers[kind] = defaultdict(set)
        for row in case.rows:
            rollout = f"{row['_ng_task_index']}:{row['_ng_rollout_index']}"
            if rollout in case.planted:
                answers[kind][rollout.rpartition(":")[0]].add(row["extracted_answer"])
    assert {len(given) for given in answers["scattered_numbers"].values()} == {2}
    assert {len(given) for given in answers["wrong_unit"].values()} == {1}


def test_a_burst_is_short_and_hits_whoever_is_there() -> None:
    case = plant("records", "tool_5xx", "mild", 2)
    times = {f"{row['_ng_task_index']}:{row['_ng_rollout_index']}": row["response"]["created_at"] for row in case.rows}
    struck = [times[rollout] for rollout in case.planted]
    assert max(struck) - min(struck) < 0.5 * (max(times.values()) - min(times.values()))


def test_a_bad_host_is_what_the_struck_rollouts_share() -> None:
    case = plant("terminal", "sandbox_start", "mild", 3)
    hosts = {f"{row['_ng_task_index']}:{row['_ng_rollout_index']}": row["host"] for row in case.rows}
    assert len({hosts[rollout] for rollout in case.planted}) == 1


def test_two_kinds_strike_different_tasks() -> None:
    case = plant("records", "wrong_rule", "severe", 8, also="flaky_verifier")
    kinds = {task: case.kind_of(task) for task in case.tasks}
    assert set(kinds.values()) == {"wrong_rule", "flaky_verifier"}


@pytest.mark.parametrize("environment", sorted(ENVIRONMENTS))
def test_rows_are_read_without_a_problem_under_their_own_ids(environment: str, tmp_path: Path) -> None:
    for case in (clean(environment, 1), plant(environment, "verifier_timeout", "severe", 1)):
        with open_run(case.write(tmp_path / case.severity), use_index=False) as run:
            assert run.problems == []
            assert not run.meta["identity"]["inferred"]
            assert (run.denominator.rows, run.denominator.scored) == (len(case.rows), len(case.rows))
            assert run.denominator.failed == len(failed(case))
            names = {rollout for (rollout,) in run.query("SELECT rollout FROM rollouts").rows}
        assert set(case.planted) | case.noise <= names


def test_conflicting_rows_have_one_key_and_the_first_counts(tmp_path: Path) -> None:
    case = plant("questions", "conflicting_rows", "severe", 4)
    with open_run(case.write(tmp_path), use_index=False) as run:
        assert run.denominator.conflicting == len(case.planted)
        booked = run.query("SELECT rollout FROM rollouts WHERE class = 'scored' AND reward = 0").rows
    assert {rollout for (rollout,) in booked} == set(case.planted) | case.noise


def test_a_twin_has_the_same_prompt_and_another_gold() -> None:
    case = plant("code", "same_prompt_other_gold", "mild", 6)
    prompts = defaultdict(set)
    for row in case.rows:
        prompts[str(row["responses_create_params"]["input"])].add(row["_ng_task_index"])
    for task in case.tasks:
        assert any(int(task) in tasks and len(tasks) == 2 for tasks in prompts.values())


def test_nothing_in_a_row_tells_what_was_planted() -> None:
    for environment in ENVIRONMENTS:
        spoken = set()
        for kind in ("gave_up", "flaky_verifier"):
            case = plant(environment, kind, "severe", 9)
            fields = {frozenset(row) for row in case.rows}
            quiet = {frozenset(row) for row in clean(environment, 9).rows}
            assert fields <= quiet, kind
            spoken |= {str(row) for row in case.rows if kind in str(row)}
        assert not spoken
