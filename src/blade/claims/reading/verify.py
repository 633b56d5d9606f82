"""A report against the runs it speaks of: every check over one reading."""

from collections.abc import Sequence

from blade.claims.reading.checks.agreement import check_agreement
from blade.claims.reading.checks.arithmetic import check_arithmetic
from blade.claims.reading.checks.calls import check_calls
from blade.claims.reading.checks.causes import check_causes
from blade.claims.reading.checks.figures import check_figures
from blade.claims.reading.checks.modes import check_modes
from blade.claims.reading.checks.outcomes import check_outcomes
from blade.claims.reading.checks.quotations import check_quotations
from blade.claims.reading.checks.references import check_references
from blade.claims.reading.checks.repeats import check_repeats
from blade.claims.reading.checks.sections import check_sections
from blade.claims.reading.checks.sums import check_sums
from blade.claims.reading.checks.tables import check_tables
from blade.claims.reading.checks.tool_use import check_tool_use
from blade.claims.reading.checks.whole_run import check_whole_run
from blade.claims.reading.facts import Facts, RunFacts
from blade.claims.reading.markdown import read_report
from blade.claims.reading.reading import Reading
from blade.claims.reading.restated import FOLLOWS, FOLLOWS_RECOMPUTED, Rendering, restated
from blade.claims.reading.sidecar import claim_findings
from blade.claims.reading.tally import Verification
from blade.claims.runner import Recomputed

CHECKS = (
    check_references,
    check_quotations,
    check_outcomes,
    check_sections,
    check_calls,
    check_tool_use,
    check_arithmetic,
    check_figures,
    check_repeats,
    check_whole_run,
    check_tables,
    check_modes,
    check_causes,
    check_sums,
    check_agreement,
)
"""In this order: what the runs decide comes before what the report says against itself, which then is not said twice."""


def verify_text(
    text: str,
    runs: Sequence[RunFacts] = (),
    renderings: Sequence[Rendering] = (),
    computed: Sequence[tuple[int, Recomputed]] = (),
) -> Verification:
    """What a report says, checked as far as the runs at hand and the report itself allow.

    `renderings` are what one of our own reports should say, `computed` the claims of its sidecar.
    """
    reading = Reading(read_report(text), Facts(tuple(runs)))
    reading.say_all()
    for rendering in renderings:
        _restate(reading, text, rendering)
    for check in CHECKS:
        check(reading)
    reading.tally.add(claim_findings(text, computed), held=sum(again.ok for _, again in computed))
    return reading.tally.verification()


def _restate(reading: Reading, text: str, rendering: Rendering) -> None:
    """Lines that say what they should are true where that was computed from the run; where a line differs, it is wrong."""
    found = restated(text, rendering)
    if found.share < (FOLLOWS_RECOMPUTED if rendering.recomputed else FOLLOWS):
        return
    reading.tally.add(found.findings)
    for read in reading.everywhere() if rendering.recomputed else ():
        for span in read.spans():
            if read.passage.line_at(span.start) in found.same:
                reading.tally.restate(read.passage, span)
