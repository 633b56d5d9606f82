import json
import re

import pytest

from blade.runs.run import open_run
from blade.signals import CallsExtractor
from blade.signals.calls.learned import ACKNOWLEDGES, VOTES_QUERY, Votes, learn
from blade.signals.example import Example, call, says
from blade.signals.expected import ExpectedExtractor


@pytest.mark.parametrize(
    ("votes", "kind"),
    [
        (Votes("get_order", "read", 9, acknowledged=9), "read"),
        (Votes("frobnicate", "unknown", 10, errors=2, acknowledged=6), "change"),
        (Votes("frobnicate", "unknown", 10, acknowledged=1), "unknown"),
        (Votes("frobnicate", "unknown", 1, acknowledged=1), "unknown"),
        (Votes("frobnicate", "unknown", 9, same_answers=3), "read"),
        (Votes("frobnicate", "unknown", 9, same_answers=3, other_answers=1), "unknown"),
        (Votes("frobnicate", "unknown", 9, expected=4, beside_changes=4), "change"),
        (Votes("frobnicate", "unknown", 9, expected=4, beside_changes=3), "unknown"),
        (Votes("frobnicate", "change", 9), "change"),
        (Votes("bash", "unknown", 99, acknowledged=99), "unknown"),
        (Votes("transfer_to_human_agents", "unknown", 99, acknowledged=99), "unknown"),
    ],
)
def test_a_run_teaches_what_names_leave_open(votes, kind):
    assert learn([votes])[votes.name].kind == kind


def test_the_user_has_the_last_word():
    assert learn([Votes("get_order", "read", 9)], {"get_order": "change"}) == {
        "get_order": ("change", "the configuration says so")
    }


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("ok", True),
        ("Done.", True),
        ('{"success": true}', True),
        ('{"status": "ok", "id": 7}', True),
        ("Email 12 was sent to Ann.", True),
        ("The event has been created with id 7", True),
        ('{"status": "open"}', False),
        ('[{"id": 7}]', False),
        ("true stories, part one: " + "x" * 60, False),
    ],
)
def test_an_acknowledgement_says_only_that_it_was_done(answer, expected):
    assert (re.search(ACKNOWLEDGES, answer) is not None) is expected


def test_the_votes_come_from_the_tables(tmp_path):
    beside = {"expected_calls": [{"name": "grok", "arguments": {}}, {"name": "cancel_order", "arguments": {}}]}
    rows = [
        Example((call("peek", "A7", id=1), call("peek", "A7", id=1), call("zap", "Done.", id=1), call("zap", "Error: x"))),
        Example((call("peek", "A7", id=1), call("peek", "B8", id=1), call("zap", "ok", id=2), call("grok", "7")), fields=beside),
        Example((says("no"),), fields=beside),
    ]
    path = tmp_path / "rollouts.jsonl"
    path.write_text(
        "".join(json.dumps(row.row() | {"reward": 0.0, "task_id": str(number)}) + "\n" for number, row in enumerate(rows))
    )
    with open_run(path, extractors=(CallsExtractor(), ExpectedExtractor()), index_dir=tmp_path / "index") as run:
        votes = [Votes(*row) for row in run.query(VOTES_QUERY).rows]
    assert votes == [
        Votes("grok", "change", 1, expected=2, beside_changes=2),
        Votes("peek", "unknown", 4, same_answers=1, other_answers=1),
        Votes("zap", "unknown", 3, errors=1, acknowledged=2),
    ]
    assert {name: learned.kind for name, learned in learn(votes).items()} == {
        "grok": "change",
        "peek": "unknown",
        "zap": "change",
    }
