r"""What is wrapped around an answer, taken off: `\boxed{}`, `$…$`, `\text{}`, `**…**`, `The answer is …`, `#### …`, `<answer>`.

Only wrappings that cannot change the value go. A LaTeX command that computes (`\frac`, `\sqrt`) stays for those who read numbers
and expressions. Every loop is bounded, every pattern anchored or linear.
"""

import re
from typing import Final

from blade.answers.text import unicode_form

_ROUNDS: Final = 8

_LEAD: Final = re.compile(
    r"(?:(?:so|thus|therefore|hence|and)\b,?\s*)?(?:(?:the|my|our)\s+)?(?:(?:final|correct|right)\s+)?"
    r"(?:answer|result)(?:\s+is|\s*:|\s*=)\s*:?\s*(?=\S)",
    re.IGNORECASE,
)
_HASHES: Final = re.compile(r"#{1,6}\s+(?=\S)|####(?=\S)")
_TAG: Final = re.compile(r"<(answer|final_answer|result)>(.*)</\1>", re.IGNORECASE | re.DOTALL)
_DISPLAY: Final = (
    ("$$", "$$"),
    ("\\(", "\\)"),
    ("\\[", "\\]"),
    ("$", "$"),
    ("**", "**"),
    ("__", "__"),
    ("*", "*"),
    ("_", "_"),
    ("`", "`"),
)
_SPECIAL_NAMES: Final = frozenset(
    [
        *dir(object),
        *dir(int),
        *dir(list),
        "__main__",
        "__name__",
        "__file__",
        "__all__",
        "__call__",
        "__enter__",
        "__exit__",
        "__slots__",
        "__version__",
    ]
)
"""Names of Python that underscores belong to, and do not stress."""
_BOX: Final = re.compile(r"\\(?:boxed|fbox)\s*\{")
_TEXT: Final = re.compile(r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|operatorname|mbox)\s*\{([^{}]*)\}")
_LATEX_NOISE: Final = re.compile(
    r"\\(?:left|right|displaystyle|bigl?|bigr?|Bigl?|Bigr?)(?![a-zA-Z])|\\[!,;:> ]|~|(?<=\d)\{,\}(?=\d)"
)
_LATEX_SPELLINGS: Final = (
    (re.compile(r"\\[dtc]frac(?![a-zA-Z])"), r"\\frac"),
    (re.compile(r"\\(?:cdot|times|ast)(?![a-zA-Z]) ?"), "*"),
    (re.compile(r"\\div(?![a-zA-Z]) ?"), "/"),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\degree(?![a-zA-Z])"), "°"),
    (re.compile(r"\\([%$#&])"), r"\1"),
    (re.compile(r"\\q?quad(?![a-zA-Z])"), " "),
)


def group_end(text: str, start: int) -> int:
    """The index just past the brace group that opens at `start - 1`, or -1 if it never closes."""
    depth = 1
    for index in range(start, len(text)):
        if text[index] == "{" and text[index - 1] != "\\":
            depth += 1
        elif text[index] == "}" and text[index - 1] != "\\":
            depth -= 1
            if depth == 0:
                return index + 1
    return -1


def _without_box(text: str) -> str:
    found = _BOX.match(text)
    if found and group_end(text, found.end()) == len(text):
        return text[found.end() : -1].strip()
    return text


def _noise(found: re.Match[str]) -> str:
    return "," if found[0] == "{,}" else " " if found[0] in {"\\ ", "\\;", "\\:", "\\>", "~"} else ""


def _plain_latex(text: str) -> str:
    text = _LATEX_NOISE.sub(_noise, _TEXT.sub(r"\1", text))
    for pattern, spelling in _LATEX_SPELLINGS:
        text = pattern.sub(spelling, text)
    return text


def _unquoted_display(text: str) -> str:
    for opening, closing in _DISPLAY:
        inner = text[len(opening) : len(text) - len(closing)]
        if (
            len(inner) > 0
            and text.startswith(opening)
            and text.endswith(closing)
            and opening not in inner
            and closing not in inner
            and text not in _SPECIAL_NAMES
        ):
            return inner.strip()
    return text


def _without_brackets(text: str) -> str:
    """A text that stands in brackets as a whole: `(07:50)`. A letter is an option, a figure may be below zero, and what has a comma is a pair."""
    inner = text[1:-1].strip()
    whole = text.startswith("(") and text.endswith(")") and len(inner) > 1 and not re.search(r"[(),]", inner)
    return inner if whole and not re.fullmatch(r"[-+$€£]?[\d.\s%]+", inner) else text


def unwrapped(text: str) -> tuple[str, frozenset[str]]:
    """The bare answer, and the names of the wrappings that were taken off."""
    forms: set[str] = set()

    def step(after: str, name: str) -> None:
        nonlocal text
        if after != text and after.strip():
            forms.add(name)
            text = after.strip()

    text, before = unicode_form(text), " ".join(text.split())
    if text != before:
        forms.add("Unicode form")
    for _ in range(_ROUNDS):
        start = text
        tag = _TAG.fullmatch(text)
        step(tag[2] if tag else text, "answer markup")
        lead = _HASHES.match(text) or _LEAD.match(text)
        step(text[lead.end() :] if lead else text, "answer markup")
        step(_unquoted_display(text), "LaTeX" if text[:1] in "$\\" else "emphasis")
        step(_without_box(text), "LaTeX")
        if "\\" in text or "{,}" in text:
            step(" ".join(_plain_latex(text).split()), "LaTeX")
        step(_without_brackets(text), "brackets")
        if text.endswith(".") and not text.endswith(".."):
            step(text[:-1], "punctuation")
        if text == start:
            break
    return text, frozenset(forms)
