"""The plan: where it comes from, and what became of each expected rollout."""

import json
from pathlib import Path
from typing import Any

import pytest

from blade.runs.run import open_run

from .support import Line, classes, codes, opened, planned, row, states, write_jsonl

FAILED = {"_ng_failure_class": "timeout", "reward": 0}


def test_inputs_are_the_plan() -> None:
    rows = [row(0, 0), row(0, 1, None), row(1, 0), row(9, 0)]
    inputs = [planned(task, repeat) for task in (0, 1, 2) for repeat in (0, 1)]
    failures = [row(1, 1, **FAILED), row(1, 1, **FAILED), row(8, 0, **FAILED)]
    files = {"r.jsonl": rows, "r_materialized_inputs.jsonl": inputs, "r_failures.jsonl": failures}
    with opened(files) as run:
        assert run.denominator.expected_source == "inputs"
        assert states(run) == {
            "0:0": "scored",
            "0:1": "errored",
            "1:0": "scored",
            "1:1": "errored",
            "2:0": "missing",
            "2:1": "missing",
        }
        assert classes(run) == [("0:0", "scored"), ("0:1", "errored"), ("1:0", "scored"), ("9:0", "unexpected")]
        assert dict(run.query("SELECT rollout, attempts FROM plan").rows)["1:1"] == 2
        assert run.outcomes.tasks == ["0", "1", "2"]


def test_inputs_of_another_run_are_stale_and_no_plan() -> None:
    files: dict[str, list[Line]] = {"r.jsonl": [row(0, 0)], "r_materialized_inputs.jsonl": [planned(7, 0), planned(8, 0)]}
    with opened(files) as run:
        assert run.denominator.expected_source == "observed"
        assert "inputs_do_not_match" in codes(run)
        assert next(item.state for item in run.inventory if item.kind == "materialized_inputs") == "stale"
        assert (run.denominator.expected, run.denominator.missing, run.denominator.unexpected) == (1, 0, 0)


def test_without_a_plan_what_was_observed_is_expected_failures_too() -> None:
    with opened({"r.jsonl": [row(0, 0), row(1, 3)], "r_failures.jsonl": [row(0, 1, **FAILED), row(5, 0, **FAILED)]}) as run:
        assert run.denominator.expected_source == "observed"
        assert states(run) == {"0:0": "scored", "1:3": "scored", "0:1": "errored", "5:0": "errored"}
        assert run.denominator.missing == 0


@pytest.mark.parametrize(
    ("rows", "repeats", "missing"),
    [
        ([row(0, 0), row(1, 0), row(1, 1)], 2, {"0:1"}),
        ([row(0, 1)], 3, {"0:0", "0:2"}),
        ([row(0, 7)], 3, {"0:0", "0:1"}),
        ([row(0, 0), row(0, 1), row(0, 2)], 2, set()),
        ([row(0, 0, None)], 2, {"0:1"}),
    ],
)
def test_a_declared_count_fills_up_with_the_lowest_free_numbers(
    rows: list[dict[str, Any]], repeats: int, missing: set[str]
) -> None:
    with opened(rows, repeats=repeats) as run:
        assert run.denominator.expected_source == "declared"
        assert {rollout for rollout, state in states(run).items() if state == "missing"} == missing


@pytest.mark.parametrize(
    ("fields", "source", "expected"),
    [
        ({"num_trials": 3}, "declared", 3),
        ({"config": {"num_trials": 4}}, "declared", 4),
        ({"num_repeats": 0}, "observed", 1),
        ({"num_repeats": "many"}, "observed", 1),
        ({"num_repeats": 2.5}, "observed", 1),
        ({}, "observed", 1),
    ],
)
def test_rows_may_declare_how_often_they_were_to_be_run(fields: dict[str, Any], source: str, expected: int) -> None:
    with opened([row(0, 0, **fields)]) as run:
        assert (run.denominator.expected_source, run.denominator.expected) == (source, expected)


def test_a_declaration_that_rows_disagree_on_or_exceed_declares_nothing() -> None:
    with opened([row(0, 0, num_trials=2), row(1, 0, num_trials=3)]) as run:
        assert run.denominator.expected_source == "observed"
    with opened([row(0, repeat, num_trials=2) for repeat in range(3)]) as run:
        assert run.denominator.expected_source == "observed"


def manifest(path: Path, **content: Any) -> None:
    path.write_text(json.dumps(content))


def test_the_manifest_declares_and_a_flag_overrides_it(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0, 0)])
    manifest(tmp_path / "r_run.json", repeats=4)
    with open_run(tmp_path, use_index=False) as run:
        assert (run.denominator.expected_source, run.denominator.missing) == ("manifest", 3)
    with open_run(tmp_path, use_index=False, repeats=2) as run:
        assert (run.denominator.expected_source, run.denominator.missing) == ("declared", 1)


@pytest.mark.parametrize("repeats", [True, 0, -1, "4", None, 2.5])
def test_a_manifest_without_a_whole_repeat_count_declares_nothing(tmp_path: Path, repeats: Any) -> None:
    write_jsonl(tmp_path / "r.jsonl", [row(0, 0)])
    manifest(tmp_path / "r_run.json", repeats=repeats)
    with open_run(tmp_path, use_index=False) as run:
        assert run.denominator.expected_source == "observed"


def test_shards_with_their_own_inputs_and_ids_are_one_plan() -> None:
    files = {
        "a.jsonl": [row(0, 0)],
        "a_materialized_inputs.jsonl": [planned(0, 0), planned(1, 0)],
        "b.jsonl": [row(2, 0), row(7, 0)],
        "b_materialized_inputs.jsonl": [planned(2, 0), planned(3, 0)],
    }
    with opened(files) as run:
        assert states(run) == {"0:0": "scored", "1:0": "missing", "2:0": "scored", "3:0": "missing"}
        assert classes(run)[-1] == ("7:0", "unexpected")


def test_shards_that_restart_their_numbers_plan_further_repeats() -> None:
    """Two shards of two planned repeats each, of which one rollout is missing in each."""
    inputs = [planned(0, 0), planned(0, 1)]
    files = {
        "a.jsonl": [row(0, 0, note="a")],
        "a_materialized_inputs.jsonl": inputs,
        "b.jsonl": [row(0, 0, note="b")],
        "b_materialized_inputs.jsonl": inputs,
    }
    with opened(files) as run:
        assert (run.denominator.expected, run.denominator.scored, run.denominator.missing, run.denominator.unexpected) == (
            4,
            2,
            2,
            0,
        )
        assert run.meta["identity"]["renumbered"]


def test_a_shard_that_lost_all_rows_of_a_task_still_planned_them() -> None:
    inputs = [planned(0, 0), planned(1, 0)]
    files = {
        "a.jsonl": [row(0, 0, note="a"), row(1, 0, note="a")],
        "a_materialized_inputs.jsonl": inputs,
        "b.jsonl": [row(1, 0, note="b")],
        "b_materialized_inputs.jsonl": inputs,
    }
    with opened(files) as run:
        assert (run.denominator.expected, run.denominator.scored, run.denominator.missing) == (4, 3, 1)


def test_a_copied_shard_adds_duplicates_and_nothing_to_the_plan() -> None:
    files: dict[str, list[Line]] = {}
    for name in ("a", "b"):
        files |= {f"{name}.jsonl": [row(0, 0), row(1, 0)], f"{name}_materialized_inputs.jsonl": [planned(0, 0), planned(1, 0)]}
    with opened(files) as run:
        assert (run.denominator.expected, run.denominator.scored, run.denominator.duplicate, run.denominator.missing) == (
            2,
            2,
            2,
            0,
        )


def test_inputs_of_the_second_of_two_files_belong_to_the_second() -> None:
    """Its row is renumbered, and so is what was planned for it."""
    files = {
        "a.jsonl": [row(0, 0, note="a")],
        "b.jsonl": [row(0, 0, note="b")],
        "b_materialized_inputs.jsonl": [planned(0, 0)],
        "b_failures.jsonl": [row(0, 0, **FAILED)],
    }
    with opened(files) as run:
        assert states(run) == {"0:0": "scored", "0:1": "scored"}
        assert "partial_plan" in codes(run)
        assert dict(run.query("SELECT rollout, attempts FROM plan").rows) == {"0:0": 1, "0:1": 2}


def test_equal_names_in_two_directories_are_two_files_of_which_one_has_a_plan() -> None:
    files = {
        "one/rollouts.jsonl": [row(0, 0)],
        "one/rollouts_materialized_inputs.jsonl": [planned(0, 0), planned(0, 1)],
        "two/rollouts.jsonl": [row(5, 0)],
    }
    with opened(files, spec="*/rollouts.jsonl") as run:
        assert states(run) == {"0:0": "scored", "0:1": "missing", "5:0": "scored"}
        assert "partial_plan" in codes(run)


def test_inputs_given_outright_are_the_plan_of_all_files(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", [row(0, 0), row(9, 0)])
    write_jsonl(tmp_path / "b.jsonl", [row(0, 1), row(1, 0)])
    inputs = write_jsonl(tmp_path / "all" / "plan.jsonl", [planned(task, repeat) for task in (0, 1) for repeat in (0, 1)])
    with open_run(tmp_path, use_index=False, inputs=inputs) as run:
        assert states(run) == {"0:0": "scored", "0:1": "scored", "1:0": "scored", "1:1": "missing"}
        assert (run.denominator.unexpected, "partial_plan" in codes(run)) == (1, False)
