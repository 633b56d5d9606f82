"""The same work in other portions, and what only looks like it."""

import pytest

from blade.signals.example import Example, call
from tests.signals.support import steps


def hold(*copies, reader="R-118"):
    return call("hold_copies", "ok", reader=reader, copies=list(copies))


def expected(*portions, **more):
    wanted = [{"name": "hold_copies", "arguments": {"reader": "R-118", "copies": list(copies), **more}} for copies in portions]
    return {"expected_calls": wanted}


ONE_CALL = expected(("C-4", "C-9", "C-12"))
CASES = [
    ("made_in_portions", Example((hold("C-4", "C-9"), hold("C-12")), fields=ONE_CALL), [0]),
    ("made_in_portions", Example((hold("C-12"), hold("C-4"), hold("C-9")), fields=ONE_CALL), [0]),
    ("made_in_portions", Example((hold("C-4", "C-9"),), fields=expected(("C-4",), ("C-9",))), [0]),
    ("made_in_portions", Example((hold("C-4", "C-9", "C-12"),), fields=ONE_CALL), []),  # as expected
    ("made_in_portions", Example((hold("C-4"), hold("C-9")), fields=ONE_CALL), []),  # a part is missing
    ("made_in_portions", Example((hold("C-4", "C-9"), hold("C-9", "C-12")), fields=ONE_CALL), []),  # a part is there twice
    ("made_in_portions", Example((hold("C-4", "C-9"), hold("C-12", reader="R-119")), fields=ONE_CALL), []),  # for somebody else
    ("made_in_portions", Example((hold("C-4", "C-9"), hold("C-12"), call("drop_reader", "ok", reader="R-118")), fields=ONE_CALL), []),
    (
        "made_in_portions",
        Example((hold({"id": 1}), hold({"id": 2})), fields=expected(({"id": 1}, {"id": 2}))),
        [],
    ),  # things with details of their own
]  # fmt: skip


@pytest.mark.parametrize(("code", "example", "wanted"), CASES)
def test_portions(code, example, wanted):
    assert steps(code, example) == wanted
