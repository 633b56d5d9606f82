"""A diagnosis document made by hand: a library desk with tools, 6 tasks of 4 repeats, as the diagnosis would write it.

`document` gives a fresh one each time; a test changes what it is about. The findings are of the kinds a report has to tell: a skipped
lookup whose passes are luck, the same wrong argument in every repeat, a change nobody asked for, an outage, and one task that
nothing explains.
"""

from typing import Any

from tests.reports.desk import FEE, LOOKUP, claims, modes, tasks
from tests.reports.pieces import Json, evidence


def metrics() -> Json:
    return {
        "pass_at_1": {"value": 0.625, "ci": [0.2917, 0.8708], "method": "effective_wilson", "tasks": 6, "se": 0.1443},
        "pass_at_k": {"1": {"value": 0.625, "tasks": 6}, "2": {"value": 0.7778, "tasks": 6}, "4": {"value": 0.8333, "tasks": 6}},
        "pass_hat_k": {"1": {"value": 0.625, "tasks": 6}, "2": {"value": 0.4722, "tasks": 6}, "4": {"value": 0.1667, "tasks": 6}},
        "mean_reward": {"value": 0.625, "ci": [0.2917, 0.8708], "method": "effective_wilson", "approximate": False},
        "consistency": 0.1667,
        "coverage": 0.96,
        "retry_value": 0.2083,
        "oracle": 0.8333,
        "icc": 0.41,
        "mde": 0.4417,
        "missing_as_failed": 0.6,
        "completed_only": 0.625,
        "bounds": [0.6, 0.64],
        "usage": {"output_tokens": {"mean": 812.5, "total": 19500.0, "rollouts": 24}},
    }


def document(**changes: Any) -> Json:
    """The document, with some of its keys replaced."""
    made: Json = {
        "schema": "blade.diagnosis/1",
        "run": {"path": "results/desk.jsonl", "format": "rollout-jsonl", "files": 1, "lines": 24, "rows": 24, "bytes": 180_000},
        "inventory": [
            {"kind": "rollouts", "path": "results/desk.jsonl", "rows": 24, "state": "read", "note": None},
            {"kind": "materialized_inputs", "path": "results/desk_inputs.jsonl", "rows": 25, "state": "read", "note": None},
            {"kind": "manifest", "path": None, "rows": None, "state": "missing", "note": None},
        ],
        "identity": {
            "task_field": "task_id",
            "repeat_field": "repeat",
            "inferred": False,
            "renumbered": 0,
            "reward_field": "reward",
        },
        "task_count": 6,
        "repeats": {"min": 4, "max": 4, "mode": 4},
        "pass_rule": {"kind": "binary", "threshold": 1.0, "source": "rewards"},
        "denominator": {
            "lines": 24,
            "blank": 0,
            "malformed": 0,
            "rows": 24,
            "scored": 24,
            "errored_rows": 0,
            "duplicate": 0,
            "conflicting": 0,
            "unexpected": 0,
            "expected": 25,
            "passed": 15,
            "failed": 9,
            "errored": 0,
            "missing": 1,
            "attempts": 24,
            "expected_source": "inputs",
        },
        "headline": {"buckets": {"always": 1, "sometimes": 4, "never": 1, "missing": 0}},
        "metrics": metrics(),
        "provenance": {
            "model": "desk-model",
            "agent": None,
            "dataset": {"fingerprint": "ab12", "tasks": 6},
            "sampling": {"temperature": 0.7},
            "source": {"model": "rows", "dataset": "inferred", "sampling": "config"},
        },
        "problems": [
            {"code": "renumbered", "path": "results/desk.jsonl", "line": 7, "offset": 900, "message": "a repeat was renumbered"}
        ],
        "problems_not_listed": 0,
        "funnel": [
            {"stage": "scored", "count": 24, "share": 1.0, "lost": 0},
            {"stage": "called a tool", "count": 23, "share": 23 / 24, "lost": 1},
            {"stage": "changed something", "count": 21, "share": 21 / 24, "lost": 2},
            {"stage": "passed", "count": 15, "share": 15 / 24, "lost": 6},
        ],
        "buckets": {"always": ["L30"], "sometimes": ["L9", "L26", "L37", "L41"], "never": ["L0"], "missing": []},
        "slices": [{"by": "branch", "value": "north", "tasks": 3, "pass_at_1": 0.5, "ci": [0.11, 0.89], "p_adjusted": 0.48}],
        "signals": [],
        "modes": modes(),
        "tasks": tasks(),
        "contrasts": [
            {
                "task": "L26",
                "passing": "L26:0",
                "failing": "L26:1",
                "divergence": {
                    "step_passing": 23,
                    "step_failing": 36,
                    "summary": "L26:0 calls get_member before pay_loan, L26:1 pays with a card from the history",
                },
                "code": "lookup_skipped",
                "counts": {"passing_with": 0, "passing": 2, "failing_with": 2, "failing": 2},
            },
            {
                "task": "L41",
                "passing": "L41:0",
                "failing": "L41:2",
                "divergence": {"step_passing": None, "step_failing": None, "summary": "the same calls in the same order"},
                "code": None,
                "counts": None,
            },
        ],
        "verifier_health": [
            {
                "code": "equal_answer_other_reward",
                "tasks": ["L41"],
                "rollouts": ["L41:0", "L41:2"],
                "message": "equal answers got different rewards",
                "evidence": [evidence("L41:2", 20, "the total is 1,200")],
            }
        ],
        "luck": [
            {
                "task": "L26",
                "rollout": "L26:0",
                "step": 21,
                "code": "lucky_pass",
                "why": "the guessed card_7334 was refused and only that error led to get_member",
                "quote": "Error: payment method not found",
            }
        ],
        "clusters": [
            {
                "code": "connection_failed",
                "by": "time",
                "value": "first tenth",
                "hit": 2,
                "of": 3,
                "rest_hit": 0,
                "rest_of": 21,
                "p_adjusted": 0.011,
                "message": "connection failures lie in the first minutes of the run",
            }
        ],
        "tools": [
            {"name": "pay_loan", "kind": "change", "reason": "expected calls name it", "calls": 19, "errors": 3},
            {"name": "get_member", "kind": "read", "reason": "its name begins with get", "calls": 14, "errors": 0},
        ],
        "interventions": [
            {
                "id": "i1",
                "rank": 1,
                "family": "harness",
                "title": "resolve the payment card with `get_member` before any charge",
                "detail": "pay_loan should refuse a card that get_member did not return in the same rollout",
                "modes": [LOOKUP],
                "gain": {"lower": 0.0, "estimate": 0.0717, "upper": 0.0833, "ci": [0.0112, 0.1322]},
                "confidence": 0.8312,
                "confirm": {"command": "blade compare results/desk.jsonl results/fixed.jsonl", "repeats": 8},
                "evidence": [evidence("L26:1", 36, 'pay_loan(card="card_4959")')],
            },
            {
                "id": "i2",
                "rank": 2,
                "family": "training",
                "title": "teach the allowance of gold members",
                "detail": "",
                "modes": [FEE],
                "gain": {"lower": 0.0, "estimate": None, "upper": 0.1667, "ci": None},
                "confidence": 0.66,
                "confirm": {"command": None, "repeats": None},
                "evidence": [],
            },
        ],
        "unexplained": {"rollouts": 1, "share": 1 / 9},
        "limits": ["whether the tasks are those you care about cannot be told from the artifacts", "no judge was asked"],
        "health": {
            "verdict": "suspect",
            "checks": [
                {
                    "code": "coverage",
                    "status": "warn",
                    "value": 0.04,
                    "threshold": None,
                    "denominator": 25,
                    "message": "1 of 25 expected rollouts have no score (4.0 %)",
                    "evidence": [],
                },
                {
                    "code": "infrastructure",
                    "status": "ok",
                    "value": 0.0,
                    "threshold": None,
                    "denominator": 24,
                    "message": "fine",
                    "evidence": [],
                },
            ],
        },
        "against": [],
        "claims": claims(),
    }
    return made | changes
