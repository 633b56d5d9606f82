"""Numbers as people write them, and what is no number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.claims.reading.numbers import Number, numbers


def read(text: str) -> list[Number]:
    return list(numbers(text))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("pass@1 is 59.4 % over 40 tasks", [(59.4, "%"), (40, "")]),
        ("1,331 tasks, 521,042 tokens", [(1331, ""), (521042, "")]),
        ("−3.5 to +3.5 points", [(-3.5, ""), (3.5, "points")]),
        ("21/50 (42%)", [(21, ""), (50, ""), (42, "%")]),
        ("about 3.4k tokens", [(3400, "")]),
        (".19 and 0.5938", [(0.19, ""), (0.5938, "")]),
        ("12 percent, 2 pp", [(12, "%"), (2, "points")]),
    ],
)
def test_numbers_are_read_with_their_units(text: str, values: list[tuple[float, str]]) -> None:
    assert [(number.value, number.unit) for number in read(text)] == values


@pytest.mark.parametrize(
    "text",
    [
        "pass@1",
        "pass^4",
        "M-0640",
        "26:1",
        "v1.2.3",
        "2026-03-04 09:02:37",
        "[c12]",
        "HumanEval/12",
        "gpt-4.1",
        "03/04/2026",
        "#12",
        "K5436",
    ],
)
def test_what_only_looks_like_a_number(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "hedge"),
    [("about 40 tasks", "about"), ("~40", "about"), ("at most 40", "bound"), ("≤ 40", "bound"), ("±40", "bound"), ("40", "")],
)
def test_a_hedge_is_kept(text: str, hedge: str) -> None:
    assert [number.hedge for number in read(text)] == [hedge]


@pytest.mark.parametrize(
    ("text", "expected", "right"),
    [
        ("59.4 %", 59.375, True),
        ("59.3 %", 59.375, False),
        ("66 %", 200 / 3, True),  # cut, as people do
        ("66.6 %", 200 / 3, False),
        ("0.594", 0.59375, True),
        ("about 60 %", 59.375, True),
        ("about 70 %", 59.375, False),
    ],
)
def test_a_number_is_what_its_digits_allow(text: str, expected: float, right: bool) -> None:
    [number] = read(text)
    assert number.equals(expected) is right


@given(st.floats(0, 1), st.integers(0, 4))
def test_a_printed_rate_is_recognised_in_every_form(rate: float, digits: int) -> None:
    for printed in (f"{100 * rate:.{digits}f} %", f"{100 * rate:.{digits}f}%", f"{rate:.{digits}f}"):
        [number] = read(f"the rate is {printed} here")
        assert number.is_rate(rate)


@given(st.integers(0, 10**9))
def test_a_printed_count_is_that_count_and_no_other(count: int) -> None:
    [number] = read(f"there are {count:,} of them")
    assert number.whole
    assert number.equals(count)
    assert not number.equals(count + 1)


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for number in numbers(text):
        assert text[number.span.start : number.span.end].strip() == number.text
