"""Faults planted into copies of a run: what is planted fails as the run's own failures do, the rest stays as it was."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from blade.errors import NotDecidable
from blade.lab.cases import clean
from blade.lab.environments import ENVIRONMENTS
from blade.lab.transplant.mutations import MUTATIONS
from blade.lab.transplant.plan import Material, material, transplanted
from blade.lab.transplant.rollout import Rollout, shape
from blade.lab.transplant.verdict import learn_verdict
from blade.runs.run import open_run
from tests.shared_data import needs_shared_data, shared_data


def stuff_of(environment: str, folder: Path, seed: int = 7) -> Material:
    with open_run(clean(environment, seed, tasks=16).write(folder), use_index=False) as run:
        return material(run)


@pytest.mark.parametrize("environment", sorted(ENVIRONMENTS))
def test_planted_rollouts_fail_and_the_copy_is_a_run(environment: str, tmp_path: Path) -> None:
    stuff = stuff_of(environment, tmp_path)
    for seed in range(3):
        case = transplanted(stuff, seed)
        assert case.planted
        with open_run(case.write(tmp_path / str(seed)), use_index=False) as run:
            assert [problem for problem in run.problems if "conflict" not in problem.code] == []
            booked = {
                rollout for (rollout,) in run.query("SELECT rollout FROM rollouts WHERE class = 'scored' AND reward < 1").rows
            }
        assert booked == set(case.planted) | case.noise


def test_every_kind_finds_occasion_somewhere(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for environment in ("records", "questions", "dialogue"):
        stuff = stuff_of(environment, tmp_path / environment)
        for seed in range(8):
            seen.update(transplanted(stuff, seed).kinds)
    assert {mutation.kind for mutation in MUTATIONS} <= set(seen)


def test_the_same_seed_plants_the_same(tmp_path: Path) -> None:
    stuff = stuff_of("records", tmp_path)
    one, two = transplanted(stuff, 5), transplanted(stuff, 5)
    assert (one.rows, one.planted) == (two.rows, two.planted)
    assert transplanted(stuff, 6).planted != one.planted


def test_a_failure_is_written_as_this_run_writes_it() -> None:
    passing = [{"reward": 1.0, "ok": True, "info": {"r": 1.0, "seconds": 3}, "size": number} for number in range(3)]
    failing = [{"reward": -1.0, "ok": False, "info": {"r": 0.0, "seconds": 3}, "size": 9}]
    verdict = learn_verdict(passing, failing)
    row = {"reward": 1.0, "ok": True, "info": {"r": 1.0, "seconds": 3}, "size": 2}
    verdict.fail(row)
    assert row == {"reward": -1.0, "ok": False, "info": {"r": 0.0, "seconds": 3}, "size": 2}
    assert learn_verdict(passing, []).failing == {("reward",): 0.0}


def test_a_run_without_a_pass_cannot_be_planted_in(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    row = {"_ng_task_index": 0, "_ng_rollout_index": 0, "reward": 0.0, "response": {"output": []}}
    path.write_text(json.dumps(row) + "\n")
    with open_run(path, use_index=False) as run:
        stuff = material(run)
    with pytest.raises(NotDecidable, match="nothing to spoil"):
        transplanted(stuff, 0)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("credit_card_9074831", "credit_card_4959530", True),
        ("M20IZO", "3JA7XV", True),
        ("M20IZO", "FLIGHT", False),
        ("pm_1234", "CT-1234", False),
    ],
)
def test_ids_of_one_kind_look_alike(one: str, other: str, alike: bool) -> None:
    assert (shape(one) == shape(other)) is alike


def test_a_row_without_output_has_no_items() -> None:
    assert Rollout("0:0", {"response": "text"}).items == []


@needs_shared_data
def test_real_dialogues_can_be_planted_in(tmp_path: Path) -> None:
    folder = shared_data()
    assert folder is not None
    with open_run(folder / "taubench" / "airline__gpt-4o__tool-calling__4t.jsonl.gz", use_index=False) as run:
        stuff = material(run)
    labels = Counter(fault.label for seed in range(3) for fault in transplanted(stuff, seed).planted.values())
    assert set(labels) == {"DA", "IR", "TI", "BI", "UK", "KG"}
