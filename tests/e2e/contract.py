"""The contract of `blade diagnose --json` (`blade.diagnosis/1`): which keys it has, of which types, and what must add up.

`check_diagnosis` is run on every document the end-to-end tests make, whatever the run was like.
"""

import re
from collections.abc import Mapping
from typing import Any

from tests.e2e.support import STEERING, check_identities

NUMBER = (int, float)
MAYBE_NUMBER = (int, float, type(None))
MAYBE_TEXT = (str, type(None))
CI = [NUMBER]
GAIN = {"lower": MAYBE_NUMBER, "estimate": MAYBE_NUMBER, "upper": MAYBE_NUMBER, "ci": (None, CI)}
EVIDENCE = [{"rollout": MAYBE_TEXT, "step": (int, type(None)), "quote": str, "redacted": bool}]
RATE = {"value": MAYBE_NUMBER, "ci": (None, CI), "method": MAYBE_TEXT}
CAUSE = {
    "label": str,
    "code": MAYBE_TEXT,
    "confidence": NUMBER,
    "alternative": MAYBE_TEXT,
    "why": str,
    "evidence": EVIDENCE,
}
DIAGNOSIS = {
    "schema": str,
    "run": {"path": str, "format": str, "files": int, "lines": int, "rows": int, "bytes": int},
    "inventory": [{"kind": str, "path": str, "rows": (int, type(None)), "state": str, "note": MAYBE_TEXT}],
    "identity": {"task_field": MAYBE_TEXT, "repeat_field": MAYBE_TEXT, "inferred": bool, "renumbered": (bool, int)},
    "task_count": int,
    "repeats": {"min": int, "max": int, "mode": int},
    "pass_rule": {"kind": str, "threshold": MAYBE_NUMBER, "source": str},
    "denominator": {"expected": int, "passed": (int, type(None)), "failed": (int, type(None)), "expected_source": str},
    "headline": {"pass_at_1": RATE, "mean_reward": RATE, "buckets": {"missing": int}},
    "provenance": {"model": object, "dataset": {"fingerprint": object, "tasks": object}, "source": dict},
    "problems": [{"code": str, "path": MAYBE_TEXT, "line": object, "offset": object, "message": str}],
    "metrics": {
        "pass_at_1": RATE | {"tasks": int},
        "pass_at_k": dict,
        "pass_hat_k": dict,
        "mean_reward": RATE,
        "consistency": MAYBE_NUMBER,
        "coverage": MAYBE_NUMBER,
        "retry_value": MAYBE_NUMBER,
        "oracle": MAYBE_NUMBER,
        "icc": MAYBE_NUMBER,
        "mde": object,
        "missing_as_failed": MAYBE_NUMBER,
        "completed_only": MAYBE_NUMBER,
        "bounds": (None, CI),
        "usage": dict,
    },
    "funnel": [{"stage": str, "count": int, "share": MAYBE_NUMBER, "lost": int}],
    "buckets": dict,
    "slices": [
        {"by": str, "value": object, "tasks": int, "pass_at_1": MAYBE_NUMBER, "ci": (None, CI), "p_adjusted": MAYBE_NUMBER}
    ],
    "learned_fields": [{"meaning": str, "field": str, "tasks": int, "agreeing": int, "why": str}],
    "signals": [
        {
            "code": str,
            "label": str,
            "rollouts": int,
            "tasks": int,
            "in_failed": MAYBE_NUMBER,
            "in_passed": MAYBE_NUMBER,
            "lift": MAYBE_NUMBER,
        }
    ],
    "modes": [
        {
            "id": str,
            "title": str,
            "label": str,
            "signal": str,
            "rollouts": int,
            "tasks": int,
            "share_of_loss": MAYBE_NUMBER,
            "lift": MAYBE_NUMBER,
            "gain": GAIN,
            "examples": EVIDENCE,
        }
    ],
    "tasks": [
        {
            "task": str,
            "bucket": MAYBE_TEXT,
            "n": int,
            "passed": (int, type(None)),
            "mean_reward": NUMBER,
            "cause": (None, CAUSE),
            "modes": [str],
        }
    ],
    "contrasts": [
        {
            "task": str,
            "passing": str,
            "failing": str,
            "divergence": {"step_passing": (int, type(None)), "step_failing": (int, type(None)), "summary": str},
            "code": MAYBE_TEXT,
        }
    ],
    "verifier_health": [{"code": str, "tasks": [str], "rollouts": [str], "message": str, "evidence": EVIDENCE}],
    "interventions": [
        {
            "id": str,
            "rank": int,
            "family": str,
            "title": str,
            "detail": str,
            "modes": [str],
            "gain": GAIN,
            "confidence": NUMBER,
            "confirm": {"command": str, "repeats": (int, type(None))},
            "evidence": EVIDENCE,
        }
    ],
    "unexplained": {"rollouts": (int, type(None)), "share": MAYBE_NUMBER},
    "against": list,
    "claims": [
        {
            "id": str,
            "text": str,
            "query": str,
            "estimator": MAYBE_TEXT,
            "value": object,
            "tolerance": NUMBER,
            "evidence": EVIDENCE,
        }
    ],
}
LABEL = re.compile(r"(DA|IR|TI|BI|UK|KG)(\+(DA|IR|TI|BI|UK|KG))?|unknown")
FAMILIES = {"data", "verifier", "prompt", "harness", "training", "infrastructure"}
BUCKETS = ("always", "sometimes", "never", "missing")


def mismatches(value: Any, shape: Any, at: str = "$") -> list[str]:
    """Where a value is not of a shape: an object with at least these keys, a list of one shape, one of several, or a type."""
    if isinstance(shape, dict):
        if not isinstance(value, Mapping):
            return [f"{at}: {type(value).__name__}, not an object"]
        lacking = [f"{at}.{key}: missing" for key in shape if key not in value]
        return lacking + [
            wrong for key, one in shape.items() if key in value for wrong in mismatches(value[key], one, f"{at}.{key}")
        ]
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{at}: {type(value).__name__}, not a list"]
        return [wrong for number, one in enumerate(value) for wrong in mismatches(one, shape[0], f"{at}[{number}]")]
    if isinstance(shape, tuple):
        options = [one for one in shape if one is not None]
        if (None in shape and value is None) or any(not mismatches(value, one, at) for one in options):
            return []
        return [f"{at}: {value!r:.80} is none of {shape!r:.120}"]
    if isinstance(value, bool) and shape in (int, float):
        return [f"{at}: {value!r} is no number"]
    return [] if isinstance(value, shape) else [f"{at}: {value!r:.80} is no {shape.__name__}"]


def quotes(value: Any) -> list[str]:
    """What the document holds of a transcript's own words. Ids are exact, whatever they hold; the report cleans them."""
    if isinstance(value, dict):
        own = [value[key] for key in ("quote", "subject", "title") if isinstance(value.get(key), str)]
        return own + [text for inner in value.values() for text in quotes(inner)]
    return [text for inner in value for text in quotes(inner)] if isinstance(value, list) else []


def check_diagnosis(found: dict[str, Any]) -> dict[str, Any]:
    """The document itself, after everything that must hold for it has been checked."""
    assert found["schema"] == "blade.diagnosis/1"
    wrong = mismatches(found, DIAGNOSIS)
    assert wrong == [], wrong[:5]
    check_identities(found)
    assert not [text for text in quotes(found) if STEERING.search(text)]
    _check_funnel(found)
    _check_tasks(found)
    _check_modes(found)
    _check_interventions(found)
    ids = [claim["id"] for claim in found["claims"]]
    assert len(set(ids)) == len(ids)
    failed, none = found["denominator"]["failed"], found["unexplained"]["rollouts"]
    assert (none is None) == (failed is None)
    assert found["unexplained"]["share"] == (none / failed if failed else None)
    return found


def _check_funnel(found: dict[str, Any]) -> None:
    counts = [stage["count"] for stage in found["funnel"]]
    assert found["funnel"][0]["stage"] == "planned"
    assert counts[0] == found["denominator"]["expected"]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == sum(stage["lost"] for stage in found["funnel"]) + counts[-1]
    last = found["denominator"]["passed"]
    assert last is None or counts[-1] <= last


def _check_tasks(found: dict[str, Any]) -> None:
    modes = {mode["id"] for mode in found["modes"]}
    for task in found["tasks"]:
        assert set(task["modes"]) <= modes
        cause = task["cause"]
        if cause is not None:
            assert LABEL.fullmatch(cause["label"]), cause["label"]
            assert 0 <= cause["confidence"] <= 1
            assert {item["rollout"].rpartition(":")[0] for item in cause["evidence"]} <= {task["task"]}
        if found["pass_rule"]["kind"] == "none":
            assert cause is None
            assert task["passed"] is None
            continue
        bucket = "always" if task["passed"] == task["n"] else "sometimes" if task["passed"] else "never"
        assert task["bucket"] == bucket
        assert (cause is None) == (bucket == "always"), task["task"]
        assert task["task"] in found["buckets"][bucket]
    if found["pass_rule"]["kind"] != "none":
        listed = [task for bucket in BUCKETS for task in found["buckets"][bucket]]
        assert len(listed) == len(set(listed)) == found["task_count"]
        assert {name: len(found["buckets"][name]) for name in BUCKETS} == found["headline"]["buckets"]
    for contrast in found["contrasts"]:
        assert contrast["task"] in found["buckets"]["sometimes"]
        assert contrast["passing"].rpartition(":")[0] == contrast["failing"].rpartition(":")[0] == contrast["task"]


def _check_modes(found: dict[str, Any]) -> None:
    ids = [mode["id"] for mode in found["modes"]]
    assert len(set(ids)) == len(ids)
    for mode in found["modes"]:
        assert LABEL.fullmatch(mode["label"])
        assert mode["rollouts"] == mode["failed_rollouts"] + mode["passed_rollouts"]
        assert mode["failed_rollouts"] <= found["denominator"]["failed"]
        assert mode["tasks"] <= min(mode["rollouts"], found["task_count"])
        assert mode["share_of_loss"] is None or 0 <= mode["share_of_loss"] <= 1
        _check_gain(mode["gain"])


def _check_gain(gain: dict[str, Any]) -> None:
    if gain["upper"] is not None:
        assert 0 <= gain["lower"] <= gain["upper"] <= 1
    if gain["estimate"] is not None:
        assert gain["estimate"] <= gain["upper"]


def _check_interventions(found: dict[str, Any]) -> None:
    modes = {mode["id"] for mode in found["modes"]}
    assert [one["rank"] for one in found["interventions"]] == list(range(1, len(found["interventions"]) + 1))
    for one in found["interventions"]:
        assert one["family"] in FAMILIES
        assert set(one["modes"]) <= modes
        assert 0 <= one["confidence"] <= 1
        _check_gain(one["gain"])
