"""Numbers and names in sentences."""

from typing import Any

import pytest

from blade.reports import wording


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("get_member is never called", "`get_member` is never called."),
        ("skips `get_member`, which passing repeats call first.", "Skips `get_member`, which passing repeats call first."),
        ("amount=200 is derived", "amount=200 is derived."),
        ("wrong `a|b`", "Wrong \\`a\\|b\\`."),
        ("uses pay_loan.card here", "Uses `pay_loan.card` here."),
        ("see http://x.example/a_b", "See http\\://x.example/a_b."),
        ("what happened?", "What happened?"),
        ("", ""),
    ],
)
def test_a_sentence_of_the_diagnosis(text: str, shown: str) -> None:
    assert wording.sentence(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [("get_member", "`get_member`"), ("a=1, b", "`a=1, b`"), ("a`b", "a\\`b"), ("x|y", "x\\|y"), ("[c1]", "\\[c1\\]"), ("", "")],
)
def test_a_name_is_code_only_where_it_is_plain(text: str, shown: str) -> None:
    assert wording.name(text) == shown


@pytest.mark.parametrize(
    ("part", "whole", "what", "shown"),
    [
        (37, 116, "", "37 of 116 (31.9 %)"),
        (1200, 4000, "failed rollouts", "1,200 of 4,000 failed rollouts (30.0 %)"),
        (0, 0, "", "0 of 0"),
        (None, 4, "", "unknown of 4"),
    ],
)
def test_a_share_has_its_denominator(part: int | None, whole: int, what: str, shown: str) -> None:
    assert wording.share(part, whole, what) == shown


@pytest.mark.parametrize(
    ("items", "most", "of", "shown"),
    [
        (["a"], 3, None, "a"),
        (["a", "b", "c"], 3, None, "a, b and c"),
        (["a", "b", "c", "d"], 2, None, "a, b and 2 more"),
        (["a", "b"], 2, 9, "a, b and 7 more"),
        ([], 2, None, ""),
    ],
)
def test_a_list_names_the_first_and_counts_the_rest(items: list[str], most: int, of: int | None, shown: str) -> None:
    assert wording.listed(items, most, of=of) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(19500.0, "19,500"), (812.5, "812"), (0.41, "0.41"), (12, "12"), (None, "unknown"), (1e300, "1e+300")]
)
def test_a_figure(value: Any, shown: str) -> None:
    assert wording.number(value) == shown


def test_a_mixed_label_names_both() -> None:
    assert wording.label("IR+BI") == "IR+BI (infrastructure and behaviour)"
    assert wording.label("unknown") == "unknown"


@pytest.mark.parametrize(
    ("low", "high", "unscored", "shown"),
    [
        (4, 4, 0, "4 scored repeats each"),
        (1, 1, 0, "1 scored repeat each"),
        (1, 2, 0, "1 to 2 scored repeats each"),
        (1, 2, 1, "1 without a score, the others with 1 to 2 scored repeats each"),
        (None, None, 5, "nothing scored"),
    ],
)
def test_tasks_without_a_score_have_no_repeats(low: int | None, high: int | None, unscored: int, shown: str) -> None:
    assert wording.scored_repeats({"min": low, "max": high, "mode": low}, unscored) == shown
