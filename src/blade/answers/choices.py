"""Choices: option letters (`B`, `(B)`, `B.`, `option B`, `(B) Paris`) and yes or no (`Yes`, `true`, `Yes, it is`)."""

import re
from dataclasses import dataclass
from typing import Final

LETTERS: Final = "A-J"

_BARE: Final = re.compile(rf"[(\[]?([{LETTERS}])[)\]]?[.:]?", re.IGNORECASE)
_NAMED: Final = re.compile(rf"(?:the\s+)?(?:option|choice)\s*:?\s*[(\[]?([{LETTERS}])[)\]]?[.:]?", re.IGNORECASE)
_WITH_TEXT: Final = re.compile(
    rf"(?:(?:option|choice)\s+)?(?:[(\[]([{LETTERS}a-j])[)\]][.:]?\s*|([{LETTERS}a-j])\)\s*|([{LETTERS}])[.:]\s+)(\S.*)"
)


@dataclass(frozen=True, slots=True)
class Letter:
    """An option's letter, with the option's own words if they were written too."""

    letter: str
    words: str = ""


def option_letter(text: str) -> Letter | None:
    """The option a text names, or None."""
    if found := _BARE.fullmatch(text) or _NAMED.fullmatch(text):
        return Letter(found[1].upper())
    if found := _WITH_TEXT.fullmatch(text):
        return Letter((found[1] or found[2] or found[3]).upper(), found[4])
    return None


_YES_NO: Final = {"yes": True, "no": False, "true": True, "false": False, "correct": True, "incorrect": False}
_OPENING: Final = re.compile(
    r"(yes|no|true|false|correct|incorrect)(?:$|\s*[,.;:!-]+\s*(.*)|(?: it (?:is|does|can|was)(?: not)?)$)", re.IGNORECASE
)
_CONTRARY: Final = re.compile(r"\b(?:but|however|although|though|unless|except|yes|no|true|false|incorrect)\b", re.IGNORECASE)
_NEGATION: Final = re.compile(r"\bnot\b|n't\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class YesNo:
    """Yes or no; unsure where the words after it take something back."""

    value: bool
    spelling: str
    sure: bool
    explained: bool


def yes_or_no(text: str) -> YesNo | None:
    """The yes or no that a text opens with, or None."""
    found = _OPENING.fullmatch(text)
    if not found or (found[2] or "")[:1].isdigit():  # "No. 5"
        return None
    word, rest = found[1].casefold(), found[2] or ""
    taken_back = bool(_CONTRARY.search(rest)) or (_YES_NO[word] and bool(_NEGATION.search(rest)))
    family = "yes or no" if word in {"yes", "no"} else "true or false" if word in {"true", "false"} else "correct or incorrect"
    return YesNo(_YES_NO[word], family, not taken_back, bool(rest))
