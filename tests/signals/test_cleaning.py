"""What the tables keep of the arguments of a call."""

import json

from hypothesis import given
from hypothesis import strategies as st

from blade.signals.cleaning import MAX_ARGUMENTS, kept_arguments

TEXTS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), max_size=3_000)


@given(
    st.dictionaries(st.sampled_from(["path", "content", "note", "lines"]), TEXTS | st.integers() | st.lists(TEXTS, max_size=2))
)
def test_they_stay_an_object_of_the_same_names(arguments):
    kept = kept_arguments(arguments)
    assert len(kept) <= MAX_ARGUMENTS
    assert json.loads(kept).keys() == arguments.keys()


def test_short_values_beside_a_long_one_stay_whole():
    kept = json.loads(kept_arguments({"path": "src/a.py", "content": "x = 1\n" * 1_000}))
    assert kept["path"] == "src/a.py"
    assert kept["content"].startswith("x = 1\n")
    assert len(kept["content"]) < 1_000


def test_texts_that_begin_alike_stay_different():
    one, other = ({"content": "x" * 1_500 + end, "path": "p" * 900} for end in ("a", "b"))
    assert kept_arguments(one) != kept_arguments(other)


def test_what_cannot_be_shortened_is_cut():
    assert len(kept_arguments({"numbers": list(range(10_000))})) == MAX_ARGUMENTS
