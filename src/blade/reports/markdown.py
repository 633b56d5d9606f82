"""The Markdown report: the eleven sections of a golden report, in their order, from one document."""

from blade.reports.citations import Document, citer
from blade.reports.sections import closing, dives, modes, opening, results
from blade.reports.wording import name

SECTIONS = (
    ("Executive summary", opening.executive_summary),
    ("Artifact inventory", opening.artifact_inventory),
    ("Aggregate results", results.aggregate_results),
    ("Workflow funnel", results.workflow_funnel),
    ("Task outcome buckets", results.outcome_buckets),
    ("Dominant failure modes", modes.dominant_failure_modes),
    ("Sometimes-pass deep dives", dives.sometimes_pass),
    ("Never-pass deep dives", dives.never_pass),
    ("Cross-model comparison", closing.cross_model),
    ("Recommendations", closing.recommendations),
)
LAST = "Reproducibility notes"
HEADINGS = (*(title for title, _ in SECTIONS), LAST)


def report(document: Document) -> str:
    """The whole report. The same document gives the same text, to the byte."""
    cite = citer(document)
    blocks = [f"# Diagnosis of {name(document['run']['path'], 300)}"]
    for number, (title, section) in enumerate(SECTIONS, 1):
        blocks += [f"## {number}. {title}", *section(document, cite)]
    text = "\n\n".join(blocks)
    blocks += [f"## {len(HEADINGS)}. {LAST}", *closing.reproducibility(document, cite, text)]
    return "\n\n".join(block for block in blocks if block) + "\n"
