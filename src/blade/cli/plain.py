"""What stands for our typography where a stream cannot print it: `...` for an ellipsis, `#` for a bar, `>=` for its sign.

`plain` comes before a text is laid out. What the layout itself draws (an ellipsis where a cell was cut, lines, bullets) is replaced
on its way out by one character for one, so that columns stay where they are.
"""

from functools import cache
from typing import IO, Any, Final

FORMS: Final = {
    "…": "...",
    "–": "-",
    "—": "-",
    "−": "-",
    "×": "x",
    "±": "+/-",
    "≥": ">=",
    "≤": "<=",
    "≈": "~",
    "·": "|",
    "•": "*",
    "→": "->",
    "←": "<",
    "✓": "+",
    "✗": "x",
    "█": "#",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "⟨": "<",
    "⟩": ">",
    "─": "-",
    "━": "-",
    "═": "=",
    "│": "|",
    "┃": "|",
    "▌": "|",
}


def plain(text: str, encoding: str | None) -> str:
    """The text with a plain form of each sign of ours that the encoding lacks; other characters stay."""
    return text if text.isascii() else text.translate(_table(encoding or "ascii"))


def bar_signs(encoding: str | None) -> tuple[str, str]:
    """What the full and the empty part of a bar are drawn with."""
    return ("#", ".") if _table(encoding or "ascii") else ("█", "·")


@cache
def _table(encoding: str) -> dict[int, str]:
    return {ord(sign): form for sign, form in FORMS.items() if not sign.encode(encoding, "ignore")}


class PlainStream:
    """A stream that takes any of our signs, and prints the first character of its plain form."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._table = {sign: form[0] for sign, form in _table(getattr(stream, "encoding", None) or "ascii").items()}

    def write(self, text: str) -> int:
        return self._stream.write(text if text.isascii() else text.translate(self._table))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
