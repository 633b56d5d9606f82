"""Hypothesis strategies for small runs: successes and attempts per task."""

from hypothesis import strategies as st

Counts = tuple[list[int], list[int]]


@st.composite
def runs(draw: st.DrawFn, min_tasks: int = 1, max_tasks: int = 12, min_attempts: int = 1, max_attempts: int = 7) -> Counts:
    attempts = draw(st.lists(st.integers(min_attempts, max_attempts), min_size=min_tasks, max_size=max_tasks))
    return [draw(st.integers(0, n)) for n in attempts], attempts
