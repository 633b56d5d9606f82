"""The outcome of comparing two answers."""

from dataclasses import dataclass
from enum import StrEnum


class Relation(StrEnum):
    """How two answers relate.

    `equal`: the same text, or the same number in notations that every language reads alike. `equivalent`: the same once a named
    normalisation is applied. `different`: both understood, as the same kind, and not the same. `unknown`: everything else; two
    wordings may still mean the same.
    """

    EQUAL = "equal"
    EQUIVALENT = "equivalent"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A relation and what it rests on.

    `assumed` marks an equivalence that holds only if the task's convention allows it: a unit converted or left out, a percentage
    written as a fraction, the last digits rounded. A verifier that refuses it may be strict rather than wrong.
    """

    relation: Relation
    how: str
    assumed: bool = False

    @property
    def same(self) -> bool:
        """Whether the two are the same answer, by whatever normalisation."""
        return self.relation in (Relation.EQUAL, Relation.EQUIVALENT)


def equivalent(how: str, *, assumed: bool = False) -> Verdict:
    return Verdict(Relation.EQUIVALENT, how, assumed)


def different(how: str) -> Verdict:
    return Verdict(Relation.DIFFERENT, how)


def unknown(how: str) -> Verdict:
    return Verdict(Relation.UNKNOWN, how)
