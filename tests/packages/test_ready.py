"""The readiness checklist: only what a person has marked as reviewed counts as that."""

from typing import Any

import pytest

from blade.packages.ready import Line, readiness
from tests.packages.conftest import ANCHOR, Made, write_anchors

pytestmark = pytest.mark.xdist_group("evalplus_package")


def anchor_line(package: Made) -> Line:
    return next(line for line in readiness(package.runs) if line.text.startswith("Anchor facts"))


@pytest.mark.parametrize("more", [{}, {"reviewed": False}, {"reviewed": "yes"}])
def test_facts_that_nobody_has_reviewed(package: Made, more: dict[str, Any]) -> None:
    write_anchors(package.anchors, ANCHOR, **more)
    line = anchor_line(package)
    assert [reason.message for reason in line.reasons] == ["1 of 1 anchor facts are not reviewed (B1)"]
    assert not line.ok


def test_facts_that_are_reviewed(package: Made) -> None:
    write_anchors(package.anchors, ANCHOR, reviewed=True)
    assert anchor_line(package).ok
