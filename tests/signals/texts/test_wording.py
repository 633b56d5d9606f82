"""Free text that says the same in other words."""

import pytest

from blade.signals.calls.tools import Tool
from blade.signals.texts.wording import is_free_text, says_the_same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("needs a gangway watch overnight", "Gangway watch required overnight.", True),
        ("takes stores before cargo work begins", "stores to be taken before cargo work", True),
        ("has to wait for a weather window", "Vessel must wait for a weather window", True),
        ("arrives with 3 passengers", "arrives with 4 passengers", False),
        ("may be cancelled", "may not be cancelled", False),
        ("needs a gangway watch overnight", "brings a damaged container", False),
        ("urgent", "urgent", False),  # one word is a value and no text
    ],
)
def test_what_two_texts_say(one, other, same):
    assert says_the_same(one, other) is says_the_same(other, one) is same


def test_what_is_free_text():
    def told(argument, description="", schema=None):
        return is_free_text(Tool("t", description, {"properties": {argument: schema or {"type": "string"}}}), argument)

    assert told("remark")
    assert told("internal_note")
    assert told("words", "Write a remark, in free text, on a call.")
    assert told("words", schema={"type": "string", "description": "In your own words."})
    assert not told("status")
    assert not told("reason", schema={"type": "string", "enum": ["moved", "sold"]})
    assert is_free_text(None, "comment")
