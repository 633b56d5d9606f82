"""What modes are called."""

import pytest

from blade.diagnosis.catalogue import title


@pytest.mark.parametrize(
    ("code", "subject", "said"),
    [
        ("action_missing", "book_trip", "expected call of `book_trip` never made"),
        ("action_missing", "", "an expected change is never made"),
        ("failed_checks", "time limit exceeded", "failed checks, tried once (time limit exceeded)"),
        ("failed_checks", "", "failed checks, tried once"),
        ("action_missing", "a`b", "expected call of `a'b` never made"),  # a name must not end the backticks it stands in
    ],
)
def test_a_title_names_its_subject(code, subject, said):
    assert title(code, subject) == said
