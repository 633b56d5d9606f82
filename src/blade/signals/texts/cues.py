"""Words without which an expression that takes no notice of case finds nothing, so that most texts need not be searched for it.

The words of a text are found once, whoever asks. A cue is a word as a whole, with neither letter nor figure running on.
"""

import re
from typing import Final

from blade.signals.repeats import once_for_repeats

_WORD: Final = re.compile(r"\w+")
_ONLY_WORDS: Final = bytes(byte if chr(byte).isalnum() or chr(byte) == "_" else ord(" ") for byte in range(128)) + bytes(128)
MOST_READ: Final = 100_000
"""Characters of a text up to which its words are found."""
_OTHER_CASES: Final = "\u017f\u0131\u0130"
"""Letters that such an expression takes for an s or an i, which they do not become in lower case."""


@once_for_repeats
def words_said(text: str) -> frozenset[str] | None:
    """The words of a text in lower case; None where that does not tell which letters an expression takes them for, and of very long texts."""
    if len(text) > MOST_READ or any(letter in text for letter in _OTHER_CASES):
        return None
    if text.isascii():  # which is split faster than it is searched
        return frozenset(text.lower().encode().translate(_ONLY_WORDS).decode().split())
    return frozenset(_WORD.findall(text.lower()))


def may_say(text: str, cues: frozenset[str]) -> bool:
    """Whether a text has one of these words, or may have it."""
    words = words_said(text)
    return words is None or not cues.isdisjoint(words)


def cues(words: str) -> frozenset[str]:
    return frozenset(words.split())
