"""Fractions, what they are a share of, and the percentage beside them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.claims.reading.fractions import fractions
from blade.claims.reading.numbers import numbers
from blade.claims.reading.verify import verify_text


@pytest.mark.parametrize(
    ("text", "part", "whole", "noun", "share"),
    [
        ("3 of 4 repeats passed", 3, 4, "repeats", None),
        ("21/50 (42 %)", 21, 50, "", 42),
        ("42 % (21/50)", 21, 50, "", 42),
        ("37 of 116 failed rollouts (31.9 %)", 37, 116, "failed rollouts", 31.9),
        ("6 of 160 expected rollouts have no score (3.8 %)", 6, 160, "expected rollouts", 3.8),
        ("(33 of 64, 51.6 %)", 33, 64, "", 51.6),
        ("3 out of the 4 tasks", 3, 4, "tasks", None),
        ("3 of 4 repeats (25 % of all failures)", 3, 4, "repeats", None),
    ],
)
def test_fractions_are_read(text: str, part: int, whole: int, noun: str, share: float | None) -> None:
    [found] = fractions(text, list(numbers(text)))
    assert (found.part.value, found.whole.value, found.noun, found.share and found.share.value) == (part, whole, noun, share)


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("the gold has 16/2=8, which comes out nowhere", 0),
        ("20+(80/2)=60", 0),
        ("11/18*162=99", 0),
        ("60/15 = 4 in the working", 0),
        ("he runs 60/3=<<60/3=20.0>>20 meters", 0),
        ("she obtained 48 / 6 = <<48/6=8.0>>8 pieces", 0),
        ("21/50 = 42 %", 1),
        ("21/50 = 0.42", 1),
        ("50/50 = 1", 1),
        ("8/2 passed", 1),  # nothing says that it is a calculation
    ],
)
def test_a_division_in_somebodys_working_is_no_share(text: str, shares: int) -> None:
    assert len(list(fractions(text, list(numbers(text))))) == shares
    assert bool(verify_text(text).findings) is (text.startswith("8/2"))


@given(st.integers(0, 500), st.integers(1, 500), st.integers(0, 3))
def test_a_share_that_is_its_fraction_is_never_wrong(part: int, more: int, digits: int) -> None:
    whole = part + more
    text = f"We see {part:,} of {whole:,} rollouts ({100 * part / whole:.{digits}f} %) do so."
    assert verify_text(text).findings == []


@given(st.integers(0, 500), st.integers(1, 500), st.floats(1.5, 60))
def test_a_share_that_is_not_its_fraction_is_found(part: int, more: int, off: float) -> None:
    whole = part + more
    [finding] = verify_text(f"We see {part} of {whole} rollouts ({100 * part / whole + off:.1f} %) do so.").findings
    assert (finding.line, finding.kind) == (1, "contradicts_itself")


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("lift 0.165, ci [-0.045, 0.085]", ["contradicts_itself"]),
        ("lift 0.065, ci [-0.045, 0.085]", []),
        ("estimate 0.02, upper 0.165, ci [-0.045, 0.085]", []),
        ("estimate 0.02, upper: 0.165 [-0.045, 0.085]", []),
    ],
)
def test_a_value_lies_in_the_interval_behind_it_unless_it_is_called_a_limit(text: str, kinds: list[str]) -> None:
    assert [finding.kind for finding in verify_text(text).findings] == kinds


@pytest.mark.parametrize(
    "text",
    ["5 of 4 repeats passed.", "160 = 90 passed + 64 failed + 2 errored + 5 missing.", "40 tasks × 4 repeats = 150 rollouts."],
)
def test_sums_and_parts_must_fit(text: str) -> None:
    assert [finding.kind for finding in verify_text(text).findings] == ["contradicts_itself"]


@pytest.mark.parametrize(
    "text",
    ["4 of 4 repeats passed.", "160 = 90 passed + 64 failed + 2 errored + 4 missing.", "40 tasks × 4 repeats = 160 rollouts."],
)
def test_sums_and_parts_that_fit(text: str) -> None:
    found = verify_text(text)
    assert found.findings == []
