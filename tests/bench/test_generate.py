"""The generated rollout files: sizes as promised, ids that are unique, repeats that share their prompt and nothing else."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bench.generate import (
    REPEATS,
    heavy_tail,
    inputs_beside,
    material,
    parse_bytes,
    rollouts,
    tasks,
    write_profile,
    write_rollouts,
)

Row = dict[str, Any]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    path = tmp_path_factory.mktemp("bench") / "rollouts.jsonl"
    rows = write_rollouts(path, 12_000_000, seed=1)
    made = path.read_bytes().splitlines(keepends=True)
    assert len(made) == rows
    return made


def test_the_file_reaches_its_size_and_stops_at_the_row_that_does(lines: list[bytes]) -> None:
    assert sum(map(len, lines)) >= 12_000_000 > sum(map(len, lines[:-1]))


def test_row_sizes_follow_the_measured_distribution() -> None:
    z = statistics.NormalDist().inv_cdf
    sizes = [heavy_tail(z(share)) for share in (0.0001, 0.5, 0.99, 0.99999)]
    assert sizes[0] >= 5_000
    assert sizes[1] == pytest.approx(11_500, rel=0.03)
    assert sizes[2] == pytest.approx(400_000, rel=0.01)
    assert sizes[3] <= 1_500_000


def test_rows_come_out_as_large_as_drawn(lines: list[bytes]) -> None:
    lengths = [len(line) for line in lines]
    assert 4_800 < min(lengths) < max(lengths) < 1_520_000
    assert 9_000 < statistics.median(lengths) < 15_000


def test_every_row_is_a_rollout_with_calls_and_unique_ids(lines: list[bytes]) -> None:
    rows: list[Row] = [json.loads(line) for line in lines]
    keys = [(row["_ng_task_index"], row["_ng_rollout_index"]) for row in rows]
    assert len(set(keys)) == len(keys)
    assert keys != sorted(keys)
    ids = Counter(item["id"] for row in rows for item in row["response"]["output"] if "id" in item)
    assert max(ids.values()) == 1
    for row in rows:
        kinds = Counter(item["type"] for item in row["response"]["output"])
        assert kinds["function_call"] == kinds["function_call_output"] == kinds["reasoning"] >= 1
        assert kinds["message"] == 1
        assert {"target", "query"} == set(json.loads(row["response"]["output"][1]["arguments"]))
        usage = row["response"]["usage"]
        assert usage["input_tokens"] + usage["output_tokens"] == usage["total_tokens"]
        assert row["reward"] == float(row["state_match"])
        assert (row["extracted_answer"] == row["expected_answer"]) >= row["state_match"]


def test_repeats_share_the_prompt_but_no_output_text(lines: list[bytes]) -> None:
    rows: list[Row] = [json.loads(line) for line in lines]
    repeats = Counter(row["_ng_task_index"] for row in rows)
    prompts = {(row["_ng_task_index"], json.dumps(row["responses_create_params"])) for row in rows}
    assert max(repeats.values()) == REPEATS
    assert len(prompts) == len({prompt for _, prompt in prompts}) == len(repeats)
    outputs = [item["output"] for row in rows for item in row["response"]["output"] if item["type"] == "function_call_output"]
    assert len(set(outputs)) > 0.999 * len(outputs)


def test_the_seed_decides_the_bytes() -> None:
    def first(seed: int) -> bytes:
        drawn = material(seed, size=200_000)
        return b"".join(next(rollouts(tasks(drawn, heavy_tail, seed), drawn, seed)))

    assert first(5) == first(5) != first(6)


def test_profile_writes_eight_repeats_per_task_with_their_inputs(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    assert write_profile(path, 800, seed=2) == 800
    rows: list[Row] = [json.loads(line) for line in path.open("rb")]
    inputs: list[Row] = [json.loads(line) for line in inputs_beside(path).open("rb")]
    planned = [(row["_ng_task_index"], row["_ng_rollout_index"]) for row in inputs]
    assert planned == [(task, repeat) for task in range(100) for repeat in range(REPEATS)]
    assert sorted((row["_ng_task_index"], row["_ng_rollout_index"]) for row in rows) == planned
    assert path.stat().st_size / 800 == pytest.approx(10_000, rel=0.1)


@pytest.mark.parametrize(
    ("text", "size"), [("1GB", 10**9), ("2 gb", 2 * 10**9), ("1.5MB", 1_500_000), ("20kb", 20_000), ("77", 77)]
)
def test_sizes_are_read_with_decimal_units(text: str, size: int) -> None:
    assert parse_bytes(text) == size
