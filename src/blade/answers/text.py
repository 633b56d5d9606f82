"""Plain text without the differences that nobody means: Unicode forms, case, sentence punctuation, quotes, articles, whitespace.

Two layers. `unicode_form` runs before every other reading; it must not change a value, so what NFKC would ruin (`x²` to `x2`,
`1½` to `11⁄2`) is spelled out first. `folded` is the reading of last resort, for words: punctuation that touches a digit stays
(`-5`, `1.5`, `5!`), and text that looks like maths or code is not folded at all, for there case and brackets carry meaning.
"""

import re
import unicodedata
from collections.abc import Callable, Collection
from typing import Final

LONGEST: Final = 2_000
"""Characters of an answer that is still read; a longer one is prose, and only compared as it stands."""

_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_SUPERSCRIPT_RUN: Final = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_VULGAR: Final = re.compile("[¼-¾⅐-⅞↉]")
_INVISIBLE: Final = dict.fromkeys([0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF])
_LOOKALIKES: Final = str.maketrans(
    {
        **dict.fromkeys("−‐‑‒–—﹣", "-"),
        **dict.fromkeys("‘’‚‛′ʼ＇", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        "⁄": "/",
        "∕": "/",
        "÷": "/",
        "×": "*",
        "⋅": "*",
        "·": "*",
        "∗": "*",
        "٪": "%",
        "∶": ":",
    }
)
_SPACES: Final = re.compile(r"\s+")


def unicode_form(text: str) -> str:
    """The text in one Unicode form (NFKC), with plain minus signs, quotes, fractions, exponents and spaces."""
    if text.isascii():
        return _SPACES.sub(" ", text).strip()
    text = _VULGAR.sub(lambda found: " " + unicodedata.normalize("NFKC", found[0]), text)
    text = _SUPERSCRIPT_RUN.sub(lambda found: "^{" + found[0].translate(_SUPERSCRIPTS) + "}", text)
    text = text.translate(_INVISIBLE).translate(_LOOKALIKES)
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text).translate(_LOOKALIKES)).strip()


_MATHS_OR_CODE: Final = re.compile(r"[\\^=+*/<>_|{}\[\]@#~]|\w\(")
_QUOTES: Final = "\"'`"
_SENTENCE_MARKS: Final = re.compile(r"(?<![\d\s])[.,;:!?]+(?=\s|$)|(?<=\d)[.,;:]+(?= \D|$)|(?<=[^\W\d])[,;:!?](?=[^\W\d])")
_INNER_APOSTROPHE: Final = re.compile(r"(?<=[^\W\d])'(?=[^\W\d])|(?<=s)'(?=\s)")
_HYPHEN: Final = re.compile(r"(?<=[^\W\d])-(?=[^\W\d])")
# Within a text only in lower case: the A of "vitamin A" is no article.
_ARTICLE: Final = re.compile(r"(?:(?<!\S)(?:the|an|a)|^(?i:the|an|a))\s+(?=\S{2})")


def _without_quotes(text: str) -> str:
    while len(text) > 2 and text[0] in _QUOTES and text[0] == text[-1] and text[0] not in text[1:-1]:
        text = text[1:-1].strip()
    return text


def _without_marks(text: str) -> str:
    return _HYPHEN.sub(" ", _INNER_APOSTROPHE.sub("", _SENTENCE_MARKS.sub("", text)))


_STAGES: Final[dict[str, Callable[[str], str]]] = {
    "quotes": _without_quotes,
    "punctuation": _without_marks,
    "articles": lambda text: _ARTICLE.sub("", text),
    "case": str.casefold,
}


def folded(text: str, leave_out: Collection[str] = ()) -> str:
    """The words of a text, without quotes, sentence punctuation, articles and case; maths and code only lose outer whitespace."""
    if _MATHS_OR_CODE.search(text):
        return text
    for name, stage in _STAGES.items():
        if name not in leave_out:
            text = stage(text)
    return _SPACES.sub(" ", text).strip()


def foldings_needed(first: str, second: str) -> tuple[str, ...]:
    """Which foldings make two texts the same: those without which they would differ, else all that changed something."""
    if first == second:
        return ()
    needed = tuple(name for name in _STAGES if folded(first, {name}) != folded(second, {name}))
    return needed or tuple(name for name, stage in _STAGES.items() if stage(first) != first or stage(second) != second)
