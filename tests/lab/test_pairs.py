"""Planted pairs: the runs differ in what was planted and in nothing else, and the comparison names it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from blade.lab.environments import ENVIRONMENTS
from blade.lab.pairs.bench import Bench
from blade.lab.pairs.exam import examine, worlds
from blade.lab.pairs.marking import mark
from blade.lab.pairs.planted import HARD, PLANTS
from blade.lab.pairs.truth import TERMS, Pair, Truth
from blade.lab.pairs.world import ODD_OUTAGES, OUTAGES, make_world
from blade.lab.stage.script import Row

TOLD, UNTOLD = ("records", 90_000), ("questions", 90_003)
"""A world with tools and manifests, and one with neither."""
SEEN_UNTOLD = ("same_system", "verifier", "outage", "tasks_replaced", "rows_lost", "prompt", "tool")


@cache
def bench(world: tuple[str, int]) -> Bench:
    return Bench(make_world(*world))


@cache
def planted(kind: str, world: tuple[str, int] = TOLD) -> Pair:
    return (PLANTS | HARD)[kind](bench(world))


def by_key(rows: Any) -> dict[tuple[int, int], Row]:
    return {(row["_ng_task_index"], row["_ng_rollout_index"]): row for row in rows}


def score(rows: Any) -> float:
    tasks: dict[int, list[float]] = {}
    for (task, _), row in by_key(rows).items():
        tasks.setdefault(task, []).append(row["reward"])
    return fmean(map(fmean, tasks.values()))


@pytest.mark.parametrize(("world", "kinds"), [(TOLD, tuple(PLANTS)), (UNTOLD, SEEN_UNTOLD)])
def test_the_reason_is_named(world: tuple[str, int], kinds: tuple[str, ...]) -> None:
    marked = examine(world, kinds)
    assert [one.kind for one in marked] == list(kinds)
    assert {one.kind: one.mark.wrong for one in marked if not one.mark.right} == {}


@pytest.mark.parametrize("kind", [*PLANTS, *HARD])
def test_the_truth_is_what_the_rows_say(kind: str) -> None:
    pair = planted(kind)
    assert score(pair.b.rows) - score(pair.a.rows) == pytest.approx(pair.truth.size, abs=1e-12)
    if pair.truth.term is None and pair.truth.quiet:
        assert pair.truth.size == 0.0
    else:
        assert pair.truth.size != 0.0


def test_a_seed_says_everything() -> None:
    again = Bench(make_world(*TOLD))
    assert again.rows == bench(TOLD).rows
    assert [PLANTS[kind](again).b.rows == planted(kind).b.rows for kind in ("outage", "model")] == [True, True]
    assert Bench(make_world("records", 90_001)).rows != again.rows
    assert worlds(16, 0) == [*worlds(8, 0), *worlds(16, 0)[8:]]
    assert {environment for environment, _ in worlds(len(ENVIRONMENTS), 0)} == set(ENVIRONMENTS)


@pytest.mark.parametrize("kind", ["prompt", "skill", "tool", "model"])
def test_rollouts_that_a_change_leaves_alone_are_shared(kind: str) -> None:
    pair = planted(kind)
    a, b = by_key(pair.a.rows), by_key(pair.b.rows)
    moved = [key for key in a if a[key]["reward"] != b[key]["reward"]]
    same = [key for key in a if a[key]["response"]["output"] == b[key]["response"]["output"]]
    assert a.keys() == b.keys()
    assert moved
    assert not set(moved) & set(same)
    assert len({b[key]["reward"] for key in moved}) == 1, "all for the better or all for the worse"
    assert len(moved) + len(same) >= 0.9 * len(a)


def test_a_stricter_verifier_only_takes_away_and_treats_equal_outputs_alike() -> None:
    pair = planted("reverified")
    a, b = by_key(pair.a.rows), by_key(pair.b.rows)
    assert all(a[key]["response"] == b[key]["response"] and a[key]["reward"] >= b[key]["reward"] for key in a)
    assert all(b[key]["reverified"]["previous_reward"] == a[key]["reward"] for key in a)
    grades: dict[str, set[float]] = {}
    for row in b.values():
        said = [item.get("content", item.get("arguments")) for item in row["response"]["output"] if item["type"] != "reasoning"]
        grades.setdefault(f"{row['_ng_task_index']} {said}", set()).add(row["reward"])
    assert all(len(found) == 1 for found in grades.values())


def test_a_limit_cuts_as_endpoints_do() -> None:
    pair = planted("token_limit")
    a, b = by_key(pair.a.rows), by_key(pair.b.rows)
    cut = [key for key, row in b.items() if row["response"]["status"] == "incomplete"]
    limits = {row["responses_create_params"]["max_output_tokens"] for row in b.values()}
    assert len(limits) == 1
    assert 0.3 * len(b) < len(cut) < 0.9 * len(b)
    for key in cut:
        response = b[key]["response"]
        assert response["incomplete_details"] == {"reason": "max_output_tokens"}
        assert response["usage"]["output_tokens"] == response["max_output_tokens"] in limits
        *whole, last = response["output"]
        assert whole == a[key]["response"]["output"][: len(whole)]
        assert last == a[key]["response"]["output"][len(whole)] or last["status"] == "incomplete"
    assert all(a[key]["response"]["output"] == b[key]["response"]["output"] for key in b.keys() - set(cut))


def test_lost_rows_are_known_to_be_lost() -> None:
    for world in (TOLD, UNTOLD, ("terminal", 90_000), ("terminal", 90_001), ("museum", 90_002)):
        pair = planted("rows_lost", world)
        told = {row["_ng_task_index"] for row in (*pair.b.inputs, *pair.b.failures)}
        gone = {row["_ng_task_index"] for row in pair.a.rows} - {row["_ng_task_index"] for row in pair.b.rows}
        assert len(gone) == 8
        assert gone <= told


def test_an_outage_strikes_while_it_lasts_and_nobody_else() -> None:
    pair = planted("outage")
    a, b = by_key(pair.a.rows), by_key(pair.b.rows)
    struck = [key for key in a if a[key]["response"]["output"] != b[key]["response"]["output"] or "judge_error" in b[key]]
    assert 0.2 * len(a) < len(struck) < 0.7 * len(a)
    assert all(a[key]["reward"] == b[key]["reward"] for key in a.keys() - set(struck))
    assert not set(OUTAGES) & set(ODD_OUTAGES)


def test_files_are_written_under_the_names_of_the_format(tmp_path: Path) -> None:
    files = replace(planted("rows_lost").b, inputs=planted("itself").a.rows[:1], failures=planted("itself").a.rows[:2])
    path = files.write(tmp_path / "run")
    assert sorted(one.name for one in path.parent.iterdir()) == [
        "rollouts.jsonl",
        "rollouts_failures.jsonl",
        "rollouts_materialized_inputs.jsonl",
        "rollouts_run.json",
    ]
    stated = json.loads((path.parent / "rollouts_run.json").read_text())
    assert {"model", "agent", "verifier", "dataset", "prompt", "sampling", "limits", "repeats"} <= stated.keys()
    assert planted("prompt", UNTOLD).b.manifest is None


TRUTH = Truth("verifier", -0.2, changed=frozenset({"verifier"}), single=True, verdicts=frozenset({"regressed", "inconclusive"}))


def comparison(**terms: tuple[float, float, float]) -> dict[str, Any]:
    """A document that is right about TRUTH but for the terms given as (delta, low, high)."""
    parts = dict.fromkeys(TERMS, (0.0, 0.0, 0.0)) | {"verifier": (-0.2, -0.3, -0.1)} | terms
    return {
        "waterfall": [{"term": name, "delta": delta, "ci": [low, high]} for name, (delta, low, high) in parts.items()],
        "changed": [{"what": "verifier"}],
        "single_change": True,
        "verdict": "regressed",
        "without_set_aside": {"verdict": "regressed"},
        "tasks": {"redefined": 0},
        "runs": [{"problems": []}, {"problems": [{"code": "duplicate_rows"}]}],
    }


def test_what_is_right_is_right() -> None:
    found = mark(comparison(), replace(TRUTH, problem="duplicate"))
    assert found.right
    assert (found.verdict, found.holds_size) == ("regressed", True)
    assert mark(comparison(verifier=(-0.1, -0.15, -0.05)), TRUTH).holds_size is False


@pytest.mark.parametrize(
    ("document", "truth", "why"),
    [
        (comparison(change=(-0.25, -0.3, -0.2)), TRUTH, "the largest term is change"),
        (comparison(change=(-0.01, -0.02, 0.0)), TRUTH, "change is -0.0100, and nothing of that was planted"),
        (comparison(missing=(0.0, -0.1, 0.1)), TRUTH, "missing is +0.0000"),
        (comparison(verifier=(-0.2, -0.45, 0.05)), TRUTH, "does not exclude 0"),
        (comparison(verifier=(-0.1, -0.15, -0.05)), TRUTH, "verifier is -0.1000 and not -0.2000"),
        (comparison(verifier=(0.2, 0.1, 0.3)), TRUTH, "the wrong way"),
        (comparison() | {"changed": []}, TRUTH, "changed is []"),
        (comparison() | {"changed": [{"what": "verifier"}, {"what": "model"}]}, TRUTH, "changed is ['model', 'verifier']"),
        (comparison() | {"single_change": None}, TRUTH, "single_change is None"),
        (comparison() | {"verdict": "improved"}, TRUTH, "the verdict is improved"),
        (comparison() | {"tasks": {"redefined": 2}}, TRUTH, "2 tasks count as redefined"),
        (comparison(), replace(TRUTH, set_aside=True), "without the rows set aside the verdict is regressed"),
        (comparison(), replace(TRUTH, problem="conflicting"), "the inspection names no conflicting rows"),
        (comparison(), Truth(None, changed=frozenset({"verifier"}), single=True), "verifier is -0.2000"),
    ],
)
def test_what_is_wrong_is_said(document: dict[str, Any], truth: Truth, why: str) -> None:
    assert why in "; ".join(mark(document, truth).wrong)


def test_where_rows_are_set_aside_a_smaller_change_is_chance() -> None:
    truth = replace(TRUTH, exact=False)
    assert mark(comparison(verifier=(-0.18, -0.3, -0.1), change=(-0.02, -0.1, 0.05)), truth).right
    assert not mark(comparison(verifier=(-0.18, -0.3, -0.1), missing=(-0.02, -0.1, 0.05)), truth).right
