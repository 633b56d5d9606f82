"""What the names of fields say of checks."""

import pytest

from blade.signals.wanted.check_names import (
    counts_by_name,
    flag_means,
    flags_by_name,
    happened,
    is_flag,
    is_score,
    is_setting,
    says_verdict,
    speaks_of_checks,
)


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("tests_passed", True),
        ("is_correct", True),
        ("mentions_refund", True),
        ("format_violation", False),
        ("task_failed", False),
        ("is_incorrect", False),
        # how the judging itself went
        ("invalid_judge_response", None),
        ("grading_completed", None),
        ("timed_out", None),
        # neither of the two
        ("city", None),
    ],
)
def test_which_value_of_a_flag_is_the_good_one(name, good):
    assert flag_means(name) is good


@pytest.mark.parametrize(
    ("names", "flags", "counts"),
    [
        (("reward", "is_correct", "judge_status", "f2p_passed"), ("is_correct", "judge_status", "f2p_passed"), ("f2p_passed",)),
        (("_ng_is_correct", "tests", "build_status", "mask_sample_status"), ("build_status",), ()),
    ],
)
def test_flags_and_counts_of_a_row(names, flags, counts):
    fields = dict.fromkeys(names, 1)
    assert (flags_by_name(fields), counts_by_name(fields)) == (flags, counts)


@pytest.mark.parametrize(
    ("name", "by_form", "verdict"),
    [("passed", True, True), ("ok", True, True), ("rule_holds", True, True), ("verdict", False, True), ("town", False, False)],
)
def test_booleans_that_are_verdicts(name, by_form, verdict):
    assert (is_flag(name), says_verdict(name)) == (by_form, verdict)


@pytest.mark.parametrize(
    ("says", "these", "not_these"),
    [
        (speaks_of_checks, ("rubric_items", "testResults", "scores"), ("scoresheet", "town")),
        (happened, ("tool_calls", "attempts", "logs"), ("catalogue", "town")),
        (is_score, ("score", "style_score", "points"), ("scored", "underscore")),
        (is_setting, ("required", "is_hidden", "must_hold"), ("ok", "town")),
    ],
)
def test_what_else_a_name_says(says, these, not_these):
    assert [name for name in (*these, *not_these) if says(name)] == list(these)
