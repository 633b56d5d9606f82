"""A report as it is read: passages of text in their order, each with its line and the headings above it, and tables of cells."""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

Kind = Literal["heading", "text", "item", "quote", "cell", "head"]
BEFORE = 200
"""Characters in front of a place in which a phrase that leads up to it is looked for."""
_SENTENCE_END = re.compile(r"(?<=[.!?;])[\])”\"]?\s+(?=[\[(“\"`A-Z0-9]|pass[@^])|\n{2,}")


@dataclass(frozen=True)
class Span:
    """A stretch of a passage's text."""

    start: int
    end: int

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end


def leading_up(phrase: re.Pattern[str], text: str, offset: int) -> re.Match[str] | None:
    """The phrase, which ends with `$`, right in front of a place. Looking at all that stands there would take the square of its length."""
    return phrase.search(text, max(0, offset - BEFORE), offset)


@dataclass(frozen=True)
class Passage:
    """A heading, a paragraph, a list item, a line of a block quote or a table cell; a line break inside it is a newline.

    `text` is what a reader sees: escapes resolved, emphasis dropped. Code keeps its backticks, so that a name can be told from a word.
    """

    number: int
    line: int
    text: str
    kind: Kind
    section: tuple[str, ...] = ()
    bold: str = ""
    """The words in bold that the passage begins with."""

    def line_at(self, offset: int) -> int:
        return self.line + self.text.count("\n", 0, offset)

    @cached_property
    def sentences(self) -> list[Span]:
        """Where the sentences are. A full stop within a number or a name ends none."""
        starts = [0, *(found.end() for found in _SENTENCE_END.finditer(self.text))]
        return [Span(start, end) for start, end in zip(starts, [*starts[1:], len(self.text)], strict=True) if end > start]

    def sentence_at(self, offset: int) -> Span:
        at = bisect_right(self.sentences, offset, key=lambda span: span.start)
        return self.sentences[max(at - 1, 0)] if self.sentences else Span(0, len(self.text))


@dataclass(frozen=True)
class Table:
    """Cells under their headers; rows may be shorter than the header."""

    head: tuple[Passage, ...]
    rows: tuple[tuple[Passage, ...], ...]
    section: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    passages: tuple[Passage, ...]
    tables: tuple[Table, ...]
    lines: tuple[str, ...] = field(repr=False)
