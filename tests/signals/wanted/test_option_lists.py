"""How prompts list the options of a question."""

import pytest

from blade.signals.wanted.option_lists import marked_lines, prompt_options


@pytest.mark.parametrize(
    ("prompt", "letters"),
    [
        ("Which?\nA. x\nB. y\nC. z", "ABC"),
        ("Which?\n[w] x\n[x] y\n[y] z\n[z] u", "WXYZ"),
        ("Which?\nk) x\nl) y\nm) z", "KLM"),
        ("I: hello\nA. x\nB. y\nC. z", "ABC"),
        ("A. x\nof two lines\nB. y\nC. z", ""),
        ("a) x\nb) y", ""),
        ("[y] x\n[z] y\nA. z", ""),
    ],
    ids=["usual", "from w", "from k", "a speaker first", "several lines", "two", "nothing behind z"],
)
def test_options_line_by_line(prompt, letters):
    assert "".join(prompt_options(prompt)) == letters


def test_marks_of_any_kind():
    assert marked_lines("Which?\ni. Greece\nii. Chile\niii. Denmark") == {"i": "Greece", "ii": "Chile", "iii": "Denmark"}
    assert marked_lines("Which?\nalfa: Morocco\nbravo: Spain\ncharlie: Chile\n\nNote: one word.") == {
        "alfa": "Morocco",
        "bravo": "Spain",
        "charlie": "Chile",
    }
    assert marked_lines("Note: two lines\n1) one") == {}
