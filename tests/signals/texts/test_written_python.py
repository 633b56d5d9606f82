"""Text that may be Python."""

import warnings

import pytest

from blade.signals.texts.written_python import NO_PYTHON, expression, parsed


@pytest.mark.parametrize("text", ["[1or 2]", "1 is 1", r"'\d'"])
def test_the_parser_says_nothing_to_the_terminal(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expression(text)
        parsed(text)


@pytest.mark.parametrize("text", ["", "1 +", "\0", "(" * 10_000, "x = 1", "\ud800"])
def test_what_is_no_expression_raises_what_is_expected(text):
    with pytest.raises(NO_PYTHON):
        expression(text)
