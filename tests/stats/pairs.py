"""Hypothesis strategies for small pairs of runs over the same tasks."""

from hypothesis import strategies as st

Pair = tuple[list[int], list[int], list[int], list[int]]
"""Successes and attempts of A, successes and attempts of B."""


@st.composite
def pairs(draw: st.DrawFn, min_tasks: int = 1, max_tasks: int = 10, max_attempts: int = 5, equal: bool = False) -> Pair:
    tasks = draw(st.integers(min_tasks, max_tasks))
    same = draw(st.integers(1, max_attempts))
    one_run = st.lists(st.just(same) if equal else st.integers(1, max_attempts), min_size=tasks, max_size=tasks)
    attempts_a, attempts_b = draw(one_run), draw(one_run)
    passed_a, passed_b = ([draw(st.integers(0, n)) for n in attempts] for attempts in (attempts_a, attempts_b))
    return passed_a, attempts_a, passed_b, attempts_b


def swapped(pair: Pair) -> Pair:
    return pair[2], pair[3], pair[0], pair[1]


def reordered(pair: Pair) -> Pair:
    """The same tasks, the other way round."""
    return pair[0][::-1], pair[1][::-1], pair[2][::-1], pair[3][::-1]
