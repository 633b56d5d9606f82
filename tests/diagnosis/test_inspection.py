import json
from typing import Any

import pytest

from blade.diagnosis.inspection import inspection
from tests.runs.support import Line, opened, planned, row

KEYS = {
    "": ["schema", "run", "inventory", "identity", "task_count", "repeats", "pass_rule", "denominator", "headline", "provenance", "problems"],
    "run": ["path", "format", "files", "lines", "rows", "bytes"],
    "identity": ["task_field", "repeat_field", "inferred", "renumbered"],
    "repeats": ["min", "max", "mode"],
    "pass_rule": ["kind", "threshold", "source"],
    "denominator": [
        "lines", "blank", "malformed", "rows", "scored", "errored_rows", "duplicate", "conflicting", "unexpected", "expected", "passed",
        "failed", "errored", "missing", "attempts", "expected_source",
    ],
    "headline": ["pass_at_1", "mean_reward", "buckets"],
    "provenance": ["model", "agent", "verifier", "dataset", "prompt", "sampling", "skills", "repeats", "source"],
}  # fmt: skip

RUNS: dict[str, Any] = {
    "plain": [row(0, 0, 1), row(1, 0, 0)],
    "one row": [row(0, 0, 1)],
    "nothing scored": [row(0, 0, None)],
    "no rule": [row(0, 0, 0.3), row(1, 0, 7)],
    "bad lines": [row(0, 0, 1), "{torn", "", "[]"],
    "a plan": {"r.jsonl": [row(0, 0, 1)], "r_materialized_inputs.jsonl": [planned(0, 0), planned(1, 0)]},
    "two files": {"a.jsonl": [row(0, 0, 1)], "b.jsonl": [row(0, 0, 0)]},
    "hostile names": [row("\x1b[31m<b>", 0, 1, **{"\x1b]0;x": 1, "": 2})],
}


@pytest.mark.parametrize("lines", RUNS.values(), ids=RUNS.keys())
def test_every_key_of_the_contract_is_there_in_its_order_and_it_is_json(lines: Any) -> None:
    with opened(lines) as run:
        found = inspection(run)
    for name, keys in KEYS.items():
        part = found[name] if name else found
        assert [key for key in part if key in keys] == keys, name
    assert found["schema"] == "blade.inspection/1"
    assert {"value", "ci", "method"} <= found["headline"]["pass_at_1"].keys()
    assert {"value", "ci", "method"} <= found["headline"]["mean_reward"].keys()
    assert list(found["headline"]["buckets"]) == ["always", "sometimes", "never", "missing"]
    assert all(list(item) == ["kind", "path", "rows", "state", "note"] for item in found["inventory"])
    assert all({"code", "path", "line", "offset", "message"} <= problem.keys() for problem in found["problems"])
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_the_run_is_described_by_what_it_is_made_of() -> None:
    lines: list[Line] = [row(0, 0, 1), "", "{torn", row(0, 1, 0), row(1, 0, 1)]
    with opened(lines) as run:
        found = inspection(run)
        size = run.artifacts.rollouts[0].stat().st_size
        assert found["run"] == {
            "path": run.artifacts.spec,
            "format": "rollout-jsonl",
            "files": 1,
            "lines": 5,
            "rows": 3,
            "bytes": size,
        }
    assert found["task_count"] == 2
    assert found["repeats"]["min"] == 1
    assert found["repeats"]["max"] == 2
    assert [problem["code"] for problem in found["problems"]] == ["malformed"]
    assert (found["problems"][0]["line"], found["problems"][0]["offset"]) == (3, len(json.dumps(row(0, 0, 1))) + 2)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [([3], (3, 3, 3)), ([1, 2, 2], (1, 2, 2)), ([4, 4, 1, 1, 1], (1, 4, 1))],
)
def test_repeats_are_the_scored_rollouts_per_task(counts: list[int], expected: tuple[int, int, int]) -> None:
    rows = [row(task, repeat, 1) for task, count in enumerate(counts) for repeat in range(count)]
    with opened([*rows, row(99, 0, None)]) as run:
        found = inspection(run)["repeats"]
    assert (found["min"], found["max"], found["mode"]) == expected


def test_under_no_rule_passed_failed_and_buckets_are_null() -> None:
    with opened([row(0, 0, 0.3), row(1, 0, 7)]) as run:
        found = inspection(run)
    assert found["denominator"]["passed"] is found["denominator"]["failed"] is None
    assert found["pass_rule"] == {"kind": "none", "threshold": None, "source": "rewards"}
    assert found["headline"]["buckets"]["always"] is None


def test_secrets_in_a_broken_line_do_not_come_out_in_its_problem() -> None:
    secret = "sk-proj-" + "A1b2C3d4E5f6G7h8I9j0" * 2
    with opened([row(0), "{" + secret]) as run:
        assert secret not in json.dumps(inspection(run))
