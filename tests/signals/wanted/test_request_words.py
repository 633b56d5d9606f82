import pytest

from blade.signals.wanted.request_words import asks_for_order, said_beside_name, said_of_flag, words_named


@pytest.mark.parametrize("tool", ["iam-rotate-key", "rotateIamKey", "iam.key.rotate", "iam__rotate_key"])
def test_the_words_of_a_tool_that_a_request_has(tool):
    assert words_named("Rotate the access key.", tool) == ["rotate", "key"]
    assert words_named("Leave the access key.", tool) == ["key"]
    assert words_named("Nothing to do.", tool) == []


@pytest.mark.parametrize(
    ("request_text", "said"),
    [
        ("Add it. Readers should not get an alert.", False),
        ("Add it, and send the readers an alert.", True),
        ("Add it. Do not wait.", None),
        ("Take the alert for readers off.", False),
        ("Remove the alert to its readers.", False),
        ("Remove the stain and send the readers an alert.", True),
        ("Take an alert to the readers.", True),
        ("Readers wait. No alert.", None),  # in two sentences
    ],
)
def test_what_is_said_of_a_flag(request_text, said):
    assert said_of_flag(request_text, "fields.alertReaders") is said


@pytest.mark.parametrize(
    ("request_text", "ordered"),
    [
        ("Send it. Only once that is out, close the claim.", True),
        ("First send the letter, then close the claim.", True),
        ("Send the letter and close the claim.", False),
        ("Send the letter, then close the claim.", False),
    ],
)
def test_a_request_that_says_what_comes_first(request_text, ordered):
    assert asks_for_order(request_text) is ordered


@pytest.mark.parametrize(
    ("request_text", "path", "value", "said"),
    [
        ("It is a short one of 3 hours, not the usual eight.", "hours", 3, True),
        ("Put him down for a four-hour shift.", "shift.hours", 4, True),
        ("Hours: 4, the rest as always.", "duration_hours", 4, True),
        ("It is a short one of 3 hours.", "hours", 8, False),
        ("Come in 3 days, for some hours.", "hours", 3, False),  # beside something else
        ("Version 1.3 hours ahead.", "hours", 3, False),  # a part of a number
        ("Four of them.", "hours", 4, False),
        ("It takes 40 hours.", "hours", 40, False),  # large enough to tell by itself
        ("No hours are named.", "hours", False, False),
        ("14 per cent for the stables and 8 per cent for the nursery.", "rebate_percent", 8, True),
        ("Give them 8% off.", "rebate_percent", 8, True),
        ("Give 8 of them 14 % off.", "rebate_percent", 8, False),
    ],
)
def test_a_small_number_beside_the_name_of_its_argument(request_text, path, value, said):
    assert said_beside_name(request_text, path, value) is said
