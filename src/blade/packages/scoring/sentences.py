"""A report as sentences: each with the ids, values, quotations and labels in it, and what it is about when it does not say so itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from blade.claims.reading.document import Passage, Span
from blade.claims.reading.fractions import Fraction
from blade.claims.reading.labels import Label
from blade.claims.reading.numbers import Number
from blade.claims.reading.quotes import Quote
from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.references import Reference

_NUMBERING = re.compile(r"^\W*(?:section\s+)?(?:[MB]?\d+(?:\.\d+)*[.):·]?\s+)?", re.I)
_JOINT = re.compile(r"[\s,&/]*(?:and|or)?\s*")
_WORD = re.compile(r"[a-z_]{3,}")
SPOKEN = ("text", "item", "quote", "heading")
"""Passages that are read sentence by sentence; cells of tables are not."""


@dataclass(frozen=True)
class Sentence:
    """A stretch of a passage between full stops, with everything that was read in it."""

    read: Read
    span: Span
    task: str | None
    """The task in whose section it stands."""

    @cached_property
    def text(self) -> str:
        return self.read.text[self.span.start : self.span.end]

    @property
    def passage(self) -> Passage:
        return self.read.passage

    @property
    def line(self) -> int:
        lead = len(self.text) - len(self.text.lstrip())
        return self.passage.line_at(self.span.start + lead)

    @property
    def plain(self) -> str:
        return " ".join(self.text.split())

    @cached_property
    def heading(self) -> frozenset[str]:
        """The words of the heading above it, by which two sentences without ids can be about the same thing."""
        above = self.passage.section[:-1] if self.passage.kind == "heading" else self.passage.section
        return frozenset(_WORD.findall(_NUMBERING.sub("", above[-1]).lower())) if above else frozenset()

    @cached_property
    def rollouts(self) -> list[Reference]:
        return [one for one in self.read.rollouts if self._has(one.span)]

    @cached_property
    def groups(self) -> list[list[Reference]]:
        """Rollouts that are listed together."""
        found: list[list[Reference]] = []
        for one in self.rollouts:
            if found and _JOINT.fullmatch(self.read.text, end_of(found[-1][-1]), one.span.start):
                found[-1].append(one)
            else:
                found.append([one])
        return found

    @cached_property
    def tasks(self) -> list[Reference]:
        return [one for one in self.read.tasks if self._has(one.span)]

    @cached_property
    def labels(self) -> list[Label]:
        return [one for one in self.read.labels if self._has(one.span)]

    @cached_property
    def quotes(self) -> list[Quote]:
        return [one for one in self.read.quotes if self._has(one.span)]

    @cached_property
    def code(self) -> list[Quote]:
        return [one for one in self.read.code if self._has(one.span)]

    @cached_property
    def numbers(self) -> list[Number]:
        return [one for one in self.read.numbers if self._has(one.span)]

    @cached_property
    def fractions(self) -> list[Fraction]:
        return [one for one in self.read.fractions if self._has(one.span)]

    @cached_property
    def steps(self) -> list[tuple[Span, int]]:
        return [(span, step) for span, step in self.read.steps if self._has(span)]

    @cached_property
    def about(self) -> frozenset[str]:
        """The tasks that it speaks of: those it names, else the one of its section."""
        named = {one.task for one in (*self.rollouts, *self.tasks)}
        return frozenset(named or ({self.task} if self.task is not None else ()))

    @property
    def subject(self) -> str | None:
        """The one task that it is about; None where there is none or several."""
        return next(iter(self.about)) if len(self.about) == 1 else None

    def _has(self, span: Span) -> bool:
        return self.span.start <= span.start < self.span.end


def end_of(one: Reference) -> int:
    """Where a rollout's name ends, with the step behind it."""
    return one.step_span.end if one.step_span else one.span.end


def sentences(reading: Reading, kinds: Sequence[str] = SPOKEN) -> list[Sentence]:
    """All of a report, in their order."""
    found = []
    for read in reading.everywhere():
        if read.passage.kind in kinds:
            task = reading.scopes.get(read.passage.number)
            found += [Sentence(read, span, task) for span in _spans(read)]
    return found


def _spans(read: Read) -> list[Span]:
    """Sentences as the passage has them; a semicolon ends none, nor does a full stop in a quotation or in code."""
    inner = [one.span for one in (*read.quotes, *read.code)]
    spans: list[Span] = []
    for span in read.passage.sentences:
        inside = spans and any(one.start < spans[-1].end < one.end for one in inner)
        if spans and (inside or read.text[: spans[-1].end].rstrip().endswith(";")):
            spans[-1] = Span(spans[-1].start, span.end)
        else:
            spans.append(span)
    return [span for span in spans if read.text[span.start : span.end].strip()]
