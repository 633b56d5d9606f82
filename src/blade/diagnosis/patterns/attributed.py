"""Failures that the row itself lays on somebody: on the simulated user or the tools (IR), or on the assistant (BI).

Whoever judged saw more than a transcript shows, so this goes before what is guessed from the steps; the words are the judge's own and stand as a quote. Reward-aware:
such a judgement goes into the reward, so no gain is estimated from it.
"""

from collections.abc import Iterator
from typing import Final

from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.pattern import Pattern
from blade.diagnosis.views import TaskView

NOT_THE_AGENT: Final = Pattern(
    "laid_on_environment", "IR", "the row's own judge lays the failure on the simulated user or on the environment", 0.85
)
THE_AGENT: Final = Pattern("laid_on_agent", "BI", "the row's own judge lays the failure on a turn of the assistant", 0.7)
PATTERNS: Final = (NOT_THE_AGENT, THE_AGENT)
_SAID: Final = {"environment_blamed": NOT_THE_AGENT, "agent_blamed": THE_AGENT}


def attributed(view: TaskView) -> Iterator[Finding]:
    for rollout in view.failing:
        for signal in rollout.signals:
            pattern = _SAID.get(signal.code)
            if pattern is not None:
                yield pattern.found(
                    rollout,
                    subject=signal.subject,
                    step=signal.step,
                    quote=signal.quote,
                    detail=signal.detail,
                )
