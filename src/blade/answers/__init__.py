"""Answers: what they mean, whether two are the same, and where a message states its own. Pure functions over text.

Used to find faults of a verifier: an answer that equals the expected one and scored zero, an expected answer that was stated and
not extracted, equal answers with different rewards. A verifier is only accused on good grounds, so each comparison may end with
`unknown`, and says by which normalisation two answers are the same.

Rooms: `equivalence` (`compare`), `extraction` (`extract`, `contains_expected`), `normal` (`readings`); below them one room for
each notation: `text`, `markup`, `numbers`, `units`, `dates`, `choices`, `groups`; `symbolic` asks math-verify in another process.
"""

from blade.answers.equivalence import compare
from blade.answers.extraction import Candidate, contains_expected, extract, first_marked
from blade.answers.normal import Kind, Quantity, Reading, readings
from blade.answers.verdict import Relation, Verdict

__all__ = [
    "Candidate",
    "Kind",
    "Quantity",
    "Reading",
    "Relation",
    "Verdict",
    "compare",
    "contains_expected",
    "extract",
    "first_marked",
    "readings",
]
