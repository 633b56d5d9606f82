"""The score of a report, from 0 to 1: what it found, times how much of what it says is true, times how much of it is sentences.

Parts, each with its denominator: anchor facts stated rightly, diagnoses with evidence that resolves, claims that hold, and sections.
Truth is the share of what could be checked that holds (claims against the run and the report itself, sentences against the golden
report), times the share of the causes given that are right: a report with all its causes wrong has answered the question wrongly.
Where neither report has a claim that can be checked, the other parts take the weight of claims.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from blade.claims.reading.facts import RunFacts
from blade.claims.reading.tally import Verification
from blade.packages.anchors.anchor import Anchor
from blade.packages.scoring.anchored import Anchored, anchored, fact
from blade.packages.scoring.contradictions import Contradiction, contradictions
from blade.packages.scoring.diagnoses import diagnoses
from blade.packages.scoring.prose import Readability
from blade.packages.scoring.reported import read
from blade.packages.scoring.restating import Golden
from blade.packages.scoring.structure import present

WEIGHTS: Final = {"anchors": 0.40, "diagnoses": 0.40, "claims": 0.15, "structure": 0.05}
MOST_CLAIMS: Final = 60
"""True claims that are asked for at most; of a golden report with fewer, half of its own."""


@dataclass(frozen=True)
class Part:
    name: str
    got: float
    of: float
    note: str = ""

    @property
    def share(self) -> float:
        """None of nothing is nothing: a golden report without diagnoses cannot score for them."""
        return min(1.0, self.got / self.of) if self.of else 0.0


@dataclass(frozen=True)
class Score:
    value: float
    parts: tuple[Part, ...]
    truth: float
    """How much of what could be checked holds."""
    false_lines: tuple[int, ...]
    readability: Readability
    anchors: tuple[Anchored, ...]
    contradictions: tuple[Contradiction, ...]
    verification: Verification
    bound: bool
    """Whether a run was at hand."""


class Judge:
    """Scores reports against one golden report, its anchors and, where there are any, the runs."""

    def __init__(self, golden: str, anchors: Sequence[Anchor], facts: Sequence[RunFacts] = ()) -> None:
        self._facts = tuple(facts)
        self._golden = read(golden, self._facts)
        self._sentences = Golden(one.sentence for one in self._golden.wordings)
        self._sections = present(golden)
        self._anchors = [fact(anchor, self._facts) for anchor in anchors]
        self._wanted_claims = min(MOST_CLAIMS, (len(self._golden.true_lines()) + 1) // 2)

    def score(self, text: str) -> Score:
        report = read(text, self._facts)
        against = contradictions(report, self._golden, self._sentences)
        bad = report.false_lines | {one.line for one in against} | {one.line for one in report.retracted}
        found = anchored(self._anchors, report, self._sentences)
        held = [] if report.disavowed else report.true_lines()
        true = sum(line not in bad for line in held)
        false = len(report.verification.findings) + len(held) - true + len(bad - report.false_lines - set(held))
        causes = diagnoses(report, self._golden, bad)
        stated = sum(one.status == "found" for one in found)
        parts = (
            Part("anchors", stated, len(found), "anchor facts are stated rightly"),
            Part("diagnoses", min(causes.right, causes.wanted), causes.wanted, "diagnoses have evidence that resolves"),
            Part("claims", true, max(true + false, self._wanted_claims), "claims hold"),
            Part("structure", len(self._sections & present(report.text)), len(self._sections), "sections say something"),
        )
        checked = true + stated + false
        truth = causes.truth * (true + stated) / checked if checked else 0.0
        asked = [part for part in parts if part.of or part.name != "claims"]
        sum_of_parts = sum(WEIGHTS[part.name] * part.share for part in asked) / sum(WEIGHTS[part.name] for part in asked)
        return Score(
            truth * report.readability.share * sum_of_parts,
            parts,
            truth,
            tuple(sorted(bad)),
            report.readability,
            tuple(found),
            tuple(against),
            report.verification,
            bool(self._facts),
        )
