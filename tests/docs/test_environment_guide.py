"""`docs/environments.md`: the environment is built from the text of the page, and is what the page says it is."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docs.guides import Reader, commands_of, files_of, page
from tests.gym.endpoints import ScriptedEndpoint

GUIDE = page("environments.md")
FILES = files_of(GUIDE)
ENVIRONMENT = {name: text for name, text in FILES.items() if name.startswith(("resources_servers/", "benchmarks/"))}
APP = "resources_servers/cable_fault/app.py"
RUN = (
    ".venv/bin/gym eval run --benchmark cable_fault --model-type openai_model --model-url http://127.0.0.1:8000/v1"
    " --model my-model --model-api-key none --output results/cable.jsonl"
)
HALVING = '''
"""Halves what is left of the cable; on cables of 32 joints it guesses one test too early, and after an error it gives up."""
import json, re

def reply(request):
    joints = int(re.search(r"has (\\d+) joints", request.opening)[1])
    low, high, asked = 1, joints, 0
    for item in request.body["input"]:
        if item.get("type") == "function_call":
            asked = json.loads(item["arguments"])["joint"]
        if item.get("type") == "function_call_output":
            if item["output"].startswith("Error"):
                return "I cannot say."
            low, high = (asked + 1, high) if item["output"] == "signal" else (low, asked)
    if low < high and not (joints == 32 and high - low == 1):
        return {"calls": [{"name": "test_joint", "arguments": {"joint": (low + high) // 2}}]}
    return f"The first dead joint is {low}."
'''


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    endpoint = ScriptedEndpoint(tmp_path / "endpoint", HALVING)
    yield Reader(tmp_path / "folder", endpoint.url)
    endpoint.stop()


def rows(reader: Reader, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (reader.folder / "results" / name).read_text().splitlines()]


def solved(dead_from: int, joints: int) -> tuple[float, int]:
    """Reward and number of tests of the scripted model, played by hand."""
    low, high, tests = 1, joints, 0
    while low < high and not (joints == 32 and high - low == 1):
        middle = (low + high) // 2
        low, high = (middle + 1, high) if middle < dead_from else (low, middle)
        tests += 1
    return float(low == dead_from), tests


def changed(old: str, new: str) -> dict[str, str]:
    assert ENVIRONMENT[APP].count(old) == 1
    return ENVIRONMENT | {APP: ENVIRONMENT[APP].replace(old, new)}


def test_the_environment_is_complete_in_under_80_lines() -> None:
    assert {Path(name).name for name in ENVIRONMENT} == {"app.py", "prepare.py", "plain.yaml", "config.yaml"}
    assert sum(len(text.splitlines()) for text in ENVIRONMENT.values()) < 80


def test_every_command_of_the_guide_runs_in_order(reader: Reader) -> None:
    reader.write(FILES)
    outputs = {line: reader.run(line).stdout for line in commands_of(GUIDE)}
    validated, prepared, *_ = outputs.values()
    assert "This configuration is valid." in validated
    assert "12 tasks" in prepared
    assert "4 passed" in outputs[commands_of(GUIDE)[-1]]
    listed = reader.run(".venv/bin/gym list benchmarks").stdout
    assert "Find the first dead joint of a cable with few tests." in listed


def test_rewards_and_figures_are_those_of_the_play(reader: Reader) -> None:
    reader.write(ENVIRONMENT)
    reader.run(".venv/bin/gym eval prepare --benchmark cable_fault")
    reader.run(RUN)
    found = rows(reader, "cable.jsonl")
    assert len(found) == 24
    for row in found:
        expected = solved(int(row["expected_answer"]), row["joints"])
        assert (row["reward"], row["tests_used"]) == expected, row["cable"]
    rewards = [row["reward"] for row in found]
    assert 0 < sum(rewards) < 24
    (entry,) = json.loads((reader.folder / "results" / "cable_aggregate_metrics.json").read_text())
    spent = [row["tests_used"] for row in found if row["reward"] == 1]
    assert entry["agent_metrics"]["mean/reward"] == pytest.approx(sum(rewards) / 24)
    assert entry["agent_metrics"]["mean/tests_when_solved"] == pytest.approx(sum(spent) / len(spent))
    diagnosed = json.loads(reader.run(".venv/bin/blade inspect results/cable.jsonl --json").stdout)
    assert diagnosed["denominator"]["expected"] == diagnosed["denominator"]["scored"] == 24


def test_a_hang_in_a_tool_costs_one_rollout(reader: Reader) -> None:
    hang = '        while state["joints"] == 16 and state["dead_from"] == DEAD:\n            pass\n        state["tests_left"] -= 1\n'
    reader.write(ENVIRONMENT)
    reader.run(".venv/bin/gym eval prepare --benchmark cable_fault")
    data = (reader.folder / "benchmarks/cable_fault/data/cable_fault_benchmark.jsonl").read_text().splitlines()
    medium = [json.loads(line) for line in data if json.loads(line)["joints"] == 16]
    once = next(row for row in medium if sum(other["expected_answer"] == row["expected_answer"] for other in medium) == 1)
    reader.write(changed('        state["tests_left"] -= 1\n', hang.replace("DEAD", once["expected_answer"])))
    reader.run(f"{RUN} --num-repeats 1 ++cable_fault.resources_servers.cable_fault.tool_timeout_seconds=1")
    found = rows(reader, "cable.jsonl")
    assert len(found) == 12
    for row in found:
        hung = row["cable"] == once["cable"]
        assert row["reward"] == (0 if hung else solved(int(row["expected_answer"]), row["joints"])[0]), row["cable"]
        if hung:
            assert "no result within 1 s" in json.dumps(row["response"]["output"])


def test_a_hang_in_the_verifier_costs_one_rollout_and_no_grade(reader: Reader) -> None:
    start = "    def verify(self, state, row, response):\n"
    reader.write(changed(start, f'{start}        while row["cable"] == "C-5":\n            pass\n'))
    reader.run(".venv/bin/gym eval prepare --benchmark cable_fault")
    limits = "++cable_fault.resources_servers.cable_fault.verify_timeout_seconds=1 --num-repeats 1 --max-attempts 1"
    reader.run(f"{RUN} {limits}", expect=1)
    assert sorted(row["cable"] for row in rows(reader, "cable.jsonl")) == sorted(f"C-{n}" for n in range(1, 13) if n != 5)
    (failure,) = rows(reader, "cable_failures.jsonl")
    assert (failure["cable"], failure["_ng_failure_class"]) == ("C-5", "verifier_timeout")


def test_stored_rollouts_are_graded_by_a_new_verifier(reader: Reader) -> None:
    reader.write(ENVIRONMENT)
    reader.run(".venv/bin/gym eval prepare --benchmark cable_fault")
    reader.run(RUN)
    before = {(row["cable"], row["_ng_rollout_index"]): row["reward"] for row in rows(reader, "cable.jsonl")}
    reader.write(changed('said[-1] == row["expected_answer"]', 'abs(int(said[-1]) - int(row["expected_answer"])) <= 1'))
    again = "reverify --benchmark cable_fault --rollouts results/cable.jsonl --output results/again.jsonl"
    reader.run(f".venv/bin/gym eval {again}")
    for row in rows(reader, "again.jsonl"):
        assert row["reward"] == 1
        assert row["reverified"]["previous_reward"] == before[row["cable"], row["_ng_rollout_index"]]
    comparison = json.loads(reader.run(".venv/bin/blade compare results/cable.jsonl results/again.jsonl --json").stdout)
    parts = {part["term"]: part["delta"] for part in comparison["waterfall"] if part["delta"]}
    assert parts == {"verifier": pytest.approx(1 - sum(before.values()) / len(before))}
