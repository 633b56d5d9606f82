"""JUnit: one suite a pair, a case a task, and XML that parses whatever an id holds."""

from xml.etree import ElementTree as ET

import pytest

from blade.reports.comparison.junit import junit
from tests.reports.comparison.support import document, flip, moves, pair


def test_a_case_for_the_verdict_and_one_for_every_common_task() -> None:
    root = ET.fromstring(junit(document()).encode())
    (suite,) = root
    assert [case.attrib["name"] for case in suite] == ["verdict", "7", "3", "5", "0"]
    assert suite.attrib["tests"] == root.attrib["tests"] == "5"
    (failure,) = suite.iter("failure")
    assert failure.attrib["message"] == "A 3 of 4, B 1 of 4; P(B better) = .04"
    assert failure.text
    assert "find_member" in failure.text


def test_a_task_that_may_be_lost_by_chance_is_no_failure() -> None:
    held = document(pair(flips=[flip("5", 1.0, 0.0, 0.32)]))
    assert "<failure" not in junit(held)
    assert "A 4 of 4, B 0 of 4; P(B better) = .32" in junit(held)


def test_a_task_of_the_third_run_is_told_by_its_letter() -> None:
    _, suite = ET.fromstring(junit(document(pair(), pair())).encode())
    (failure,) = suite.iter("failure")
    assert failure.attrib["message"] == "A 3 of 4, C 1 of 4; P(C better) = .04"
    assert "(C 5:1 step 5); A 5:0 does" in str(failure.text)


@pytest.mark.parametrize(
    ("verdict", "child"), [("regressed", "failure"), ("equivalent", "system-out"), ("not_comparable", "skipped")]
)
def test_the_case_of_the_verdict(verdict: str, child: str) -> None:
    root = ET.fromstring(junit(document(pair(verdict=verdict, flips=[]))).encode())
    assert [inner.tag for inner in root[0][0]] == [child]


@pytest.mark.parametrize("task", ["\x00\x07", "<&>\"'", "]]>", "\ud800", "\ufffe", "a\nb", "\x1b[31m", "𝕏", ""])
def test_ids_of_any_kind_parse(task: str) -> None:
    root = ET.fromstring(junit(document(pair(flips=[flip(task, 1.0, 0.0, 0.01)]))).encode("utf-8"))
    assert root.attrib["failures"] == "1"


def test_a_lost_task_beyond_the_flips_that_are_told_fails_too() -> None:
    moved = moves([flip(str(task), 1.0, 0.0, 0.001) for task in range(300)])
    held = document(pair(flips=[flip("0", 1.0, 0.0, 0.001)], moved=moved))
    held["matrix"] = [{"task": one["task"], "rates": [one["a_rate"], one["b_rate"]]} for one in moved]
    root = ET.fromstring(junit(held).encode())
    assert root.attrib["failures"] == "300"
    assert root[0][-1][0].attrib["message"] == "A 4 of 4, B 0 of 4; P(B better) = < .01"
