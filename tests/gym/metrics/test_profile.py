"""`profile` against a brute-force oracle in plain Python, and its strictness."""

import json
import math
import random
import statistics
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from blade.diagnosis.metrics import mean_reward
from blade.errors import UnreadableRun
from blade.gym.metrics.profile import profile
from blade.gym.metrics.strict import NotStrict
from blade.runs.run import open_run
from tests.gym.metrics.small_runs import Row, input_row, read_lines, rollout, write_run

TASKS, REPEATS = 12, 8
NOT_METRICS = ("_ng_task_index", "_ng_rollout_index")


def numbers_of(row: Row) -> dict[str, float]:
    """The reference's rule, written down: top-level numbers and booleans, overlaid by usage."""
    own = {key: value for key, value in row.items() if isinstance(value, bool | int | float) and key not in NOT_METRICS}
    usage = row["response"]["usage"] or {}
    merged = own | {key: value for key, value in usage.items() if isinstance(value, int | float)}
    return {key: float(value) for key, value in merged.items()}


def statistics_of(rows: list[Row]) -> dict[str, float]:
    numbers = [numbers_of(row) for row in rows]
    found: dict[str, float] = {}
    values = {
        field: [row[field] for row in numbers if field in row] for field in dict.fromkeys(key for row in numbers for key in row)
    }
    no_spread = all(len(known) < 2 for known in values.values())
    for field, known in values.items():
        found |= {f"mean/{field}": statistics.fmean(known), f"max/{field}": max(known), f"min/{field}": min(known)}
        found[f"median/{field}"] = statistics.median(known)
        if len(known) > 1:
            found[f"std/{field}"] = statistics.stdev(known)
        elif no_spread and len(known) == len(rows):
            found[f"std/{field}"] = 0.0
    return found


def pass_at(rewards: list[float], k: int) -> float:
    return statistics.fmean(max(chosen) for chosen in combinations(rewards, k))


def assert_close(found: dict[str, Any], expected: dict[str, float]) -> None:
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, rel=1e-9, abs=1e-9), key


@pytest.fixture
def eight_repeats() -> tuple[list[Row], list[Row]]:
    """Inputs and rollouts of 12 tasks × 8 repeats, of which about a fifth and one whole task are missing, in random order."""
    dice = random.Random(8)
    inputs = [input_row(task, repeat, expected_answer=str(task)) for task in range(TASKS) for repeat in range(REPEATS)]
    rollouts = []
    for task in range(TASKS):
        for repeat in range(REPEATS):
            if task == 5 or dice.random() < 0.2:
                continue
            more: dict[str, Any] = {"hit": dice.random() < 0.5, "partial": dice.random(), "calls": dice.randrange(9), "note": "5"}
            if dice.random() < 0.3:
                more["rare"] = dice.randrange(100)
            usage = (
                {"input_tokens": dice.randrange(1000), "calls": dice.randrange(100), "details": {"cached": 1}}
                if repeat % 3
                else None
            )
            rollouts.append(rollout(task, repeat, float(dice.random() < task / TASKS), usage=usage, nested={"deep": 3}, **more))
    dice.shuffle(rollouts)
    return inputs, rollouts


def test_eight_repeats_with_missing_rows(eight_repeats: tuple[list[Row], list[Row]], tmp_path: Path) -> None:
    given_inputs, given_rollouts = eight_repeats
    inputs, rollouts = write_run(tmp_path, given_rollouts, given_inputs)
    found = profile(inputs, rollouts, allow_partial=True)
    lines = read_lines(tmp_path / "run_reward_profiling.jsonl")
    assert [line["_ng_task_index"] for line in lines] == list(range(TASKS))
    by_task = {
        task: sorted((row for row in given_rollouts if row["_ng_task_index"] == task), key=lambda row: row["_ng_rollout_index"])
        for task in range(TASKS)
    }
    for task, line in enumerate(lines):
        rows = by_task[task]
        expected = statistics_of(rows)
        assert {key for key in line if key.split("/")[0] in ("mean", "max", "min", "median", "std")} == set(expected)
        assert_close(line, expected)
        assert line["sample"] == {
            key: value for key, value in input_row(task, 0, expected_answer=str(task)).items() if key not in NOT_METRICS
        }
        assert (line["num_rollouts"], line["expected_num_rollouts"], line["missing_num_rollouts"]) == (
            len(rows),
            REPEATS,
            REPEATS - len(rows),
        )
        assert line["reward_profile_completion_pct"] == pytest.approx(100 * len(rows) / REPEATS)
        for info, row in zip(line["rollout_infos"], rows, strict=True):
            own = {key: value for key, value in row.items() if isinstance(value, bool | int | float)}
            usage = {key: value for key, value in (row["response"]["usage"] or {}).items() if isinstance(value, int | float)}
            assert info == {"rollout_id": f"{task}:{row['_ng_rollout_index']}"} | usage | own
        rewards = [row["reward"] for row in rows]
        for k in (1, 2, 4, 8):
            assert line.get(f"pass@k/{k}") == (pytest.approx(pass_at(rewards, k)) if k <= len(rewards) else None)
        assert line.get("variance/reward") == (pytest.approx(statistics.variance(rewards)) if len(rewards) > 1 else None)
    done = len(given_rollouts)
    assert found.summary == {
        "expected_rollout_rows": TASKS * REPEATS,
        "completed_rollout_rows": done,
        "missing_rollout_rows": TASKS * REPEATS - done,
        "extra_rollout_rows": 0,
        "reward_profile_completion_pct": pytest.approx(100 * done / (TASKS * REPEATS)),
        "total_input_rows": TASKS,
        "complete_input_rows": sum(len(rows) == REPEATS for rows in by_task.values()),
        "partial_input_rows": sum(0 < len(rows) < REPEATS for rows in by_task.values()),
        "missing_input_rows": 1,
    }
    assert found.tasks_without_rollouts == ["5"]
    assert found.forgiven == {"missing_rollout": TASKS * REPEATS - done}
    assert_agent(json.loads((tmp_path / "run_agent_metrics.json").read_bytes()), given_rollouts, by_task)


def assert_agent(entries: list[Row], rollouts: list[Row], by_task: dict[int, list[Row]]) -> None:
    [agent] = entries
    assert agent["agent_ref"] == {"name": "alice"}
    assert_close(agent, statistics_of(rollouts))
    rewards = [[row["reward"] for row in rows] for rows in by_task.values() if rows]
    means = [statistics.fmean(task) for task in rewards]
    assert_close(
        agent,
        {
            "pass@1": statistics.fmean(means),
            "std_err/pass@1": statistics.stdev(means) / math.sqrt(len(means)),
            "missing_as_failed/pass@1": sum(map(sum, rewards)) / REPEATS / TASKS,
            "num_tasks": TASKS,
            "num_tasks_without_rollouts": 1,
        },
    )
    for k in (1, 2, 4, 8):
        enough = [pass_at(task, k) for task in rewards if len(task) >= k]
        assert agent[f"tasks@k/{k}"] == len(enough)
        assert agent[f"pass@k/{k}"] == pytest.approx(statistics.fmean(enough))
    assert agent["ci_low/pass@1"] < agent["pass@1"] < agent["ci_high/pass@1"]


def faults_of(tmp_path: Path, rollouts: list[Any], inputs: list[Any], **options: Any) -> list[tuple[str, int | None, str | None]]:
    given = write_run(tmp_path, rollouts, inputs)
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(NotStrict) as caught:
        profile(*given, **options)
    assert sorted(path.name for path in tmp_path.iterdir()) == before, "nothing may be written"
    assert caught.value.exit_code == 2
    return [(fault.code, fault.line, fault.key) for fault in caught.value.problems]


PLAN = [input_row(0, 0), input_row(0, 1), input_row(1, 0)]
FULL = [rollout(0, 0), rollout(0, 1, 0.0), rollout(1, 0)]
CASES: dict[str, tuple[list[Any], list[Any], list[tuple[str, int | None, str | None]]]] = {
    "duplicate row": ([*FULL, FULL[0]], PLAN, [("duplicate_row", 4, "0:0")]),
    "conflicting row": ([*FULL, rollout(0, 0, 0.0)], PLAN, [("conflicting_row", 4, "0:0")]),
    "unscored row under a taken key": ([*FULL, rollout(0, 0, None)], PLAN, [("conflicting_row", 4, "0:0")]),
    "malformed line": ([*FULL, "{not json"], PLAN, [("unreadable_line", 4, None)]),
    "malformed input": (FULL, [*PLAN, "[1]"], [("unreadable_line", 4, None)]),
    "rollout without input": ([*FULL, rollout(7, 0)], PLAN, [("unexpected_row", 4, "7:0")]),
    "repeat without input": ([*FULL, rollout(1, 1)], PLAN, [("unexpected_row", 4, "1:1")]),
    "duplicate input": (FULL, [*PLAN, PLAN[1]], [("duplicate_input", 4, "0:1")]),
    "input without rollout": (FULL[:2], PLAN, [("missing_rollout", 3, "1:0")]),
    "all at once": (
        [FULL[0], FULL[0], "oops", rollout(9, 0)],
        PLAN,
        [
            ("unreadable_line", 3, None),
            ("duplicate_row", 2, "0:0"),
            ("unexpected_row", 4, "9:0"),
            ("missing_rollout", 2, "0:1"),
            ("missing_rollout", 3, "1:0"),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_strict_lists_every_fault_and_writes_nothing(case: str, tmp_path: Path) -> None:
    rollouts, inputs, expected = CASES[case]
    assert faults_of(tmp_path, rollouts, inputs) == expected


@pytest.mark.parametrize("case", CASES)
def test_lenient_goes_on_and_counts(case: str, tmp_path: Path) -> None:
    rollouts, inputs, expected = CASES[case]
    found = profile(*write_run(tmp_path, rollouts, inputs), lenient=True)
    assert sum(found.forgiven.values()) == len(expected)
    assert found.summary["total_input_rows"] == 2
    lines = read_lines(tmp_path / "run_reward_profiling.jsonl")
    assert sum(line["expected_num_rollouts"] for line in lines) == 3
    assert lines[0]["mean/reward"] == (1.0 if case == "all at once" else 0.5)  # the first row under a key counts


def test_partial_rollouts_forgive_missing_rows_only(tmp_path: Path) -> None:
    assert faults_of(tmp_path, [FULL[0], FULL[0]], PLAN, allow_partial=True) == [("duplicate_row", 2, "0:0")]


def test_more_unreadable_lines_than_the_index_keeps(tmp_path: Path) -> None:
    bad = [f"bad {number}" for number in range(1_500)]
    found = faults_of(tmp_path, [*FULL, *bad], PLAN)
    assert [line for _, line, _ in found] == list(range(4, 1_504))


def test_inputs_of_another_run(tmp_path: Path) -> None:
    with pytest.raises(UnreadableRun, match="different runs"):
        profile(*write_run(tmp_path, FULL, [input_row(70, 0)]), lenient=True)


def test_a_task_without_rollouts_keeps_its_line(tmp_path: Path) -> None:
    profile(*write_run(tmp_path, FULL[:2], PLAN), allow_partial=True)
    last = read_lines(tmp_path / "run_reward_profiling.jsonl")[-1]
    assert (last["_ng_task_index"], last["num_rollouts"], last["missing_num_rollouts"], last["rollout_infos"]) == (1, 0, 1, [])
    assert not any(key.startswith("mean/") for key in last)


def test_hostile_values(tmp_path: Path) -> None:
    """NaN and text rewards, booleans, huge integers, text that looks like a number, dotted names, names of nested fields."""
    odd: list[dict[str, Any]] = [
        {"count": 5, "flag": True, "a.b": 1, "a": {"b": 99}, "huge": 2**80, "usage.x": 4},
        {"count": "5", "flag": 0, "a.b": 3, "a": {"b": 99}, "huge": 2**62, "output": 2},
        {"count": 7.5, "flag": False, "a.b": 2, "text": "1", "beyond": 10**400},
        {"count": "true", "reasoning": None},
    ]
    rewards: list[Any] = ["NaN", "0.5", True, 0]
    rows = [
        json.dumps(rollout(0, number, "@", **more)).replace('"@"', json.dumps(reward))
        for number, (more, reward) in enumerate(zip(odd, rewards, strict=True))
    ]
    rows[0] = rows[0].replace('"NaN"', "NaN")
    profile(*write_run(tmp_path, rows, [input_row(0, number) for number in range(4)]))
    [line] = read_lines(tmp_path / "run_reward_profiling.jsonl")
    assert line["mean/reward"] == 0.5  # true and 0
    assert (line["mean/count"], line["max/count"], line["min/count"]) == (6.25, 7.5, 5.0)
    assert line["mean/flag"] == pytest.approx(1 / 3)
    assert line["mean/a.b"] == 2.0
    assert line["mean/huge"] == pytest.approx((2**80 + 2**62) / 2)
    assert line["mean/output"] == 2.0
    assert line["mean/usage.x"] == 4.0
    assert not any(key.endswith(("/text", "/beyond", "/a", "/b")) for key in line)
    assert [info.get("count") for info in line["rollout_infos"]] == [5, None, 7.5, None]
    assert line["num_rollouts"] == 4
    assert line["num_scored_rollouts"] == 2


def test_usage_wins_in_statistics_and_the_row_in_infos(tmp_path: Path) -> None:
    rows = [rollout(0, 0, usage={"input_tokens": 10, "cost": 0.5}, input_tokens=3), rollout(0, 1, usage=None, input_tokens=4)]
    profile(*write_run(tmp_path, rows, [input_row(0, 0), input_row(0, 1)]))
    [line] = read_lines(tmp_path / "run_reward_profiling.jsonl")
    assert line["mean/input_tokens"] == 7.0
    assert line["mean/cost"] == 0.5
    assert [info["input_tokens"] for info in line["rollout_infos"]] == [3, 4]


def test_two_agents_in_one_file(tmp_path: Path) -> None:
    """Also when they share indices: two experiments, never mixed."""
    rows = [rollout(0, 0, 1.0, "alice"), rollout(1, 0, 1.0, "alice"), rollout(0, 0, 0.0, "bob"), rollout(2, 0, 0.0, "bob")]
    inputs = [input_row(row["_ng_task_index"], 0, row["agent_ref"]["name"]) for row in rows]
    profile(*write_run(tmp_path, rows, inputs))
    agents = json.loads((tmp_path / "run_agent_metrics.json").read_bytes())
    assert {entry["agent_ref"]["name"]: (entry["mean/reward"], entry["num_tasks"]) for entry in agents} == {
        "alice": (1.0, 2),
        "bob": (0.0, 2),
    }
    assert [line["_ng_task_index"] for line in read_lines(tmp_path / "run_reward_profiling.jsonl")] == [0, 0, 1, 2]


def test_rewards_without_a_pass_rule_get_an_interval_of_the_mean(tmp_path: Path) -> None:
    rows = [rollout(task, repeat, float(task + 3 * repeat)) for task in range(3) for repeat in range(3)]
    profile(*write_run(tmp_path, rows, [input_row(task, repeat) for task in range(3) for repeat in range(3)]))
    first = read_lines(tmp_path / "run_reward_profiling.jsonl")[0]
    half = 4.302652729911275 * 3 / math.sqrt(3)  # t(.975, 2) s/√n
    assert (first["ci_low/mean/reward"], first["ci_high/mean/reward"]) == (pytest.approx(3 - half), pytest.approx(3 + half))
    assert "pass@1" not in first


def test_the_sample_is_copied_as_it_stands(tmp_path: Path) -> None:
    raw = json.dumps(input_row(0, 0, price="@")).replace('"@"', "1.10000000000000000001")
    profile(*write_run(tmp_path, [rollout(0, 0)], [raw]))
    assert '"price":1.10000000000000000001' in (tmp_path / "run_reward_profiling.jsonl").read_text()


@pytest.mark.parametrize("worst", [0.0, -1.0])
def test_two_valued_rewards_have_the_mean_interval_of_blade_inspect(worst: float, tmp_path: Path) -> None:
    passing = {(task, repeat) for task in range(6) for repeat in range(2)} - {(0, 0), (1, 1)}
    keys = [(task, repeat) for task in range(6) for repeat in range(2)]
    rows = [rollout(*key, 1.0 if key in passing else worst) for key in keys]
    inputs, rollouts = write_run(tmp_path, rows, [input_row(*key) for key in keys])
    [agent] = profile(inputs, rollouts).agents
    with open_run(rollouts) as run:
        inspected = mean_reward(run)
    bounds = [agent["ci_low/task_mean/reward"], agent["ci_high/task_mean/reward"]]
    assert bounds == pytest.approx(inspected["ci"])
    assert agent["task_mean/reward"] == pytest.approx(inspected["value"])
    assert bounds == pytest.approx([worst + (1 - worst) * agent[f"{end}/pass@1"] for end in ("ci_low", "ci_high")])
    assert bounds[1] <= 1
