"""What one try met, judged without a connection."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.gym.models.faults import Fault, decoded, retry_after

NOON = 1_800_000_000.0  # Fri, 15 Jan 2027 08:00:00 GMT


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 0.0),
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"Retry-After": "100"}, 60.0),
        ({"retry-after-ms": "250", "Retry-After": "9"}, 0.25),
        ({"Retry-After": "Fri, 15 Jan 2027 08:00:20 GMT"}, 20.0),
        ({"Retry-After": "Fri, 15 Jan 2027 07:00:00 GMT"}, 0.0),
        ({"Retry-After": "soon"}, 0.0),
        ({"Retry-After": "-3"}, 0.0),
        ({"retry-after-ms": "nan"}, 0.0),
        ({"retry-after-ms": "inf"}, 60.0),
    ],
)
def test_how_long_an_endpoint_asks_to_wait(headers: Mapping[str, str], seconds: float) -> None:
    assert retry_after(headers, longest=60, now=NOON) == seconds


@given(st.text(max_size=40))
def test_no_header_breaks_the_waiting(text: str) -> None:
    assert 0.0 <= retry_after({"Retry-After": text}, longest=60, now=NOON) <= 60.0


@given(st.integers(100, 599), st.binary(max_size=60))
def test_any_answer_is_an_object_or_a_fault(status: int, content: bytes) -> None:
    try:
        assert isinstance(decoded(status, {}, content, longest_pause=1), dict)
    except Fault as fault:
        met: Fault | None = fault
    else:
        met = None
    assert met is None or met.status == status


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"error": {"message": "inner"}}', "inner"),
        (b'{"error": "flat"}', "flat"),
        (b'{"message": "plain"}', "plain"),
        (b'{"detail": "of a framework"}', "of a framework"),
        (b"<html>bad gateway</html>", "bad gateway"),
        (b"", "(nothing)"),
    ],
)
def test_an_endpoint_is_quoted_in_its_own_words(content: bytes, words: str) -> None:
    with pytest.raises(Fault, match=f"status 502: .*{words.strip('()')}"):
        decoded(502, {}, content, longest_pause=1)


def test_deep_json_is_no_crash() -> None:
    with pytest.raises(Fault, match="not JSON"):
        decoded(200, {}, b"[" * 200_000, longest_pause=1)


def test_half_a_surrogate_pair_is_no_reason_to_ask_again() -> None:
    assert decoded(200, {}, b'{"text": "a\\ud800b"}', longest_pause=1) == {"text": "a?b"}
