"""Sentences about the whole run, and parts of it that only look like that. The run: 154 scored rollouts of 40 tasks, 90 passed, 64 failed."""

import pytest

from blade.claims.reading.facts import RunFacts
from blade.claims.reading.verify import verify_text


@pytest.mark.parametrize(
    "text",
    [
        "90 of 154 rollouts passed and 64 failed.",
        "90 of 154 scored rollouts passed.",
        "64 of the 154 rollouts failed; 90 passed.",
        "14 of 40 tasks always pass, 18 sometimes and 8 never.",
        "70 of 154 rollouts passed the first gate.",
        "3 of 20 rollouts passed.",
        "2 of 10 tasks never pass.",
    ],
)
def test_what_is_true_or_about_a_part_is_no_finding(example: RunFacts, text: str) -> None:
    assert verify_text(text, [example]).findings == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("92 of 154 rollouts passed and 64 failed.", "92"),
        ("91 of 154 scored rollouts passed.", "91"),
        ("63 of the 154 rollouts failed.", "63"),
        ("91 out of 154 rollouts succeeded, which is not much.", "91"),
        ("15 of 40 tasks always pass.", "15"),
    ],
)
def test_a_wrong_part_of_the_whole_run_is_found(example: RunFacts, text: str, says: str) -> None:
    assert [str(finding.found) for finding in verify_text(text, [example]).findings] == [says]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("all 4 " * 9_000, 9_000),
        ("1 of 2 " * 9_000, 18_000),
        ("12:3 " * 9_000, 9_000),
        ("| 1 | 2 |" * 5_000, 10_000),
        ("pass@1 is 4 " * 4_500, 4_500),
    ],
)
def test_a_sentence_of_thousands_of_numbers_is_read_to_its_end(text: str, claims: int) -> None:
    assert verify_text(text).claims == claims
