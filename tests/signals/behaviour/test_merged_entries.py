"""Several entries that were made as one."""

import pytest

from blade.signals.example import Example, call
from tests.signals.support import found, steps


def logged(*made, wanted=(12, 9), site="S-4", other_site="S-4"):
    expected = [
        {"name": "log_delivery", "arguments": {"site": site if not at else other_site, "tonnes": tonnes}}
        for at, tonnes in enumerate(wanted)
    ]
    calls = tuple(call("log_delivery", "ok", site=site, tonnes=tonnes) for tonnes in made)
    return Example(calls, asked="Log each delivery to S-4 by itself.", fields={"expected_calls": expected})


CASES = [
    ("entries_merged", logged(21), [0]),
    ("entries_merged", logged(23, wanted=(12, 9, 2)), [0]),
    ("entries_merged", logged(21.5, wanted=(12.25, 9.25)), [0]),
    ("entries_merged", logged(12, 9), []),
    ("entries_merged", logged(20), []),
    ("entries_merged", logged(10**400), []),
    ("entries_merged", logged(12), []),  # one was forgotten
    ("entries_merged", logged(21, other_site="S-5"), []),  # nobody adds up what goes to different places
]


@pytest.mark.parametrize(("code", "example", "wanted"), CASES)
def test_a_sum_in_place_of_its_parts(code, example, wanted):
    assert steps(code, example) == wanted


def test_the_parts_are_told():
    (signal,) = found("entries_merged", logged(21))
    assert signal.subject == "log_delivery.tonnes"
    assert " is 12 + 9, which 2 calls of log_delivery" in signal.detail.replace(".0", "")
