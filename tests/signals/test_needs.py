"""A need is a shortcut: a detector whose needs are not met finds nothing by itself either."""

import msgspec
import pytest
from hypothesis import given, settings

from blade.errors import UsageError
from blade.signals import Registry, installed, read_rollout, run_detector
from blade.signals.needs import TESTS, ByNeeds, is_met
from tests.signals.support import DETECTORS
from tests.signals.test_properties import ROWS

EXAMPLES = [detector.example.text() for detector in DETECTORS.values() if detector.example is not None]


def found_without_its_needs(rollout):
    chosen = {detector.code for detector in installed().by_needs.that_may_find(rollout)}
    return [code for code, detector in DETECTORS.items() if code not in chosen and run_detector(detector, rollout)]


@pytest.mark.parametrize("text", EXAMPLES)
def test_no_detector_finds_anything_without_its_needs(text):
    assert found_without_its_needs(read_rollout(text)) == []


@settings(max_examples=100)
@given(ROWS)
def test_whatever_a_row_holds(row):
    assert found_without_its_needs(read_rollout(msgspec.json.encode(row))) == []


def test_the_order_stays_and_detectors_without_needs_always_run():
    rollout = read_rollout(EXAMPLES[0])
    chosen = installed().by_needs.that_may_find(rollout)
    codes = {detector.code for detector in chosen}
    assert [detector.code for detector in chosen] == [code for code in DETECTORS if code in codes]
    assert {code for code, detector in DETECTORS.items() if not detector.needs} <= codes
    assert all(is_met(need, rollout) for detector in chosen for need in detector.needs)


def test_where_a_test_fails_the_detectors_are_left_to_tell_of_it(monkeypatch):
    def broken(rollout):
        raise RuntimeError

    monkeypatch.setitem(TESTS, "call", broken)
    detectors = [detector for detector in DETECTORS.values() if detector.needs == ("call",)]
    assert list(ByNeeds(detectors).that_may_find(read_rollout(EXAMPLES[0]))) == detectors


def test_a_need_that_nobody_knows_is_refused():
    with pytest.raises(UsageError, match="which is none of call, error"):
        Registry().signal("x", label="BI", meaning="", needs=("luck",))(lambda rollout: iter(()))
