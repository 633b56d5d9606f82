"""Claims over two runs."""

from blade.comparison.statements import in_schema


def test_tables_get_their_schema_and_texts_stay() -> None:
    sql = "SELECT 1 FROM rollouts JOIN tasks USING (task) WHERE task = 'pick x FROM tasks list, it''s JOIN plan' AND x IN (SELECT y FROM signals)"
    assert in_schema(sql, "a") == (
        "SELECT 1 FROM a.rollouts JOIN a.tasks USING (task) WHERE task = 'pick x FROM tasks list, it''s JOIN plan' "
        "AND x IN (SELECT y FROM a.signals)"
    )
