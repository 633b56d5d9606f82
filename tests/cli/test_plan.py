"""`blade plan`: what the runs can find, what a wish would take, and which tasks come next."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.e2e.support import Result, blade, row, write


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


def noisy(path: Path, tasks: int, repeats: int, seed: int, shift: float = 0.0) -> Path:
    rng = Random(seed)
    rates = [Random(task).random() for task in range(tasks)]
    return write(path, [row(t, k, int(rng.random() < min(rates[t] + shift, 1))) for t in range(tasks) for k in range(repeats)])


def plan(*arguments: object) -> Result:
    return blade("plan", *arguments)


def found(*arguments: object) -> dict[str, Any]:
    result = plan(*arguments, "--json")
    assert result.code == 0, result.err
    return result.json


def test_the_keys_of_the_contract(tmp_path: Path) -> None:
    run = noisy(tmp_path / "a.jsonl", 40, 4, 1)
    told = found(run, "--detect", 5, "--rollouts", 12)
    assert told["schema"] == "blade.plan/1"
    assert told["target"] == pytest.approx(0.05)
    assert (told["current"]["tasks"], told["current"]["repeats"], told["current"]["rollouts"]) == (40, 4, 160)
    for way in told["options"]:
        assert {"tasks", "repeats", "mde", "rollouts"} <= set(way)
        assert way["rollouts"] == 2 * way["tasks"] * way["repeats"]
        assert way["finds"] is (way["mde"] is not None and way["mde"] <= 0.05 + 1e-4)
    assert sum(one["repeats"] for one in told["next"]) == 12
    assert all(one["task"] and one["why"] for one in told["next"])


def test_points_and_units_are_the_same_wish(tmp_path: Path) -> None:
    run = noisy(tmp_path / "a.jsonl", 20, 2, 1)
    assert found(run, "--detect", 10) == found(run, "--detect", 0.1)


def test_the_next_rollouts_go_where_the_doubt_is(tmp_path: Path) -> None:
    sure = [row(task, repeat, 1) for task in range(8) for repeat in range(4)]
    torn = [row(8, repeat, repeat % 2) for repeat in range(4)]
    told = found(write(tmp_path / "a.jsonl", [*sure, *torn]), "--detect", 5, "--rollouts", 3)
    assert told["next"][0]["task"] == "8"
    assert "passed 2 of 4" in told["next"][0]["why"]


def test_a_wish_that_is_out_of_reach_is_said_to_be(tmp_path: Path) -> None:
    said = " ".join(found(noisy(tmp_path / "a.jsonl", 200, 4, 1), "--detect", 2)["says"])
    assert "these 200 tasks do not do it even with 16 repeats each" in said
    assert "The cheapest that does" in said
    assert "equivalent within ±2.0 points is rarely possible" in said


def test_a_wish_that_is_met_already(tmp_path: Path) -> None:
    told = found(noisy(tmp_path / "a.jsonl", 40, 4, 1), "--detect", 40)
    assert told["current"]["finds"]
    assert "That is enough for 40.0 points." in told["says"]


def test_two_runs_whose_tasks_change_differently_cannot_be_helped_by_repeats(tmp_path: Path) -> None:
    a = write(tmp_path / "a.jsonl", [row(task, repeat, int(task % 2)) for task in range(30) for repeat in range(4)])
    b = write(tmp_path / "b.jsonl", [row(task, repeat, int(task % 3 == 0)) for task in range(30) for repeat in range(4)])
    told = found(a, b, "--detect", 5)
    assert told["current"]["spread_of_true_changes"] > 0.3
    assert "more repeats of these tasks cannot do it: the tasks change differently" in " ".join(told["says"])
    assert {one["run"] for one in told["next"]} <= {"a", "b"}


def test_a_pair_says_what_its_comparison_says(tmp_path: Path) -> None:
    a, b = noisy(tmp_path / "a.jsonl", 30, 3, 1), noisy(tmp_path / "b.jsonl", 30, 3, 2)
    compared = blade("compare", a, b, "--json").json
    assert found(a, b, "--detect", 5)["current"]["mde"] == pytest.approx(compared["mde"])
    if compared["verdict"] == "inconclusive":
        (step,) = [one for one in compared["interventions"] if (one["confirm"]["command"] or "").startswith("blade plan ")]
        assert "would then be found" in step["detail"] or "takes about" in step["detail"] or "out of reach" in step["detail"]


def test_graded_rewards_are_planned_in_their_units(tmp_path: Path) -> None:
    rng = Random(3)
    run = write(tmp_path / "a.jsonl", [row(task, repeat, rng.gauss(50, 10)) for task in range(20) for repeat in range(3)])
    told = found(run, "--detect", 5)
    assert (told["metric"], told["target"]) == ("mean_reward", 5)
    assert "points" not in plan(run, "--detect", 5).out


def test_too_few_tasks(tmp_path: Path) -> None:
    told = found(write(tmp_path / "a.jsonl", [row(0, repeat, repeat % 2) for repeat in range(5)]), "--detect", 5)
    assert told["options"] == []
    assert "too few for any plan" in told["says"][0]


@pytest.mark.parametrize(("arguments", "code"), [((), 2), (("--detect", 0), 2), (("--detect", 500), 2)])
def test_usage(tmp_path: Path, arguments: tuple[object, ...], code: int) -> None:
    assert plan(noisy(tmp_path / "a.jsonl", 10, 2, 1), *arguments).code == code


def test_a_run_without_a_score(tmp_path: Path) -> None:
    assert plan(write(tmp_path / "a.jsonl", [row(0, 0, None)]), "--detect", 2).code == 3


@pytest.mark.parametrize("columns", [40, 60, 100])
def test_no_line_is_wider_than_the_screen(tmp_path: Path, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = plan(noisy(tmp_path / "a.jsonl", 12, 2, 1), "--detect", 10).out.splitlines()
    assert max(map(len, lines)) <= columns


def test_a_column_that_nothing_fills_is_not_printed(tmp_path: Path) -> None:
    a, b = noisy(tmp_path / "a.jsonl", 40, 4, 1), noisy(tmp_path / "b.jsonl", 40, 4, 2, 0.1)
    assert all(way["equivalent"] is None for way in found(a, b, "--detect", 5)["options"])
    assert "equivalent" not in plan(a, b, "--detect", 5).out.partition("Ways")[2]
    assert "equivalent" in plan(a, "--detect", 5).out.partition("Ways")[2]
