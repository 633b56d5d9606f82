import pytest

from blade.signals.request_words import asks_for_order, said_of_flag, words_named


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
