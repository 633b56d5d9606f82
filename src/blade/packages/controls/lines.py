"""The lines of a Markdown report by what they are, so that a control changes sentences and leaves the frame."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["heading", "table", "rule", "code", "blank", "text"]
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_RULE = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
_LEAD = re.compile(r"^\s*(?:[-*+]\s+|\d+[.)]\s+|>\s?)*")


@dataclass(frozen=True)
class Line:
    text: str
    kind: Kind

    @property
    def level(self) -> int:
        return len(self.text) - len(self.text.lstrip("#")) if self.kind == "heading" else 0

    @property
    def lead(self) -> str:
        """The mark of a list or of a quotation."""
        found = _LEAD.match(self.text)
        return found[0] if found else ""


def lines(text: str) -> Iterator[Line]:
    fenced = False
    for line in text.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
            yield Line(line, "code")
        elif fenced:
            yield Line(line, "code")
        elif not line.strip():
            yield Line(line, "blank")
        elif re.match(r"#{1,6}\s", line):
            yield Line(line, "heading")
        elif "|" in line and _RULE.match(line):
            yield Line(line, "rule")
        else:
            yield Line(line, "table" if line.lstrip().startswith("|") else "text")


def joined(found: Iterator[str] | list[str]) -> str:
    return "\n".join(found).rstrip("\n") + "\n"
