"""One line of a validation: what was looked at, whether it holds, where, and what to do where it does not."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from blade.untrusted.quotes import clean

Phase = Literal["skill", "rollouts", "golden"]
PHASES: Final[tuple[Phase, ...]] = ("skill", "rollouts", "golden")


@dataclass(frozen=True)
class Check:
    id: str
    phase: Phase
    ok: bool
    message: str
    path: str
    fix: str = ""
    """Empty where nothing is to be fixed."""
    line: int | None = None

    @property
    def place(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


def passed(id: str, phase: Phase, message: str, path: Path) -> Check:
    return Check(id, phase, True, clean(message), str(path))


def failed(id: str, phase: Phase, message: str, path: Path, fix: str, line: int | None = None) -> Check:
    return Check(id, phase, False, clean(message), str(path), fix, line)


def as_json(checks: Sequence[Check]) -> dict[str, Any]:
    """The contract's keys; `passed` and `failed` are counts."""
    holds = sum(check.ok for check in checks)
    listed = [
        {
            "id": check.id,
            "phase": check.phase,
            "ok": check.ok,
            "message": check.message,
            "path": check.path,
            "line": check.line,
            "fix": check.fix or None,
        }
        for check in checks
    ]
    return {"passed": holds, "failed": len(checks) - holds, "checks": listed}
