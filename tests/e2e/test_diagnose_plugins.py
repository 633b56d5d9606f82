"""Detectors of other packages, installed as entry points: those that work are used, those that do not are named and stop nothing."""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.contract import check_diagnosis
from tests.e2e.desk_runs import grid, mixed
from tests.e2e.support import Result, blade_process, write

PLUGIN = """
from blade.signals.signal import Evidence, Registry

REGISTRY = Registry()


@REGISTRY.signal("lent_unseen", label="BI", meaning="lends a tool to somebody it never looked up")
def lent_unseen(rollout):
    if not any(call.name == "find_member" for call in rollout.calls):
        for call in rollout.calls:
            yield Evidence(call.step, call.name, subject=call.name)


@REGISTRY.signal("always_fails", label="BI", meaning="a detector with a bug")
def always_fails(rollout):
    raise KeyError("a bug of ours")
    yield
"""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write(tmp_path / "run.jsonl", grid(6, 3, mixed))


def with_plugins(tmp_path: Path, run: Path, **points: str) -> Result:
    """The command in an environment in which a package with these entry points is installed."""
    site = tmp_path / "site"
    (site / "desk_plugin-1.0.dist-info").mkdir(parents=True)
    (site / "desk_plugin-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: desk-plugin\nVersion: 1.0\n")
    lines = [f"{name} = {value}\n" for name, value in points.items()]
    (site / "desk_plugin-1.0.dist-info" / "entry_points.txt").write_text("[blade.signals]\n" + "".join(lines))
    (site / "desk_plugin.py").write_text(PLUGIN)
    (site / "desk_broken.py").write_text("raise RuntimeError('not today \\x1b[31m')\n")
    return blade_process("diagnose", run, "--json", "--workers", 1, env={"PYTHONPATH": str(site)})


def told(found: dict[str, Any]) -> dict[str, Any]:
    return {key: found[key] for key in ("metrics", "modes", "tasks", "contrasts", "interventions")}


def test_plugins_that_cannot_be_loaded_are_warned_about(tmp_path: Path, run: Path) -> None:
    result = with_plugins(tmp_path, run, broken="desk_broken:X", gone="no_such_package:X", nothing="desk_plugin:PLUGIN")
    assert result.code == 0
    for said in ("desk_broken:X gave no detectors: RuntimeError: not today", "ModuleNotFoundError", "AttributeError"):
        assert said in result.err
    plain = blade_process("diagnose", run, "--json").json
    assert told(check_diagnosis(result.json)) == told(plain)


def test_a_detector_that_works_is_used_and_one_that_fails_is_a_problem(tmp_path: Path, run: Path) -> None:
    result = with_plugins(tmp_path, run, ours="desk_plugin:REGISTRY")
    assert result.code == 0, result.err
    found = check_diagnosis(result.json)
    [signal] = [one for one in found["signals"] if one["code"] == "lent_unseen"]
    assert (signal["label"], signal["rollouts"], signal["in_failed"], signal["in_passed"]) == ("BI", 6, 6, 0)
    assert {problem["code"] for problem in found["problems"]} == {"detector_failed"}
    assert "a bug of ours" in found["problems"][0]["message"]
    assert found["denominator"]["scored"] == 18
