"""Every number of a diagnosis is a claim that anyone can compute again, from the facts alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from blade.claims.claim import from_json
from blade.claims.runner import recompute_all
from blade.diagnosis.diagnose import extractors
from blade.lab.example import build
from blade.lab.example import write as write_example
from blade.reports.citations import cited
from blade.runs.run import open_run
from tests.e2e.contract import check_diagnosis
from tests.e2e.desk_runs import diagnosed, grid, mixed
from tests.e2e.support import blade, sql, write

ONE_CACHE = True


@pytest.fixture(scope="module")
def example(home: Path) -> Path:
    write_example(build(tasks=20), home / "example")
    return home / "example"


def document(run: Path, folder: Path) -> dict[str, Any]:
    assert blade("diagnose", run, "--out", folder).code == 0
    return check_diagnosis(json.loads((folder / "diagnosis.json").read_text()))


def values(found: dict[str, Any]) -> dict[str, Any]:
    return {claim["id"]: claim["value"] for claim in found["claims"]}


def test_every_claim_of_the_written_document_computes_again(example: Path, tmp_path: Path) -> None:
    claims = [from_json(claim) for claim in document(example, tmp_path)["claims"]]
    assert len(claims) > 50
    with open_run(str(example), extractors=extractors()) as run:
        assert [(one.claim.id, one.difference, one.error) for one in recompute_all(run, claims) if not one.ok] == []


@pytest.mark.parametrize("reward", [mixed, lambda task, repeat: (task + repeat) / 9], ids=["binary", "graded"])
def test_every_claim_of_a_small_run_computes_again(tmp_path: Path, reward: Any) -> None:
    path = write(tmp_path / "run.jsonl", grid(6, 3, reward))
    claims = [from_json(claim) for claim in diagnosed(path)["claims"]]
    with open_run(str(path), extractors=extractors()) as run:
        assert [(one.claim.id, one.difference, one.error) for one in recompute_all(run, claims) if not one.ok] == []


def test_a_claim_that_is_false_is_found_out(example: Path, tmp_path: Path) -> None:
    claims = [
        from_json(claim | {"value": 0.123}) for claim in document(example, tmp_path)["claims"] if claim["id"] == "pass_at_1"
    ]
    with open_run(str(example), extractors=extractors()) as run:
        [one] = recompute_all(run, claims)
    assert not one.ok
    assert one.difference is not None


def test_every_query_runs_through_blade_sql(example: Path, tmp_path: Path) -> None:
    """Without an estimator the claim is the query's first row."""
    results: dict[str, list[list[Any]]] = {}
    for claim in document(example, tmp_path)["claims"]:
        query, value = claim["query"], claim["value"]
        if query not in results:
            results[query] = sql(example, query)
        if claim["estimator"] is None:
            stated = list(value.values()) if isinstance(value, dict) else [value]
            assert stated == pytest.approx(results[query][0]), claim["id"]


def test_the_numbers_of_the_document_are_those_of_its_claims(example: Path, tmp_path: Path) -> None:
    found = document(example, tmp_path)
    claimed, counts, metrics = values(found), found["denominator"], found["metrics"]
    assert (claimed["expected"], claimed["scored"]) == (counts["expected"], counts["scored"])
    assert (claimed["passed"], claimed["failed"]) == (counts["passed"], counts["failed"])
    assert claimed["missing"] == counts["missing"] + counts["errored"]
    assert claimed["coverage"] == pytest.approx(metrics["coverage"])
    assert claimed["pass_at_1"] == pytest.approx(metrics["pass_at_1"]["value"])
    assert claimed["pass_at_1.ci"]["ci"] == pytest.approx(metrics["pass_at_1"]["ci"])
    assert claimed["mean_reward"]["value"] == pytest.approx(metrics["mean_reward"]["value"])
    assert claimed["mean_reward"]["ci"] == pytest.approx(metrics["mean_reward"]["ci"])
    for k in (2, 3, 4):
        assert claimed[f"pass_at_{k}"] == pytest.approx(metrics["pass_at_k"][str(k)]["value"])
        assert claimed[f"pass_hat_{k}"] == pytest.approx(metrics["pass_hat_k"][str(k)]["value"])
    for name in ("consistency", "oracle", "retry_value"):
        assert claimed[name] == pytest.approx(metrics[name])
    assert claimed["icc"]["icc"] == pytest.approx(metrics["icc"])
    assert {name: claimed[f"bucket.{name}"] for name in ("always", "sometimes", "never")} == {
        name: len(found["buckets"][name]) for name in ("always", "sometimes", "never")
    }
    assert claimed["unexplained"] == found["unexplained"]["rollouts"]
    for stage in found["funnel"]:
        assert claimed[f"funnel.{stage['stage']}"] == stage["count"]


def test_modes_gains_and_tasks_are_those_of_their_claims(example: Path, tmp_path: Path) -> None:
    found = document(example, tmp_path)
    claimed = values(found)
    assert found["modes"]
    for mode in found["modes"]:
        about = f"mode.{mode['id']}"
        counts = {"failed": mode["failed_rollouts"], "passed": mode["passed_rollouts"], "tasks": mode["tasks"]}
        assert claimed[f"{about}.counts"] == counts
        lift = claimed.get(f"{about}.lift")
        assert (lift and lift["value"]) == pytest.approx(mode["lift"])
        assert (lift and lift["ci"]) == pytest.approx(mode["lift_ci"])
        assert claimed[f"{about}.gain"] == pytest.approx(mode["gain"])
    for one in found["interventions"]:
        if one["modes"]:
            assert claimed[f"intervention.{one['id']}.gain"] == pytest.approx(one["gain"])
    for task in found["tasks"]:
        if task["cause"]:
            assert claimed[f"task.{task['task']}.passed"] == {"passed": task["passed"], "scored": task["n"]}


def test_the_report_cites_claims_that_the_document_holds(example: Path, tmp_path: Path) -> None:
    found = document(example, tmp_path)
    numbers = cited((tmp_path / "report.md").read_text())
    assert numbers
    assert max(numbers) <= len(found["claims"])
