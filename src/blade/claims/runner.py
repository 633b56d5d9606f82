"""Re-computing claims: the query again, through the same locked SQL that users have, the estimator again, the values compared.

A claim may come from anyone's report. Its query can read the run's tables and nothing else, and is cut off after a while; its
estimator is a name in our registry. What fails is a result, not an exception.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from types import TracebackType
from typing import Any, Self

import numpy as np

from blade.claims.claim import Claim
from blade.claims.columns import EstimatorError
from blade.claims.estimators import estimate
from blade.claims.values import difference, json_value
from blade.errors import UsageError
from blade.runs.sql import Runs, locked_connection, query_locked
from blade.runs.tables import Table
from blade.runs.watch import Watch
from blade.stats import StatsError

SECONDS = 120.0
"""How long one query may take."""

Connect = Callable[[], Any]
"""Gives a locked connection to the tables of a run."""


@dataclass(frozen=True)
class Recomputed:
    """What became of one claim: `ok` where the value came out again; else the first difference, or why nothing came out."""

    claim: Claim
    ok: bool
    value: Any = None
    difference: str | None = None
    error: str | None = None


class CannotCompute(ValueError):
    """A query or an estimator that gives no value, with the reason."""


class Calculator:
    """Computes the values of claims over one run (or several, each a schema), on one locked connection.

    Who holds the tables in memory anyway hands in how to connect to them, so that they are held once.
    """

    def __init__(self, over: Runs | Connect, seconds: float = SECONDS) -> None:
        self._connect = over if callable(over) else lambda: locked_connection(over, hold=True)
        self._seconds = seconds
        self._last: tuple[str | None, Table] = None, Table([], [])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        if "_db" in self.__dict__:
            self._watch.close()
            self._db.close()

    @cached_property
    def _db(self) -> Any:
        """Opened by the first question: it holds small tables, and who will ask may have much else to do before."""
        return self._connect()

    @cached_property
    def _watch(self) -> Watch:
        return Watch(self._db.interrupt, self._seconds)

    @np.errstate(all="ignore")  # rewards may be beyond all range: what overflows is null, not a warning
    def value(self, query: str, estimator: str | None = None) -> Any:
        """The value as JSON holds it; `CannotCompute` where there is none."""
        if self._last[0] != query:  # a lift and a gain take the result of one query
            self._last = query, self._table(query)
        table = self._last[1]
        try:
            return json_value(estimate(estimator, table))
        except (EstimatorError, StatsError, ValueError, TypeError, OverflowError, MemoryError) as error:
            raise CannotCompute(f"{estimator or 'the result'}: {error}") from None

    def _table(self, query: str) -> Table:
        try:
            with self._watch.over():
                return query_locked(self._db, query)
        except UsageError as error:
            raise CannotCompute(f"the query fails: {error}") from None

    def recompute(self, claim: Claim) -> Recomputed:
        try:
            found = self.value(claim.query, claim.estimator)
        except CannotCompute as error:
            return Recomputed(claim, False, error=str(error))
        differs = difference(claim.value, found, claim.tolerance)
        return Recomputed(claim, differs is None, found, differs)


def recompute(runs: Runs, claim: Claim) -> Recomputed:
    with Calculator(runs) as calculator:
        return calculator.recompute(claim)


def recompute_all(runs: Runs, claims: Iterable[Claim]) -> Iterator[Recomputed]:
    """Each claim in its order."""
    with Calculator(runs) as calculator:
        for claim in claims:
            yield calculator.recompute(claim)
