"""The sections of a Markdown text: a heading, what stands below it, and how much that is."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from blade.packages.texts import CONCRETE

LEAST_WORDS: Final = 12
"""Of a section: fewer than a sentence of substance explain nothing."""
SENTENCE: Final = 4
"""Words of the shortest sentence that says something."""
_WORD: Final = re.compile(r"[^\W_]{2,}")
_NUMBERING: Final = re.compile(r"^\s*(?:\d+[.):]?\s*)+")


@dataclass(frozen=True)
class Section:
    title: str
    level: int
    line: int
    last: int
    """The line that it ends on."""
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
    least: int = LEAST_WORDS
    """Words that it must have."""
    concrete: bool = False
    """Whether a short sentence will do that names a figure, a name in code or a quotation."""

    def is_in(self, title: str) -> bool:
        said = title.casefold()
        return any(word in said for word in self.words) and not any(word in said for word in self.without)


def sections(text: str) -> list[Section]:
    """By the grammar of Markdown: a line in a code block is no heading."""
    from markdown_it import MarkdownIt

    lines = text.splitlines()
    tokens = MarkdownIt("commonmark").enable("table").disable("inline").parse(text)  # what stands in a line is not asked
    headings = [
        (int(token.tag[1:]), token.map, tokens[place + 1].content)
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and token.map is not None and token.level == 0
    ]
    found = []
    for place, (level, (start, below), title) in enumerate(headings):
        end = next((span[0] for other, span, _ in headings[place + 1 :] if other <= level), len(lines))
        found.append(Section(_NUMBERING.sub("", title).strip(), level, start + 1, end, "\n".join(lines[below:end])))
    return found


def find(wanted: Wanted, among: Sequence[Section]) -> Section | None:
    """The section that is meant; of several the one that says most, so that a title above all others is not taken for it."""
    return next(iter(_candidates(wanted, among)), None)


def assigned(wanted: Iterable[Wanted], among: Sequence[Section]) -> dict[Wanted, Section]:
    """A section for each that is wanted, and each section for one of them only; as many as can have one do (Kuhn 1955)."""
    serves: dict[Section, Wanted] = {}

    def place(want: Wanted, tried: set[Section]) -> bool:
        for section in _candidates(want, among):
            if section in tried:
                continue
            tried.add(section)
            if section not in serves or place(serves[section], tried):
                serves[section] = want
                return True
        return False

    for want in wanted:
        place(want, set())
    return {want: section for section, want in serves.items()}


def lacking(wanted: Sequence[Wanted], among: Sequence[Section]) -> list[tuple[Wanted, Section | None]]:
    """What is missing (None), or there with fewer words than say anything."""
    found = assigned(wanted, among)
    return [(want, found.get(want)) for want in wanted if want not in found or not says_enough(want, found)]


def says_enough(want: Wanted, found: Mapping[Wanted, Section]) -> bool:
    words = own_words(want, found)
    return words >= want.least or (want.concrete and words >= SENTENCE and bool(CONCRETE.search(_own(want, found))))


def own_words(want: Wanted, found: Mapping[Wanted, Section]) -> int:
    """How many words a section has, without what stands below it and serves as another one."""
    return len(_WORD.findall(_own(want, found)))


def _own(want: Wanted, found: Mapping[Wanted, Section]) -> str:
    section = found[want]
    lines = section.body.split("\n")
    for other in found.values():
        first = other.line - section.last + len(lines) - 1
        if other is not section and section.line < other.line <= section.last:
            last = first + other.last - other.line
            lines = [("" if first <= place <= last else line) for place, line in enumerate(lines)]
    return "\n".join(lines)


def _candidates(wanted: Wanted, among: Sequence[Section]) -> list[Section]:
    """The sections whose heading fits, the one that says most first; a title above all others only where there is no other."""
    named = [section for section in among if wanted.is_in(section.title)]
    below_title = [section for section in named if section.level > 1] or named
    return sorted(below_title, key=lambda section: -section.words)
