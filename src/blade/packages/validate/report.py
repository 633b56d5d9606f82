"""A golden report as it stands: its sections, what it cites, and whether all it says is true of the rollouts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from blade.claims.reading.facts import Facts, RunFacts
from blade.claims.reading.markdown import read_report
from blade.claims.reading.package import model_of
from blade.claims.reading.reading import Reading
from blade.claims.reading.sidecar import titled_runs
from blade.claims.reading.tally import Finding
from blade.packages.check import Check, Phase, failed, passed
from blade.packages.layout import Golden
from blade.packages.placeholders import placeholders
from blade.packages.runs import PackageRuns
from blade.packages.sections import SENTENCE, Wanted, find, lacking, sections
from blade.reports.verification import verify_report
from blade.untrusted.escapes import one_line


def _section(title: str, words: tuple[str, ...]) -> Wanted:
    return Wanted(title, words, concrete=True)


FAILURES: Final = _section("Dominant failure modes", ("failure", "modes"))
RECOMMENDATIONS: Final = _section("Recommendations", ("recommend", "intervention"))
NEVER: Final = _section("Never-pass deep dives", ("never",))
ALWAYS: Final = (
    _section("Executive summary", ("summary",)),
    _section("Artifact inventory", ("artifact", "inventory")),
    _section("Aggregate results", ("aggregate", "results", "metrics")),
    _section("Workflow funnel", ("funnel",)),
    _section("Task outcome buckets", ("bucket", "outcome")),
    FAILURES,
    NEVER,
    RECOMMENDATIONS,
    _section("Reproducibility notes", ("reproduc",)),
)
WITH_REPEATS: Final = _section("Sometimes-pass deep dives", ("sometimes",))
WITH_OTHERS: Final = _section("Cross-model comparison", ("cross", "comparison"))
FAILING: Final = ("sometimes", "never")
ABOUT: Final = {NEVER: FAILING[1:], WITH_REPEATS: FAILING[:1], FAILURES: FAILING, RECOMMENDATIONS: FAILING}
"""The buckets that a section is about."""
LEAST_TASKS: Final = 3
"""Tasks that a report has to name; fewer where fewer failed."""
MOST_FALSE: Final = 20
_PHASE: Final[Phase] = "golden"


def check_report(golden: Golden, text: str, facts: RunFacts | None, runs: PackageRuns) -> Iterator[Check]:
    yield from _sections(golden, text, facts, runs)
    yield from _placeholders(golden, text)
    if facts is not None:
        yield _evidence(golden, text, facts)
        yield from _statements(golden, text, facts, runs)


def _sections(golden: Golden, text: str, facts: RunFacts | None, runs: PackageRuns) -> Iterator[Check]:
    wanted = _wanted(facts, runs)
    poor = lacking(wanted, sections(text))
    for want, section in poor:
        said = (
            f"golden report has no section {want.title}" if section is None else f"golden report says nothing under {want.title}"
        )
        fix = f"add ## {want.title}" if section is None else "write the section"
        yield failed("golden.sections", _PHASE, said, golden.report, fix, None if section is None else section.line)
    if not poor:
        yield passed("golden.sections", _PHASE, f"golden report has its {len(wanted)} sections", golden.report)


def _wanted(facts: RunFacts | None, runs: PackageRuns) -> list[Wanted]:
    """The sections of a report about this run; one about tasks that it has none of may say no more than that."""
    wanted = list(ALWAYS)
    if facts is not None and (facts.document["repeats"]["max"] or 0) > 1:
        wanted.append(WITH_REPEATS)
    if len(runs.package.rollouts()) > 1:
        wanted.append(WITH_OTHERS)
    if facts is None:
        return wanted
    there = {task.bucket for task in facts.tasks.values()}
    return [replace(want, least=SENTENCE) if there.isdisjoint(ABOUT.get(want, there)) else want for want in wanted]


def _placeholders(golden: Golden, text: str) -> Iterator[Check]:
    for one in placeholders(text):
        fix = "write what belongs there, then delete the mark"
        yield failed("golden.placeholders", _PHASE, f"placeholder text: {one.text}", golden.report, fix, one.line)


def _evidence(golden: Golden, text: str, facts: RunFacts) -> Check:
    """Distinct tasks of the run that the report names, outside its tables of figures or within."""
    reading = Reading(read_report(text), Facts((facts,)))
    named = {one.task for read in reading.everywhere() for one in (*read.rollouts, *read.tasks)} & set(facts.tasks)
    cited = {one.name for read in reading.everywhere() for one in read.rollouts} & set(facts.rollouts)
    failing = sum(task.bucket in FAILING for task in facts.tasks.values())
    least = min(LEAST_TASKS, max(failing, 1))
    said = f"golden report cites {len(named)} tasks and {len(cited)} rollouts of the run"
    if len(named) >= least:
        return passed("golden.evidence", _PHASE, said, golden.report)
    fix = f"tie its diagnoses to task ids and rollout ids ({least} tasks at least), not only to aggregate tables"
    return failed("golden.evidence", _PHASE, said, golden.report, fix)


def _statements(golden: Golden, text: str, facts: RunFacts, runs: PackageRuns) -> Iterator[Check]:
    """Every number, id, label and quote, as `blade verify` reads them."""
    path = runs.package.rollouts_of(golden.model)
    ours = runs.reported(path) if path is not None and _is_ours(text) else dict(facts.document)
    verified = verify_report(text, [facts.run], lambda run: ours)
    false = _not_of_others(text, verified.findings, facts, ours, runs) if verified.findings else []
    by_line: dict[int, list[Finding]] = {}
    for finding in false:
        by_line.setdefault(finding.line, []).append(finding)
    for line, found in list(by_line.items())[:MOST_FALSE]:
        more = f" (and {len(found) - 1} more on this line)" if len(found) > 1 else ""
        yield failed("golden.statements", _PHASE, f"{_said(found[0])}{more}", golden.report, _fix(found[0]), line)
    if len(by_line) > MOST_FALSE:
        message = f"and {len(by_line) - MOST_FALSE:,} more lines that do not hold"
        fix = f"blade verify {golden.report} --skill {runs.package.root} lists them all"
        yield failed("golden.statements", _PHASE, message, golden.report, fix)
    if not false and not verified.checked:
        message = "nothing that the golden report says can be checked"
        fix = "give figures with their metric, task ids and rollout ids"
        yield failed("golden.statements", _PHASE, message, golden.report, fix)
    elif not false:
        said = f"golden report says what the rollouts say: {verified.checked:,} of {verified.claims:,} statements checked"
        yield passed("golden.statements", _PHASE, said, golden.report)


def _is_ours(text: str) -> bool:
    """Whether it is one of our reports in which the other runs of the package are compared, so that they must be again."""
    return titled_runs(text) is not None and re.search(r"^### Against ", text, re.MULTILINE) is not None


def _not_of_others(
    text: str, findings: Sequence[Finding], facts: RunFacts, ours: dict[str, Any], runs: PackageRuns
) -> list[Finding]:
    """Findings without those that are true of another run of the package, where the report speaks of that: by name, or where it compares."""
    others = {path: run for path, run in runs.readable().items() if run is not facts.run}
    if not others:
        return list(findings)
    documents = {id(run): runs.document(path) for path, run in others.items()} | {id(facts.run): ours}
    both = verify_report(text, [facts.run, *others.values()], lambda run: documents[id(run)])
    still = {(finding.line, str(finding.found)) for finding in both.findings}
    compared = find(WITH_OTHERS, sections(text))
    last = compared.line + compared.body.count("\n") + 1 if compared else 0
    lines = text.splitlines()

    def speaks_of_others(finding: Finding) -> bool:
        within = compared is not None and compared.line <= finding.line <= last
        line = lines[finding.line - 1] if finding.line <= len(lines) else ""
        return within or any(model_of(path) in line for path in others)

    return [one for one in findings if (one.line, str(one.found)) in still or not speaks_of_others(one)]


def _said(finding: Finding) -> str:
    said = "" if finding.found is None else f"{one_line(str(finding.found), 120)} in "
    return f"golden report, {finding.kind.replace('_', ' ')}: {said}“{one_line(finding.text, 160)}”"


def _fix(finding: Finding) -> str:
    if finding.expected is None:
        return "correct the line, or take it out"
    value = f"{finding.expected:.6g}" if isinstance(finding.expected, float) else str(finding.expected)
    return f"correct the line; true is: {one_line(value, 160)}"
