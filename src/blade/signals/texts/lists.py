"""How people mark the entries of a list in plain text: a dash, a star, a plus sign, a dot, or a number."""

from typing import Final

BULLETS: Final = r"[-–*+•·‣▪]"
"""The signs, as a class of an expression; Markdown has the first three that a keyboard has."""
