"""Text that may be Python, parsed: nothing in it is run, and what the parser would say of it to the terminal is not said."""

import ast
import warnings

NO_PYTHON = (SyntaxError, ValueError, TypeError, MemoryError, RecursionError)
"""What parsing raises where a text is no Python, or more of it than the parser takes."""


def parsed(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def expression(text: str) -> ast.expr:
    """The one expression that a text is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text.strip(), mode="eval").body
