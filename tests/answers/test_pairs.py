"""Pairs of answers and how they relate: one line a case, look-alikes that differ beside look-alikes that do not."""

import pytest

from blade.answers import Relation, compare

EQUAL = [
    ("18", "18"),
    ("18", " 18\n"),
    ("0.5", "1/2"),
    ("0.50", "0.5"),
    ("-0", "0"),
    ("+7", "7"),
    ("1e3", "1000"),
    ("1E-3", "0.001"),
    ("6/8", "3/4"),
    (".5", "0.5"),
    ("12 km", "12.0 km"),
    ("", ""),
    ("Paris", "Paris"),
]

EQUIVALENT = [
    # numbers
    ("1234", "1,234", "thousands separator"),
    ("1234567.5", "1,234,567.50", "thousands separator"),
    ("1234", "1 234", "thousands separator"),
    ("1234", "1\u202f234", "thousands separator"),
    ("1234", "1_234", "thousands separator"),
    ("1234", "1'234", "thousands separator"),
    ("1234.5", "1 234,5", "decimal comma and thousands separator"),
    ("1234.5", "1.234,5", "decimal comma and thousands separator"),
    ("1234567", "1.234.567", "thousands separator"),
    ("0.75", "0,75", "decimal comma"),
    ("1.5", "1 1/2", "mixed number"),
    ("1.5", "1½", "Unicode form and mixed number"),
    ("-5", "−5", "Unicode form"),
    ("12", "１２", "Unicode form"),
    ("12", "twelve", "number word"),
    ("21", "Twenty-one", "number word"),
    ("105", "one hundred and five", "number word"),
    ("0.75", "three quarters", "number word"),
    ("2000000", "2 million", "number word"),
    ("1500", "1.5 × 10^3", "Unicode form and power of ten"),
    ("1500", "1.5 × 10³", "Unicode form and power of ten"),
    ("1500", r"1.5 \times 10^{3}", "LaTeX and power of ten"),
    # units
    ("12 km", "12 kilometers", "unit name"),
    ("12 km", "12km.", "punctuation"),
    ("5 m^2", "5 m²", "Unicode form and unit name"),
    ("5 m^2", "5 square meters", "unit name"),
    ("90 °", r"90^\circ", "LaTeX"),
    ("5 %", "5 percent", "percent sign"),
    ("5%", r"5\%", "LaTeX"),
    ("3 apples", "three apples", "number word"),
    ("$5", "5 dollars", "currency sign and unit name"),
    ("$1,000", "$1000", "thousands separator"),
    # LaTeX and markup
    ("1/2", r"\frac{1}{2}", "LaTeX fraction"),
    ("0.5", r"\dfrac{1}{2}", "LaTeX and LaTeX fraction"),
    ("0.5", r"\frac12", "LaTeX fraction"),
    ("-0.5", r"$-\frac{1}{2}$", "LaTeX and LaTeX fraction"),
    ("1.5", r"1\frac{1}{2}", "LaTeX fraction and mixed number"),
    ("18", r"\boxed{18}", "LaTeX"),
    ("18", "$18$", "LaTeX"),
    ("18", r"\(18\)", "LaTeX"),
    ("12345", "12{,}345", "LaTeX and thousands separator"),
    ("(3, 4)", r"\left(3, 4\right)", "LaTeX"),
    ("Evelyn", r"\text{Evelyn}", "LaTeX"),
    ("18", "#### 18", "answer markup"),
    ("18", "The answer is 18.", "answer markup and punctuation"),
    ("18", "<answer>18</answer>", "answer markup"),
    ("18", "**18**", "emphasis"),
    ("garnet", "__garnet__", "emphasis"),
    ("07:50", "(07:50)", "brackets"),
    ("garnet", "*garnet*", "emphasis"),
    ("18", "Final answer: 18", "answer markup"),
    # words
    ("Paris", "paris", "case"),
    ("Paris", "Paris!", "punctuation"),
    ("Paris", "PARIS.", "case and punctuation"),
    ("Paris", '"Paris"', "quotes"),
    ("Eiffel Tower", "the Eiffel Tower", "articles"),
    ("well-known fact", "well known fact", "punctuation"),
    ("don't know", "don’t know", "Unicode form"),
    ("new  york", "new york", "whitespace"),
    ("ﬁne", "fine", "Unicode form"),
    # choices
    ("B", "(B)", "option letter"),
    ("B", "B.", "option letter"),
    ("B", "b", "option letter"),
    ("B", "Answer: B", "answer markup"),
    ("B", "option B", "option letter"),
    ("B", "(B) Paris", "option letter"),
    ("B", "B) Paris", "option letter"),
    ("Paris", "(B) Paris", "option letter"),
    ("yes", "Yes, it is", "explanation"),
    ("no", "No, that is not right.", "explanation and punctuation"),
    ("true", "True", "case"),
    # dates and times
    ("2024-01-05", "January 5, 2024", "date format"),
    ("2024-01-05", "5 Jan 2024", "date format"),
    ("2024-01-05", "Jan. 5th, 2024", "date format"),
    ("2024-01-05", "Friday, January 5, 2024", "date format"),
    ("2024-01-05", "2024/1/5", "date format"),
    ("2024-01-25", "25/01/2024", "date format"),
    ("2024-01-25", "01/25/2024", "date format"),
    ("2024-01-05", "5.1.2024", "date format"),
    ("22:30", "10:30 PM", "12-hour clock"),
    ("00:15", "12:15 a.m.", "12-hour clock and punctuation"),
    # lists, sets, JSON
    ("1, 2, 3", "1, 2 and 3", "list notation"),
    ("[1, 2]", "[1,2.0]", "JSON notation"),
    ("{1, 2, 3}", "{3, 1, 2}", "order in a set"),
    (r"\{1, 2\}", "{2,1}", "order in a set"),
    ("{1/2, 3}", "{3, 0.5}", "order in a set"),
    ('{"a": 1, "b": "x"}', '{"b": "x", "a": 1.0}', "key order"),
    ('{"a": [1, 2]}', '{"a":[1,2]}', "JSON notation"),
    # symbolic maths
    ("x^2+1", "1+x^2", "symbolic maths"),
    ("(x+1)^2", "x^2 + 2x + 1", "symbolic maths"),
    (r"\sqrt{8}", r"2\sqrt{2}", "symbolic maths"),
    (r"\frac{\pi}{2}", "pi/2", "symbolic maths"),
    ("2x", "x + x", "symbolic maths"),
    ("2xy + y^2", "y(2x+y)", "symbolic maths"),
]

ASSUMED = [
    ("50%", "0.5", "percent as a fraction"),
    ("50%", "50", "percent sign left out"),
    ("18", "$18", "unit left out"),
    ("12", "12 km", "unit left out"),
    ("12", "12 apples", "unit left out"),
    ("12 km", "12000 m", "unit conversion"),
    ("1 hour", "60 minutes", "unit conversion"),
    ("32 °F", "0 °C", "unit conversion"),
    ("2 years", "24 months", "unit conversion"),
    ("0.3", "0.30000000000000004", "rounding in the last digits"),
    ("7", "007", "leading zeros"),
    ("5", "x = 5", "variable name"),
    ("3", "about 3", "approximate"),
    ("yes", "true", "true or false and yes or no"),
    ("3:4", "6:8", "ratio"),
    ("(1, 2)", "1, 2", "brackets left out"),
    ("y = 2x + 1", "2x + 1", "symbolic maths"),
    ("x", "X", "case"),
    ("5 Mb", "5 MB", "case"),
]

DIFFERENT = [
    ("3", "13"),
    ("5", "-5"),
    ("1,234", "1,235"),
    ("0.5", "5"),
    ("1/2", "1/3"),
    ("1e3", "100"),
    (r"\frac{1}{2}", "2"),
    ("12 km", "12 m"),
    ("12 km", "12 kg"),
    ("12 km", "13 km"),
    ("$5", "€5"),
    ("$18", "20"),
    ("50%", "51"),
    ("B", "C"),
    ("(B) Paris", "C"),
    ("yes", "No"),
    ("true", "False"),
    ("2024-01-05", "2024-01-06"),
    ("2024-01-05", "January 6, 2024"),
    ("10:30", "11:30"),
    ("(1, 2)", "(1, 3)"),
    ("{1, 2}", "{1, 3}"),
    ('{"a": 1}', '{"a": 2}'),
    ('{"a": 1}', '{"b": 1}'),
    ("x^2+1", "x^3+1"),
    (r"2\pi", "7"),
    ("x = 5", "6"),
    ("twelve", "13"),
    ("103", "10³"),
]

UNKNOWN = [
    # a separator that two countries read differently
    ("1,234", "1.234"),
    ("1.234", "1234"),
    ("1,5", "1.5"),
    ("100,200,300", "100, 200, 300"),
    ("05/01/2024", "2024-01-05"),
    ("10:30", "10:30 PM"),
    ("10:30", "1:3"),
    # rounding is the task's business
    ("1/3", "0.333"),
    ("3.14159", "3.14"),
    (r"2\pi", "6.28"),
    # units that may be meant
    ("120", "2 hours"),
    ("500", "$5"),
    ("60", "5 dozen"),
    ("12 apples", "12 oranges"),
    # words may mean the same
    ("Paris", "London"),
    ("Paris", "The capital of France"),
    ("listen", "silent"),
    ("yes", "Yes and no"),
    ("yes", "Yes, but only sometimes"),
    ("yes", "Yes, it is not"),
    ("(B) Paris", "(B) London"),
    ("cat", "A cat sat"),
    ("A", "A cat"),
    # order, brackets, shapes
    ("1, 2, 3", "3, 2, 1"),
    ("(1, 2)", "[1, 2]"),
    ("[1, 2)", "[1, 2]"),
    ("x = 5", "y = 5"),
    ("1", "1st"),
    ("5!", "5"),
    ("120", "5!"),
    ("3-5", "-2"),
    ("C++", "C"),
    ("x2", "x²"),
    ("10, 200", "10 200"),
    ("1, 2) + x", "1, 2) - x"),
    ("No. 5", "no"),
    ("__init__", "init"),
    ("Vitamin A deficiency", "vitamin deficiency"),
    ("5 mW", "5 MW"),
    ("f(x)", "f x"),
    ("5", ""),
    ("5", "The total is somewhere around here, I think"),
    ("9**9**9", "1"),
    ("1e999999999", "1"),
    ("NaN", "0"),
    ("1/0", "0"),
]


@pytest.mark.parametrize(("expected", "actual"), EQUAL)
def test_equal(expected: str, actual: str) -> None:
    for verdict in (compare(expected, actual), compare(actual, expected)):
        assert verdict.relation is Relation.EQUAL
        assert not verdict.assumed


@pytest.mark.parametrize(("expected", "actual", "how"), EQUIVALENT)
def test_equivalent_by_a_named_normalisation(expected: str, actual: str, how: str) -> None:
    for verdict in (compare(expected, actual), compare(actual, expected)):
        assert (verdict.relation, verdict.how, verdict.assumed) == (Relation.EQUIVALENT, how, False)


@pytest.mark.parametrize(("expected", "actual", "how"), ASSUMED)
def test_equivalent_only_if_the_task_allows_it(expected: str, actual: str, how: str) -> None:
    for verdict in (compare(expected, actual), compare(actual, expected)):
        assert (verdict.relation, verdict.how, verdict.assumed) == (Relation.EQUIVALENT, how, True)


@pytest.mark.parametrize(("expected", "actual"), DIFFERENT)
def test_different(expected: str, actual: str) -> None:
    assert compare(expected, actual).relation is Relation.DIFFERENT
    assert compare(actual, expected).relation is Relation.DIFFERENT


@pytest.mark.parametrize(("expected", "actual"), UNKNOWN)
def test_left_undecided(expected: str, actual: str) -> None:
    assert compare(expected, actual).relation is Relation.UNKNOWN
    assert compare(actual, expected).relation is Relation.UNKNOWN


OPTIONS = {"A": "London", "B": "Paris", "C": "12", "D": "12 km"}


@pytest.mark.parametrize(
    ("expected", "actual", "relation"),
    [
        ("B", "Paris", Relation.EQUIVALENT),
        ("B", "(B) Paris", Relation.EQUIVALENT),
        ("B", "paris.", Relation.EQUIVALENT),
        ("Paris", "B", Relation.EQUIVALENT),
        ("B", "London", Relation.DIFFERENT),
        ("B", "A", Relation.DIFFERENT),
        ("B", "(B) London", Relation.UNKNOWN),
        ("B", "Berlin", Relation.UNKNOWN),
        ("C", "twelve", Relation.EQUIVALENT),
    ],
)
def test_with_the_options_of_the_question(expected: str, actual: str, relation: Relation) -> None:
    assert compare(expected, actual, options=OPTIONS).relation is relation
