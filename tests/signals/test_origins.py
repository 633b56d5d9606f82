"""Where a value stands in a rollout, however its figures are written there."""

import pytest

from blade.signals import read_rollout
from blade.signals.example import Example
from blade.signals.origins import in_request


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("EUR 7,790.70 on the claim.", True),
        ("EUR 7.790,70 on the claim.", True),
        ("7790.7 on the claim.", True),
        ("It is 7,790.70.", True),
        ("EUR 17,790.70 on the claim.", False),
        ("EUR 7,790.75 on the claim.", False),
    ],
)
def test_an_amount_in_its_notations(text, named):
    assert in_request(read_rollout(Example(asked=text).text()), 7790.7) is named
