"""The inspection: what a run is made of, where every row went, and its headline numbers (`blade.inspection/1`)."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from blade import stats
from blade.diagnosis.failed_attempts import failed_attempts
from blade.diagnosis.metrics import headline, metrics
from blade.runs.run import Run
from blade.runs.scan import Problem
from blade.untrusted.redaction import redact

SCHEMA = "blade.inspection/1"


@np.errstate(all="ignore")  # rewards may be beyond all range: what overflows is null, not a warning
def inspection(run: Run, more_problems: Sequence[Problem] = ()) -> dict[str, Any]:
    """The contract's keys, in its order; `metrics` stands beside the headline, `failed_attempts` where there are some.

    `more_problems` are those of a skill.
    """
    denominator = run.denominator
    outcomes = run.outcomes
    repeats = [int(count) for count in outcomes.scored if count > 0]
    rule = run.pass_rule
    failed = failed_attempts(run)
    return {
        "schema": SCHEMA,
        "run": {
            "path": run.artifacts.spec,
            "format": "rollout-jsonl",
            "files": len(run.artifacts.rollouts),
            "lines": denominator.lines,
            "rows": denominator.rows,
            "bytes": run.meta["bytes"],
        },
        "inventory": [
            {"kind": item.kind, "path": item.path, "rows": item.rows, "state": item.state, "note": item.note or None}
            for item in run.inventory
        ],
        "identity": run.meta["identity"] | {"reward_field": run.meta["reward_field"]},
        "task_count": len(outcomes.tasks),
        "repeats": {
            "min": min(repeats, default=None),
            "max": max(repeats, default=None),
            "mode": stats.modal_repeats(repeats) if repeats else None,
        },
        "pass_rule": {"kind": rule.kind, "threshold": rule.threshold, "source": rule.source},
        "denominator": asdict(denominator),
        **({} if failed is None else {"failed_attempts": failed}),
        "headline": headline(run),
        "metrics": metrics(run),
        "provenance": run.provenance,
        "problems": [asdict(problem) | {"message": redact(problem.message)} for problem in (*more_problems, *run.problems)],
        "problems_not_listed": run.meta["unlisted_problems"],
    }
