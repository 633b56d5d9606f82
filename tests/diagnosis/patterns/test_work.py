"""What a rollout left behind."""

import pytest

from blade.diagnosis.patterns.work import last_work, work
from tests.diagnosis.patterns.support import call, repeat


def shell(step, command, error=None):
    return call(step, "bash", "done", error=error, mutation="unknown", command=command)


def write(step, path, content):
    return call(step, "write_file", "ok", mutation="change", path=path, content=content)


@pytest.mark.parametrize(
    ("command", "counts"),
    [
        ("sort a.txt | head -3 > top.txt", True),
        ("echo x >> log", True),
        ("sed -i s/a/b/ f.py", True),
        ("cd /repo && cp a b", True),
        ("python -c \"open('x.txt', 'w').write('1')\"", True),
        ("cat a.txt", False),
        ("grep -c ERROR app.log 2>&1", False),
        ("ls > /dev/null", False),
        ("awk '$3 >= 4' t.csv", False),
        ("python -m pytest -q", False),
    ],
)
def test_a_command_counts_where_it_writes(command, counts):
    assert (work(repeat(0, True, calls=[shell(1, command)])) is not None) is counts


def test_of_several_writes_to_a_file_the_last_is_left():
    first = repeat(0, True, calls=[write(1, "a.py", "draft"), write(3, "a.py", "final")])
    second = repeat(1, True, calls=[call(1, "get_order", id="1"), write(2, "a.py", "final")])
    assert work(first) == work(second)
    assert work(second) != work(repeat(2, True, calls=[write(1, "a.py", "draft")]))
    assert last_work(first).step == 3


def test_refused_changes_and_looks_leave_nothing():
    assert work(repeat(0, True, calls=[shell(1, "cp a b", error="tool_error"), call(2, "get_order", id="1")])) is None
    assert last_work(repeat(0, True)) is None


def test_work_that_was_cut_in_the_table_is_not_known():
    assert work(repeat(0, True, calls=[write(1, "a.py", "x" * 3_000)])) is None
