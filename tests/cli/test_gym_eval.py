"""`gym eval profile` and `gym eval aggregate` as a user types them."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from blade.cli.gym_eval import PROFILE_KEYS, eval_group, read_overrides
from blade.cli.main import gym_main
from blade.errors import UsageError
from tests.commands import called
from tests.gym.metrics.small_runs import input_row, rollout, write_lines, write_run

PLAN = [input_row(task, repeat) for task in range(3) for repeat in range(2)]
DONE = [rollout(0, 0), rollout(0, 1, 0.0), rollout(1, 0), rollout(1, 1)]
COMPLETION_KEYS = [
    "expected_rollout_rows",
    "completed_rollout_rows",
    "missing_rollout_rows",
    "extra_rollout_rows",
    "reward_profile_completion_pct",
    "total_input_rows",
    "complete_input_rows",
    "partial_input_rows",
    "missing_input_rows",
]


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLADE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


def gym(*arguments: object) -> subprocess.CompletedProcess[str]:
    return called(gym_main, "eval", *arguments)


def in_process(*arguments: object) -> Result:
    return CliRunner().invoke(eval_group, [str(argument) for argument in arguments])


def test_profile_prints_the_completion_and_the_tasks_without_rollouts(tmp_path: Path) -> None:
    inputs, rollouts = write_run(tmp_path, DONE, PLAN)
    done = in_process("profile", "--inputs", inputs, "--rollouts", rollouts, "++allow_partial_rollouts=True")
    assert done.exit_code == 0, done.output
    for key in COMPLETION_KEYS:
        assert f"{key}: " in done.output
    assert "1 task without any rollout: 2" in done.output
    assert "pass@2" in done.output
    assert (tmp_path / "run_reward_profiling.jsonl").exists()
    assert (tmp_path / "run_agent_metrics.json").exists()


def test_keys_instead_of_flags(tmp_path: Path) -> None:
    inputs, rollouts = write_run(tmp_path, DONE, PLAN)
    done = in_process(
        "profile", f"materialized_inputs_jsonl_fpath={inputs}", f"+rollouts_jsonl_fpath='{rollouts}'", "++lenient=true", "--json"
    )
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    assert list(found["summary"]) == COMPLETION_KEYS
    assert found["tasks_without_rollouts"] == ["2"]
    assert found["agents"][0]["missing_as_failed/pass@1"] == pytest.approx(0.5)


def test_a_strict_failure_lists_everything(tmp_path: Path) -> None:
    inputs, rollouts = write_run(tmp_path, [*DONE, *(f"bad {number}" for number in range(30))], PLAN)
    done = gym("profile", "--inputs", inputs, "--rollouts", rollouts)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "30 unreadable lines, 2 missing rollouts" in done.stderr
    assert "--lenient" in done.stderr
    for number in range(5, 35):
        assert f"  line {number}: run.jsonl: " in done.stderr
    assert "2:1 is in run_materialized_inputs.jsonl and has no rollout" in done.stderr
    assert "more" not in done.stderr
    listed = gym("profile", "--inputs", inputs, "--rollouts", rollouts, "--json")
    assert listed.returncode == 2
    problems = json.loads(listed.stdout)["problems"]
    assert len(problems) == 32
    assert {"code", "path", "line", "key", "message"} <= problems[0].keys()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.jsonl", "run_materialized_inputs.jsonl"]


def test_beyond_a_hundred_faults_the_rest_is_counted(tmp_path: Path) -> None:
    inputs, rollouts = write_run(tmp_path, [*DONE, *(f"bad {number}" for number in range(120))], PLAN)
    done = gym("profile", "--inputs", inputs, "--rollouts", rollouts)
    assert done.returncode == 2
    assert done.stderr.count("run.jsonl: ") == 100
    assert done.stderr.endswith("  and 22 more: --json lists them all\n")
    assert "the first 100 on the terminal, all of them with --json" in " ".join(in_process("profile", "--help").output.split())


def test_rows_under_the_keys_of_another_file_are_said_to_count(tmp_path: Path) -> None:
    write_lines(tmp_path / "s1.jsonl", DONE[:2])
    write_lines(tmp_path / "s2.jsonl", [row | {"response": {"id": "other", "output": []}, "reward": 0.0} for row in DONE[:2]])
    arguments = ("aggregate", "-i", f"{tmp_path}/s?.jsonl", "-o", tmp_path / "sum.jsonl")
    refused = gym(*arguments)
    assert refused.returncode == 2
    assert refused.stderr.startswith("gym: 2 keys in two files; nothing was written")
    done = in_process(*arguments, "--lenient")
    assert "forgiven and counted, as further repeats or as tasks of their own: 2 keys in two files" in " ".join(
        done.output.split()
    )
    assert "left out" not in done.output
    assert len((tmp_path / "sum.jsonl").read_text().splitlines()) == 4


def test_an_input_is_not_overwritten(tmp_path: Path) -> None:
    write_lines(tmp_path / "s1.jsonl", DONE[:2])
    write_lines(tmp_path / "s2.jsonl", DONE[2:])
    done = gym("aggregate", "-i", f"{tmp_path}/s*.jsonl", "-o", tmp_path / "s1.jsonl")
    assert done.returncode == 2
    assert "2 rows that the other inputs do not hold: they would be lost; nothing was written" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s1.jsonl", "s2.jsonl"]
    assert len((tmp_path / "s1.jsonl").read_text().splitlines()) == 2


def test_one_agent_is_printed_as_lines_in_the_style_of_inspect(tmp_path: Path) -> None:
    inputs, rollouts = write_run(tmp_path, DONE, PLAN)
    done = in_process("profile", "--inputs", inputs, "--rollouts", rollouts, "--lenient")
    shown = {line[2:20].strip(): line[21:] for line in done.output.splitlines() if line.startswith("  ")}
    assert shown == {
        "agent": "alice",
        "tasks": "3 (1 without rollouts)",
        "pass@1": "75.0 % [0.8 %, 99.9 %] 95 %",
        "pass@2": "100.0 % (2 tasks with 2 scored rollouts)",
        "missing as failed": "50.0 %",
        "mean reward": "0.75 [0.007644, 0.9991] 95 %",
    }


@pytest.mark.parametrize("agents", [1, 2])
def test_a_narrow_terminal_splits_no_word(agents: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from blade.cli import terminal

    monkeypatch.setattr(terminal, "WIDTH_WITHOUT_TERMINAL", 60)
    rows = [rollout(task, repeat, float(task > 1), f"agent{task % agents}") for task in range(6) for repeat in range(2)]
    write_lines(tmp_path / "a.jsonl", rows)
    done = in_process("aggregate", "-i", tmp_path / "a.jsonl", "-o", tmp_path / "m.jsonl")
    assert done.exit_code == 0, done.output
    assert done.output.count("missing as failed") == agents
    assert done.output.count("mean reward") == agents


def test_several_agents_are_a_table_where_it_fits(tmp_path: Path) -> None:
    rows = [rollout(task, repeat, float(task > 1), f"agent{task % 2}") for task in range(6) for repeat in range(2)]
    write_lines(tmp_path / "a.jsonl", rows)
    done = in_process("aggregate", "-i", tmp_path / "a.jsonl", "-o", tmp_path / "m.jsonl")
    [line] = [line for line in done.output.splitlines() if "agent1" in line]
    assert line.split()[:5] == ["agent1", "3", "0", "66.7", "%"]
    assert line.split()[-1] == "0.6667"


def test_aggregate(tmp_path: Path) -> None:
    write_lines(tmp_path / "s1.jsonl", DONE[:2])
    write_lines(tmp_path / "s2.jsonl", DONE[2:])
    done = gym("aggregate", "-i", f"{tmp_path}/s*.jsonl", "-o", tmp_path / "sum.jsonl")
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "sum.jsonl").read_text().splitlines()) == 4
    only = in_process(
        "aggregate",
        f"+input_glob=[{tmp_path}/s1.jsonl,{tmp_path}/s2.jsonl]",
        f"output_jsonl_fpath={tmp_path}/o.jsonl",
        "+merge_shards=false",
    )
    assert only.exit_code == 0, only.output
    assert not (tmp_path / "o.jsonl").exists()
    assert json.loads((tmp_path / "o_aggregate_metrics.json").read_bytes())[0]["agent_metrics"]["pass@2/accuracy"] == 100.0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["profile", "--inptus", "x"], "--inputs"),
        (
            ["profile", "--inputs", "x", "--rollouts", "y", "++allow_partial_rollout=True"],
            "the nearest key is allow_partial_rollouts.",
        ),
        (["profile", "--inputs", "x", "--rollouts", "y", "+nonsense_key=1"], "the keys are"),
        (
            ["profile", "--inputs", "x", "--rollouts", "y", "++allow_partial_rollouts=maybe"],
            "allow_partial_rollouts: 'maybe' is neither true nor false.",
        ),
        (["aggregate", "-i", "x", "-o", "y", "pass_threshold=high"], "pass_threshold: 'high' is not a number."),
        (["aggregate", "-i", "x", "-o", "."], "it is a directory"),
        (["profile", "--rollouts", "y"], "--inputs is missing"),
        (["profile", "--inputs", "no_such.jsonl", "--rollouts", "none.jsonl"], "does not exist"),
        (["aggregate", "-o", "x.jsonl"], "--input-glob is missing"),
        (["aggregate", "-i", "nothing_here*.jsonl", "-o", "x.jsonl"], "no rollout file matches"),
    ],
)
def test_bad_usage_is_one_sentence_and_exit_2(arguments: list[str], said: str) -> None:
    done = gym(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_overrides() -> None:
    assert read_overrides(["++allow_partial_rollouts=False", "pass_threshold=0.5"], PROFILE_KEYS) == {
        "allow_partial": False,
        "pass_threshold": 0.5,
    }
    with pytest.raises(UsageError, match="key=value"):
        read_overrides(["stray"], PROFILE_KEYS)


def test_help_shows_an_example() -> None:
    for command in ("profile", "aggregate"):
        assert f"gym eval {command}" in in_process(command, "--help").output
