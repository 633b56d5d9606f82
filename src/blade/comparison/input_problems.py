"""What was wrong with the rows of a run, as limits of a comparison: a torn file must not pass for another dataset."""

from collections.abc import Iterator
from typing import Final

from blade.comparison.judging import Limit
from blade.runs.run import Run

COUNTED: Final = (
    ("malformed", "lines cannot be read", "its tasks may be missing"),
    ("duplicate", "rows stand twice", "the first counts"),
    ("conflicting", "rows contradict another of the same rollout", "the first counts"),
    ("unexpected", "rows were not planned", "they do not count"),
    ("errored_rows", "rows have no valid reward", "they do not count"),
    ("missing", "planned rollouts are missing", "their tasks are judged by what is left"),
)


def input_problems(side: str, letter: str, run: Run) -> Iterator[Limit]:
    """One limit for each kind of row that does not count, with its number, of all rows; `letter` is what the run on a side is called."""
    counts = run.denominator
    for code, what, then in COUNTED:
        if found := getattr(counts, code):
            of = counts.expected if code == "missing" else counts.lines if code == "malformed" else counts.rows
            yield Limit(f"{code}_{side}", f"in {letter}, {found:,} of {of:,} {what}; {then} (blade inspect says which)")
