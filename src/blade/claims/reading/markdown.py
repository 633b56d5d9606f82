"""Markdown to a document, by markdown-it: what is a table, a heading or an escape is decided by the grammar and not by us."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from blade.claims.reading.document import Kind, Passage, Report, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

LONGEST = 8_000
"""Characters of a passage."""
_HIDDEN = {"html_inline", "image"}


def read_report(text: str) -> Report:
    """The document that a Markdown text is. Code blocks are commands and outputs, and no part of it."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    reader = _Reader()
    for place, token in enumerate(tokens):
        reader.take(token, tokens[place + 1] if place + 1 < len(tokens) else None)
    return Report(tuple(reader.passages), tuple(reader.tables), tuple(text.splitlines()))


@dataclass
class _Reader:
    passages: list[Passage] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    _headings: list[tuple[int, str]] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)
    _head: list[Passage] = field(default_factory=list)
    _rows: list[list[Passage]] = field(default_factory=list)
    _line: int = 1

    def take(self, token: Token, following: Token | None) -> None:
        if token.nesting == 1:
            self._open.append(token.type)
        elif token.nesting == -1 and self._open:
            self._open.pop()
        if token.map is not None:
            self._line = token.map[0] + 1
        if token.type == "heading_open":
            self._heading(int(token.tag[1:]), following)
        elif token.type == "table_open":
            self._head, self._rows = [], []
        elif token.type == "table_close":
            rows = tuple(tuple(row) for row in self._rows)
            self.tables.append(Table(tuple(self._head), rows, self._section()))
        elif token.type == "tr_open" and "tbody_open" in self._open:
            self._rows.append([])
        elif token.type == "inline":
            self._inline(token)

    def _section(self) -> tuple[str, ...]:
        return tuple(text for _, text in self._headings)

    def _heading(self, level: int, following: Token | None) -> None:
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        if following is not None:
            self._headings.append((level, plain(following.children or ())))

    def _inline(self, token: Token) -> None:
        children = token.children or ()
        kind, text, line = self._kind(), plain(children), self._line
        if kind in ("cell", "head"):
            text = text[:LONGEST]
        for part in _parts(text):
            passage = Passage(len(self.passages), line, part, kind, self._section(), _lead(children))
            self.passages.append(passage)
            line += part.count("\n")
        if kind == "head":
            self._head.append(self.passages[-1])
        elif kind == "cell":
            self._rows[-1].append(self.passages[-1])

    def _kind(self) -> Kind:
        named: tuple[tuple[str, Kind], ...] = (
            ("th_open", "head"),
            ("td_open", "cell"),
            ("heading_open", "heading"),
            ("blockquote_open", "quote"),
            ("list_item_open", "item"),
        )
        return next((kind for opened, kind in named if opened in self._open), "text")


def _parts(text: str) -> Iterator[str]:
    """A text that no one would write as one paragraph is read in parts, so that the time it takes stays in proportion."""
    while len(text) > LONGEST:
        space = max(text.rfind(" ", 1, LONGEST), text.rfind("\n", 1, LONGEST))
        cut = space if space > 0 else LONGEST
        yield text[:cut]
        text = text[cut:]
    yield text


def plain(children: Sequence[Token]) -> str:
    """The words of an inline token; code keeps its backticks."""
    parts = []
    for child in children:
        if child.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif child.type == "code_inline":
            parts.append(f"`{child.content}`")
        elif child.type not in _HIDDEN:
            parts.append(child.content)
    return "".join(parts)


def _lead(children: Sequence[Token]) -> str:
    """The bold words that a paragraph opens with."""
    shown = [child for child in children if child.content or child.nesting]
    if not shown or shown[0].type != "strong_open":
        return ""
    inside = []
    for child in shown[1:]:
        if child.type == "strong_close":
            break
        inside.append(child)
    return plain(inside)
