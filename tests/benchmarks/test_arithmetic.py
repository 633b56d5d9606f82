"""The arithmetic benchmark: what is committed is what its code makes, and every answer is right."""

import json
import re
from collections import Counter
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from blade.gym.collect.prepare import prepare
from blade.gym.collect.prompts import load_prompt
from blade.gym.config import resolve_config

REPO = Path(__file__).parents[2]
FOLDER = REPO / "benchmarks/arithmetic"
DATA = FOLDER / "data/arithmetic_benchmark.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text().splitlines()]


def script() -> Any:
    spec = spec_from_file_location("arithmetic_prepare", FOLDER / "prepare.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_committed_file_is_what_the_code_makes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = script()
    monkeypatch.setattr(module, "DATA", tmp_path / "data" / "made.jsonl")
    assert module.prepare().read_bytes() == DATA.read_bytes()


def test_sixty_different_tasks_in_twelve_families() -> None:
    assert len(ROWS) == len({row["question"] for row in ROWS}) == len({row["problem_id"] for row in ROWS}) == 60
    assert set(Counter(row["family"] for row in ROWS).values()) == {5}
    assert {row["difficulty"] for row in ROWS} == {"easy", "medium", "hard"}
    assert all(isinstance(value, str) for row in ROWS for value in row.values()), "a number would be averaged as a score"


def right_answer(question: str) -> int:
    """The answer worked out from the words of the question alone."""
    numbers = [int(digits) for digits in re.findall(r"\d+", question)]
    first, second = numbers[0], numbers[-1]
    if "comes right after" in question:
        return first + 1
    if "next number" in question:
        return second + (second - numbers[-2])
    if "missing" in question:
        return second - first
    if "larger" in question:
        return max(numbers)
    if " - " in question or "gives away" in question:
        return first - second
    if " times " in question:
        return first * second
    if "half of" in question:
        return first // 2
    return first + second


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["problem_id"])
def test_every_answer_is_right(row: dict[str, str]) -> None:
    assert row["expected_answer"] == str(right_answer(row["question"]))
    assert not row["expected_answer"].startswith("-")


@pytest.mark.parametrize("name", ["plain", "worked"])
def test_both_prompts_fit_every_task_and_give_none_away(name: str) -> None:
    prompt = load_prompt(FOLDER / f"prompts/{name}.yaml")
    for row in ROWS:
        messages = prompt.apply(row)["responses_create_params"]["input"]
        assert [message["role"] for message in messages] == ["system", "user"]
        assert messages[1]["content"].count(row["question"]) == 1
        assert row["question"] not in messages[0]["content"], "no example is a task"


def test_its_configuration_can_be_prepared_without_a_network() -> None:
    config = resolve_config([str(FOLDER / "config.yaml")], stand_in_model=True)
    (dataset,) = config.instances["arithmetic_math_with_judge_simple_agent"].settings["datasets"]
    assert dataset["num_repeats"] == 4
    assert config.settings["responses_create_params"]["max_output_tokens"] <= 128
    (found,) = prepare(config, use_cached=True)
    assert (found.rows, found.cached) == (60, True)
