import pytest

from blade.answers import contains_expected, extract

BEST = [
    (r"We get \boxed{3}, no: \boxed{\frac{1}{2}}.", r"\frac{1}{2}", "boxed"),
    ("So <answer> 18 </answer>", "18", "answer tag"),
    ("<answer>18", "18", "answer tag"),
    ("9 * 2 = 18\n#### 18", "18", "####"),
    ("#### Summary\nIt took long.\nIt was 18 all along", "It was 18 all along", "last line"),
    ("#### 18\nThat is all", "18", "####"),
    ("#### B\n\nHope this helps!", "B", "####"),
    ("That was on record.\n\n```result\niii\n```", "iii", "answer line"),
    ("It is this:\n```\n4416.7\n```\n", "4416.7", "answer line"),
    ('{"reasoning": "9*2", "answer": 18}', "18", "JSON field"),
    ('{"answer": "the \\"blue\\" one"}', 'the "blue" one', "JSON field"),
    ("The answer is 3.5. I am sure of it.", "3.5", "answer phrase"),
    ("The final answer is: **B**", "B", "answer phrase"),
    ("**Answer:** 18 dollars because she sells nine", "18 dollars", "answer phrase"),
    ("## Final Answer\n\n42", "42", "answer phrase"),
    ("9 * 2 = $<<9*2=18>>18\nA: 18", "18", "answer line"),
    ("So it must be this one.\nParis", "Paris", "last line"),
]


@pytest.mark.parametrize(("text", "answer", "how"), BEST)
def test_the_best_candidate(text: str, answer: str, how: str) -> None:
    best = extract(text)[0]
    assert (best.text, best.how) == (answer, how)


def test_positions_follow_markings() -> None:
    found = [(candidate.text, candidate.how) for candidate in extract("I think (C) of the 12 is right")]
    assert found == [("I think (C) of the 12 is right", "last line"), ("C", "last option letter"), ("12", "last number")]


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_nothing_to_extract(text: str) -> None:
    assert extract(text) == []


STATED = [
    (r"so we get \boxed{1{,}234}", "1234", "boxed"),
    ("The answer is (B) Paris.", "B", "answer phrase"),
    ("She makes $18 every day.\n18", "18", "last line"),
    ("In total this makes 1,234.", "1234", "last number"),
    ("Answer: 5\n\nLet me know if the answer is clear", "5", "answer phrase"),
    (r"The answer is 18, that is \boxed{18}. Checking again: the answer is right.", "18", "boxed"),
    ("Yes, it is", "yes", "last line"),
]
NOT_STATED = [
    ("9 + 9 = 18, and 18 - 5 = 13\nA: 13", "18"),
    ("there are 18 eggs on the table and she takes some away", "18"),
    ("it must be 5", "5"),
    ("The answer is 18. Wait, no. The answer is 20.", "18"),
    (r"The answer is 18. Wait. \boxed{20}", "18"),
    ("The answer is not 18", "18"),
    ("Answer: 13", "3"),
    ("Some say A, some say B; the answer is C", "A"),
    ("anything at all", ""),
]


@pytest.mark.parametrize(("text", "expected", "how"), STATED)
def test_the_expected_answer_is_stated(text: str, expected: str, how: str) -> None:
    found = contains_expected(text, expected)
    assert found is not None
    assert found.how == how


@pytest.mark.parametrize(("text", "expected"), NOT_STATED)
def test_a_mention_is_not_a_statement(text: str, expected: str) -> None:
    assert contains_expected(text, expected) is None


def test_options_let_words_stand_for_the_letter() -> None:
    assert contains_expected("The answer is Paris.", "B") is None
    assert contains_expected("The answer is Paris.", "B", options={"A": "London", "B": "Paris"}) is not None


@pytest.mark.parametrize(
    ("text", "expected", "stated"),
    [
        ("It is joint 8", "8", "8"),
        ("It is joint 8.", "8", "8"),
        ("Joint 8 is overloaded.", "8", "8"),
        ("Joint 8.", "8", "8"),
        ("The capital is Paris.", "Paris", "Paris"),
        ("It is the left valve", "left valve", "the left valve"),
        ("I choose option B", "B", "option B"),
        ("That makes 1,200 kg.", "1200 kg", "1,200 kg"),
        ("It is joint 18", "8", None),
        ("It is not joint 8", "8", None),
        ("It isn't Paris", "Paris", None),
        ("It is joint 8 or 9", "8", None),
        ("It is joint 8, after 3 checks", "8", None),  # two figures: which of them is the answer?
        ("It was at least 8", "8", None),
        ("It is T-8", "8", None),
        ("It is 8:30", "8", None),
        ("I checked 8 joints.", "8", None),
        ("After 8 tries it is broken", "8", None),
        ("Is it joint 8?", "8", None),
    ],
)
def test_what_a_short_sentence_says(text: str, expected: str, stated: str | None) -> None:
    found = contains_expected(text, expected)
    assert (found and found.text) == stated
    assert found is None or not found.marked


def test_a_marked_answer_outranks_the_sentence() -> None:
    assert contains_expected("It is joint 8, so the answer is 9", "8") is None


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("Here is the answer:\n=> 17:45", "17:45"),
        ("Answer: SFO -> JFK", "SFO -> JFK"),
        ("Answer: Int -> Bool", "Int -> Bool"),
        ("From the records.\n@answer Thursday", "Thursday"),
        ("The board gives this. [[11:15]]", "11:15"),
        ("The board gives this: <<11:15>>.", "11:15"),
    ],
)
def test_signs_and_brackets_around_an_answer(message, answer):
    assert extract(message)[0].text == answer


def test_brackets_within_a_message_mark_nothing():
    assert not any(candidate.marked for candidate in extract("See [[the page]] on this, please, and [[that]] one too, in full"))
