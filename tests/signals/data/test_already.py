"""Expected records that stood there before the work."""

import pytest

from blade.signals.example import Example, call, says
from tests.signals.support import steps

SIGN = {"beds": {"BED-7": {"sign": "Do not pick"}}}


def looked(answer, *then, wanted=SIGN, **fields):
    return Example((call("get_bed", answer, name="Orchard"), *then, says("Done.")), fields={"expected_state": wanted, **fields})


CASES = [
    ("gold_already_true", looked('bed=BED-7 sign="Do not pick"'), [1]),
    ("gold_already_true", looked('{"id": "BED-7", "sign": "Do not pick"}'), [1]),
    ("gold_already_true", looked('[{"id": "BED-6", "sign": ""}, {"id": "BED-7", "sign": "Do not pick"}]'), [1]),
    ("gold_already_true", looked('bed=BED-7 sign=""'), []),
    ("gold_already_true", looked('bed=BED-8 sign="Do not pick"'), []),  # another record
    ("gold_already_true", looked('bed=BED-7 motto="Do not pick"'), []),  # a value of another name
    ("gold_already_true", looked('bed=BED-7 sign="Do not pick"', expected_answer="12"), []),  # something is to be answered as well
    ("gold_already_true", looked('bed=BED-7 sign="Do not pick"', wanted={"beds": {"BED-7": {"sign": "Do not pick", "lamp": "on"}}}), []),
    (
        "gold_already_true",  # seen only after it was changed
        Example(
            (call("update_bed", "ok", bed="BED-7", sign="Do not pick"), call("get_bed", 'bed=BED-7 sign="Do not pick"', name="Orchard")),
            fields={"expected_state": SIGN},
        ),
        [],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("code", "example", "expected"), CASES)
def test_evidence(code, example, expected):
    assert steps(code, example) == expected
