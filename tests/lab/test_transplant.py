"""Faults planted into copies of a run: what is planted fails as the run's own failures do, the rest stays as it was."""

from __future__ import annotations

import json
import re
from collections import Counter
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest

from blade.errors import NotDecidable
from blade.lab.cases import clean
from blade.lab.environments import ENVIRONMENTS
from blade.lab.stage.script import Row
from blade.lab.transplant.mutations import MUTATIONS, Mutate, model_failure, truncation
from blade.lab.transplant.plan import Material, material, transplanted
from blade.lab.transplant.rollout import Rollout
from blade.lab.transplant.twin import swapped_gold
from blade.lab.transplant.values import is_identifier, wrong_values
from blade.lab.transplant.verdict import learn_verdict, recheck
from blade.runs.run import open_run
from tests.shared_data import needs_shared_data, shared_data


def stuff_of(environment: str, folder: Path, seed: int = 7) -> Material:
    with open_run(clean(environment, seed, tasks=16).write(folder), use_index=False) as run:
        return material(run)


@pytest.mark.parametrize("environment", sorted(ENVIRONMENTS))
def test_planted_rollouts_fail_and_the_copy_is_a_run(environment: str, tmp_path: Path) -> None:
    stuff = stuff_of(environment, tmp_path)
    for seed in range(2):
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
    assert learn_verdict(passing, [], -3.0).failing == {("reward",): -3.0}


def test_a_run_without_a_pass_cannot_be_planted_in(tmp_path: Path) -> None:
    path = tmp_path / "rollouts.jsonl"
    row = {"_ng_task_index": 0, "_ng_rollout_index": 0, "reward": 0.0, "response": {"output": []}}
    path.write_text(json.dumps(row) + "\n")
    with open_run(path, use_index=False) as run:
        stuff = material(run)
    with pytest.raises(NotDecidable, match="nothing to spoil"):
        transplanted(stuff, 0)


@pytest.mark.parametrize(
    ("name", "value", "identifies"),
    [
        ("customer_id", 12345, True),
        ("shipmentNo", "SH1", True),
        ("zip", "80331", True),
        ("recipient", "eve@example.org", True),
        ("reference", "M20IZO", True),
        ("pieces", 240, False),
        ("amount", "12.50", False),
        ("date", "2026-03-04", False),
        ("start", "2026-03-04T10:00:00Z", False),
        ("insurance", True, False),
        ("cabin", "economy", False),
    ],
)
def test_identifiers_are_told_from_quantities_dates_and_options(name: str, value: object, identifies: bool) -> None:
    assert is_identifier(name, value) is identifies
    wrong = wrong_values(name, value, ("economy", "business"), Random(1), 1)
    assert (wrong == []) is identifies
    assert value not in wrong
    assert all(type(other) is type(value) for other in wrong)


def test_knowledge_faults_never_change_an_identifier(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for environment in ("records", "warehouse", "dialogue"):
        stuff = stuff_of(environment, tmp_path / environment)
        for seed in range(6):
            case = transplanted(stuff, seed)
            for row in case.rows:
                name = f"{row['_ng_task_index']}:{row['_ng_rollout_index']}"
                fault = case.planted.get(name)
                if fault is None or fault.kind not in ("same_wrong_argument", "wavering_argument"):
                    continue
                original = next(
                    held
                    for _, held in stuff.tasks[row["_ng_task_index"]]
                    if held["_ng_rollout_index"] == row["_ng_rollout_index"]
                )
                step = fault.steps[0]
                given, right = (Rollout(name, held).arguments(step) for held in (row, original))
                changed = [key for key in given if given[key] != right[key]]
                assert len(changed) == 1
                assert not is_identifier(changed[0], right[changed[0]])
                value = rf"(?<!\w){re.escape(str(right[changed[0]]))}(?!\w)"
                assert not re.search(value, Rollout(name, original).request(), re.IGNORECASE)
                seen[fault.kind] += 1
    assert set(seen) == {"same_wrong_argument", "wavering_argument"}


@pytest.mark.parametrize("mutate", [truncation, model_failure])
def test_who_gives_no_answer_has_none_extracted(mutate: Mutate, tmp_path: Path) -> None:
    stuff = stuff_of("questions", tmp_path)
    number = stuff.usable[0]
    repeats = [Rollout(str(at), deepcopy(row)) for at, (passed, row) in enumerate(stuff.tasks[number]) if passed]
    assert all(one.row["extracted_answer"] == one.row["expected_answer"] for one in repeats)
    assert mutate(repeats, [0], stuff.stock, Random(3)) is not None
    assert [one.row["extracted_answer"] is None for one in repeats] == [True] + [False] * (len(repeats) - 1)


def test_an_output_that_its_limit_ended_has_used_it_up(tmp_path: Path) -> None:
    stuff = stuff_of("questions", tmp_path)
    [one, *_] = [Rollout("0", deepcopy(row)) for passed, row in stuff.tasks[stuff.usable[0]] if passed]
    one.row["responses_create_params"]["max_output_tokens"] = 4096
    one.row["response"]["usage"] = {"input_tokens": 10, "output_tokens": 30}
    assert truncation([one], [0], stuff.stock, Random(3)) is not None
    assert one.row["response"]["usage"] == {"input_tokens": 10, "output_tokens": 4096}


@pytest.mark.parametrize("environment", ["questions", "warehouse", "records"])
def test_a_twin_states_one_gold_everywhere(environment: str, tmp_path: Path) -> None:
    stuff = stuff_of(environment, tmp_path)
    made = 0
    for number in stuff.usable:
        mine = [Rollout("0", row) for passed, row in stuff.tasks[number] if passed]
        for other in stuff.usable:
            donor = next(row for passed, row in stuff.tasks[other] if passed)
            for twin in swapped_gold(mine, donor, 99, stuff.fixed) or ():
                old = mine[0].row
                assert twin["responses_create_params"] == old["responses_create_params"]
                for name in ("expected_answer", "ground_truth", "reference_answer"):
                    if name in old:
                        assert twin[name] == donor[name]
                assert any(twin[name] != old[name] for name in old if name not in ("_ng_task_index",))
                if isinstance(old.get("options"), dict):
                    assert twin["options"] == old["options"]
                    assert twin["answer_text"] == old["options"][twin.get("expected_answer", twin.get("reference_answer"))]
                made += 1
    assert made


def test_a_twin_keeps_what_its_simulated_user_is_told() -> None:
    def row(number: int) -> Row:
        task = {
            "id": str(number),
            "user_scenario": {"instructions": {"reason_for_call": f"You want booking B-{number} cancelled."}},
            "initial_state": {"bookings": [number]},
            "evaluation_criteria": {"actions": [{"name": "cancel", "arguments": {"id": f"B-{number}"}}]},
        }
        return {"responses_create_params": {"input": []}, "response": {"output": []}, "reward": 1.0, "task": task}

    [twin] = swapped_gold([Rollout("0:0", row(1))], row(2), 9, ()) or []
    assert twin["task"] == row(1)["task"] | {"evaluation_criteria": row(2)["task"]["evaluation_criteria"]}


def test_actions_that_were_not_made_are_not_confirmed() -> None:
    call = {"type": "function_call", "name": "pay", "call_id": "1", "arguments": '{"amount": 5}'}
    checks = [{"action": {"name": "pay", "kwargs": {"amount": amount}}, "action_match": True} for amount in (5, 6)]
    row = {"reward_info": {"action_checks": checks}, "response": {"output": [call]}}
    recheck(Rollout("0:0", row))
    assert [check["action_match"] for check in checks] == [True, False]


def test_checks_that_fail_together_are_set_together() -> None:
    passing = [{"reward": 1.0, "checks": {"a": 1, "b": 1}}] * 4
    failing = [{"reward": 0.0, "checks": {"a": 0, "b": 1}}] * 2 + [{"reward": 0.0, "checks": {"a": 1, "b": 0}}]
    assert learn_verdict(passing, failing).failing == {("reward",): 0.0, ("checks", "a"): 0}


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
