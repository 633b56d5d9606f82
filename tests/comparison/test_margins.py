"""A size as people give it: below 1 in units of the score, from 1 up in points of a rate."""

import pytest

from blade.comparison.judging import Judging
from blade.comparison.margins import in_score_units
from blade.errors import UsageError
from blade.runs.pass_rule import PassRule

RATE = Judging("pass_at_1", PassRule("binary", 1.0, "rewards"))
REWARD = Judging("mean_reward", PassRule("none", None, "rewards"), span=50.0)


@pytest.mark.parametrize(
    ("given", "judging", "found"),
    [(0.02, RATE, 0.02), (2, RATE, 0.02), (1, RATE, 0.01), (0.5, RATE, 0.5), (100, RATE, 1.0), (None, RATE, 0.02),
     (2, REWARD, 2.0), (0.5, REWARD, 0.5), (None, REWARD, 1.0)],
)  # fmt: skip
def test_units(given: float | None, judging: Judging, found: float) -> None:
    assert in_score_units(given, judging) == pytest.approx(found)


@pytest.mark.parametrize(("given", "judging"), [(0, RATE), (-1, RATE), (101, RATE), (float("nan"), RATE), (0, REWARD)])
def test_a_size_that_is_none_is_refused(given: float, judging: Judging) -> None:
    with pytest.raises(UsageError, match=r"--detect .* is no size of a change"):
        in_score_units(given, judging, "--detect")
