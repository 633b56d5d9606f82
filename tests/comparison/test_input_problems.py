"""Rows that do not count are told beside the comparison."""

from blade.comparison.input_problems import input_problems
from tests.comparison.support import rolled
from tests.runs.support import opened


def test_each_kind_of_row_that_does_not_count_is_told_with_its_number() -> None:
    lines = [rolled(0), rolled(0), rolled(1), rolled(1, 0), rolled(2, None), '{"reward": 1, "_ng_task']
    with opened(lines) as run:
        found = {limit.code: limit.message for limit in input_problems("b", "B", run)}
    assert set(found) == {"malformed_b", "duplicate_b", "conflicting_b", "errored_rows_b"}
    assert found["malformed_b"].startswith("in B, 1 of 6 lines cannot be read")
    assert found["duplicate_b"].startswith("in B, 1 of 5 rows stand twice")


def test_a_run_without_problems_has_no_limit() -> None:
    with opened([rolled(0), rolled(1)]) as run:
        assert list(input_problems("a", "A", run)) == []


def test_the_code_tells_the_side_and_the_sentence_the_letter() -> None:
    with opened([rolled(0), rolled(0)]) as run:
        (limit,) = input_problems("b", "C", run)
    assert (limit.code, limit.message.partition(",")[0]) == ("duplicate_b", "in C")
