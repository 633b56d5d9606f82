import pytest

from blade.sentences import capital, plural, tail


@pytest.mark.parametrize(
    ("amount", "forms", "said"),
    [
        (1, ("task",), "1 task"),
        (0, ("task",), "0 tasks"),
        (1_200, ("class", "classes"), "1,200 classes"),
        (1, ("row holds", "rows hold"), "1 row holds"),
        (2, ("row holds", "rows hold"), "2 rows hold"),
    ],
)
def test_a_number_agrees_with_its_noun(amount: int, forms: tuple[str, ...], said: str) -> None:
    assert plural(amount, *forms) == said


@pytest.mark.parametrize(
    ("text", "begun"),
    [("the tool was never called", "The tool was never called"), ("get_member was", "get_member was"), ("a=1", "a=1"), ("", "")],
)
def test_a_sentence_begins_with_a_capital_and_a_name_with_its_own(text: str, begun: str) -> None:
    assert capital(text) == begun


@pytest.mark.parametrize(
    ("text", "limit", "end"),
    [
        ("one two", 10, "one two"),
        ("one two three", 9, "…two three"),
        ("one two three", 8, "…three"),
        ("one two three", 10, "…three"),
        ("one two three", 5, "…three"),
        ("onetwothree", 5, "…three"),  # one word is cut where it has to be
        ("", 5, ""),
    ],
)
def test_the_end_of_a_text_begins_with_a_whole_word(text, limit, end):
    assert tail(text, limit) == end
