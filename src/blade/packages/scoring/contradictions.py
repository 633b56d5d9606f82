"""Where a report says otherwise than the golden report: of the same thing, or in nearly the same words."""

from dataclasses import dataclass

from blade.packages.scoring.reported import Reported
from blade.packages.scoring.restating import Golden


@dataclass(frozen=True)
class Contradiction:
    line: int
    text: str
    expected: str
    found: str
    golden_line: int


def contradictions(report: Reported, golden: Reported, sentences: Golden) -> list[Contradiction]:
    """Each line once, in order: what it should say, what it says, and the golden line that says so."""
    found: dict[int, Contradiction] = {}
    for wording in report.wordings:
        if (differs := sentences.difference(wording)) is not None:
            said = Contradiction(differs.line, differs.text, differs.expected, differs.found, differs.golden.line)
            found.setdefault(said.line, said)
    texts = {sentence.line: sentence.plain for sentence in reversed(report.sentences)}
    for one, line in report.stated:
        for golden_line, value in golden.book.otherwise(one)[:1]:
            said = Contradiction(line, texts.get(line, ""), f"{one.of} {value}", f"{one.of} {one.value}", golden_line)
            found.setdefault(line, said)
    return [found[line] for line in sorted(found)]
