"""What the diagnosis is worth, from judged tasks: precision and recall by label and kind, rollouts, steps, calibration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from blade.lab.calibration import calibration
from blade.lab.judging import FalseFindings, Judged
from blade.signals.labels import LABELS, PLUMBING
from blade.stats.intervals import wilson

Z: Final = 1.959963984540054
NONE: Final = "none"
"""In the confusion matrix: nothing planted, or nothing claimed."""


def rate(successes: int, attempts: int) -> dict[str, Any]:
    """A share with its Wilson interval; null where there is nothing to count."""
    if not attempts:
        return {"value": None, "ci": None, "n": 0, "hits": 0}
    low, high = wilson(np.array([successes / attempts]), np.array([float(attempts)]), Z)
    return {"value": successes / attempts, "ci": [float(low[0]), float(high[0])], "n": attempts, "hits": successes}


def score(judged: Sequence[Judged], clean: Sequence[FalseFindings] = ()) -> dict[str, Any]:
    """The document of `blade selftest --json`."""
    counted = [one for one in judged if one.truth != "noise"]
    planted = [one for one in counted if one.truth]
    return {
        "schema": "blade.selftest/1",
        "planted_tasks": len(planted),
        "kinds": len({one.kind for one in planted}),
        "environments": sorted({one.environment for one in planted}),
        "labels": {label: _label(counted, label) for label in LABELS},
        "confusion": _confusion(counted),
        "by_kind": _by(planted, lambda one: one.kind),
        "by_environment": _by(planted, lambda one: one.environment),
        "by_severity": _by(planted, lambda one: one.severity),
        "modes": _rollouts(counted),
        "steps": _steps(planted),
        "calibration": calibration(judged),
        "always_pass_tasks": sum(one.bucket == "always" for one in judged),
        "always_pass_with_cause": sum(one.bucket == "always" and bool(one.predicted) for one in judged),
        "noise_tasks": dict(sorted(Counter(one.predicted or NONE for one in judged if one.truth == "noise").items())),
        "clean": _clean(clean),
    }


def _label(judged: Sequence[Judged], label: str) -> dict[str, Any]:
    true = [one for one in judged if one.truth == label]
    said = [one for one in judged if one.predicted == label]
    hits = sum(one.right for one in true)
    precision, recall = rate(hits, len(said)), rate(hits, len(true))
    return {
        "precision": precision["value"],
        "precision_ci": precision["ci"],
        "recall": recall["value"],
        "recall_ci": recall["ci"],
        "n": len(true),
        "predicted": len(said),
    }


def _confusion(judged: Sequence[Judged]) -> dict[str, dict[str, int]]:
    """True label → predicted label → tasks; tasks with neither are left out."""
    counts = Counter((one.truth or NONE, one.predicted or NONE) for one in judged if one.truth or one.predicted)
    columns = (*LABELS, "unknown", NONE)
    return {true: {said: counts[true, said] for said in columns} for true in (*LABELS, NONE)}


def _by(planted: Sequence[Judged], key: Callable[[Judged], str]) -> list[dict[str, Any]]:
    """Recall by kind (or the like), the worst first, with what was said instead."""
    rows = []
    for name in sorted({key(one) for one in planted}):
        members = [one for one in planted if key(one) == name]
        found = rate(sum(one.right for one in members), len(members))
        instead = Counter(f"{one.predicted or NONE}:{one.code}" for one in members if not one.right)
        labels = sorted({one.truth for one in members})
        steps = [one for one in members if one.has_step]
        near = sum(one.off_by is not None and one.off_by <= 1 for one in steps)
        rows.append(
            {
                "name": name,
                "label": labels[0] if len(labels) == 1 else None,
                "recall": found["value"],
                "recall_ci": found["ci"],
                "n": found["n"],
                "step_within_1": near / len(steps) if steps else None,
                "instead": dict(instead.most_common(4)),
            }
        )
    return sorted(rows, key=lambda row: (row["recall"], row["name"]))


def _rollouts(judged: Sequence[Judged]) -> dict[str, Any]:
    """Affected rollouts: (rollout, label) pairs that were named against those planted."""
    hits = named = planted = 0
    for one in judged:
        named += len(one.named) if one.predicted not in ("", "unknown") else 0
        planted += len(one.planted)
        hits += len(set(one.named) & set(one.planted)) if one.right else 0
    precision, recall = rate(hits, named), rate(hits, planted)
    return {
        "precision": precision["value"],
        "precision_ci": precision["ci"],
        "recall": recall["value"],
        "recall_ci": recall["ci"],
        "f1": 2 * hits / (named + planted) if named + planted else None,
        "rollouts": planted,
    }


def _steps(planted: Sequence[Judged]) -> dict[str, Any]:
    """Decisive steps, over the planted tasks whose fault acts at a step; a cause that points nowhere counts as a miss."""
    told = [one for one in planted if one.has_step]
    exact = sum(one.off_by == 0 for one in told)
    near = sum(one.off_by is not None and one.off_by <= 1 for one in told)
    return {"exact": rate(exact, len(told)), "within_1": rate(near, len(told)), "n": len(told)}


def _clean(found: Sequence[FalseFindings]) -> dict[str, Any]:
    rollouts = sum(one.rollouts for one in found)
    accused = {label: sum(one.accused[label] for one in found) for label in PLUMBING}
    codes: Counter[str] = Counter()
    for one in found:
        codes.update(one.codes)
    return {
        "runs": len(found),
        "rollouts": rollouts,
        "false_findings": accused,
        "share": {label: count / rollouts if rollouts else None for label, count in accused.items()},
        "false_causes": {label: sum(one.causes[label] for one in found) for label in PLUMBING},
        "codes": dict(codes.most_common(12)),
    }
