"""Two runs compared, and a draft held against its runs."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from blade.claims.reading.tally import Finding
from blade.comparison.compare import compare
from blade.comparison.pair import Asked
from blade.errors import UsageError
from blade.mcp.desk import Study
from blade.mcp.overview import part
from blade.mcp.pages import fitting
from blade.reports.comparison.markdown import HEADINGS, comparison_report
from blade.reports.comparison.step_summary import step_summary
from blade.reports.verification import verify_report
from blade.reports.wording import clause, quoted, sentence, shown
from blade.untrusted.files import read_at_most

MOST_BYTES: Final = 4 << 20
MOST_FINDINGS: Final = 40


def comparison(studies: Sequence[Study], by: str | None, section: int | None) -> str:
    """The comparison in short, or one section of its report."""
    document = _compared(studies, by)
    if section is None:
        listed = ", ".join(f"{number} {heading}" for number, heading in enumerate(HEADINGS[:-1], 1))
        return f"{step_summary(document).strip()}\n\nNext: compare(…, section=N) for more: {listed}."
    if not 1 <= section < len(HEADINGS):
        raise UsageError(f"there is no section {section}", hint=f"they are 1 to {len(HEADINGS) - 1}")
    return part(comparison_report({**document, "pairs": [{**pair, "claims": []} for pair in document["pairs"]]}), section)


def _compared(studies: Sequence[Study], by: str | None) -> dict[str, Any]:
    diagnose = studies[0].diagnose
    return dict(compare([study.run for study in studies], diagnose, metric=None, asked=Asked(by=by)))


def draft_text(path: Any) -> str:
    """A report from disk, as `blade verify` reads it."""
    read = read_at_most(path, MOST_BYTES)
    if len(read) > MOST_BYTES:
        raise UsageError(f"is larger than {MOST_BYTES >> 20} MB", path=path, hint="a report is Markdown")
    return read.decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("\ufeff")


def verification(text: str, studies: Sequence[Study]) -> str:
    """Every finding with its line, what the text says and what is true."""
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise UsageError(f"the text is larger than {MOST_BYTES >> 20} MB", hint="a report is Markdown")
    diagnose = studies[0].diagnose if studies else _no_run
    found = verify_report(text, [study.run for study in studies], diagnose)
    against = ", ".join(shown(study.name, 200) for study in studies) or "itself alone, because no run was named"
    share = f" ({found.true / found.checked:.1%})" if found.checked else ""
    head = (
        f"{found.true:,} of {found.checked:,} checkable claims hold{share}; {found.claims:,} claims were read, "
        f"{found.not_checkable:,} of them not checkable. Held against {against}."
    )
    told = [_told(finding) for finding in found.findings[:MOST_FINDINGS]]
    lines = [head, *told[: fitting([(line,) for line in told])]]
    if (rest := len(found.findings) - len(lines) + 1) > 0:
        lines.append(f"and {rest:,} more findings: mend these first, then verify again.")
    if not found.findings:
        lines.append(sentence("nothing that could be checked is false" if found.checked else "nothing could be checked"))
    return "\n".join(lines)


def _told(finding: Finding) -> str:
    true = "" if finding.expected is None else f" True: {quoted(_words(finding.expected), 200)}."
    by = f" By: {clause(finding.evidence[0], 200)}." if finding.evidence else ""
    said = f"line {finding.line:,}, {finding.kind.replace('_', ' ')}: it says {quoted(_words(finding.found), 200)}.{true}{by}"
    return f"- {said} In: {quoted(finding.text, 160)}"


def _no_run(_: Any) -> Mapping[str, Any]:
    raise UsageError("no run was named")


def _words(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:.6g}" if isinstance(value, float) else str(value)
