"""One report, read once for its score: its claims held against the run and itself, its sentences, and what they state."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from blade.claims.reading.document import Span
from blade.claims.reading.facts import Facts, RunFacts
from blade.claims.reading.markdown import read_report
from blade.claims.reading.reading import Reading
from blade.claims.reading.tally import Verification
from blade.claims.reading.verify import CHECKS
from blade.packages.scoring.polarity import disavows, retracts
from blade.packages.scoring.prose import Readability, order, readability
from blade.packages.scoring.restating import Wording, wording
from blade.packages.scoring.sentences import Sentence, sentences
from blade.packages.scoring.stated import Book, Stated, stated


@dataclass(frozen=True)
class Reported:
    text: str
    reading: Reading

    @cached_property
    def verification(self) -> Verification:
        return self.reading.tally.verification()

    @cached_property
    def sentences(self) -> list[Sentence]:
        """Those that read as language and are not taken back by the next one: nothing else states anything."""
        back = {id(sentence) for sentence in self.retracted}
        return [one for one in self._all if id(one) not in back and order(one.text).reads]

    @cached_property
    def retracted(self) -> list[Sentence]:
        """Sentences of which the next one says that they are not so."""
        return [
            one
            for one, following in pairwise(self._all)
            if one.passage is following.passage and retracts(following.text, one.text)
        ]

    @cached_property
    def _all(self) -> list[Sentence]:
        return sentences(self.reading)

    @cached_property
    def wordings(self) -> list[Wording]:
        return [wording(sentence) for sentence in self.sentences if sentence.passage.kind != "heading"]

    @cached_property
    def stated(self) -> list[tuple[Stated, int]]:
        """What is stated, with its line."""
        return [(one, sentence.line) for sentence in self.sentences for one in stated(sentence)]

    @cached_property
    def book(self) -> Book:
        return Book(self.stated)

    @cached_property
    def readability(self) -> Readability:
        spoken = [one for one in self._all if one.passage.kind in ("text", "item")]
        return readability(sentence.text for sentence in spoken)

    @cached_property
    def disavowed(self) -> list[int]:
        """Lines that take back what the report says."""
        return [sentence.line for sentence in self.sentences if disavows(sentence.text)]

    @cached_property
    def false_lines(self) -> frozenset[int]:
        return frozenset(finding.line for finding in self.verification.findings)

    def true_lines(self) -> list[int]:
        """The line of each claim that holds, one for each claim."""
        found = []
        for read in self.reading.everywhere():
            for start in {span.start for span in read.spans()}:
                span = Span(start, start)
                if self.reading.tally.is_true(read.passage, span) and not self.reading.tally.is_false(read.passage, span):
                    found.append(read.passage.line_at(start))
        return found


def read(text: str, facts: Sequence[RunFacts] = ()) -> Reported:
    """A report with every check made that the runs at hand and the report itself allow."""
    reading = Reading(read_report(text), Facts(tuple(facts)))
    reading.say_all()
    for check in CHECKS:
        check(reading)
    return Reported(text, reading)
