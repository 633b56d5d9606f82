"""What a prompt asks for: the form, the digits, the unit and the tolerance of its answer."""

import pytest

from blade.signals.wanted.asked import (
    any_order,
    asked_decimals,
    asked_form,
    asked_unit,
    asks_for_fraction,
    asks_for_letter,
    tolerance,
)
from blade.signals.wanted.form import Form


@pytest.mark.parametrize(
    ("request_", "before"),
    [
        ("How long is it? Include a line 'Result: <number>'.", "Result:"),
        ("Answer in the form `Reading = <value>`.", "Reading ="),
        ('End with "Final answer: [number]".', "Final answer:"),
        ("The last line should be of the following format: 'ANSWER: $LETTER' (without quotes).", "ANSWER:"),
        ("Finish with #### <number>", "####"),
        ("Reply with <result>the figure</result>.", "<result>"),
        ("Put the bare answer in double square brackets, like [[this]].", "[["),
        ("The figure must be given between angle brackets, as in <<42>>.", "<<"),
        ("See [[Main Page]] of the wiki.", None),
        ("Given the matrix [[1, 2]], return its rank.", None),
        ("Write a bash script: if [[ -f x ]] then print it.", None),
        ("What does cout << y >> z print? Answer in a word.", None),
        ("The page contains <title>Foo</title>. What is its topic?", None),
        ("print('Total: {x}') raises, fix this bug", None),
        ('Example: words = "ab"\nOutput: "ba"', None),
        ("How long is it?", None),
        ("Include a line 'Mean: <number>' and write a line 'Sum: <number>'.", None),  # two forms, and neither is the answer
    ],
)
def test_the_form_that_is_asked_for(request_, before):
    form = asked_form(request_)
    assert (None if form is None else form.before) == before


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("I looked.\nResult: 2.1\n\nClear skies!", "2.1"),
        ("**Result:** 2.1", "2.1"),
        ("result: (C)", "(C)"),
        ("Result: 3\nNo, wait.\nResult: 4", "4"),
        ("The result is 3.", None),
    ],
)
def test_what_a_message_puts_into_the_form(text, stated):
    assert Form("Result:").stated(text) == stated


@pytest.mark.parametrize(
    ("request_", "key"),
    [
        ('Close with one JSON object: {"reply": "<your answer, as text>", "basis": "<one sentence>"}', "reply"),
        ('Respond in this format:\n```json\n{\n  "reasoning": "...",\n  "answer": "..."\n}\n```', "answer"),
        ('Return {"result": <number>} and nothing else.', "result"),
        ('Reply with {"answer": "...", "value": "..."}.', None),  # either may be meant
        ('Given {"answer": "Paris"}, which country is it in? Reply in a word.', None),
        ('The log holds {"value": "...", "name": "x"} lines. How many?', None),
        ('Return {"name": "<tool>", "arguments": "<object>"} to call a tool.', None),
    ],
)
def test_an_object_that_is_asked_for(request_, key):
    form = asked_form(request_)
    assert (None if form is None else form.key) == key


@pytest.mark.parametrize(
    ("text", "stated", "used"),
    [
        ('Looked.\n{"reply": "12", "basis": "sum"}', "12", True),
        ('{"reply": 12.5}', "12.5", True),
        ('{"reply": "Ga\\u00fa\\u00ed \\"x\\""}', 'Gaúí "x"', True),
        ('{"reply": "3"}\nNo: {"reply": "4"}', "4", True),
        ('{"reply": ["a", "b"]}', None, True),
        ("The reply is 12.", None, False),
    ],
)
def test_what_a_message_puts_into_an_object(text, stated, used):
    form = Form("", key="reply")
    assert (form.stated(text), form.used_in(text)) == (stated, used)


def test_a_form_of_brackets_alone():
    assert Form("[[", "]]").stated("It is [[thursday]], I think.") == "thursday"


def test_a_form_with_two_ends():
    assert Form("<result>", "</result>").stated("So <result>12 km</result> it is.") == "12 km"


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("to one decimal", 1),
        ("with 3 decimal places", 3),
        ("to the nearest cent", 2),
        ("roughly", None),
        ("rounded to a whole number", 0),
        ("Please round to the nearest full litre", 0),
        ("kilograms, rounded to whole ones", 0),
        ("in whole kilograms", 0),
        ("rounded to 2 places", 2),
        ("to 3 dp", 3),
        ("put it in full sentences", None),
        ("for two whole days", None),
        ("rounded to the tenth", 1),
        ("from the first to the tenth", None),
    ],
)
def test_decimals(text, places):
    assert asked_decimals(text) == places


@pytest.mark.parametrize(
    ("text", "free"),
    [("List them in any order.", True), ("The order does not matter.", True), ("List them in order of size.", False), ("Cancel any order of mine.", False)],
)  # fmt: skip
def test_any_order(text, free):
    assert any_order(text) is free


def test_the_unit_stands_in_the_row_or_in_the_request():
    assert asked_unit("How long, in hours?", {}) == "h"
    assert asked_unit("How long, in hours?", {"answer_unit": "min"}) == "min"
    assert asked_unit("How many in stock?", {}) is None
    assert asked_unit("How much larger is the percentage of women?", {}) == "%"
    assert asked_unit("…of women?", {"question": "What percentage of women?"}) == "%"
    assert asked_unit("How many percentage points is that?", {}) is None
    assert asked_unit("There are 6 periods in the day. How many hours a week does he learn?", {}) == "h"
    assert asked_unit("He works 3 shifts in a day. What does he earn?", {}) is None
    assert asked_unit("Give it in km and in miles.", {}) is None
    assert asked_unit("What did the load weigh? Kilograms, rounded to one decimal.", {}) == "kg"
    assert asked_unit("How wide is it (metres)?", {}) == "m"
    assert asked_unit("What did the load weigh? Second, how old is it?", {}) is None
    assert asked_unit("It took hours, they say. Minutes count.", {}) is None


@pytest.mark.parametrize(
    ("request_", "fields", "gold", "expected"),
    [
        ("", {"tolerance": 0.05}, "2.061", 0.05),
        ("", {"verifier_metadata": {"rel_tol": 0.1}}, "20", 2.0),
        ("rounded to one decimal", {}, "2.061", 0.05),
        ("rounded to one decimal", {}, "2.1", None),
        ("", {"tolerance": 0.05}, "red", None),
        ("", {}, "2.061", None),
        ("How many km is it?", {}, "2.061", 0.0005),
        ("How many km is it?", {}, "2", None),
        ("How many km is it?", {}, "1.5e-7", None),
    ],
)
def test_tolerance(request_, fields, gold, expected):
    assert tolerance(request_, fields, gold) == expected


@pytest.mark.parametrize(
    ("prompt", "message", "stated"),
    [
        ("If you are asked a question, the last line of your last message is read as your answer.", "I looked.\n47", "47"),
        ("Put the answer on the last line.", "47", "47"),
        ("The last line of your message is #### and a blank, followed by the answer.", "I looked.\n#### 47", "47"),
        ("Put the answer on the last line.", "#hashtag", "#hashtag"),
        ('The last line of your message reads "Bottom line: " and then the answer.', "From the card.\nBottom line: -11", "-11"),
        ("The last line of the poem is lost.", "47", None),
    ],
)
def test_the_last_line_as_a_form(prompt, message, stated):
    form = asked_form(prompt)
    assert (None if form is None else form.stated(message)) == stated


@pytest.mark.parametrize(
    ("prompt", "only"),
    [
        ("Answer with the letter.", True),
        ("Answer with the letter or with the country's name, as you like.", False),
        ("The letter or the name will do.", False),
    ],
)
def test_letters_only(prompt, only):
    assert asks_for_letter(prompt) is only


@pytest.mark.parametrize(
    ("text", "fraction"),
    [
        ("What is the percentage of women? Give it as a decimal fraction between 0 and 1.", True),
        ("What percentage is that? Answer as a decimal.", True),
        ("What percentage is that? Answer in [0.0, 1.0], e.g. 0.25 for a quarter.", True),
        ("The rate, from 0 to 1.", True),
        ("What percentage is that? Round to two decimal places.", False),
        ("What percentage is that, between 0 and 100?", False),
        ("What percentage is that, with one decimal?", False),
        ("The rate grew by 10.5 for years: what percentage is that?", False),
    ],
)
def test_shares_of_one(text, fraction):
    assert asks_for_fraction(text) is fraction
