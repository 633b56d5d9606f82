"""The guard over single kinds: none is left out, each finds tasks, and a kind that loses its label is named."""

from __future__ import annotations

import pytest

from blade.engines.local import LocalEngine
from blade.lab.environments import ENVIRONMENTS
from blade.lab.faults.catalogue import KIND, KINDS, Kind
from blade.lab.judging import Judged
from evidence.each_kind import LEAST, TOGETHER, UNKNOWN, alone, examine, shared, told, unrecognised

KEPT, TUNED = KIND["first_of_list_kept"], KIND["skipped_lookup"]


def tasks(kind: Kind, right: int, wrong: int) -> list[Judged]:
    said = [kind.label] * right + ["UK"] * wrong
    return [
        Judged("records", kind.name, "mild", 1, str(number), kind.label, label, "sometimes", code="wavering_argument")
        for number, label in enumerate(said)
    ]


def test_every_kind_has_its_place_in_one_run() -> None:
    runs = shared()
    assert sorted(name for run in runs for name in run.kinds) == sorted(KIND)
    for run in runs:
        kinds = [KIND[name] for name in run.kinds]
        assert len(kinds) <= TOGETHER
        assert len(kinds) == 1 or all(kind.means != "weather" for kind in kinds)
        assert all(run.environment in kind.environments for kind in kinds)
        assert not ENVIRONMENTS[run.environment].held_out or all(kind.held_out for kind in kinds)
    assert runs == shared()


def test_kinds_that_share_a_run_have_tasks_of_their_own() -> None:
    run = next(run for run in shared() if len(run.kinds) == TOGETHER)
    case = run.make()
    struck = [case.kind_of(task) for task in case.tasks]
    assert set(struck) == set(run.kinds)
    assert min(struck.count(kind) for kind in run.kinds) >= LEAST
    assert case.rows == run.make().rows
    assert len(case.tasks) < len({row["_ng_task_index"] for row in case.rows})


def test_a_kind_is_planted_again_without_its_company() -> None:
    runs = shared()
    run = next(run for run in runs if TUNED.name in run.kinds)
    specs = alone(TUNED, runs)
    assert {(spec.environment, spec.kind, spec.also) for spec in specs} == {(run.environment, TUNED.name, None)}
    assert {spec.severity for spec in specs} == {"mild", "severe"}
    assert {spec.make().seed for spec in specs}.isdisjoint({run.make().seed})


@pytest.mark.parametrize(
    ("right", "wrong", "known"),
    [(2, 0, True), (1, 1, True), (2, 2, True), (1, 2, False), (0, 4, False), (1, 0, False), (0, 0, False)],
)
def test_half_of_at_least_two_tasks_has_to_be_right(right: int, wrong: int, known: bool) -> None:
    others = tasks(TUNED, 3, 0)
    assert unrecognised(tasks(KEPT, right, wrong) + others, [KEPT, TUNED]) == ([] if known else [KEPT])


def test_what_is_told_of_a_lost_kind() -> None:
    assert told(TUNED, tasks(TUNED, 1, 3)) == (
        "skipped_lookup is not recognised: BI in 1 of 4 tasks of records, otherwise UK wavering_argument"
    )
    assert told(TUNED, tasks(TUNED, 1, 0)) == "skipped_lookup finds no occasion: planted in 1 tasks"


def test_of_a_kind_kept_from_tuning_only_the_name_is_told() -> None:
    assert told(KEPT, tasks(KEPT, 0, 3)) == "first_of_list_kept is not recognised: DA in 0 of 3 tasks"


def test_a_run_is_diagnosed_as_the_command_does_it() -> None:
    run = next(run for run in shared() if KEPT.name in run.kinds)
    with LocalEngine(1) as engine:
        judged = examine([run], engine)
    planted = [one for one in judged if one.kind]
    assert {one.kind for one in planted} == set(run.kinds)
    assert not unrecognised(planted, [KIND[name] for name in run.kinds])


def test_unknown_kinds_are_of_the_catalogue_and_never_kept_from_tuning() -> None:
    assert set(UNKNOWN) <= {kind.name for kind in KINDS if not kind.held_out}
