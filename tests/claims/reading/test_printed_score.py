"""The share of claims that hold, as `blade verify` prints it."""

from pathlib import Path

import pytest

from tests.e2e.support import blade


@pytest.mark.parametrize(("right", "wrong", "printed"), [(1_500, 1, "(99.9 %)"), (1_500, 0, "(100.0 %)"), (2, 1, "(85.7 %)")])
def test_one_false_claim_among_thousands_is_not_rounded_away(tmp_path: Path, right: int, wrong: int, printed: str) -> None:
    report = tmp_path / "notes.md"
    lines = ["We see 1 of 2 rollouts (50 %) do so."] * right + ["We see 1 of 2 rollouts (70 %) do so."] * wrong
    report.write_text("\n\n".join(lines), encoding="utf-8")
    found = blade("verify", report)
    assert printed in found.out.splitlines()[0]
    assert found.code == (1 if wrong else 0)
