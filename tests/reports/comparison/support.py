"""A comparison document made by hand: two runs of a library desk, as the comparison would write it.

An outage of A, a lookup that B mended, a task that B lost. `document` gives a fresh one each time; a test changes what it is about.
"""

import copy
from collections.abc import Sequence
from typing import Any

from blade.comparison.letters import letter

Json = dict[str, Any]
BUCKETS = ("always", "sometimes", "never")


def inspection(path: str, value: float | None) -> Json:
    return {
        "run": {"path": path},
        "task_count": 10,
        "repeats": {"min": 4, "max": 4, "mode": 4},
        "denominator": {"scored": 40, "expected": 40, "expected_source": "inputs"},
        "metrics": {
            "pass_at_1": {"value": value, "ci": [0.2, 0.7], "tasks": 10},
            "mean_reward": {"value": value, "ci": [0.2, 0.7]},
        },
    }


def term(name: str, delta: float, ci: list[float] | None, tasks: int, rollouts: int, **detail: Any) -> Json:
    none = {} if rollouts else {"none_found": True}
    return {"term": name, "delta": delta, "ci": ci, "tasks": tasks, "rollouts": rollouts, "detail": none | detail}


def flip(task: str, a: float, b: float, chance: float, **more: Any) -> Json:
    return {
        "task": task, "a_task": task, "b_task": task, "a_rate": a, "b_rate": b, "a_rollouts": 4, "b_rollouts": 4,
        "probability_b_better": chance, "divergence": None, "cause": None,
    } | more  # fmt: skip


def moves(flips: Sequence[Json]) -> list[Json]:
    """The flips as they stand among all tasks that moved."""
    return [{key: value for key, value in one.items() if key not in ("a_task", "b_task", "divergence", "cause")} for one in flips]


def divergence(passing: str, failing: str, task: str) -> Json:
    return {
        "passing": {"run": passing, "rollout": f"{task}:0"},
        "failing": {"run": failing, "rollout": f"{task}:1"},
        "step_passing": 3,
        "step_failing": 5,
        "summary": f"failing repeats never call find_member ({failing} {task}:1 step 5); {passing} {task}:0 does. the id was made up",
        "code": "lookup_skipped",
        "subject": "find_member",
        "strength": "strong",
        "note": "",
        "evidence": [{"run": failing, "rollout": f"{task}:1", "step": 5, "quote": "member_id=M-9", "redacted": False}],
    }


def cause(run: str, label: str, why: str) -> Json:
    return {"run": run, "label": label, "code": "x", "confidence": 0.8, "alternative": None, "why": why, "evidence": []}


def mode(title: str, label: str, a: int, b: int, p_adjusted: float | None = 0.01) -> Json:
    return {
        "mode": title, "label": label, "a": a / 40, "b": b / 40, "delta": (b - a) / 40, "ci": [-0.3, -0.1], "p_value": 0.001,
        "p_adjusted": p_adjusted, "counted": "signal", "code": title, "subject": "", "a_rollouts": a, "b_rollouts": b, "a_tasks": a // 2, "b_tasks": b // 2,
    }  # fmt: skip


def step(rank: int, title: str, command: str | None = None) -> Json:
    return {
        "id": f"n{rank}", "rank": rank, "family": "harness", "title": title, "detail": "do it", "modes": [],
        "gain": {"lower": None, "estimate": None, "upper": None, "ci": None}, "confidence": None,
        "confirm": {"command": command, "repeats": None}, "evidence": [],
    }  # fmt: skip


def claim(name: str, value: Any, query: str = "SELECT 1 FROM a.rollouts") -> Json:
    return {
        "id": name,
        "text": f"about {name}",
        "query": query,
        "estimator": None,
        "value": value,
        "tolerance": 1e-9,
        "evidence": [],
    }


def table(**cells: float) -> dict[str, dict[str, float]]:
    """`never_always=3`: three tasks moved from never to always; the rest is 0."""
    return {before: {after: cells.get(f"{before}_{after}", 0) for after in BUCKETS} for before in BUCKETS}


PAIR: Json = {
    "a": "before.jsonl",
    "b": "after.jsonl",
    "metric": "pass_at_1",
    "a_value": 0.4,
    "b_value": 0.6,
    "delta": 0.2,
    "se": 0.05,
    "ci": [0.05, 0.33],
    "ci_bootstrap": [0.1, 0.3],
    "p_value": 0.0312,
    "test": "exact_sign_flip",
    "on_this_benchmark": {"ci": [0.12, 0.28], "p_value": 0.002, "test": "exact"},
    "without_set_aside": {
        "delta": 0.1, "ci": [0.01, 0.2], "p_value": 0.04, "tasks": 9, "verdict": "improved", "set_aside_a": 4, "set_aside_b": 0,
    },
    "mde": 0.15,
    "mde_detail": {"low": 0.1, "high": 0.21, "method": "paired_t"},
    "margin": 0.02,
    "smallest_margin": 0.4,
    "verdict": "improved",
    "reason": "Improved: B scores 20 points higher on 10 tasks (95 % interval +5 to +33; sign-flip p = .031).",
    "tasks": {"common": 10, "only_a": 0, "only_b": 0, "redefined": 0, "compared": 10, "better": 2, "worse": 1, "equal": 7},
    "identity": {"paired_by": "id", "by_definition": 0, "undefined": 0},
    "redefined": [],
    "changed": [{"what": "prompt", "a": "system:1", "b": "system:2"}],
    "unknown": ["verifier"],
    "single_change": None,
    "kind": "prompt",
    "cause": {"assignable": False, "sentence": "The cause cannot be assigned: the prompt differs, and verifier is not known."},
    "waterfall": [
        term("task_set", 0.0, [0.0, 0.0], 0, 0),
        term("missing", 0.0, [0.0, 0.0], 0, 0),
        term("infrastructure", 0.1, [0.02, 0.18], 1, 4, rollouts_a=4, rollouts_b=0, filled_tasks=1, few_tasks=True),
        term("verifier", 0.0, [0.0, 0.0], 0, 0, matched=12, outputs=76),
        term("truncation", -0.02, [-0.05, 0.01], 6, 7, rollouts_a=1, rollouts_b=6, filled_tasks=0, at_most=True),
        term("change", 0.12, [0.02, 0.22], 8, 60, compared_tasks=10, filled_tasks=1),
        term("remainder", 0.0, [0.0, 0.0], 0, 0),
    ],
    "waterfall_total": 0.2,
    "buckets": {
        "observed": table(always_always=4, never_always=2, sometimes_never=1, never_never=3),
        "expected_if_nothing_changed": table(always_always=4.0, never_always=1.25, always_never=1.25, never_never=3.5),
        "observed_at_equal_repeats": table(always_always=4, never_always=2, sometimes_never=1, never_never=3),
    },
    "flips": [
        flip("7", 0.0, 1.0, 0.99, divergence=divergence("b", "a", "7"), cause=cause("a", "BI", "the lookup was skipped")),
        flip("3", 0.0, 1.0, 0.98, divergence=divergence("b", "a", "3"), cause=cause("a", "IR", "in 4 of 4: connection failed")),
        flip("5", 0.75, 0.25, 0.04, divergence=divergence("a", "b", "5"), cause=cause("b", "BI", "the lookup was skipped")),
    ],
    "modes": [mode("lookup of `find_member` skipped", "BI", 9, 2), mode("thrashing", "BI", 1, 3, 0.7), mode("same", "KG", 2, 2, 1.0)],
    "slices": [],
    "slice_tests": 0,
    "usage": {
        "input_tokens": {"a": 1000.0, "b": 1500.0, "delta": 500.0, "ci": [100.0, 900.0], "ratio": 1.5, "tasks": 10},
        "output_tokens": None,
        "steps": {"a": 9.0, "b": 9.1, "delta": 0.1, "ci": [-1.0, 1.2], "ratio": 1.01, "tasks": 10},
    },
    "predictions": [],
    "limits": [{"code": "definitions_unknown", "message": "of 3 common tasks no part of the definition is known"}],
    "interventions": [step(1, "Run the 4 rollouts again"), step(2, "Mend `find_member`", "blade compare x y")],
    "claims": [
        claim("a_value", 0.4), claim("b_value", 0.6), claim("delta", {"delta": 0.2}, "SELECT 2 FROM b.rollouts"),
        claim("waterfall", {"total": 0.2}), claim("buckets", {}), claim("task.7.a", 0.0), claim("task.7.b", 1.0),
    ],
}  # fmt: skip


def pair(**changes: Any) -> Json:
    made = copy.deepcopy(PAIR) | changes
    return {"moved": moves(made["flips"])} | made


def document(*pairs: Json, **changes: Any) -> Json:
    """A document of one pair, or of those given; the matrix has a row per flip and one task that nobody passes."""
    held = list(pairs) or [pair()]
    if len(held) > 1:
        held = [one | {"letter": letter(place)} for place, one in enumerate(held, 1)]
    runs = [inspection(held[0]["a"], held[0]["a_value"]), *(inspection(one["b"], one["b_value"]) for one in held)]
    rows = [{"task": one["task"], "rates": [one["a_rate"], *[one["b_rate"]] * len(held)]} for one in held[0]["flips"]]
    rows.append({"task": "0", "rates": [0.0] * len(runs)})
    ranked = [
        {
            "run": run["run"]["path"],
            "value": run["metrics"]["pass_at_1"]["value"],
            "ci": [0.2, 0.7],
            "p_vs_baseline_holm": None if place == 0 else 0.05,
            "baseline": place == 0,
            "tasks": 10,
            "shared": {"tasks": 10, "value": 0.5},
        }
        for place, run in enumerate(runs)
    ]
    made = {
        "schema": "blade.comparison/1",
        "runs": runs,
        "metric": "pass_at_1",
        "pairs": held,
        "matrix": rows,
        "ranking": ranked,
        "unsolved": ["0"],
        "separating": [row | {"spread": 1.0} for row in rows[:2]],
    }
    return made | changes
