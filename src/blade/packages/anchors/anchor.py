"""An anchor fact as it stands in its file: a sentence, how hard it is to come by, how it is checked, and whether a person has looked at it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from blade.errors import UsageError
from blade.packages.texts import read_json

KEYS: Final = ("anchor_facts", "anchors", "facts")
METHOD: Final = "blade.anchors/1"
SHORTEST: Final = 20
"""Characters of a fact: less names nothing."""


@dataclass(frozen=True)
class Anchor:
    id: str
    fact: str
    difficulty: str = "medium"
    line: int | None = None
    """Of the golden report it was taken from."""
    checks: list[dict[str, Any]] = field(default_factory=list)
    verified: bool | None = None
    """Whether all its checks came out when it was extracted; None where no run was at hand."""
    reviewed: bool = False


def as_json(anchors: list[Anchor], benchmark: str, model: str, source: str) -> dict[str, Any]:
    """The file of a golden report's anchors, in the reference's keys with the checks beside them."""
    return {
        "benchmark": benchmark,
        "model": model,
        "extraction_method": METHOD,
        "golden_report": source,
        "review_required": not all(anchor.reviewed for anchor in anchors),
        "anchor_facts": [
            {
                "id": anchor.id,
                "fact": anchor.fact,
                "difficulty": anchor.difficulty,
                "line": anchor.line,
                "check": anchor.checks,
                "verified": anchor.verified,
                "reviewed": anchor.reviewed,
            }
            for anchor in anchors
        ],
    }


def load_anchors(path: Path) -> list[Anchor]:
    """The anchors of a file, whoever wrote it; UsageError with what is wrong and where."""
    listed = _listed(read_json(path))
    if listed is None:
        raise UsageError("no list of anchor facts in the file", path=path, hint="see blade package extract-anchor-facts")
    anchors = [_anchor(found, place, path) for place, found in enumerate(listed, 1)]
    if not anchors:
        raise UsageError("no anchor facts in the file", path=path, hint="see blade package extract-anchor-facts")
    ids = [anchor.id for anchor in anchors]
    if twice := next((id for id in ids if ids.count(id) > 1), None):
        raise UsageError(f"the id {twice!r} stands for two anchor facts", path=path)
    return anchors


def anchors_of(document: Any) -> list[Mapping[str, Any]]:
    """The facts of a file as they stand there, whatever is wrong with them: a list of objects, or an object that holds one."""
    return [one for one in _listed(document) or () if isinstance(one, Mapping)]


def _listed(document: Any) -> list[Any] | None:
    if isinstance(document, Mapping):
        document = next((document[key] for key in KEYS if isinstance(document.get(key), list)), None)
    return document if isinstance(document, list) else None


def _anchor(found: Any, place: int, path: Path) -> Anchor:
    if not isinstance(found, Mapping) or not isinstance(found.get("fact"), str) or len(found["fact"].strip()) < SHORTEST:
        raise UsageError(f"anchor fact number {place} has no `fact` of at least {SHORTEST} characters", path=path)
    checks = found.get("check")
    listed = checks if isinstance(checks, list) else [checks] if isinstance(checks, Mapping) else []
    line = found.get("line")
    return Anchor(
        str(found.get("id") or f"B{place}"),
        found["fact"].strip(),
        str(found.get("difficulty") or "medium"),
        line if isinstance(line, int) and not isinstance(line, bool) else None,
        [dict(check) for check in listed if isinstance(check, Mapping)],
        found["verified"] if isinstance(found.get("verified"), bool) else None,
        found.get("reviewed") is True,
    )
