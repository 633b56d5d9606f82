"""Text that stands for a text that nobody has written yet, and the marks of what was drafted and not yet read by anybody."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from blade.claims.reading.markdown import read_report
from blade.untrusted.escapes import one_line

DRAFT_MARK: Final = "<!-- blade: draft"
EDIT_MARK: Final = "<!-- edit:"
_MARKS: Final = re.compile(r"<!--\s*(?:blade: draft|edit\b|todo\b|tbd\b|fixme\b|draft\b|fill\b|placeholder\b)", re.I)
_SHOUTED: Final = re.compile(r"\b(?:TODO|TBD|FIXME|XXX|TKTK)\b")
_SAID: Final = re.compile(
    r"\blorem ipsum\b|\bplaceholder text\b|\b(?:is|as) an? (?:short )?placeholder\b|\bcoming soon\b"
    r"|\bto be (?:written|filled in|completed|determined|added later|decided)\b"
    r"|\[(?:insert|fill in|your|describe|add)\b[^\]]{0,80}\](?!\()",
    re.I,
)
_BETWEEN_ANGLES: Final = re.compile(r"<(?:your|insert|fill in|describe|add)[ _-][^>]{0,80}>", re.I)
_QUOTED: Final = re.compile(r"`[^`]*`|“[^”]*”|\"[^\"\n]*\"")


@dataclass(frozen=True, order=True)
class Placeholder:
    line: int
    text: str


def placeholders(text: str) -> list[Placeholder]:
    """Where they stand. Code and quotations speak of something else, so a TODO in them is none."""
    found = set()
    for number, line in _outside_code(text):
        if _MARKS.search(line):
            found.add(Placeholder(number, one_line(line.strip(), 80)))
        elif match := _BETWEEN_ANGLES.search(_spoken(line)):
            found.add(Placeholder(number, one_line(match[0], 80)))
    for passage in read_report(text).passages:
        spoken = _spoken(passage.text)
        for match in (*_SHOUTED.finditer(spoken), *_SAID.finditer(spoken)):
            found.add(Placeholder(passage.line_at(match.start()), one_line(match[0], 80)))
    return sorted(found)


def _outside_code(text: str) -> Iterator[tuple[int, str]]:
    from markdown_it import MarkdownIt

    code: set[int] = set()
    for token in MarkdownIt("commonmark").parse(text):
        if token.type in ("fence", "code_block") and token.map is not None:
            code.update(range(*token.map))
    return ((number + 1, line) for number, line in enumerate(text.splitlines()) if number not in code)


def _spoken(text: str) -> str:
    """Without what is quoted, in the same places."""
    return _QUOTED.sub(lambda quoted: " " * len(quoted[0]), text)
