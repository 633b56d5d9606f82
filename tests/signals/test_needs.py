"""A need is a shortcut: a detector whose needs are not met finds nothing by itself either."""

import msgspec
import pytest
from hypothesis import given, settings

from blade.errors import UsageError
from blade.signals import Registry, installed, read_rollout, run_detector
from blade.signals.needs import TESTS, is_met, over
from tests.signals.support import DETECTORS
from tests.signals.test_properties import ROWS

EXAMPLES = [detector.example.text() for detector in DETECTORS.values() if detector.example is not None]


def found_without_its_needs(rollout):
    left_out = [detector for detector, places in over(installed().detectors, [rollout]) if not places]
    return [detector.code for detector in left_out if run_detector(detector, rollout)]


@pytest.mark.parametrize("text", EXAMPLES)
def test_no_detector_finds_anything_without_its_needs(text):
    assert found_without_its_needs(read_rollout(text)) == []


@settings(max_examples=100)
@given(ROWS)
def test_whatever_a_row_holds(row):
    assert found_without_its_needs(read_rollout(msgspec.json.encode(row))) == []


def test_each_detector_comes_once_and_in_order_with_the_rollouts_that_meet_its_needs():
    rollouts = [read_rollout(text) for text in EXAMPLES[:40]]
    found = {detector.code: places for detector, places in over(installed().detectors, rollouts)}
    assert list(found) == list(DETECTORS)
    for code, places in found.items():
        needs = DETECTORS[code].needs
        assert list(places) == [place for place, rollout in enumerate(rollouts) if all(is_met(need, rollout) for need in needs)]


def test_where_a_test_fails_the_detectors_are_left_to_tell_of_it(monkeypatch):
    def broken(rollout):
        raise RuntimeError

    monkeypatch.setitem(TESTS, "call", broken)
    assert is_met("call", read_rollout(EXAMPLES[0]))


def test_a_need_that_nobody_knows_is_refused():
    with pytest.raises(UsageError, match="which is none of call, error"):
        Registry().signal("x", label="BI", meaning="", needs=("luck",))(lambda rollout: iter(()))
