"""A score as JSON: the value, its parts with their denominators, and every anchor and false line."""

from typing import Any, Final

from blade.packages.scoring.score import WEIGHTS, Score

SCHEMA: Final = "blade.score/1"


def as_json(found: Score) -> dict[str, Any]:
    return {
        "score": round(found.value, 4),
        "truth": round(found.truth, 4),
        "sentences": {
            "judged": found.readability.sentences,
            "reading": found.readability.reading,
            "share": round(found.readability.share, 4),
        },
        "parts": [
            {
                "name": part.name,
                "got": part.got,
                "of": part.of,
                "share": round(part.share, 4),
                "weight": WEIGHTS[part.name],
                "what": part.note,
            }
            for part in found.parts
        ],
        "anchors": [
            {
                "id": one.anchor.id,
                "status": one.status,
                "line": one.line,
                "fact": one.anchor.fact,
                "says": one.says or None,
                "expected": one.expected or None,
            }
            for one in found.anchors
        ],
        "contradictions": [
            {
                "line": one.line,
                "text": one.text,
                "expected": one.expected,
                "found": one.found,
                "golden_line": one.golden_line,
            }
            for one in found.contradictions
        ],
        "findings": [
            {"line": one.line, "text": one.text, "kind": one.kind, "expected": one.expected, "found": one.found}
            for one in found.verification.findings
        ],
        "claims": found.verification.claims,
        "checked": found.verification.checked,
        "not_checkable": found.verification.not_checkable,
        "run_at_hand": found.bound,
    }
