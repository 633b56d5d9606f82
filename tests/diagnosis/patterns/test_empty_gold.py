"""Lists of expected calls that are empty by mistake, and those that mean it."""

import pytest

from blade.diagnosis.patterns.empty_gold import empty_gold, learn_empty
from blade.diagnosis.views import task_views
from blade.signals.expected import ExpectedExtractor
from blade.signals.extractor import CallsExtractor
from tests.runs.support import opened, row


def rollout(task, number, *orders, reward=1.0, expected=None, talks=False):
    """Orders are cancelled; as many are expected, unless `expected` says otherwise."""
    items = [{"type": "message", "role": "user", "content": "And now?"}] if talks else []
    for at, order in enumerate(orders):
        items.append(
            {"type": "function_call", "call_id": f"c{at}", "name": "cancel_order", "arguments": f'{{"order_id": "{order}"}}'}
        )
        items.append({"type": "function_call_output", "call_id": f"c{at}", "output": "cancelled"})
    wanted = [{"name": "cancel_order", "arguments": {"order_id": order}} for order in (orders if expected is None else expected)]
    return row(task, number, reward, response={"output": items}, expected_calls=wanted)


def found(rows):
    with opened(rows, extractors=(CallsExtractor(), ExpectedExtractor())) as run:
        empty = learn_empty(run)
        return [(finding.code, finding.rollout) for view in task_views(run) for finding in empty_gold(view, empty)]


LISTED = [rollout(task, number, f"W{task}") for task in range(6) for number in range(2)]


def test_a_list_that_was_lost():
    lost = [rollout(9, number, "W9", expected=[], reward=0.0) for number in range(2)]
    assert found(LISTED + lost) == [("gold_empty", "9:0"), ("gold_empty", "9:1")]


@pytest.mark.parametrize(
    "more",
    [
        [rollout(9, 0, "W9", expected=[], reward=0.0), rollout(9, 1, "W8", expected=[], reward=0.0)],  # not the same work
        [rollout(9, 0, "W9", expected=[], reward=0.0), rollout(9, 1, expected=[], reward=0.0)],
        [rollout(9, 0, "W9", expected=[], reward=0.0), rollout(9, 1, expected=[])],  # doing nothing passes
        [
            *(rollout(9, n, "W9", expected=[], reward=0.0) for n in range(2)),
            rollout(8, 0, expected=[]),
        ],  # it does in another task
        [rollout(9, n, "W9", expected=[], reward=0.0, talks=True) for n in range(2)],  # users ask for what is to be refused
    ],
    ids=["other work", "some idle", "idle passes", "idle passes elsewhere", "dialogue"],
)
def test_a_list_that_may_mean_it(more):
    assert found(LISTED + more) == []
