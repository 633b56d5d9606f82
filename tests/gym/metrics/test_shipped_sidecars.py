"""The metrics files that the reference wrote beside its example rollouts, recomputed from the rows alone."""

import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from blade.gym.metrics.aggregate import aggregate
from blade.gym.metrics.describe import STATS
from blade.gym.metrics.profile import profile
from tests.gym.metrics.small_runs import read_lines
from tests.shared_data import needs_shared_data, shared_data

pytestmark = needs_shared_data
STEM = "example_rollouts"


def folders(kind: str) -> list[str]:
    data = shared_data()
    return sorted(path.parent.name for path in data.glob(f"gym/*/{STEM}_{kind}")) if data else []


def copied(name: str, target: Path) -> Path:
    data = shared_data()
    assert data is not None
    folder = target / name
    shutil.copytree(data / "gym" / name, folder, copy_function=shutil.copyfile)
    return folder


def leaves(value: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], float]]:
    """Every number in a JSON value with its path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*at, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from leaves(inner, (*at, str(number)))
    elif isinstance(value, int | float):
        yield at, float(value)


def compared(stated: dict[str, Any], ours: dict[str, Any]) -> tuple[int, set[str]]:
    """How many numbers of `stated` we reproduce to 1e-9, and the top-level keys we do not have; a wrong number fails."""
    known = {path: value for key in stated if key in ours for path, value in leaves({key: stated[key]})}
    found = dict(leaves(ours))
    for path, value in known.items():
        assert math.isclose(found[path], value, rel_tol=1e-9, abs_tol=1e-9), path
    return len(known), {key for key in stated if key not in ours}


def is_statistic(key: str) -> bool:
    return key.partition("/")[0] in STATS and "/" in key


def test_aggregate_metrics(tmp_path: Path) -> None:
    """Every <stat>/<field> and every pass@k; what is left is exactly what only a server's hook computes."""
    reproduced, left = 0, {}
    for name in folders("aggregate_metrics.json"):
        folder = copied(name, tmp_path)
        options: dict[str, Any] = {"answer_key": "pred_text", "score_fields": ["per"]} if name == "asr_with_pc" else {}
        aggregate(str(folder / f"{STEM}*.jsonl"), tmp_path / "out" / f"{name}.jsonl", **options)
        [stated] = json.loads((folder / f"{STEM}_aggregate_metrics.json").read_bytes())
        [ours] = json.loads((tmp_path / "out" / f"{name}_aggregate_metrics.json").read_bytes())
        assert stated["agent_ref"] == ours["agent_ref"]
        assert not any(is_statistic(key) for key in stated["agent_metrics"].keys() - ours["agent_metrics"].keys())
        agent_numbers, missing = compared(stated["agent_metrics"], ours["agent_metrics"])
        key_numbers, _ = compared(
            {key: value for key, value in stated["key_metrics"].items() if is_statistic(key) or "pass@" in key},
            ours["agent_metrics"],
        )
        reproduced += agent_numbers + key_numbers
        if missing:
            left[name] = missing
        groups = sorted(ours["group_level_metrics"], key=lambda group: group["_ng_task_index"])
        assert len(groups) == len(stated["group_level_metrics"])
        for stated_group, group in zip(stated["group_level_metrics"], groups, strict=True):
            numbers, absent = compared({key: value for key, value in stated_group.items() if key != "sample"}, group)
            assert not absent
            reproduced += numbers
    assert left == {
        "asr_with_pc": {"corpus_wer@k=1", "wer_c@k=1", "wer_pc@k=1", "per@k=1"},
        "litmus_agent": {"direct"},
    }
    assert reproduced > 2_000


def test_profiles(tmp_path: Path) -> None:
    """Old and new reward profiles and agent metrics; the sample of every task is the input row without its indices."""
    reproduced = 0
    for name in folders("reward_profiling.jsonl"):
        folder = copied(name, tmp_path)
        stated = read_lines(folder / f"{STEM}_reward_profiling.jsonl")
        [stated_agent] = json.loads((folder / f"{STEM}_agent_metrics.json").read_bytes())
        profile(folder / f"{STEM}_materialized_inputs.jsonl", folder / f"{STEM}.jsonl")
        ours = read_lines(folder / f"{STEM}_reward_profiling.jsonl")
        [agent] = json.loads((folder / f"{STEM}_agent_metrics.json").read_bytes())
        assert list(stated_agent) == [key for key in agent if key in stated_agent]  # in the same order, too
        assert stated_agent.pop("agent_ref") == agent["agent_ref"]
        for one, other in [(stated_agent, agent), *zip(stated, ours, strict=True)]:
            assert one.pop("sample", None) == other.get("sample")
            numbers, absent = compared(one, other)
            assert not absent
            reproduced += numbers
            assert [key for key in one if is_statistic(key)] == [key for key in other if is_statistic(key)]
            for stated_info, info in zip(one.get("rollout_infos", []), other.get("rollout_infos", []), strict=False):
                assert stated_info == info
    assert reproduced > 700


@pytest.mark.parametrize("name", folders("aggregate_metrics.json"))
def test_server_keys_are_named(name: str, tmp_path: Path) -> None:
    folder = copied(name, tmp_path)
    found = aggregate(str(folder / f"{STEM}.jsonl"), folder / "merged.jsonl")
    named = {key for entry in found.server_only for key in entry.keys}
    hooks = {"asr_with_pc": {"corpus_wer@k=1", "wer", "pass@1/per", "pass@1/no_answer"}, "litmus_agent": {"direct"}}
    assert hooks.get(name, set()) <= named
    assert bool(named) == (name in hooks)
