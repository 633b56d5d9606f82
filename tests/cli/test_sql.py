import pytest

from blade.cli.sql import READ_BY_DETECTORS


@pytest.mark.parametrize(
    ("query", "reads"),
    [
        ("SELECT code FROM signals", True),
        ("select count(*) from rollouts r join calls c using (rollout)", True),
        ('SELECT * FROM rollouts, "checks"', True),
        ("DESCRIBE expected", True),
        ("SELECT 1 WHERE 'x' IN (SELECT\n  rollout FROM\n  answers)", True),
        ("SELECT expected FROM tasks", False),
        ("SELECT tool_calls FROM rollouts", False),
        ("SELECT sum(expected) AS calls FROM tasks", False),
        ("SELECT * FROM signals_of_mine", False),
    ],
)
def test_trajectories_are_read_only_for_queries_about_them(query: str, reads: bool) -> None:
    assert bool(READ_BY_DETECTORS.search(query)) == reads
