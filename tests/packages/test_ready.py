"""The readiness checklist: only what a person has marked as reviewed counts as that."""

from pathlib import Path
from typing import Any

import pytest

from blade.packages.ready import Line, readiness
from tests.packages.conftest import ANCHOR, Made, write_anchors


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


def test_a_link_that_leads_out_of_the_package_is_named(package: Made, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("elsewhere\n", encoding="utf-8")
    (package.root / "skill" / "notes.txt").symlink_to(tmp_path / "notes.txt")
    reasons = [reason for line in readiness(package.runs) for reason in line.reasons if reason.path.endswith("skill/notes.txt")]
    assert [reason.message for reason in reasons] == ["a link that leads out of the package, so it was not looked through"]
