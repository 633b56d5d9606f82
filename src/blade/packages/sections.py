"""The sections of a Markdown text: a heading, what stands below it, and how much that is."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

_WORD: Final = re.compile(r"[^\W_]{2,}")
_NUMBERING: Final = re.compile(r"^\s*(?:\d+[.):]?\s*)+")


@dataclass(frozen=True)
class Section:
    title: str
    level: int
    line: int
    body: str
    """Everything up to the next heading of the same level or a higher one, subsections included."""

    @property
    def words(self) -> int:
        return len(_WORD.findall(self.body))


@dataclass(frozen=True)
class Wanted:
    """A section that must be there: one of these words stands in its heading."""

    title: str
    words: tuple[str, ...]
    without: tuple[str, ...] = ()

    def is_in(self, title: str) -> bool:
        said = title.casefold()
        return any(word in said for word in self.words) and not any(word in said for word in self.without)


def sections(text: str) -> list[Section]:
    """By the grammar of Markdown: a line in a code block is no heading."""
    from markdown_it import MarkdownIt

    lines = text.splitlines()
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    headings = [
        (int(token.tag[1:]), token.map, tokens[place + 1].content)
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and token.map is not None and token.level == 0
    ]
    found = []
    for place, (level, (start, below), title) in enumerate(headings):
        end = next((span[0] for other, span, _ in headings[place + 1 :] if other <= level), len(lines))
        found.append(Section(_NUMBERING.sub("", title).strip(), level, start + 1, "\n".join(lines[below:end])))
    return found


def find(wanted: Wanted, among: Sequence[Section]) -> Section | None:
    """The section that is meant; of several the one that says most, so that a title above all others is not taken for it."""
    named = [section for section in among if wanted.is_in(section.title)]
    below_title = [section for section in named if section.level > 1] or named
    return max(below_title, key=lambda section: section.words, default=None)


def lacking(wanted: Iterable[Wanted], among: Sequence[Section], least_words: int) -> list[tuple[Wanted, Section | None]]:
    """What is missing (None), or there with fewer words than say anything."""
    found = ((want, find(want, among)) for want in wanted)
    return [(want, section) for want, section in found if section is None or section.words < least_words]
