"""Whether a fact says what its checks check: a sentence can be edited while its old checks still come out.

Every id, number, step and quotation of the sentence must be confirmed by the run, or be among what the checks look for. Where a check
names the values that go with the task, an id that stands elsewhere in the transcript is not enough: it may be the wrong one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from blade.claims.reading.document import Span
from blade.claims.reading.facts import RunFacts
from blade.claims.reading.transcripts import holds, words
from blade.packages.scoring.reported import Reported, read
from blade.packages.scoring.sentences import Sentence, sentences

_LITERAL: Final = re.compile(r"'((?:[^']|'')*)'")
_VALUE: Final = re.compile(r"(?:[^\W\d]|(?<=\w)-)*\d(?:[\w.,-]*\w)?")
_ASIDE: Final = re.compile(r"(?:\[c?|\b(?:confidence|recommendation|p|interval)(?: of| is| =)? ?)$", re.I)
"""What stands before a number that is the report's own and not the run's."""
_LETTER: Final = re.compile(r"[^\W\d_]")


def unconfirmed(fact: str, checks: Sequence[Mapping[str, Any]], facts: RunFacts) -> str | None:
    """The first thing in a fact that neither its checks look for nor the run confirms."""
    report = read(fact, [facts])
    looked_for = " ".join(words(piece) for check in checks for piece in _pieces(check))
    reads = [check["read"] for check in checks if isinstance(check.get("read"), Mapping)]
    listed = any("task" in one and "words" in one for one in reads)
    for sentence in sentences(report.reading):
        for span in _said(sentence):
            said = sentence.read.text[span.start : span.end].strip('`“”"«» ')
            if words(said) in looked_for or report.reading.tally.is_true(sentence.passage, span):
                continue
            if (listed and _LETTER.search(said) and " " not in said) or not _in_the_rows(said, sentence, facts):
                return said
        for span, step in sentence.steps:
            if words(str(step)) not in looked_for and not _has_step(report, sentence, span, step, facts):
                return f"step {step}"
    return None


def _pieces(check: Mapping[str, Any]) -> Iterator[str]:
    """What a check looks for: the value of its query and the names in it, or what is to be read and where."""
    if isinstance(check.get("query"), str):
        yield str(check.get("value"))
        yield from (found[1] for found in _LITERAL.finditer(check["query"]))
    if isinstance(read := check.get("read"), Mapping):
        yield from map(str, read.values())


def _said(sentence: Sentence) -> Iterator[Span]:
    """Quotations that can only be somebody's words, and whatever has a digit in it outside of them; names and steps apart."""
    text = sentence.read.text
    quoted = [quote.span for quote in sentence.quotes if quote.telling and not quote.absence]
    yield from quoted
    taken = [*quoted, *(one.span for one in (*sentence.rollouts, *sentence.tasks)), *(span for span, _ in sentence.steps)]
    for found in _VALUE.finditer(text, sentence.span.start, sentence.span.end):
        span = Span(*found.span())
        if not _ASIDE.search(text[: span.start]) and not any(span.overlaps(other) for other in taken):
            yield span


def _in_the_rows(said: str, sentence: Sentence, facts: RunFacts) -> bool:
    """Whether it stands in a row of a task that the sentence is about."""
    named = (name for name, one in facts.rollouts.items() if one.task in sentence.about)
    return any(holds(whole, said) for name in named for whole in facts.transcripts.whole(name))


def _has_step(report: Reported, sentence: Sentence, span: Span, step: int, facts: RunFacts) -> bool:
    """Whether a rollout that the sentence names, or one of the tasks it is about, has such a step."""
    if report.reading.tally.is_true(sentence.passage, span):
        return True
    named = [one.name for one in sentence.rollouts] or [
        name for name, one in facts.rollouts.items() if one.task in sentence.about
    ]
    return any(facts.transcripts.at(name, step) for name in named)
