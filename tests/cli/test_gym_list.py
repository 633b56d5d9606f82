"""`gym list` and `gym search` as a user types them."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from blade.cli.main import gym_main
from tests.commands import called
from tests.gym.config.trees import write, write_project


def gym(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "NEMO_GYM_EXTRA_ROOTS"} | {"COLUMNS": "80"}
    return called(gym_main, *arguments, cwd=folder, env=environment)


def listed(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    done = gym(folder, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_project(tmp_path)
    return tmp_path


def test_benchmarks_with_domain_and_repeats(project: Path) -> None:
    write(
        project, {"benchmarks/torn/config.yaml": "a: [1\n", "benchmarks/a_rather_long_name_for_a_benchmark/config.yaml": "a: ["}
    )
    done = gym(project, "list", "benchmarks")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["name", "domain", "repeats", "description"]
    assert max(map(len, lines)) <= 80
    row = next(line for line in lines if line.startswith("sums24 "))
    assert row.split()[1:4] == ["math", "32", "Adds"]
    assert any(line.startswith("torn ") and "broken: " in line for line in lines)
    assert any(line.startswith("a_rather_long_name_for_a_benchmark ") for line in lines)


def test_json_is_sorted_and_has_the_repeats(project: Path) -> None:
    found = listed(project, "list", "benchmarks")
    names = [entry["name"] for entry in found]
    assert names == sorted(names, key=str.casefold)
    assert next(entry for entry in found if entry["name"] == "sums24")["num_repeats"] == 32


@pytest.mark.parametrize(
    ("arguments", "there"),
    [
        (["environments"], {"sums", "sums24"}),
        (["environments", "--kind", "benchmark"], {"sums24"}),
        (["environments", "--kind", "environment", "--domain", "math"], {"sums"}),
        (["benchmarks", "--domain", "coding"], set()),
        (["benchmarks", "--status", "no-manifest", "--lifecycle", "active"], {"sums24"}),
        (["resources-servers", "--domain", "math"], {"sums"}),
        (["agents"], {"simple_agent"}),
        (["models"], {"tiny_model"}),
    ],
)
def test_filters(project: Path, arguments: list[str], there: set[str]) -> None:
    ours = {"sums", "sums24", "simple_agent", "tiny_model"}
    assert {entry["name"] for entry in listed(project, "list", *arguments)} & ours == there


def test_one_in_detail(project: Path) -> None:
    done = gym(project, "list", "benchmarks", "sums24")
    assert done.returncode == 0
    assert "sums24  benchmark, math" in done.stdout
    assert "gym eval run --benchmark sums24" in done.stdout
    shown = json.loads(gym(project, "list", "benchmarks", "sums24", "--json").stdout)
    assert list(shown) == ["name", "type", "domain", "description", "details", "usage_example"]
    unknown = gym(project, "list", "benchmarks", "sums42")
    assert unknown.returncode == 2
    assert "did you mean sums24?" in unknown.stderr


def test_other_folders(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    assert "sums24" not in {entry["name"] for entry in listed(elsewhere, "list", "benchmarks")}
    assert "sums24" in {entry["name"] for entry in listed(elsewhere, "list", "benchmarks", "--search-dir", str(project))}
    assert gym(project, "list", "benchmarks", "--search-dir", "nowhere").returncode == 2


def test_search(project: Path) -> None:
    assert {"sums", "sums24"} <= {entry["name"] for entry in listed(project, "search", "math")}
    found = {entry["name"] for entry in listed(project, "search", "benchmarks", "sums24")}
    assert "sums24" in found
    assert "sums" not in found
    assert {"name": "tiny_model", "model": None, "model_group": "tiny_model"} in listed(project, "search", "models", "tiny")
    assert "sums24" in gym(project, "search", "numbres").stdout


def test_search_without_hits(project: Path) -> None:
    done = gym(project, "search", "xylophone")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Nothing matches 'xylophone'" in done.stdout
    assert listed(project, "search", "xylophone") == []


def test_unknown_domain(project: Path) -> None:
    done = gym(project, "list", "benchmarks", "--domain", "maths")
    assert done.returncode == 2
    assert "did you mean math?" in done.stderr
