"""How much a finding explains: the catalogue's prior, moved by what the run itself shows.

Where a signal occurs in passing and failing repeats of the same tasks, its within-task lift says how much it costs. The lift is
shrunk towards the prior as if the prior were `PRIOR_TASKS` informative tasks, so a handful of repeats cannot make a harmless habit
into a cause, and a hundred can unmake one. An infrastructure error that the rollout got over explains nothing, whatever its class; one
that it did not get over explains how it ended (`CONSEQUENCES`), which then weighs little.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from msgspec.structs import replace

from blade.diagnosis.catalogue import entry
from blade.diagnosis.consequences import EXCUSED, EXPLAINED
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.conduct import leaf_values, parsed
from blade.diagnosis.views import CallRow, RolloutView, SignalRow
from blade.signals.wanted.comparison import target_of

PRIOR_TASKS = 10.0
GOT_OVER = 0.1
"""Weight of an infrastructure error after which the same thing worked."""
WENT_ON, FURTHER = 0.15, 3
"""The part of its weight that an infrastructure error has in a message, as of a simulated terminal, after which the rollout went on for so many steps: whether what it
tried then worked is not told, as it is of a call."""
CERTAIN = 1.0
CONSEQUENCES = frozenset(
    [
        "gave_up",
        "error_not_retried",
        "no_final_answer",
        "steps_exhausted",
        "endless_loop",
        "question_back",
        "handed_over",
        "action_declined",
        "action_missing",
        "action_partial",
    ]
)
"""What a rollout does when the machinery has failed it."""
UNRESOLVED = 0.45
NO_TOOL_NAMED, UNNAMED = "lookup_skipped", 0.35
"""A lookup of which the rollout does not tell with what tool it is made, and the part of its weight that it has then: siblings that know
name it (`patterns.lookups`), and where none does there may be nothing to look up."""
OWN = 0.92
"""Weight of a benchmark's own code, just above what the catalogue gives to behaviour."""
EXCUSABLE = frozenset(
    [
        "wrong_format",
        "limit_exceeded",
        "ungrounded_argument",
        "gold_damaged",
        "gold_already_true",
        "error_not_retried",
        "request_reversed",
        "gold_of_other_kind",
        "gold_breaks_form",
        "other_expectation",
        "call_not_parsed",
        "message_broken_off",
        "cut_below_limit",
        "prompt_damaged",
        "program_not_taken",
        "exception_given",
    ]
)
"""Codes of what is demanded of everybody or of nobody: where rollouts without it pass, nobody fails for it. A form is; and where a value can be
seen nowhere, passing rollouts work it out or know it too. So is odd gold that a verifier lets pass, and an error after which others pass."""
TOLERATED = 0.2
"""The share of rollouts with such a signal that pass from which on it is excused."""
POOLED = frozenset(["error_not_retried", "call_not_parsed"])
EVEN = 0.5
"""Codes that are excused whatever their subject where half of all rollouts with them pass: each tool has its own errors, and the habit is one."""
MISMATCH = "action_"
"""What the codes of calls that differ from the expected ones begin with."""


@dataclass(frozen=True)
class Lift:
    """Reward lost within tasks where the signal is present, and the tasks that could show it."""

    value: float
    informative: int


@dataclass(frozen=True)
class Weights:
    lifts: Mapping[tuple[str, str], Lift] = field(default_factory=dict)
    """By (code, subject), and by (code, "") for the code as a whole."""
    between: Mapping[tuple[str, str], Lift] = field(default_factory=dict)
    """By code: how much more often rollouts with the signal fail than those without, over all tasks. It mixes in the difficulty
    of the tasks, so it only takes weight away where no task has repeats with and without: what passing rollouts have as often
    explains no failure."""
    passing: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """By (code, subject): the share of the rollouts with the signal that pass."""
    own: frozenset[str] = frozenset()
    """Codes of the benchmark's own taxonomy: whoever wrote it knows better than the catalogue."""

    @cached_property
    def _known(self) -> dict[tuple[str, str], float]:
        """The weights that were asked for already: a run has many signals of few signatures."""
        return {}

    def of(self, code: str, subject: str) -> float:
        known = self._known.get((code, subject))
        if known is None:
            known = self._known[code, subject] = self._weighed(code, subject)
        return known

    def _weighed(self, code: str, subject: str) -> float:
        """The weight of a signature: its own lift shrunk towards that of its code, and that towards the prior.

        Calls that differ from the expected ones are weighed together: a rollout without one such difference mostly fails by another,
        so each alone would seem to cost nothing.
        """
        weight = OWN if code in self.own else entry(code).weight
        if code.startswith(MISMATCH):
            code, subject = MISMATCH, ""
        seen = False
        for key in ((code, ""), (code, subject)) if subject else ((code, ""),):
            lift = self.lifts.get(key)
            if lift is not None and lift.informative:
                weight = (lift.informative * max(lift.value, 0.0) + PRIOR_TASKS * weight) / (lift.informative + PRIOR_TASKS)
                seen = True
        rate = None if seen else self.between.get((code, ""))
        if rate is not None and rate.value < weight:
            weight = (rate.informative * max(rate.value, 0.0) + PRIOR_TASKS * weight) / (rate.informative + PRIOR_TASKS)
        if (code in EXCUSABLE and self.passing.get((code, subject), 0.0) >= TOLERATED) or (
            code in POOLED and self.passing.get((code, ""), 0.0) >= EVEN
        ):
            weight *= EXCUSED
        return min(weight, CERTAIN)

    def read(self, view: RolloutView) -> list[Finding]:
        """The signals of a rollout as findings, the heaviest first."""
        found = _with_consequences([self._finding(view, signal) for signal in view.signals])
        return sorted(found, key=lambda finding: (-finding.weight, _place(finding.step), finding.code, finding.subject))

    def _finding(self, view: RolloutView, signal: SignalRow) -> Finding:
        weight = self.of(signal.code, signal.subject)
        if signal.code == NO_TOOL_NAMED and not signal.subject:
            weight *= UNNAMED
        if signal.label == "IR":
            weight = GOT_OVER if got_over(view, signal.step) else weight * (WENT_ON if _went_on(view, signal.step) else 1.0)
        return Finding(
            signal.code, signal.label, signal.subject, view.task, view.rollout, signal.step, signal.quote, signal.detail, weight
        )


def _with_consequences(found: list[Finding]) -> list[Finding]:
    """The findings, with less weight for what follows from an infrastructure error that was not got over."""
    failed = [finding for finding in found if finding.label == "IR" and finding.weight >= UNRESOLVED]
    if not failed:
        return found
    first = min(_place(finding.step) for finding in failed)
    return [
        replace(finding, weight=EXPLAINED * finding.weight)
        if finding.code in CONSEQUENCES and (finding.step is None or finding.step >= first)
        else finding
        for finding in found
    ]


def _went_on(view: RolloutView, step: int | None) -> bool:
    """Whether an error stood in a message, and the work went on after it."""
    if step is None or step < 0 or any(step in (call.step, call.output_step) for call in view.calls):
        return False
    return view.steps - 1 - step >= FURTHER


def got_over(view: RolloutView, step: int | None) -> bool:
    """Whether what failed at a step worked later: the same call again, another lookup with its tool, a change of the same record.

    Where the rollout gave up, a last try that was answered somehow is no success: it says itself that it was none.
    """
    if step is None:
        return False
    hit = next((call for call in view.calls if step in (call.step, call.output_step)), None)
    if hit is None:
        return False
    worked = [
        call
        for call in view.calls
        if call.step > hit.step and call.name == hit.name and call.error_class is None and call.output_step is not None
    ]
    if any(signal.code == "gave_up" for signal in view.signals) and worked:
        worked = [call for call in worked if call is not view.calls[-1]]
    return any(call.arguments == hit.arguments or _stands_for(call, hit) for call in worked)


def _stands_for(call: CallRow, hit: CallRow) -> bool:
    """Whether a later call of the same tool does what the failed one was to do; of a shell nobody knows."""
    if call.mutation != "change":
        return call.mutation == "read"
    meant, made = parsed(hit.arguments) or {}, parsed(call.arguments) or {}
    record = target_of(hit.name, meant)
    if record is not None:
        return bool(meant[record] == made.get(record))
    given = leaf_values(hit.arguments)
    return 2 * sum(leaf in leaf_values(call.arguments) for leaf in given) > len(given)


def _place(step: int | None) -> int:
    return -1 if step is None else step
