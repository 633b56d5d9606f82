"""Judging and scoring against small documents made by hand; every figure was worked out on paper."""

from __future__ import annotations

from typing import Any

import pytest

from blade.lab.cases import Case, Fault
from blade.lab.judging import Judged, false_findings, judge
from blade.lab.scoring import rate, score


def case(planted: dict[str, Fault], noise: tuple[str, ...] = ()) -> Case:
    return Case("records", ("k",), "mild", 1, [], planted, frozenset(noise))


def repeat(rollout: str, passed: bool, *labels: str) -> dict[str, Any]:
    findings = [{"code": f"code_{label}", "label": label, "step": 3} for label in labels]
    return {"rollout": rollout, "passed": passed, "reward": float(passed), "findings": findings}


def told(task: str, bucket: str, cause: dict[str, Any] | None, *repeats: dict[str, Any]) -> dict[str, Any]:
    return {
        "task": task,
        "bucket": bucket,
        "n": len(repeats),
        "passed": sum(r["passed"] for r in repeats),
        "cause": cause,
        "repeats": list(repeats),
    }


def cause(label: str, confidence: float = 0.9, rollout: str = "0:0", step: int | None = 3) -> dict[str, Any]:
    return {
        "label": label,
        "code": f"code_{label}",
        "confidence": confidence,
        "decisive": {"rollout": rollout, "step": step},
        "evidence": [{"rollout": rollout, "step": step, "quote": ""}],
    }


def test_a_task_is_judged_by_label_rollouts_and_step() -> None:
    planted = {"0:0": Fault("BI", "skipped_lookup", (4,)), "0:1": Fault("BI", "skipped_lookup", (9,))}
    document = {
        "tasks": [
            told("0", "sometimes", cause("BI"), repeat("0:0", False, "BI"), repeat("0:1", False), repeat("0:2", True, "BI")),
            told("1", "always", None, repeat("1:0", True, "BI")),
            told("2", "sometimes", cause("UK", rollout="2:0"), repeat("2:0", False, "UK"), repeat("2:1", True)),
        ]
    }
    struck, untouched, chance = judge(case(planted, ("2:0",)), document)
    assert (struck.truth, struck.predicted, struck.right) == ("BI", "BI", True)
    assert (struck.planted, struck.named) == (("0:0", "0:1"), ("0:0",))
    assert (struck.off_by, struck.has_step) == (1, True)
    assert (untouched.truth, untouched.predicted, untouched.bucket) == ("", "", "always")
    assert (chance.truth, chance.predicted) == ("noise", "UK")


@pytest.mark.parametrize(
    ("label", "rollout", "step", "steps", "off_by", "has_step"),
    [
        ("BI+UK", "0:0", 4, (4, 8), 0, True),
        ("BI", "0:0", 10, (4, 8), 2, True),
        ("BI", "0:3", 4, (4,), None, True),
        ("BI", "0:0", None, (4,), None, True),
        ("TI", "0:0", 4, (), None, False),
    ],
)
def test_where_a_cause_points(
    label: str, rollout: str, step: int | None, steps: tuple[int, ...], off_by: int | None, has_step: bool
) -> None:
    document = {"tasks": [told("0", "never", cause(label, rollout=rollout, step=step), repeat("0:0", False, label))]}
    (found,) = judge(case({"0:0": Fault("BI", "k", steps)}), document)
    assert (found.predicted, found.off_by, found.has_step) == (label[:2], off_by, has_step)


def one(truth: str, predicted: str, **more: Any) -> Judged:
    bucket = more.pop("bucket", "sometimes")
    return Judged("records", more.pop("kind", truth and f"kind_{truth}"), "mild", 1, "0", truth, predicted, bucket, **more)


def test_precision_and_recall_by_label() -> None:
    judged = [one("BI", "BI")] * 8 + [one("BI", "UK")] * 2 + [one("UK", "UK")] * 3 + [one("", "BI")] + [one("noise", "TI")]
    document = score(judged)
    assert document["planted_tasks"] == 13
    bi, uk = document["labels"]["BI"], document["labels"]["UK"]
    assert (bi["recall"], bi["precision"], bi["n"], bi["predicted"]) == (0.8, 8 / 9, 10, 9)
    assert (uk["recall"], uk["precision"], uk["n"]) == (1.0, 0.6, 3)
    assert bi["recall_ci"] == pytest.approx([0.4901625, 0.9433178], abs=1e-6)  # Wilson of 8/10, by hand
    assert document["confusion"]["BI"] == {"DA": 0, "IR": 0, "TI": 0, "BI": 8, "UK": 2, "KG": 0, "unknown": 0, "none": 0}
    assert document["confusion"]["none"]["BI"] == 1
    assert document["noise_tasks"] == {"TI": 1}
    assert document["labels"]["DA"]["recall"] is None
    assert [row["name"] for row in document["by_kind"]] == ["kind_BI", "kind_UK"]
    assert document["by_kind"][0]["instead"] == {"UK:": 2}


def test_rollouts_count_only_under_the_right_label() -> None:
    judged = [
        one("BI", "BI", planted=("0:0", "0:1"), named=("0:0", "0:2")),
        one("TI", "UK", planted=("1:0",), named=("1:0",)),
        one("DA", "unknown", planted=("2:0",), named=("2:0",)),
    ]
    found = score(judged)["modes"]
    assert (found["precision"], found["recall"], found["f1"]) == (1 / 3, 1 / 4, 2 / 7)


def test_steps_within_one_and_misses() -> None:
    judged = [
        one("BI", "BI", off_by=0),
        one("BI", "BI", off_by=1),
        one("BI", "BI", off_by=5),
        one("BI", "BI", pointed=True),
        one("DA", "DA"),
    ]
    steps = score(judged)["steps"]
    assert (steps["exact"]["value"], steps["within_1"]["value"], steps["n"]) == (0.25, 0.5, 4)


def test_a_cause_for_a_task_that_always_passes_is_counted() -> None:
    found = score([one("", "BI", bucket="always"), one("", "", bucket="always"), one("BI", "BI")])
    assert (found["always_pass_with_cause"], found["always_pass_tasks"]) == (1, 2)


def test_false_findings_of_a_clean_run() -> None:
    document = {
        "tasks": [
            told("0", "always", None, repeat("0:0", True, "TI", "TI"), repeat("0:1", True, "BI")),
            told("1", "sometimes", cause("IR"), repeat("1:0", False, "IR"), repeat("1:1", True)),
        ]
    }
    found = false_findings(document)
    assert (found.rollouts, found.accused, found.causes) == (4, {"DA": 0, "IR": 1, "TI": 1}, {"DA": 0, "IR": 1, "TI": 0})
    clean = score([], [found])["clean"]
    assert clean["share"] == {"DA": 0.0, "IR": 0.25, "TI": 0.25}


def test_a_rate_of_nothing_is_unknown() -> None:
    assert rate(0, 0) == {"value": None, "ci": None, "n": 0, "hits": 0}
