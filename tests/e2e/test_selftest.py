"""`blade selftest` as a command: its contract, the same figures whatever the number of processes, and planting into the example run."""

from pathlib import Path
from typing import Any

from blade.lab.example import build
from blade.lab.example import write as write_example
from tests.e2e.contract import mismatches
from tests.e2e.support import blade, blade_process, write

LABELS = ("DA", "IR", "TI", "BI", "UK", "KG")
LABEL = {"n": int, "precision": (float, int, type(None)), "recall": (float, int, type(None))}
CONTRACT = {
    "labels": dict.fromkeys(LABELS, LABEL),
    "confusion": dict.fromkeys(LABELS, dict),
    "modes": {"f1": (float, int, type(None)), "rollouts": int},
    "steps": {"exact": dict, "within_1": dict, "n": int},
    "calibration": {"ece": (float, int, type(None)), "n": int},
    "by_kind": [{"label": str, "name": str, "n": int}],
    "seed": int,
    "cases": int,
    "planted_tasks": int,
    "always_pass_with_cause": int,
}


def checked(found: dict[str, Any]) -> dict[str, Any]:
    assert mismatches(found, CONTRACT) == []
    assert sum(one["n"] for one in found["labels"].values()) == found["planted_tasks"] > 0
    for label in LABELS:
        assert sum(found["confusion"][label].values()) == found["labels"][label]["n"]
        for figure in (found["labels"][label]["precision"], found["labels"][label]["recall"]):
            assert figure is None or 0 <= figure <= 1
    assert found["always_pass_with_cause"] == 0
    return found


def test_six_cases_have_the_contracts_keys() -> None:
    result = blade_process("selftest", "--cases", 6, "--json")
    assert result.code == 0, result.err
    found = checked(result.json)
    assert (found["cases"], found["part"], found["seed"]) == (6, "held_out", 0)
    assert all(found["labels"][label]["n"] > 0 for label in LABELS)


def test_the_figures_are_the_same_whatever_the_number_of_processes() -> None:
    printed = [blade_process("selftest", "--cases", 2, "--seed", 5, "--workers", workers).out for workers in (1, 2)]
    assert printed[0] == printed[1]
    assert "kind, worst first" in printed[0]


def test_planting_into_the_example_run_leaves_it_alone(tmp_path: Path) -> None:
    run = write_example(build(tasks=24), tmp_path / "example")
    before = {path.name: path.read_bytes() for path in run.parent.iterdir()}
    result = blade("selftest", "--plant", run, "--cases", 1, "--workers", 1, "--json")
    assert result.code == 0, result.err
    found = checked(result.json)
    assert (found["part"], found["run"], found["cases"]) == ("own", str(run), 1)
    assert {path.name: path.read_bytes() for path in run.parent.iterdir()} == before


def test_what_cannot_be_planted_into_is_refused(tmp_path: Path) -> None:
    assert blade("selftest", "--plant", tmp_path / "none.jsonl", "--json").code == 2
    assert blade("selftest", "--plant", write(tmp_path / "bad.jsonl", [b"bad"]), "--json").code == 2
    assert blade("selftest", "--cases", 0).code == 2
