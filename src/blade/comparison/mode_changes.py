"""Failure modes gained and lost: on the common tasks, the share of rollouts that fail with each mode, before and after.

Shares are means over tasks of the share of a task's scored rollouts that fail and carry the mode, so that their difference is on the
scale of the score. Modes overlap, and shares of several do not add up. A mode that is no condition over signals (`counted: diagnosis`)
is what each run's own diagnosis put under this name; a rollout that votes for another mode is missing there, so nothing is tested, and
such modes stand behind the others.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from blade import stats
from blade.comparison.carriers import Signature, failing_carriers, full_reward, signatures
from blade.comparison.pairing import Pairing
from blade.runs.run import Run
from blade.stats.counts import IntArray

MOST_MODES: Final = 60
MOST_ASKED: Final = 120
"""Modes of either diagnosis that are counted in both runs, those with the most votes first."""


def mode_changes(
    a: Run, b: Run, pairing: Pairing, diagnoses: tuple[Mapping[str, Any], Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The modes whose share differs or that either run has, the largest change first, adjusted for their number."""
    keys = np.flatnonzero(pairing.paired)
    if not keys.size:
        return []
    ids = [[str(side.ids[key]) for key in keys] for side in (pairing.a, pairing.b)]
    full = full_reward(a, b)
    rows: list[tuple[Signature, IntArray, IntArray]] = []
    for signature in signatures(*diagnoses)[:MOST_ASKED]:
        counts = [
            failing_carriers(run, condition, tasks, full)
            for run, condition, tasks in zip((a, b), signature.conditions, ids, strict=True)
        ]
        if counts[0].any() or counts[1].any():
            rows.append((signature, counts[0], counts[1]))
    attempts = pairing.a.scored[keys], pairing.b.scored[keys]
    found = [_change(signature, in_a, in_b, *attempts) for signature, in_a, in_b in rows]
    tested = [change for change in found if change["p_value"] is not None]
    for change, adjusted in zip(tested, stats.benjamini_hochberg([change["p_value"] for change in tested]), strict=True):
        change["p_adjusted"] = float(adjusted)
    return sorted(found, key=lambda change: (change["counted"] == "diagnosis", -abs(change["delta"]), change["mode"]))[
        :MOST_MODES
    ]


def _change(signature: Signature, in_a: IntArray, in_b: IntArray, tried_a: IntArray, tried_b: IntArray) -> dict[str, Any]:
    differences, _, _ = stats.rate_differences(in_a, tried_a, in_b, tried_b)
    same = signature.same_question
    interval = stats.paired_interval(differences, stats.pair_repeats(tried_a, tried_b)) if same else None
    test = stats.sign_flip_rates(in_a, tried_a, in_b, tried_b) if same else None
    share_a, share_b = float(np.mean(in_a / tried_a)), float(np.mean(in_b / tried_b))
    return {
        "mode": signature.title,
        "label": signature.label,
        "a": share_a,
        "b": share_b,
        "delta": share_b - share_a,
        "ci": None if interval is None else [interval.low, interval.high],
        "p_value": None if test is None else test.p_value,
        "p_adjusted": None,
        "code": signature.code,
        "subject": signature.subject,
        "a_rollouts": int(in_a.sum()),
        "b_rollouts": int(in_b.sum()),
        "counted": "signal" if same else "diagnosis",
        "condition": signature.conditions[1] if same else None,
        "a_tasks": int((in_a > 0).sum()),
        "b_tasks": int((in_b > 0).sum()),
    }
