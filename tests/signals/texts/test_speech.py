"""What a message says: the marks that are looked for first stand in everything that the expressions find."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.signals.data import clashes
from blade.signals.texts import speech


@pytest.mark.parametrize(
    ("expression", "marks"),
    [
        (speech._GIVES_UP, speech._GIVES_UP_MARKS),
        (speech._REFUSES, speech._REFUSES_MARKS),
        (speech._CLAIM, speech._CLAIM_WORDS),
        (speech._ASKS, speech._ASKS_MARKS),
        (clashes._EXCLUSIVE, clashes._EXCLUSIVE_MARKS),
    ],
    ids=["gives up", "refuses", "claims", "asks", "sees two wishes"],
)
def test_whatever_an_expression_finds_has_a_mark(expression: re.Pattern[str], marks: tuple[str, ...]) -> None:
    @settings(max_examples=150, deadline=None)
    @given(st.from_regex(expression))
    def holds_a_mark(text: str) -> None:
        assert any(mark in speech.caseless(text) for mark in marks)

    holds_a_mark()


@pytest.mark.parametrize(("text", "folded"), [("I GİVE UP", "i give up"), ("ı gıve up", "i give up"), ("Kaputt", "kaputt")])
def test_letters_that_expressions_take_for_one_are_one(text: str, folded: str) -> None:
    assert speech.caseless(text) == folded
    assert re.fullmatch(re.escape(folded), text, re.IGNORECASE)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("I have booked the room.", True),
        ("I have booked nothing.", False),
        ("I've changed no settings.", False),
        ("We have cancelled no. 17.", True),
        ("WE HAVE CANCELLED YOUR ORDER.", True),
        ("All Set! The room is yours.", True),
    ],
)
def test_what_was_done_to_nothing_is_no_claim(text: str, claims: bool) -> None:
    assert bool(speech.claims_success(text)) is claims


def test_what_is_asked_in_capitals_of_other_alphabets_is_asked() -> None:
    assert speech.asks_back("WHİCH of these is yours?")


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("You're welcome! Talk to you soon. Safe travels!", True),
        (
            "Thank you for your patience! I'll be here whenever you're ready. If you have any questions, don't hesitate to ask.",
            True,
        ),
        ("Great! Have a wonderful day.", True),
        ("You're welcome! Is there anything else I can help you with?", True),
        ("Happy to help! No worries. You too!", True),
        ("Thank you! 😊", True),
        ("If you have the order number, I can look it up.", False),
        ("Thank you, I have cancelled it.", False),
        ("Thank you for your patience, but your order cannot be returned.", False),
        ("We are pleased to inform you that your refund was issued.", False),
        ("I am here to tell you that it cannot be cancelled.", False),
        ("Please let me know your user ID.", False),
        ("Let me know which flight you want.", False),
        ("Please let me know if you confirm the refund of $20 (yes/no).", False),
        ("If you would like to proceed with the cancellation, please let me know.", False),
        ("Feel free to give me your PIN.", False),
        ("Take care of the payment first.", False),
        ("Have you received the order?", False),
        ("Once you are ready, I will cancel it.", False),
        ("You're welcome to a refund of $50; shall I proceed?", False),
        ("Thank you for confirming, I have added three bags.", False),
        ("You're welcome! I have cancelled the order.", False),
        ("Thanks! What is your email address?", False),
        ("Have you tried another card?", False),
        ("", False),
        ("Thank you! " * 200, False),
    ],
)
def test_a_message_that_only_takes_leave_is_told_from_one_that_says_something(text: str, only: bool) -> None:
    assert speech.only_courtesy(text) is only


@pytest.mark.parametrize(
    ("turn", "leaves"),
    [
        ("Thanks for the information. That's all I needed.", True),
        ("I'll look for it and get back to you. Thank you for your patience!", True),
        ("###STOP###", True),
        ("You too, bye! ###STOP###", True),
        ("Great. Please add three bags.", False),
        ("Thanks! And 3 bags on B1.", False),
        ("Now add the bags!", False),
        ("Thank you. Is it refundable?", False),
        ("Thanks, I also want a window seat.", False),
    ],
)
def test_a_turn_that_takes_leave_is_told_from_one_that_asks_for_something(turn: str, leaves: bool) -> None:
    assert speech.takes_leave(turn) is leaves


def test_what_is_claimed_is_told_from_where_its_sentence_begins() -> None:
    said = (
        "Good news. The upgrade of the reservation XEHM4B, which you asked for, has been successfully processed. Anything else?"
    )
    assert speech.claims_success(said) == said.split(". ")[1] + "."
    long = f"Good news. The upgrade {'of the reservation ' * 20}has been successfully processed."
    assert str(speech.claims_success(long)).startswith("…of the")
    assert str(speech.claims_success(long)).endswith("has been successfully processed.")
