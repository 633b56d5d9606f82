"""Every real rollout file is read, all its rows are accounted for, and the numbers equal those that others computed."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support import blade, codes, inspect, refused
from tests.shared_data import needs_shared_data, reference_numbers, shared_data

pytestmark = needs_shared_data

FILES = {"gym": 96, "taubench": 5, "tau2": 4, "tau2_sft_pair": 4, "whowhen": 1, "trail": 1, "gsm8k": 2, "livecodebench": 1}
SIDECARS = ("_materialized_inputs.jsonl", "_aggregate_metrics.json", "_reward_profiling.jsonl", "_agent_metrics.json")
PLACEHOLDER = "gym/jailbreak_detection/example_rollouts.jsonl"
DATA = shared_data() or Path()


def _kind(path: Path) -> str:
    name = path.name.removesuffix(".gz")
    if name.endswith(SIDECARS):
        return "sidecar"
    return "labels" if name.startswith("labels") else "rollouts" if name.endswith(".jsonl") else "other"


def _files(kind: str) -> list[str]:
    folders = (DATA / folder for folder in FILES)
    return sorted(
        str(path.relative_to(DATA)) for folder in folders for path in folder.rglob("*") if path.is_file() and _kind(path) == kind
    )


def _text(name: str) -> bytes:
    content = (DATA / name).read_bytes()
    return gzip.decompress(content) if name.endswith(".gz") else content


def test_all_rollout_files_are_there() -> None:
    found = _files("rollouts")
    assert {folder: sum(name.startswith(folder + "/") for name in found) for folder in FILES} == FILES
    assert len(_files("labels")) == 2
    assert not _files("other")


@pytest.mark.parametrize("name", [name for name in _files("rollouts") if name != PLACEHOLDER])
def test_every_row_of_a_real_file_is_accounted_for(name: str) -> None:
    lines = _text(name).splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    rewards = [row.get("reward", row.get("score")) for row in rows if not row.get("reward_missing")]
    found = inspect(DATA / name)
    assert found["denominator"]["lines"] == len(lines)
    assert found["denominator"]["rows"] == len(rows)
    assert found["denominator"]["malformed"] == 0
    unique = found["denominator"]["rows"] - found["denominator"]["duplicate"] - found["denominator"]["conflicting"]
    assert found["denominator"]["errored_rows"] + found["denominator"]["scored"] + found["denominator"]["unexpected"] == unique
    if unique == len(rows):
        assert found["denominator"]["scored"] + found["denominator"]["unexpected"] == sum(
            isinstance(reward, int | float) for reward in rewards
        )


def test_a_file_without_a_readable_row_is_refused_with_its_problems_listed() -> None:
    result = blade("inspect", DATA / PLACEHOLDER, "--json")
    assert result.code == 2
    lines = [line for line in _text(PLACEHOLDER).splitlines() if line.strip()]
    assert [problem["line"] for problem in result.json["problems"]] == list(range(1, len(lines) + 1))
    assert PLACEHOLDER in result.err


@pytest.mark.parametrize("name", _files("sidecar"))
def test_a_sidecar_given_as_a_run_is_named_for_what_it_is(name: str) -> None:
    sentence = refused(DATA / name)
    kinds = {
        "_inputs": "materialized_inputs",
        "aggregate_": "aggregate_metrics",
        "_profiling": "reward_profile",
        "_agent_m": "agent_metrics",
    }
    assert next(kind for mark, kind in kinds.items() if mark in name) in sentence
    assert name in sentence


@pytest.mark.parametrize("name", _files("labels"))
def test_a_label_file_given_as_a_run_is_named_for_what_it_is(name: str) -> None:
    assert "label file" in refused(DATA / name)


def _raw_files() -> list[str]:
    return sorted(str(path.relative_to(DATA)) for path in (DATA / "raw").rglob("*") if path.is_file())


@pytest.mark.parametrize("name", _raw_files())
def test_a_log_of_another_format_is_read_or_refused_in_a_sentence(name: str) -> None:
    result = blade("inspect", DATA / name, "--json")
    assert result.code in (0, 2)
    assert result.json["schema"] == ("blade.inspection/1" if result.code == 0 else "blade.error/1")


@pytest.mark.parametrize("folder", ["taubench", "tau2", "tau2_sft_pair", "gsm8k", "gym/anyswe_agent"])
def test_a_directory_of_real_runs_is_read_as_one(folder: str) -> None:
    names = [name for name in _files("rollouts") if name.startswith(folder + "/")]
    found = inspect(DATA / folder)
    assert found["run"]["files"] == len(names)
    assert found["denominator"]["lines"] == sum(len(_text(name).splitlines()) for name in names)


def _reference() -> dict[str, dict[str, Any]]:
    return dict(reference_numbers()["runs"]) if shared_data() else {}


def _reference_run(name: str) -> Path:
    plain = DATA / f"{name}.jsonl"
    return plain if plain.exists() else plain.with_suffix(".jsonl.gz")


@pytest.mark.parametrize("name", _reference())
def test_the_numbers_equal_those_computed_independently(name: str) -> None:
    stated = _reference()[name]
    found = inspect(_reference_run(name))
    metrics, headline = found["metrics"], found["headline"]
    assert found["task_count"] == stated["tasks"]
    assert found["denominator"]["scored"] == stated["rollouts"]
    for figure in (metrics["pass_at_1"], headline["pass_at_1"]):
        assert figure["value"] == pytest.approx(stated["pass@1_macro"], abs=1e-9)
        assert figure["se"] == pytest.approx(stated["pass@1_macro_se_clustered"], abs=1e-9)
        assert figure["ci"][0] < figure["value"] < figure["ci"][1]
    assert found["denominator"]["passed"] / found["denominator"]["scored"] == pytest.approx(stated["pass@1_micro"], abs=1e-9)
    most = max(map(int, stated["trials_per_task"]))
    assert list(metrics["pass_at_k"]) == list(metrics["pass_hat_k"]) == [str(k) for k in range(1, most + 1)]
    for k in range(1, most + 1):
        tasks = stated[f"tasks_n>={k}"]
        assert metrics["pass_at_k"][str(k)] == {"value": pytest.approx(stated[f"pass@{k}"], abs=1e-9), "tasks": tasks}
        assert metrics["pass_hat_k"][str(k)] == {"value": pytest.approx(stated[f"pass^{k}"], abs=1e-9), "tasks": tasks}
    assert headline["buckets"] == {name: stated[name] for name in ("always", "sometimes", "never")} | {"missing": 0}


def test_all_reference_runs_are_compared() -> None:
    assert len(_reference()) == 13


def test_tau_bench_airline_gives_the_published_figures() -> None:
    anchor = reference_numbers()["published_anchor"]
    hat = inspect(_reference_run(anchor["run"]))["metrics"]["pass_hat_k"]
    assert [round(hat[str(k)]["value"], 3) for k in (1, 2, 3, 4)] == [0.42, 0.273, 0.22, 0.2]
    assert [round(hat[str(k)]["value"], 3) for k in (1, 2, 3, 4)] == [anchor[f"pass^{k}"] for k in (1, 2, 3, 4)]


def test_sparse_repeat_indices_of_a_real_file_stay_as_they_are() -> None:
    rows = [json.loads(line) for line in _text("gym/aalcr/example_rollouts.jsonl").splitlines()]
    found = blade("sql", DATA / "gym/aalcr", "SELECT rollout FROM rollouts", "--json").json["rows"]
    assert [name for (name,) in found] == [f"{row['_ng_task_index']}:{row['_ng_rollout_index']}" for row in rows]
    assert "renumbered" not in codes(inspect(DATA / "gym/aalcr"))
