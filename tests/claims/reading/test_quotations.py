"""Quotations: found in a text, and looked for in a transcript."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.claims.reading.quotes import quotes
from blade.claims.reading.transcripts import holds, words

ROW = words(
    '{"name": "check_out", "arguments": "{\\"pieces\\": 144, \\"item\\": \\"K5436\\"}"} 503 Service Unavailable: the stock service did not answer; reward 0.0 state_match true'
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("it says “no such member” and stops", ["no such member"]),
        ('the user wrote "card ending 664", and', ["card ending 664"]),
        ('calculator({"expr":"2 * 16"})', []),
        ('5" and 6"', []),
        ("«à bientôt»", ["à bientôt"]),
    ],
)
def test_quotation_marks(text: str, found: list[str]) -> None:
    assert [quote.text for quote in quotes(text)] == found


@pytest.mark.parametrize(
    "quotation",
    [
        "503 Service Unavailable: the stock service did not answer",
        "503 Service Unavailable … did not answer",
        "pieces=144",
        "server_error: 503 Service Unavailable",
        "state_match = True; reward 0",
        'check_out({"item":"K5436","pieces":144})',
        'check_out({"item":"K5436","pie…',
    ],
)
def test_what_stands_in_a_transcript(quotation: str) -> None:
    assert holds(ROW, quotation)


@pytest.mark.parametrize(
    "quotation",
    [
        "504 Service Unavailable: the stock service did not answer",
        "503 Service Unavailable: the stock service did answer",
        "did not answer … 503 Service",
        "pieces=14",
        "state_match = False; reward 0",
        'check_out({"item":"K5437","pieces":144})',
    ],
)
def test_what_does_not(quotation: str) -> None:
    assert not holds(ROW, quotation)


@given(
    st.lists(st.sampled_from(["alpha", "beta", "gamma", "12", "3.5", "delta", "M-7", "x_y"]), min_size=3, max_size=12), st.data()
)
def test_every_stretch_of_a_transcript_is_found_and_no_word_more(said: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(said) - 1))
    end = data.draw(st.integers(start + 1, len(said)))
    transcript = words(" ".join(said))
    assert holds(transcript, " ".join(said[start:end]))
    assert not holds(transcript, " ".join([*said[start:end], "granite"]))
