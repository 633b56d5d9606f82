"""Collecting claims while a report is made: whoever states a number gets it from the very query that the claim will carry."""

from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Self, TypedDict, Unpack

from blade.claims.claim import TOLERANCE, Claim, as_json
from blade.claims.runner import SECONDS, Calculator, CannotCompute, Connect
from blade.runs.sql import Runs

Wording = str | Callable[[Any], str]


class Naming(TypedDict, total=False):
    """How a claim is called, else counted within its section, and how far a second computation may be from its value."""

    id: str | None
    section: str
    tolerance: float


class Claims:
    """The claims of one report over one run or a pair of runs, in the order in which they were made.

    Ids are given by name (`mode.m1.gain`), or counted within a section (`slices.1`, `c1`): both depend on the report alone, so they
    are the same from run to run.
    """

    def __init__(self, over: Runs | Connect, seconds: float = SECONDS) -> None:
        self._calculator = Calculator(over, seconds)
        self._values: dict[tuple[str, str | None], Any] = {}
        self._claims: dict[str, Claim] = {}
        self._counts: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._calculator.close()

    def add(
        self,
        text: Wording,
        query: str,
        estimator: str | None = None,
        evidence: Iterable[Mapping[str, Any]] = (),
        **naming: Unpack[Naming],
    ) -> Any:
        """Compute a value and claim it. `text` may be a function of the value, for a sentence that holds it.

        What takes too long or cannot be computed is not claimed, and its value is None.
        """
        try:
            return self.state(text, query, estimator, evidence, **naming).value
        except CannotCompute:
            return None

    def state(
        self,
        text: Wording,
        query: str,
        estimator: str | None = None,
        evidence: Iterable[Mapping[str, Any]] = (),
        **naming: Unpack[Naming],
    ) -> Claim:
        """The same, giving the whole claim, for who wants to cite it. An id that is taken must mean the same query."""
        query, id = query.strip(), naming.get("id")
        if id is not None and id in self._claims:
            known = self._claims[id]
            if (known.query, known.estimator) != (query, estimator):
                raise ValueError(f"the claim {id!r} is made twice, by different queries")
            return known
        value = self.value(query, estimator)
        words = text if isinstance(text, str) else text(value)
        known_as, tolerance = id or self._next(naming.get("section", "")), naming.get("tolerance", TOLERANCE)
        claim = Claim(known_as, words, query, value, estimator, tolerance, [dict(item) for item in evidence])
        self._claims[claim.id] = claim
        return claim

    def value(self, query: str, estimator: str | None = None) -> Any:
        """A value without a claim, computed once for each query and estimator."""
        key = (query, estimator)
        if key not in self._values:
            self._values[key] = self._calculator.value(query, estimator)
        return self._values[key]

    @property
    def claims(self) -> list[Claim]:
        return list(self._claims.values())

    def as_json(self) -> list[dict[str, Any]]:
        return [as_json(claim) for claim in self._claims.values()]

    def _next(self, section: str) -> str:
        while True:
            self._counts[section] = self._counts.get(section, 0) + 1
            made = f"{section}.{self._counts[section]}" if section else f"c{self._counts[section]}"
            if made not in self._claims:
                return made
