"""What the answers of tools tell of them, where their names may mislead."""

import pytest

from blade.signals.example import call, tool
from tests.signals.layout.support import layout, row

TOOLS = (tool("find_vessel", called="string"), tool("check_schedule", vessel="string"))


def checked(answer, times=8):
    looked, scheduled = call("find_vessel", '{"id": "V-1"}', called="Heron"), call("check_schedule", answer, vessel="V-1")
    asked = "Have the bow door of the Heron checked."
    return [row(task, 0, True, looked, *[scheduled] * (task < times), asked=asked, tools=TOOLS) for task in range(8)]


@pytest.mark.parametrize(
    ("answer", "times", "kind"),
    [
        ("{'saved': True, 'journal': 888128}", 8, "change"),
        ('{"recorded": true}', 8, "change"),
        ("Change(number=49640, saved=True)", 8, "change"),
        ("{'saved': True}", 1, None),  # once is no habit
        ('{"day": "2026-06-09", "free": true}', 8, None),
        ('{"status": "ok", "next": "2026-06-09"}', 8, None),
        ('{"saved": false}', 8, None),
        ('{"filed": true, "on": "2026-06-09"}', 8, None),  # a state that was looked up
    ],
)
def test_a_tool_that_saves_something_changes_it_though_it_may_be_called_one_that_looks(answer, times, kind):
    assert {one.name: one.kind for one in layout(checked(answer, times)).tools}.get("check_schedule") == kind


def test_a_tool_with_the_plainest_name_of_looking_looks_whatever_it_answers():
    made = (call("find_vessel", "{'saved': True}", called="Heron"),)
    rows = [row(task, 0, True, *made, asked="Find the Heron.", tools=TOOLS) for task in range(8)]
    assert layout(rows).tools == ()
