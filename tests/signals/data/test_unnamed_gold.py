"""Gold that nothing names where the work was led to something else, and what proves nothing."""

import pytest

from tests.signals.data.gold_cases import booked_room, closed
from tests.signals.support import steps

CASES = [
    ("gold_unseen", closed("C-20418", "C-20418"), []),
    ("gold_unseen", closed("C-20418", "C-77120", other={"customer_id": "C-77120", "name": "Bo Lee"}), []),  # seen beside it
    ("gold_unseen", closed("C-20418", "C-77120", other={"customer_id": "C-55555", "name": "Ann Lee"}), []),  # two that fit alike
    ("gold_unseen", closed("C-20418", "C-77120", other={"customer_id": "C-55555", "name": "Bo Ray"}), [2]),
    ("gold_unseen", closed("C-20418", "C-77120", more={"next_page": 2}), []),
    ("gold_unseen", closed("C-20418", "C-77120", more={"total": 9}), []),
    ("gold_unseen", closed("C-20418", "C-77120", query="lee@x.org"), []),  # looked up by what nobody named
    ("gold_unseen", closed("C-20418", "Annette"), []),  # a name of another scheme
    ("gold_not_named", booked_room("Aurora", "Aurora"), []),
    ("gold_not_named", booked_room("Aurora", "Borealis", seen="Borealis is free."), []),
    ("gold_not_named", booked_room("Solaris", "Borealis"), []),  # what was given stands nowhere either
]


@pytest.mark.parametrize(("code", "example", "expected"), CASES, ids=[f"{case[0]}-{number}" for number, case in enumerate(CASES)])
def test_evidence(code, example, expected):
    assert steps(code, example) == expected
