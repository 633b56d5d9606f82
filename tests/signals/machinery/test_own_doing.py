"""A store or a session that failed: the machinery's, unless the call did it itself."""

import pytest

from blade.signals.example import Example, call, says, user
from tests.signals.support import steps

LOCKED = "sqlite3.OperationalError: database is locked"
READ_ONLY = "ERROR: cannot execute INSERT in a read-only transaction"
TOO_MANY = "OSError: [Errno 24] Too many open files"
NO_SESSION = "Error: invalid session 'abc'. Call open_session first."
TWICE = "import sqlite3\na = sqlite3.connect('x.db')\na.execute('BEGIN EXCLUSIVE')\nb = sqlite3.connect('x.db')\nb.execute('BEGIN EXCLUSIVE')"


@pytest.mark.parametrize(
    ("happened", "code"),
    [
        ((call("book", LOCKED, seat="12A"),), "store_failed"),
        ((call("book", READ_ONLY, seat="12A", note="Please update the seat.\nThanks!"),), "store_failed"),
        ((call("book", TOO_MANY, seat="12A"),), "store_failed"),
        ((call("query", LOCKED, sql="SELECT name FROM guests"),), "store_failed"),  # it holds nothing
        ((call("query", READ_ONLY, sql="INSERT INTO guests VALUES (1)"),), None),
        ((call("query", READ_ONLY, sql="update guests set name = 'x'"),), None),
        ((call("bash", LOCKED, command="sqlite3 x.db 'DELETE FROM guests'"),), None),
        ((call("python", LOCKED, code=TWICE),), None),
        ((call("python", LOCKED, raw=TWICE),), None),
        ((call("python", TOO_MANY, code="[open('/tmp/x') for _ in range(100000)]"),), None),
        ((says(f"```python\n{TWICE}\n```"), user(f"exitcode: 1 (execution failed)\nCode output: {LOCKED}")), None),
        ((call("read", NO_SESSION, session_id="abc"),), None),
        ((call("read", NO_SESSION, session_id="abc"), call("read", NO_SESSION, session_id="abc")), None),
        ((call("open_session", '{"session_id": "abc"}'), call("read", NO_SESSION, session_id="abc")), "session_lost"),
        ((call("read", "Error: session 8d22 has expired", id="A1"),), "session_lost"),
    ],
)
def test_whose_doing_it_was(happened, code):
    example = Example(happened)
    assert [kind for kind in ("store_failed", "session_lost") if steps(kind, example)] == ([code] if code else [])


def test_a_session_that_the_prompt_gives_was_there():
    made = call("read", NO_SESSION, session_id="abc")
    assert steps("session_lost", Example((made,), asked="Work in session abc.")) == [1]
