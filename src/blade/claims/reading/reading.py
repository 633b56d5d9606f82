"""One reading of a report: everything that was extracted from it, the facts at hand, and the tally of what was found."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from blade.claims.reading.document import Passage, Report, Span, Table
from blade.claims.reading.entities import is_rollout_head, is_task_head
from blade.claims.reading.facts import Facts
from blade.claims.reading.fractions import Fraction, fractions
from blade.claims.reading.labels import Label, labels
from blade.claims.reading.numbers import Number, numbers, within
from blade.claims.reading.quotes import Quote, code, quotes
from blade.claims.reading.references import Names, Reference, id_list, rollouts, steps, tasks
from blade.claims.reading.scope import task_scopes
from blade.claims.reading.tally import Tally

_SECTION_NUMBER = re.compile(r"^\s*(?:section\s+)?\d+(?:\.\d+)*[.)]?\s", re.I)
_LIST_HEAD = re.compile(r"which|examples?|ids?|task ids?|tasks|members|rollouts|rollout ids?|evidence", re.I)


@dataclass(frozen=True)
class Read:
    """What one passage says."""

    passage: Passage
    quotes: list[Quote]
    code: list[Quote]
    rollouts: list[Reference]
    tasks: list[Reference]
    steps: list[tuple[Span, int]]
    numbers: list[Number]
    fractions: list[Fraction]
    labels: list[Label]

    @property
    def text(self) -> str:
        return self.passage.text

    def spans(self) -> list[Span]:
        """Where its statements are."""
        named = [one.span for one in (*self.rollouts, *self.tasks)]
        said = [*(one.span for one in self.quotes), *(one.span for one in self.numbers), *(one.span for one in self.labels)]
        return [*named, *said, *(span for span, _ in self.steps)]

    def within(self, span: Span) -> Sequence[Number]:
        return within(self.numbers, span)


@dataclass
class Reading:
    report: Report
    facts: Facts
    tally: Tally = field(default_factory=Tally)

    @property
    def bound(self) -> bool:
        """Whether there is any run to hold the report against."""
        return bool(self.facts.runs)

    @cached_property
    def names(self) -> Names:
        return self.facts.names

    @cached_property
    def scopes(self) -> dict[int, str]:
        return task_scopes(self.report, self.names)

    @cached_property
    def reads(self) -> dict[int, Read]:
        lists = {cell.number for _, _, cell in self.list_cells}
        return {passage.number: extract(passage, self.names, passage.number in lists) for passage in self.report.passages}

    @cached_property
    def list_cells(self) -> list[tuple[Table, tuple[Passage, ...], Passage]]:
        """Cells that hold ids and nothing else, in a column that says so, each with its row."""
        found = []
        for table in self.report.tables:
            for row in table.rows:
                for head, cell in zip(table.head, row, strict=False):
                    headed = is_task_head(head.text) or is_rollout_head(head.text) or _LIST_HEAD.fullmatch(head.text.strip())
                    ids = id_list(cell.text, self.names) if headed else None
                    alone = ids is not None and len(ids) == 1
                    if ids and not (alone and ids[0].name.isdecimal() and not _names_tasks(head.text, table, row, cell)):
                        found.append((table, row, cell))
        return found

    def everywhere(self) -> Iterator[Read]:
        yield from self.reads.values()

    def say_all(self) -> None:
        """Enter every statement there is, so that what no check takes up is counted as not checkable."""
        for read in self.everywhere():
            self.tally.say(read.passage, read.spans())


def _names_tasks(head: str, table: Table, row: tuple[Passage, ...], cell: Passage) -> bool:
    """Whether a lone number is an id and no count: a column called task, or one that only lists."""
    if re.fullmatch(r"\s*(?:tasks|rollouts)\s*", head, re.I):
        return False
    return is_task_head(head) or bool(re.fullmatch(r"\s*(?:which|ids?|task ids?|members)\s*", head, re.I))


def extract(passage: Passage, names: Names, lists: bool = False) -> Read:
    """A passage taken apart. What is quoted or set as code says nothing of the run in its own words, so nothing is read in it."""
    text = passage.text
    marked, set_as_code = list(quotes(text)), list(code(text))
    hidden = [quote.span for quote in (*marked, *set_as_code) if not (quote.code and _is_name(quote.text, names))]
    cited = list(rollouts(text, names, hidden))
    named = list(tasks(text, names, [*hidden, *(one.span for one in cited)]))
    if lists:
        listed = id_list(text, names) or []
        known = {one.span.start for one in cited}
        cited += [one for one in listed if one.sort == "rollout" and one.span.start not in known]
        named = [one for one in listed if one.sort == "task"]
    at = [(span, step) for span, step in steps(text) if not any(span.overlaps(other) for other in hidden)]
    masked = [*hidden, *(one.span for one in (*cited, *named)), *(span for span, _ in at)]
    if passage.kind == "heading" and (numbered := _SECTION_NUMBER.match(text)):
        masked.append(Span(*numbered.span()))
    found = list(numbers(text, masked))
    said = [label for label in labels(text) if not any(label.span.overlaps(other) for other in hidden)]
    return Read(passage, marked, set_as_code, cited, named, at, found, list(fractions(text, found)), said)


def _is_name(text: str, names: Names) -> bool:
    """Whether code is the id of a task or a rollout."""
    return text in names.tasks or text in names.rollouts or names.looks_like_task(text.rpartition(":")[0] or text)
