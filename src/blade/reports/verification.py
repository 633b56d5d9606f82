"""A report verified: whoever wrote it, against the runs; and one of ours also against what it would say if it were written again.

The sidecar of a report of ours tells what it was made from, and its claims are computed again. Without one, the title says that it is
ours, and the runs are diagnosed again: the same rows give the same report, so a line that differs was changed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from blade.claims.reading.facts import RunFacts
from blade.claims.reading.measured import run_facts
from blade.claims.reading.restated import Rendering
from blade.claims.reading.sidecar import Sidecar, compute_again, is_titled_comparison, titled_runs
from blade.claims.reading.tally import Verification
from blade.claims.reading.verify import verify_text
from blade.reports.comparison.markdown import comparison_report
from blade.reports.markdown import report as diagnosis_report
from blade.runs.run import Run

SCHEMA: Final = "blade.verification/1"
Document = Mapping[str, Any]
Diagnose = Callable[[Run], Document]
BROKEN = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError)
"""What a document that is not of our making can do to a report of it."""


def verify_report(
    text: str, runs: Sequence[Run], diagnose: Diagnose, sidecar: Sidecar | None = None, *, again: bool = True
) -> Verification:
    """Everything that a report says. `again=False` reads one of ours as if another had written it."""
    documents = [diagnose(run) for run in runs]
    facts = [run_facts(run, document) for run, document in zip(runs, documents, strict=True)]
    renderings = [] if sidecar is None else _from_sidecar(sidecar)
    if again and runs and titled_runs(text) is not None:
        renderings += _from_runs(text, runs, documents, facts)
    computed = compute_again(sidecar, runs) if sidecar is not None and len(runs) >= len(sidecar.runs) > 0 else ()
    return verify_text(text, facts, renderings, computed)


def _from_sidecar(sidecar: Sidecar) -> list[Rendering]:
    render = comparison_report if sidecar.is_comparison else diagnosis_report
    try:
        return [Rendering(render(sidecar.document), sidecar.path.name)]
    except BROKEN:
        return []


def _from_runs(text: str, runs: Sequence[Run], documents: Sequence[Document], facts: Sequence[RunFacts]) -> list[Rendering]:
    """The report as the runs give it today. Paths are as somebody typed them, and no part of what it says."""
    paths = [str(place) for run in runs for place in (run.artifacts.spec, *run.artifacts.facts_paths())]
    aside = (*paths, *(titled_runs(text) or ()))
    if is_titled_comparison(text):
        if len(runs) < 2:
            return []
        from blade.comparison.compare import compare
        from blade.comparison.pair import Asked

        known = {id(run): document for run, document in zip(runs, documents, strict=True)}
        document = compare(runs, lambda run: known[id(run)], metric=None, asked=Asked())
        return [Rendering(comparison_report(document), "the runs compared again", aside, recomputed=True)]
    return [Rendering(diagnosis_report({"against": [], **documents[0]}), "the run diagnosed again", aside, recomputed=True)]


def as_json(found: Verification, report: str, runs: Sequence[str]) -> dict[str, Any]:
    """The contract's keys."""
    return {
        "schema": SCHEMA,
        "report": report,
        "runs": list(runs),
        "claims": found.claims,
        "checked": found.checked,
        "true": found.true,
        "false": found.false,
        "not_checkable": found.not_checkable,
        "restated": found.restated,
        "score": found.score,
        "findings": [
            {
                "line": finding.line,
                "text": finding.text,
                "kind": finding.kind,
                "expected": finding.expected,
                "found": finding.found,
                "evidence": list(finding.evidence),
            }
            for finding in found.findings
        ],
    }
