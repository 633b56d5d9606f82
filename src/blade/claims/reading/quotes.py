"""What a report quotes: words in quotation marks, in code, or in a block quote, and whose they are said to be."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from blade.claims.reading.document import Span

_MARKS = re.compile(
    r"“(?P<curly>[^“”\n]{1,2000}(?:\n[^“”\n]{1,2000})*)”|(?<![\w\":{\[,=\\])\"(?P<straight>[^\"\n]{2,2000})\"(?![\w\"])|«(?P<angled>[^«»\n]{1,2000})»"
)
_CODE = re.compile(r"`(?P<code>[^`\n]+)`")
_WORDS = re.compile(r"[^\W_]+")
_ABSENCE = re.compile(r"no \w+ (?:before|after|at|until) step \d+|no \w+ call\b")
_REDACTED = re.compile(r"\[?(?:redacted|withheld)\b|sha256:", re.I)


@dataclass(frozen=True)
class Quote:
    span: Span
    text: str
    code: bool = False

    @property
    def words(self) -> int:
        return len(_WORDS.findall(self.text))

    @property
    def telling(self) -> bool:
        """Whether it can only be somebody's words or values: a single plain word in quotation marks may be the writer's own."""
        if self.code:
            return self.words >= 4 and " " in self.text.strip()
        return self.words >= 4 or bool(re.search(r"\d", self.text)) or "=" in self.text or "_" in self.text

    @property
    def absence(self) -> bool:
        """Whether it says that something is not there, as our own evidence does: no transcript holds such words."""
        return bool(_ABSENCE.match(self.text))

    @property
    def redacted(self) -> bool:
        return bool(_REDACTED.search(self.text))


def quotes(text: str) -> Iterator[Quote]:
    """Words in quotation marks."""
    for found in _MARKS.finditer(text):
        group = found.lastgroup or ""
        yield Quote(Span(*found.span(group)), found[group])


def code(text: str) -> Iterator[Quote]:
    """What is set as code: names mostly, sometimes a line of a transcript."""
    for found in _CODE.finditer(text):
        yield Quote(Span(*found.span("code")), found["code"], code=True)
