"""Slices: which fields make them, and whether the differences found are there."""

from typing import Any

import numpy as np
import pytest

from blade import stats
from blade.claims.builder import Claims
from blade.diagnosis.slice_words import speaks_of_outcome
from blade.diagnosis.slices import slice_query, slice_rate_query, slices
from tests.runs.support import opened, planned, row
from tests.shared_data import needs_shared_data, shared_data

KINDS = ["easy", "hard"]


def rows(tasks: int = 24, repeats: int = 2, **fields: Any) -> list[dict[str, Any]]:
    """Even tasks are easy and pass, odd ones pass every fourth time; a field may be a function of task and repeat."""
    made = []
    for task in range(tasks):
        for repeat in range(repeats):
            given = {name: value(task, repeat) if callable(value) else value for name, value in fields.items()}
            made.append(row(task, repeat, 1 if task % 2 == 0 or (task + repeat) % 8 == 1 else 0, **given))
    return made


def found_by(lines: list[dict[str, Any]], named: tuple[str, ...] = (), **options: Any) -> list[str]:
    with opened(lines, **options) as run:
        return list(dict.fromkeys(slice_["by"] for slice_ in slices(run, named).slices))


@pytest.mark.parametrize(
    ("field", "value", "is_one"),
    [
        ("difficulty", lambda task, _: KINDS[task % 2], True),
        ("level", lambda task, _: task % 4, True),
        ("multi_turn", lambda task, _: task % 2 == 0, True),
        ("metadata", lambda task, _: {"domain": KINDS[task % 3 // 2]}, True),
        ("verifier_metadata", lambda task, _: {"category": KINDS[task % 3 // 2]}, True),
        ("answer_type", lambda task, _: KINDS[task % 2], True),
        ("expected_answer", lambda task, _: "ABCD"[task % 4], False),  # an answer
        ("passed", lambda task, _: task % 3 == 0, False),  # an outcome
        ("error_type", lambda task, _: KINDS[task % 2], False),
        ("template_id", lambda task, _: task % 3, False),  # an id
        ("total_cost", lambda task, _: task % 3, False),
        ("quality", lambda task, _: [0.25, 0.5][task % 2], False),  # a measurement
        ("domain", lambda task, _: f"domain {task}", False),  # no two tasks alike
        ("domain", "one", False),
        ("domain", lambda task, repeat: KINDS[repeat % 2], False),  # not of the task
        ("domain", lambda task, _: "rare" if task < 3 else None, False),
        ("tags", lambda task, _: [KINDS[task % 2]], False),
    ],
)
def test_a_slice_field_is_metadata_with_few_values_of_enough_tasks(field: str, value: Any, is_one: bool) -> None:
    assert bool(found_by(rows(**{field: value}))) == is_one


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("difficulty", False),
        ("questionType", False),
        ("answer_format", False),
        ("source_dataset", False),
        ("难度", False),
        ("finish_reason", True),
        ("isCorrect", True),
        ("task.user_id", True),
        ("gold_label", True),
        ("judge.category", True),
        ("output_tokens", True),
        ("extracted_answer", True),
    ],
)
def test_names_tell_outcomes_from_kinds(name: str, outcome: bool) -> None:
    assert speaks_of_outcome(name) == outcome


def test_where_the_inputs_are_known_only_their_fields_count() -> None:
    lines = rows(kind=lambda task, _: KINDS[task % 2], verdictish=lambda task, _: KINDS[task % 3 // 2])
    inputs = [planned(task, repeat, kind=KINDS[task % 2]) for task in range(24) for repeat in range(2)]
    with opened({"r.jsonl": lines, "r_materialized_inputs.jsonl": inputs}) as run:
        assert {slice_["by"] for slice_ in slices(run).slices} == {"kind"}


def test_without_repeats_an_object_must_be_named_as_metadata() -> None:
    def value(task: int, _: int) -> dict[str, str]:
        return {"source": KINDS[task % 3 // 2]}

    assert found_by(rows(repeats=1, info=value)) == []
    assert found_by(rows(repeats=1, task_info=value)) == ["task_info.source"]


def test_a_field_that_settles_every_outcome_is_part_of_the_verdict() -> None:
    lines = [row(task, 0, task % 2, ending=KINDS[task % 2]) for task in range(20)]
    with opened(lines) as run:
        found = slices(run)
        assert found.slices == []
        assert "verdict" in found.refused["ending"]
        assert [slice_["value"] for slice_ in slices(run, ["ending"]).slices] == ["easy", "hard"]


def test_fields_that_divide_alike_are_one() -> None:
    assert found_by(rows(domain=lambda task, _: KINDS[task % 2], group=lambda task, _: task % 2)) == ["domain"]


def test_fields_named_by_the_benchmark_come_whatever_their_names_or_with_a_reason() -> None:
    lines = rows(result=lambda task, _: KINDS[task % 2], shard=lambda task, repeat: repeat)
    assert found_by(lines, ("result",)) == ["result"]
    with opened(lines) as run:
        refused = slices(run, ("nowhere", "shard")).refused
    assert refused == {"nowhere": "no row has this field", "shard": "it varies between the rollouts of 24 tasks"}


def test_a_slice_is_its_tasks_against_all_others() -> None:
    lines = rows(40, 2, kind=lambda task, _: ["even", "odd", "odd", "odd"][task % 4])
    means = np.array([np.mean([line["reward"] for line in lines[2 * task : 2 * task + 2]]) for task in range(40)])
    inside = np.arange(40) % 4 == 0
    with opened(lines) as run, Claims(run) as claims:
        found = slices(run)
        even = next(slice_ for slice_ in found.slices if slice_["value"] == "even")
        tested = claims.add("even against the rest", slice_query(run, "kind", "even"), "slice_test")
        rate = claims.add("even", slice_rate_query(run, "kind", "even"), "rate_interval")
    expected = stats.slice_test(means, inside)
    assert expected is not None
    assert found.tests == 1  # two values, one question
    assert (even["tasks"], even["rest_tasks"]) == (10, 30)
    assert (even["pass_at_1"], even["rest_pass_at_1"]) == pytest.approx((means[inside].mean(), means[~inside].mean()))
    assert even["p_adjusted"] == even["p_value"] == pytest.approx(expected.p_value)
    assert (tested["mean"], tested["p_value"]) == pytest.approx((even["pass_at_1"], even["p_value"]))
    assert (rate["value"], rate["ci"]) == (pytest.approx(even["pass_at_1"]), pytest.approx(even["ci"]))


def test_p_values_are_adjusted_for_all_that_was_looked_at() -> None:
    lines = rows(48, 1, kind=lambda task, _: KINDS[task % 2], level=lambda task, _: task // 2 % 3)
    with opened(lines) as run:
        found = slices(run)
    assert found.tests == 4
    by_test = {(slice_["by"], slice_["value"] if slice_["by"] == "level" else ""): slice_["p_value"] for slice_ in found.slices}
    adjusted = dict(zip(by_test, stats.holm(list(by_test.values())), strict=True))
    for slice_ in found.slices:
        key = (slice_["by"], slice_["value"] if slice_["by"] == "level" else "")
        assert slice_["p_adjusted"] == pytest.approx(adjusted[key])
        assert (slice_["tests"], slice_["correction"]) == (4, "holm")
    assert found.slices[0]["by"] == "kind"
    assert [slice_["p_adjusted"] for slice_ in found.slices] == sorted(slice_["p_adjusted"] for slice_ in found.slices)


def test_without_a_pass_rule_slices_have_mean_rewards() -> None:
    lines = [row(task, 0, 2.5 * (task % 5), kind=KINDS[task % 2]) for task in range(20)]
    with opened(lines) as run, Claims(run) as claims:
        found = slices(run).slices
        mean = claims.add("hard", slice_rate_query(run, "kind", "hard"), "mean_interval")
    hard = next(slice_ for slice_ in found if slice_["value"] == "hard")
    assert hard["pass_at_1"] is None
    assert hard["mean_reward"] == pytest.approx(np.mean([2.5 * (task % 5) for task in range(1, 20, 2)]))
    assert (mean["value"], mean["ci"]) == (pytest.approx(hard["mean_reward"]), pytest.approx(hard["ci"]))


def test_odd_names_and_values_are_quoted() -> None:
    lines = rows(**{'ki"nd; --': lambda task, _: ["it's", '"; DROP'][task % 2]})
    with opened(lines) as run, Claims(run) as claims:
        found = slices(run).slices
        assert {slice_["value"] for slice_ in found} == {"it's", '"; DROP'}
        assert all(
            claims.add("s", slice_query(run, slice_["by"], slice_["value"]), "slice_test")["tasks"] == 12 for slice_ in found
        )


def test_nothing_scored_has_no_slices() -> None:
    with opened([row(0, 0, None, kind="a"), row(1, 0, "x", kind="b")]) as run:
        assert (slices(run).slices, slices(run).tests) == ([], 0)


@needs_shared_data
def test_a_real_run_is_sliced_by_difficulty_and_platform() -> None:
    folder = shared_data()
    assert folder is not None
    from blade.runs.run import open_run

    with open_run(folder / "livecodebench" / "o1-mini.jsonl.gz", use_index=False) as run:
        found = slices(run).slices
    assert {slice_["by"] for slice_ in found} == {"difficulty", "platform"}
    hard = next(slice_ for slice_ in found if slice_["value"] == "hard")
    assert hard["pass_at_1"] < hard["rest_pass_at_1"]
    assert hard["p_adjusted"] < 0.01
