"""A score as JSON: the value, its parts with their denominators, and every anchor and false line."""

from typing import Any, Final

from blade.claims.reading.tally import Finding
from blade.packages.scoring.anchored import Anchored
from blade.packages.scoring.contradictions import Contradiction
from blade.packages.scoring.prose import Readability
from blade.packages.scoring.score import WEIGHTS, Part, Score

SCHEMA: Final = "blade.score/1"


def as_json(found: Score) -> dict[str, Any]:
    return {
        "score": round(found.value, 4),
        "truth": round(found.truth, 4),
        "sentences": _sentences(found.readability),
        "parts": [_part(one) for one in found.parts],
        "anchors": [_anchor(one) for one in found.anchors],
        "contradictions": [_contradiction(one) for one in found.contradictions],
        "findings": [_finding(one) for one in found.verification.findings],
        "claims": found.verification.claims,
        "checked": found.verification.checked,
        "not_checkable": found.verification.not_checkable,
        "run_at_hand": found.bound,
    }


def _sentences(found: Readability) -> dict[str, Any]:
    return {"judged": found.sentences, "reading": found.reading, "share": round(found.share, 4)}


def _part(part: Part) -> dict[str, Any]:
    return {
        "name": part.name,
        "got": part.got,
        "of": part.of,
        "share": round(part.share, 4),
        "weight": WEIGHTS[part.name],
        "what": part.note,
    }


def _anchor(one: Anchored) -> dict[str, Any]:
    return {
        "id": one.anchor.id,
        "status": one.status,
        "line": one.line,
        "fact": one.anchor.fact,
        "says": one.says or None,
        "expected": one.expected or None,
    }


def _contradiction(one: Contradiction) -> dict[str, Any]:
    return {
        "line": one.line,
        "text": one.text,
        "expected": one.expected,
        "found": one.found,
        "golden_line": one.golden_line,
    }


def _finding(one: Finding) -> dict[str, Any]:
    return {"line": one.line, "text": one.text, "kind": one.kind, "expected": one.expected, "found": one.found}
