"""A claim: one thing that a report says, with the query that gives it.

`query` is SQL over the run's facts tables (`rollouts`, `tasks`, `plan`, `signals`, `calls`, `expected`, `answers`, `checks`), never
over a table that the claimed result was stored in. Where the value is more than what the query returns (an interval, a test, a
gain, an equivalence of answers), `estimator` names the pure function of `blade.claims.estimators` that takes the query's result.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Claim:
    id: str
    text: str
    query: str
    value: Any
    """A number, a text, a list or an object of numbers, as JSON holds it; None where nothing could be computed."""
    estimator: str | None = None
    """None: the first cell of the result, or the whole row where it has several columns."""
    tolerance: float = 1e-9
    evidence: list[dict[str, Any]] = field(default_factory=list)
