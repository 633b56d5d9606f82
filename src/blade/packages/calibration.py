"""Does the scorer tell a golden report from those that only look like it? Every control has a target, and all of them decide.

The golden report and the shallow one must lie far apart; the order of sections must not matter; one flipped claim must cost something
and be named by its line; and no other way of tampering may leave a good score.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from blade.claims.reading.facts import RunFacts
from blade.packages.anchors.anchor import Anchor
from blade.packages.anchors.checks import Checker
from blade.packages.controls.adversarial import CONTROLS, adversarial
from blade.packages.scoring.score import Judge, Score

GOLDEN_LEAST: Final = 0.85
SHALLOW_MOST: Final = 0.40
SPREAD_LEAST: Final = 0.50
REORDERED_WITHIN: Final = 0.02
TAMPERED_MOST: Final = 0.60
SCHEMA: Final = "blade.calibration/1"


@dataclass(frozen=True)
class Case:
    name: str
    meaning: str
    score: float
    target: str
    ok: bool
    note: str = ""
    scored: Score | None = None


@dataclass(frozen=True)
class Calibration:
    cases: tuple[Case, ...]
    notes: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return all(case.ok for case in self.cases)

    @property
    def spread(self) -> float:
        return next(case.score for case in self.cases if case.name == "spread")


def calibrate(
    golden: str,
    anchors: Sequence[Anchor],
    shallow: str,
    facts: Sequence[RunFacts] = (),
    *,
    seed: int = 0,
    least_spread: float = SPREAD_LEAST,
) -> Calibration:
    unsound = _unsound(anchors, facts)
    judge = Judge(golden, [anchor for anchor in anchors if anchor not in unsound], facts)
    best, poor = judge.score(golden), judge.score(shallow)
    cases = [
        Case("golden", "the golden report", best.value, f"≥ {GOLDEN_LEAST:.2f}", best.value >= GOLDEN_LEAST, scored=best),
        Case("shallow", "the shallow baseline", poor.value, f"≤ {SHALLOW_MOST:.2f}", poor.value <= SHALLOW_MOST, scored=poor),
        _spread(best.value - poor.value, least_spread),
    ]
    if facts:
        cases.append(_sound(anchors, unsound))
    copies = adversarial(golden, seed)
    cases += [_case(control.name, control.meaning, copies[control.name], golden, best, judge) for control in CONTROLS]
    return Calibration(tuple(cases), tuple(_notes(anchors, best, facts)))


def _spread(value: float, least: float) -> Case:
    return Case("spread", "golden minus shallow", value, f"≥ {least:.2f}", value >= least)


def _unsound(anchors: Sequence[Anchor], facts: Sequence[RunFacts]) -> list[Anchor]:
    """The anchors that a run speaks against and none confirms: a fact is about one of the runs."""
    held: list[set[bool | None]] = [set() for _ in anchors]
    for run in facts:
        with Checker(run) as checker:
            for found, anchor in zip(held, anchors, strict=True):
                found.add(checker.verified(anchor.checks))
    return [anchor for found, anchor in zip(held, anchors, strict=True) if False in found and True not in found]


def _sound(anchors: Sequence[Anchor], unsound: Sequence[Anchor]) -> Case:
    """Whether the anchors hold in the run; those that do not are not asked for."""
    share = 1.0 - len(unsound) / max(len(anchors), 1)
    note = f"the run speaks against {', '.join(anchor.id for anchor in unsound)}" if unsound else ""
    return Case("anchors", "anchor facts that the run does not speak against", share, "= 1.00", not unsound, note)


def _case(name: str, meaning: str, text: str, golden: str, best: Score, judge: Judge) -> Case:
    scored = judge.score(text)
    value = scored.value
    if name == "reordered":
        low, high = best.value - REORDERED_WITHIN, best.value + REORDERED_WITHIN
        return Case(name, meaning, value, f"golden ± {REORDERED_WITHIN:.2f}", low <= value <= high, scored=scored)
    if name == "flipped":
        changed = changed_lines(golden, text)
        named = bool(changed) and set(changed) <= set(scored.false_lines)
        where = ", ".join(map(str, changed))
        note = f"line {where} named" if named else f"line {where} not named" if changed else "nothing to flip"
        return Case(name, meaning, value, "< golden, line named", value < best.value and named, note, scored)
    return Case(name, meaning, value, f"≤ {TAMPERED_MOST:.2f}", value <= TAMPERED_MOST, scored=scored)


def changed_lines(before: str, after: str) -> list[int]:
    """The lines that differ between two texts of equally many lines, from 1."""
    own, other = before.rstrip("\n").split("\n"), after.rstrip("\n").split("\n")
    return [place for place, (one, two) in enumerate(zip(own, other, strict=False), 1) if one != two]


def _notes(anchors: Sequence[Anchor], golden: Score, facts: Sequence[RunFacts]) -> list[str]:
    notes = []
    found = golden.verification
    if not facts:
        notes.append(
            f"no run is at hand: {found.checked:,} of {found.claims:,} claims of the golden report can be checked, against itself alone"
        )
    unseen = sum(not anchor.reviewed for anchor in anchors)
    if unseen:
        notes.append(f"{unseen} of {len(anchors)} anchor facts have not been reviewed by a person")
    if not golden.parts[1].of:
        notes.append("the golden report gives no task a labelled cause with evidence, so no diagnosis can be scored")
    return notes


def as_json(found: Calibration) -> dict[str, Any]:
    """The contract's keys first."""
    return {
        "cases": [
            {
                "name": case.name,
                "score": round(case.score, 4),
                "target": case.target,
                "ok": case.ok,
                "meaning": case.meaning,
                "note": case.note or None,
            }
            for case in found.cases
        ],
        "ok": found.ok,
        "spread": round(found.spread, 4),
        "notes": list(found.notes),
    }
