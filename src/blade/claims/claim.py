"""A claim: one thing that a report says, with the query that gives it.

`query` is SQL over the run's facts tables (`rollouts`, `tasks`, `plan`, `signals`, `calls`, `expected`, `answers`, `checks`), never
over a table that the claimed result was stored in; a claim about two runs has the tables of each in a schema (`a.rollouts`,
`b.rollouts`). Where the value is more than what the query returns (an interval, a test, a
gain, an equivalence of answers), `estimator` names the pure function of `blade.claims.estimators` that takes the query's result.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from blade.claims.values import json_value

TOLERANCE = 1e-9


@dataclass(frozen=True)
class Claim:
    id: str
    text: str
    query: str
    value: Any
    """A number, a text, a list or an object of numbers, as JSON holds it; None where nothing could be computed."""
    estimator: str | None = None
    """None: the first cell of the result, or the whole row where it has several columns."""
    tolerance: float = TOLERANCE
    evidence: list[dict[str, Any]] = field(default_factory=list)


class NotAClaim(ValueError):
    """An object that does not have the shape of a claim."""


def as_json(claim: Claim) -> dict[str, Any]:
    """The contract's keys, in its order."""
    return {
        "id": claim.id,
        "text": claim.text,
        "query": claim.query,
        "estimator": claim.estimator,
        "value": json_value(claim.value),
        "tolerance": claim.tolerance,
        "evidence": [dict(item) for item in claim.evidence],
    }


def from_json(found: Any) -> Claim:
    """A claim as someone wrote it down; `NotAClaim` says what is wrong with it."""
    if not isinstance(found, Mapping):
        raise NotAClaim("a claim is an object")
    for key in ("id", "text", "query"):
        if not isinstance(found.get(key), str):
            raise NotAClaim(f"a claim has a text as its {key!r}")
    if "value" not in found:
        raise NotAClaim(f"claim {found['id']!r} has no value")
    estimator, tolerance, evidence = found.get("estimator"), found.get("tolerance"), found.get("evidence")
    if not (estimator is None or isinstance(estimator, str)):
        raise NotAClaim(f"the estimator of claim {found['id']!r} is not a name")
    if tolerance is None:
        tolerance = TOLERANCE
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not 0 <= tolerance < 1:
        raise NotAClaim(f"the tolerance of claim {found['id']!r} is no number from 0 to below 1")
    if evidence is None:
        evidence = []
    if not isinstance(evidence, list) or not all(isinstance(item, Mapping) for item in evidence):
        raise NotAClaim(f"the evidence of claim {found['id']!r} is not a list of objects")
    return Claim(
        found["id"],
        found["text"],
        found["query"],
        found["value"],
        estimator,
        float(tolerance),
        [dict(item) for item in evidence],
    )
