"""A finding: something that speaks for a cause of one rollout's failure, whoever found it.

Signals (one trajectory) and patterns (siblings, the whole run) meet here in one shape. `subject` names what it is about in the
run's own words (a tool, `tool.argument`, a field, a class of error); `(code, subject)` is the signature by which failing rollouts
are grouped into modes.
"""

from typing import Any

import msgspec

from blade.untrusted.redaction import redact


class Finding(msgspec.Struct, frozen=True):
    code: str
    label: str  # DA, IR, TI, BI, UK, KG
    subject: str
    task: str
    rollout: str
    step: int | None
    quote: str
    detail: str = ""
    weight: float = 0.5
    """How well this alone would explain the failure, from 0 (a symptom) to 1 (nothing else is needed), before any lift is known."""

    @property
    def signature(self) -> tuple[str, str]:
        return self.code, self.subject


def evidence(rollout: str, step: int | None, quote: str) -> dict[str, Any]:
    """Evidence as the contract has it."""
    text = redact(quote)
    return {"rollout": rollout, "step": step, "quote": text, "redacted": "[redacted:" in text}
