"""What a comparison has to say of a planted pair.

`size` is what the reason does to the booked score, known to the digit because the runs share everything else. Where `exact`, the term
must be just that; infrastructure and truncation are estimated from the rows that are left, so they need only be the largest part.
"""

from __future__ import annotations

from dataclasses import dataclass

from blade.lab.pairs.files import RunFiles

TERMS = ("task_set", "missing", "infrastructure", "verifier", "truncation", "change", "remainder")
NOT_TOLD_APART = frozenset({"inconclusive", "equivalent"})


@dataclass(frozen=True)
class Truth:
    term: str | None
    """The term that must carry the difference; None where there is none to carry."""
    size: float = 0.0
    exact: bool = True
    quiet: bool = True
    """All other terms are 0: nothing but the reason differs. Without a term, and not quiet, the change is chance."""
    changed: frozenset[str] = frozenset()
    single: bool | None = None
    """May the report say "because of"?"""
    verdicts: frozenset[str] = NOT_TOLD_APART
    set_aside: bool = False
    """Without the rows set aside, the runs are not told apart."""
    redefined: int = 0
    problem: str | None = None
    """A problem that the second run's inspection names."""


@dataclass(frozen=True)
class Pair:
    kind: str
    a: RunFiles
    b: RunFiles
    truth: Truth
