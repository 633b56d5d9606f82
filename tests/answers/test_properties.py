"""What holds for any text and any number."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from blade.answers import Relation, Verdict, compare, contains_expected, extract

numbers = st.decimals(min_value=-(10**9), max_value=10**9, places=3, allow_nan=False, allow_infinity=False)
STYLES = (
    "plain",
    "commas",
    "spaces",
    "underscores",
    "exponent",
    "padded",
    "plus",
    "minus sign",
    "latex",
    "boxed",
    "marked",
    "fraction",
)


def written(number: Decimal, style: str) -> str:
    """The number in one of the styles that people use."""
    plain = format(number.normalize() + 0, "f")
    match style:
        case "commas":
            return f"{number.normalize() + 0:,f}"
        case "spaces":
            return f"{number.normalize() + 0:,f}".replace(",", "\u202f")
        case "underscores":
            return f"{number.normalize() + 0:,f}".replace(",", "_")
        case "exponent":
            return f"{number:e}"
        case "padded":
            return plain + ("00" if "." in plain else ".00")
        case "plus":
            return plain if plain.startswith("-") else "+" + plain
        case "minus sign":
            return plain.replace("-", "−")
        case "latex":
            return f"${plain}$"
        case "boxed":
            return rf"\boxed{{{plain}}}"
        case "marked":
            return f"The answer is {plain}."
        case "fraction":
            exact = Fraction(number)
            return f"{exact.numerator}/{exact.denominator}"
    return plain


@given(numbers, st.sampled_from(STYLES), st.sampled_from(STYLES))
def test_a_number_is_the_same_in_every_style(number: Decimal, one: str, other: str) -> None:
    verdict = compare(written(number, one), written(number, other))
    assert verdict.same, verdict
    assert not verdict.assumed


@given(numbers, numbers, st.sampled_from(STYLES), st.sampled_from(STYLES))
@example(Decimal("1.234"), Decimal("1234"), "plain", "commas")
@example(Decimal("3"), Decimal("13"), "plain", "boxed")
def test_different_numbers_are_never_the_same(one: Decimal, other: Decimal, style: str, other_style: str) -> None:
    assume(one != other)
    assert not compare(written(one, style), written(other, other_style)).same


@given(st.lists(numbers, min_size=2, max_size=6, unique=True))
def test_a_set_has_no_order_and_a_list_has(members: list[Decimal]) -> None:
    texts = [written(member, "plain") for member in members]
    turned = texts[::-1]
    assert compare("{" + ", ".join(texts) + "}", "{" + ", ".join(turned) + "}").same
    assert not compare("[" + ", ".join(texts) + "]", "[" + ", ".join(turned) + "]").same


NOTATION = (
    r'1 2 12 0 -3 0.5 1/2 1,234 1.234 50% km m $ € x B (B) yes No and , . : \frac \boxed { } [ ] ( ) ^ = + * / #### <answer> </answer> 10:30 "a" '
    r"the Paris e E9 ² ½ − million \ ** 9 half about Answer: 2024-01-05"
)
ATOMS = st.sampled_from([*NOTATION.split(), " ", "\n", "\u00a0", "5 Jan 2024"])
scraps = st.one_of(st.text(max_size=40), st.lists(ATOMS, max_size=8).map("".join))


@settings(max_examples=200)
@given(scraps, scraps)
def test_any_two_texts_compare_and_alike_both_ways(one: str, other: str) -> None:
    forth, back = compare(one, other), compare(other, one)
    assert isinstance(forth, Verdict)
    assert forth == back


@given(scraps)
def test_every_text_equals_itself(text: str) -> None:
    assert compare(text, text).relation is Relation.EQUAL


@settings(max_examples=150)
@given(st.lists(scraps, max_size=6).map("\n".join), scraps)
def test_any_message_is_read(message: str, expected: str) -> None:
    extract(message)
    found = contains_expected(message, expected)
    assert found is None or compare(expected, found.text).same


SAME_KIND = {
    "number": ["1234", "1,234", "1 234", "1234.0", r"\boxed{1234}", "1.234e3", "2468/2", "1235", "1,235", "twelve", "12"],
    "letter": ["B", "(B)", "b", "B.", "option B", "Answer: B", "C", "(C)", "c)"],
    "date": ["2024-01-25", "25 Jan 2024", "January 25, 2024", "25/01/2024", "2024-01-26", "01/26/2024"],
    "quantity": ["12 km", "12 kilometers", "12.0 km", "13 km", "12 m", "twelve km"],
}


def test_sameness_is_transitive_within_a_kind() -> None:
    for texts in SAME_KIND.values():
        sure = {(a, b) for a in texts for b in texts if (verdict := compare(a, b)).same and not verdict.assumed}
        assert {(a, d) for a, b in sure for c, d in sure if b == c} <= sure


@given(st.integers(0, 10**16), st.integers(0, 10**16))
@example(20240131, 20240201)
@example(0, 1)
@example(12, 1200)
@example(2024, 2025)
def test_plain_whole_numbers_compare_as_they_do_with_space_around_them(one: int, other: int) -> None:
    assert compare(str(one), str(other)) == compare(f" {one}", f"{other}\n")
