"""The document beside one of our reports: which runs it is about, and its claims, computed again."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blade.claims.claim import Claim, NotAClaim, from_json
from blade.claims.reading.tally import WRONG_NUMBER, Finding
from blade.claims.runner import Recomputed, recompute_all
from blade.runs.run import Run

SIDECARS = {"blade.diagnosis/1": "diagnosis.json", "blade.comparison/1": "comparison.json"}
REPORTS = {"report.md": "diagnosis.json", "comparison.md": "comparison.json"}
MOST_BYTES = 512 << 20
_TITLE = re.compile(r"# (?P<what>Diagnosis|Comparison|Skills evaluation) of (?P<runs>[^\n]+)")


@dataclass(frozen=True)
class Sidecar:
    path: Path
    document: Mapping[str, Any]

    @property
    def is_comparison(self) -> bool:
        return bool(self.document["schema"] == "blade.comparison/1")

    @property
    def runs(self) -> list[str]:
        """How the runs were given when the report was made."""
        told = self.document.get("runs") if self.is_comparison else [self.document]
        paths = [one.get("run", {}).get("path") for one in told or () if isinstance(one, Mapping)]
        return [path for path in paths if isinstance(path, str)]

    def claims(self) -> list[list[Claim]]:
        """The claims of the run, or of each pair of runs; they are cited by their number, counted through."""
        told = self.document.get("pairs") if self.is_comparison else [self.document]
        return [[from_json(claim) for claim in one.get("claims") or ()] for one in told or () if isinstance(one, Mapping)]


def find_sidecar(report: Path) -> Sidecar | None:
    """The document beside a report, where it is that report's: none for a file of another name, or one that cannot be read."""
    name = REPORTS.get(report.name)
    path = report.with_name(name) if name else None
    if path is None or not path.is_file() or path.stat().st_size > MOST_BYTES:
        return None
    try:
        document = json.loads(path.read_bytes())
        found = (
            Sidecar(path, document) if isinstance(document, dict) and SIDECARS.get(document.get("schema", "")) == name else None
        )
        if found is not None:
            found.claims()
    except (ValueError, RecursionError, NotAClaim, AttributeError, TypeError):
        return None
    return found


def titled_runs(text: str) -> list[str] | None:
    """The runs that the title of one of our reports names, the baseline first; None where the report is not one of ours.

    A comparison of many runs does not name them all, so it leads to none.
    """
    found = _TITLE.match(text.lstrip())
    if found is None:
        return None
    named = re.findall(r"`([^`]+)`", found["runs"])
    return named[:1] if found["what"] == "Diagnosis" else named[::-1] if len(named) == 2 else []


def is_titled_comparison(text: str) -> bool:
    found = _TITLE.match(text.lstrip())
    return found is not None and found["what"] != "Diagnosis"


def compute_again(sidecar: Sidecar, runs: Sequence[Run]) -> list[tuple[int, Recomputed]]:
    """Every claim again, with the number it is cited by."""
    found: list[tuple[int, Recomputed]] = []
    for place, claims in enumerate(sidecar.claims(), 1):
        over: Run | dict[str, Run] = {"a": runs[0], "b": runs[place]} if sidecar.is_comparison else runs[0]
        found += enumerate(recompute_all(over, claims), len(found) + 1)
    return found


def claim_findings(text: str, computed: Sequence[tuple[int, Recomputed]]) -> list[Finding]:
    """The claims that did not come out again, on the line that cites each first, else on the first line."""
    findings = []
    lines = text.split("\n")
    for number, again in computed:
        if again.ok:
            continue
        cited = next((place for place, line in enumerate(lines, 1) if re.search(rf"\[c{number}\]|\|\s*c{number}\s*\|", line)), 1)
        expected = again.value if again.error is None else again.error
        evidence = (again.claim.query, again.difference or "")
        findings.append(
            Finding(cited, again.claim.text, WRONG_NUMBER, expected, again.claim.value, tuple(filter(None, evidence)))
        )
    return findings
