"""A database that prints nothing, on whichever of its connections."""

from blade.runs.database import connect


def test_no_progress_bar_is_drawn_into_what_a_command_prints() -> None:
    db = connect()
    for connection in (db, db.cursor()):
        assert connection.execute("SELECT current_setting('enable_progress_bar')").fetchall() == [(False,)]
    db.close()
