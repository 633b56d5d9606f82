"""The comparison of two or more runs (`blade.comparison/1`): each run against the first, which is the baseline."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from blade.comparison.judging import PASS_AT_1, judge
from blade.comparison.letters import letter
from blade.comparison.many import matrix, ranking, separating, unsolved
from blade.comparison.margins import in_score_units
from blade.comparison.pair import Asked, compare_pair
from blade.comparison.pairing import Pairing, pair
from blade.comparison.statements import state_pair, unclaimed
from blade.comparison.strangers import agreed, told_apart, why_apart
from blade.comparison.unscored import without_a_score
from blade.diagnosis.inspection import inspection
from blade.runs.run import Run

SCHEMA: Final = "blade.comparison/1"
Diagnose = Callable[[Run], Mapping[str, Any]]


@np.errstate(all="ignore")  # rewards may be beyond all range: what overflows is null, not a warning
def compare(runs: Sequence[Run], diagnose: Diagnose, *, metric: str | None, asked: Asked) -> dict[str, Any]:
    """The whole document of runs that were opened with the diagnosis' extractors; `diagnose` makes or finds the diagnosis of one."""
    judging = judge(runs, metric)
    in_score_units(asked.margin, judging)  # a size that makes no sense is refused before the work
    baseline, *others = runs
    diagnoses = [diagnose(run) for run in runs]
    several = len(others) > 1

    @cache
    def between(first: int, second: int) -> Pairing:
        a, b = runs[first], runs[second]
        return told_apart(a, b, pair(a, b, judging=judging, letter=letter(second)))

    pairings = agreed([between(0, place) for place in range(1, len(runs))], between)
    pairs = []
    for other, pairing, of_other in zip(others, pairings, diagnoses[1:], strict=True):
        document = compare_pair(baseline, other, pairing, (diagnoses[0], of_other), asked)
        if not several:
            del document["letter"]  # of two runs the second is B
        document["reason"] = without_a_score(baseline, other, pairing.letter) or why_apart(pairing) or document["reason"]
        document["limits"] += [{"code": limit.code, "message": limit.message} for limit in unclaimed(pairing)]
        pairs.append(document | {"claims": state_pair(document, baseline, other, pairing)})
    rows = matrix(pairings, between)
    inspections = [inspection(run) for run in runs]
    found = {
        "schema": SCHEMA,
        "runs": inspections,
        "metric": judging.metric,
        "pairs": pairs,
        "matrix": rows,
        "ranking": ranking(
            [run.artifacts.spec for run in runs],
            [_head(one, judging.metric) for one in inspections],
            [document["p_value"] for document in pairs],
            rows,
            [False, *(not pairing.paired.any() for pairing in pairings)] if several else None,
        ),
        "unsolved": unsolved(rows) if judging.metric == PASS_AT_1 else None,
        "separating": separating(rows),
    }
    return found if several else found | {key: value for key, value in pairs[0].items() if key not in (*found, "moved")}


def _head(one: Mapping[str, Any], metric: str) -> dict[str, Any]:
    score = one["metrics"][metric]
    return {"value": score["value"], "ci": score["ci"], "tasks": one["metrics"]["pass_at_1"]["tasks"]}
