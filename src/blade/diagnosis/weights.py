"""How much a finding explains: the catalogue's prior, moved by what the run itself shows.

Where a signal occurs in passing and failing repeats of the same tasks, its within-task lift says how much it costs. The lift is
shrunk towards the prior as if the prior were `PRIOR_TASKS` informative tasks, so a handful of repeats cannot make a harmless habit
into a cause, and a hundred can unmake one. An infrastructure error that the rollout got over explains nothing, whatever its class.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from blade.diagnosis.catalogue import entry
from blade.diagnosis.findings import Finding
from blade.diagnosis.views import RolloutView, SignalRow

PRIOR_TASKS = 10.0
GOT_OVER = 0.1
"""Weight of an infrastructure error after which the same thing worked."""
CERTAIN = 1.0
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
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels that the benchmark's own rules give to codes."""

    def of(self, code: str, subject: str) -> float:
        """The weight of a signature: its own lift shrunk towards that of its code, and that towards the prior.

        Calls that differ from the expected ones are weighed together: a rollout without one such difference mostly fails by another,
        so each alone would seem to cost nothing.
        """
        weight = entry(code).weight
        if code.startswith(MISMATCH):
            code, subject = MISMATCH, ""
        for key in ((code, ""), (code, subject)) if subject else ((code, ""),):
            lift = self.lifts.get(key)
            if lift is not None and lift.informative:
                weight = (lift.informative * max(lift.value, 0.0) + PRIOR_TASKS * weight) / (lift.informative + PRIOR_TASKS)
        return min(weight, CERTAIN)

    def read(self, view: RolloutView) -> list[Finding]:
        """The signals of a rollout as findings, the heaviest first."""
        found = [self._finding(view, signal) for signal in view.signals]
        return sorted(found, key=lambda finding: (-finding.weight, _place(finding.step), finding.code, finding.subject))

    def _finding(self, view: RolloutView, signal: SignalRow) -> Finding:
        weight = self.of(signal.code, signal.subject)
        if signal.label == "IR":
            weight = GOT_OVER if got_over(view, signal.step) else max(weight, entry(signal.code).weight)
        label = self.labels.get(signal.code, signal.label)
        return Finding(
            signal.code, label, signal.subject, view.task, view.rollout, signal.step, signal.quote, signal.detail, weight
        )


def got_over(view: RolloutView, step: int | None) -> bool:
    """Whether what failed at a step worked later: the same call again, or another of a tool that does one thing."""
    if step is None:
        return False
    hit = next((call for call in view.calls if step in (call.step, call.output_step)), None)
    if hit is None:
        return False
    return any(
        call.step > hit.step
        and call.name == hit.name
        and call.error_class is None
        and call.output_step is not None
        and (call.arguments == hit.arguments or call.mutation != "unknown")
        for call in view.calls
    )


def _place(step: int | None) -> int:
    return -1 if step is None else step
