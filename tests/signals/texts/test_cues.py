"""Texts are passed over only where an expression would find nothing in them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.signals.behaviour import exceptions, limits, older_entries, shares, superseded, tongues
from blade.signals.texts.cues import cues, may_say
from blade.signals.texts.denials import _CANNOT, _NOT_ALLOWED, may_deny
from blade.signals.texts.speech import _CLAIM, _CLAIM_WORDS, caseless
from blade.signals.texts.values import _DATE, _dates

PIECES = (
    "sorry", "I mean", "Meant", "no", ",", ":", "wait", "changes to", "ſorry", "not red but", "half", "SPLIT", "ſhared", "50", "/", "except", "but not", "ſkip", "lateſt",
    "most recently", "OLDEST", "İn", "at most", "5", "words", "the", "iſ", "waı", "_", "-", "é", " ", " ", "\n", ". ", "I", "have", "'ve", "been", "now", "booked", "Done!",
    "succeſſfully", "all set", "cannot", "won’t be able to", "is not", "ineligible", "doeſn't", "meet", "an option", "jan", "ſept.", "MAY", "march", "of", "2024", "12", "3", "٣", "th", ".",
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=10).map("".join) | st.lists(st.sampled_from(PIECES), max_size=10).map(" ".join)


@pytest.mark.parametrize(
    ("expression", "known"),
    [
        (superseded._PUT_RIGHT, superseded._CUES),
        (shares._SHARED, shares._CUES),
        (exceptions._EXCEPTS, exceptions._CUES),
        (older_entries._LATEST, older_entries._CUES),
        (older_entries._OLDEST, older_entries._CUES),
        (limits._LIMIT, limits._UNITS),
        (tongues._ENGLISH, tongues._OF_ENGLISH),
    ],
)
@given(text=texts)
def test_a_text_without_a_cue_is_one_in_which_the_expression_finds_nothing(
    expression: re.Pattern[str], known: frozenset[str], text: str
) -> None:
    assert may_say(text, known) or expression.search(text) is None


def test_a_cue_is_a_whole_word_in_any_case() -> None:
    assert may_say("No, Sorry!", cues("sorry"))
    assert not may_say("sorry_not sorrys", cues("sorry"))
    assert may_say("ſorry", cues("sorry"))


@given(text=texts)
def test_what_a_message_must_have_stands_in_every_claim_and_in_every_refusal(text: str) -> None:
    assert _CLAIM.search(text) is None or any(word in caseless(text) for word in _CLAIM_WORDS)
    assert (_CANNOT.search(text) or _NOT_ALLOWED.search(text)) is None or may_deny(text)


@given(text=texts)
def test_dates_are_the_same_as_the_expression_finds_from_the_first_sign_on(text: str) -> None:
    assert [(found.span(), found.groups()) for found in _dates(text)] == [
        (found.span(), found.groups()) for found in _DATE.finditer(text)
    ]
