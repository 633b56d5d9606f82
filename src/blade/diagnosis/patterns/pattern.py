"""A pattern: what only siblings or the whole run can show, with its code, the cause it speaks for and how far it explains a failure.

*Reward-aware* patterns look at who passed. They exist only on failing (or only on passing) rollouts by construction, so a lift or
a gain estimated from them would be circular; where a pattern has a reward-blind counterpart, that is given as SQL (`lookups.decided_without`).
"""

from dataclasses import dataclass

from blade.diagnosis.findings import Finding
from blade.diagnosis.views import RolloutView


@dataclass(frozen=True, slots=True)
class Pattern:
    code: str
    label: str  # DA, IR, TI, BI, UK, KG
    meaning: str
    weight: float
    """How well it alone would explain a failure, from 0 to 1, where its evidence is complete."""
    reward_aware: bool = True

    def found(
        self,
        where: RolloutView,
        *,
        step: int | None = None,
        quote: str = "",
        detail: str = "",
        subject: str = "",
        weight: float | None = None,
    ) -> Finding:
        """This pattern in one rollout."""
        believed = self.weight if weight is None else weight
        return Finding(self.code, self.label, subject, where.task, where.rollout, step, quote, detail, believed)
