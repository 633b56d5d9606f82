"""What became of everything a report says: each statement is one claim, whichever checks looked at it.

A statement is known by where it stands. One check that finds it wrong makes it false; else one that finds it right makes it true; a
statement that no check could hold against anything is not checkable, and is counted as that.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from blade.claims.reading.document import Passage, Span

WRONG_NUMBER: Final = "wrong_number"
WRONG_DENOMINATOR: Final = "wrong_denominator"
UNKNOWN_TASK: Final = "unknown_task"
UNKNOWN_ROLLOUT: Final = "unknown_rollout"
QUOTE_NOT_FOUND: Final = "quote_not_found"
WRONG_LABEL: Final = "wrong_label"
CONTRADICTS_ITSELF: Final = "contradicts_itself"
UNCITED_DIAGNOSIS: Final = "uncited_diagnosis"
KINDS: Final = (
    WRONG_NUMBER,
    WRONG_DENOMINATOR,
    UNKNOWN_TASK,
    UNKNOWN_ROLLOUT,
    QUOTE_NOT_FOUND,
    WRONG_LABEL,
    CONTRADICTS_ITSELF,
    UNCITED_DIAGNOSIS,
)
MOST_TEXT = 400


@dataclass(frozen=True)
class Finding:
    """One thing that does not hold: where, the sentence, what is true instead, and what shows it."""

    line: int
    text: str
    kind: str
    expected: Any
    found: Any
    evidence: tuple[str, ...] = ()


@dataclass
class Verification:
    """The contract's numbers. `score` is the share of the checkable that holds; None where nothing was."""

    claims: int
    true: int
    false: int
    findings: list[Finding]
    restated: int = 0
    """Of the true ones, those that hold only because the report was written again from the run and says the same there."""

    @property
    def checked(self) -> int:
        return self.true + self.false

    @property
    def not_checkable(self) -> int:
        return self.claims - self.checked

    @property
    def score(self) -> float | None:
        return self.true / self.checked if self.checked else None


Key = tuple[int, int]


@dataclass
class Tally:
    """Statements by their place (passage, offset), and what was found of them."""

    _said: dict[Key, str] = field(default_factory=dict)
    _true: set[Key] = field(default_factory=set)
    _false: dict[Key, Finding] = field(default_factory=dict)
    _restated: set[Key] = field(default_factory=set)

    def say(self, passage: Passage, spans: Iterable[Span]) -> None:
        """Statements that are there, whatever comes of them."""
        for span in spans:
            self._said.setdefault((passage.number, span.start), passage.text[span.start : span.end])

    def hold(self, passage: Passage, span: Span) -> None:
        self.say(passage, [span])
        self._true.add((passage.number, span.start))

    def restate(self, passage: Passage, span: Span) -> None:
        """A statement on a line that comes out the same when the report is written again from the run."""
        self.say(passage, [span])
        self._restated.add((passage.number, span.start))

    def judge(
        self, right: bool, passage: Passage, span: Span, kind: str, expected: Any, evidence: Iterable[str] = (), found: Any = None
    ) -> None:
        """A statement that was checked; what it should say is used where it is wrong. The first thing found wrong stands."""
        if right:
            self.hold(passage, span)
            return
        self.say(passage, [span])
        said = passage.text[span.start : span.end] if found is None else found
        sentence = passage.sentence_at(span.start)
        text = " ".join(passage.text[sentence.start : sentence.end].split())[:MOST_TEXT]
        finding = Finding(passage.line_at(span.start), text, kind, expected, said, tuple(evidence))
        self._false.setdefault((passage.number, span.start), finding)

    def add(self, findings: Iterable[Finding], held: int = 0) -> None:
        """What was found without reading a passage; a line that is known to be wrong already is not named again for the same."""
        for finding in findings:
            key = (-1 - len(self._false), finding.line)
            self._said[key] = str(finding.found)
            self._false[key] = finding
        for place in range(held):
            self._said[(-1_000_000 - place, 0)] = ""
            self._true.add((-1_000_000 - place, 0))

    def is_true(self, passage: Passage, span: Span) -> bool:
        key = (passage.number, span.start)
        return key in self._true or key in self._restated

    def is_false(self, passage: Passage, span: Span) -> bool:
        return (passage.number, span.start) in self._false

    def verification(self) -> Verification:
        findings = sorted(self._false.items(), key=lambda item: (item[1].line, item[0][0] < 0, item[0]))
        true = (self._true | self._restated) - self._false.keys()
        alone = true - self._true
        return Verification(len(self._said), len(true), len(self._false), [finding for _, finding in findings], len(alone))
