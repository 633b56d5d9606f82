"""The self-test: a fair spread of cases, parts that never meet, and the same score whoever does the work."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from blade.engines.local import LocalEngine
from blade.lab.environments import ENVIRONMENTS
from blade.lab.faults.catalogue import KIND
from blade.lab.selftest import Spec, combinations, examine, selftest, specs, tuning_cases
from blade.signals.labels import LABELS


def blind(path: Path) -> dict[str, Any]:
    """A diagnosis that blames behaviour for every task with a failed row, and points at the first step."""
    tasks: dict[str, list[dict[str, Any]]] = {}
    for line in path.read_bytes().splitlines():
        row = msgspec.json.decode(line)
        key = f"{row['_ng_task_index']}:{row['_ng_rollout_index']}"
        repeats = tasks.setdefault(str(row["_ng_task_index"]), [])
        if all(repeat["rollout"] != key for repeat in repeats):
            repeats.append(
                {"rollout": key, "passed": row["reward"] == 1.0, "findings": [{"label": "BI", "code": "x", "step": 0}]}
            )
    told = []
    for task, repeats in tasks.items():
        failing = [repeat for repeat in repeats if not repeat["passed"]]
        cause = (
            {"label": "BI", "code": "x", "confidence": 0.5, "decisive": {"rollout": failing[0]["rollout"], "step": 0}}
            if failing
            else None
        )
        bucket = "always" if not failing else "never" if len(failing) == len(repeats) else "sometimes"
        told.append(
            {
                "task": task,
                "bucket": bucket,
                "n": len(repeats),
                "passed": len(repeats) - len(failing),
                "cause": cause,
                "repeats": repeats,
            }
        )
    return {"tasks": told}


def test_the_parts_share_no_kind_with_environment_and_no_seed() -> None:
    tuning, held_out = set(combinations("tuning")), set(combinations("held_out"))
    assert not tuning & held_out
    assert tuning | held_out == set(combinations("all"))
    assert all(not ENVIRONMENTS[place].held_out and not KIND[kind].held_out for place, kind in tuning)
    assert not {spec.seed for spec in specs("tuning", 500, 0)} & {spec.seed for spec in specs("held_out", 500, 0)}
    assert {KIND[kind].label for _, kind in held_out} == {KIND[kind].label for _, kind in tuning} == set(LABELS)


def test_cases_are_spread_evenly() -> None:
    wanted = specs("held_out", 240, 3)
    planted = [spec for spec in wanted if spec.kind]
    assert len(planted) == 240
    assert set(Counter(KIND[spec.kind].label for spec in planted).values()) == {40}
    assert set(Counter(spec.severity for spec in planted).values()) == {120}
    assert len({spec.kind for spec in planted}) == len({kind for _, kind in combinations("held_out")})
    assert len([spec for spec in wanted if not spec.kind]) == 30
    assert all(KIND[spec.kind].label != KIND[spec.also].label for spec in planted if spec.also)
    assert any(spec.also for spec in planted)
    assert specs("held_out", 240, 3) == wanted
    assert specs("held_out", 240, 4) != wanted


def test_a_blind_diagnosis_scores_as_it_should() -> None:
    document = selftest(12, seed=1, part="tuning", diagnose=blind)
    labels = document["labels"]
    assert (labels["BI"]["recall"], labels["DA"]["recall"]) == (1.0, 0.0)
    assert labels["BI"]["precision"] == pytest.approx(labels["BI"]["n"] / labels["BI"]["predicted"])
    assert labels["BI"]["predicted"] == document["planted_tasks"]
    assert document["always_pass_with_cause"] == 0
    assert document["modes"]["f1"] < 1.0
    assert document["clean"]["false_findings"] == {"DA": 0, "IR": 0, "TI": 0}
    assert {"labels", "confusion", "modes", "steps", "calibration"} <= set(document)


def test_the_number_of_workers_shows_nowhere() -> None:
    alone = selftest(6, seed=2, part="all", diagnose=blind)
    with LocalEngine(2) as engine:
        assert selftest(6, seed=2, part="all", diagnose=blind, engine=engine) == alone


def test_a_clean_case_is_judged_for_false_findings() -> None:
    outcome = examine((Spec("records", "", "clean", 4), blind))
    assert outcome.quiet is not None
    assert all(one.truth in ("", "noise") for one in outcome.judged)


def test_tuning_cases_never_hold_anything_held_out() -> None:
    assert not any(case.held_out for case in tuning_cases(8, seed=5))
