"""The kinds of fault that nothing was tuned on, in environments that nothing was tuned on; beside each stands what in a run tells its label."""

from __future__ import annotations

from typing import Final

from blade.lab.faults.kind import NEARLY, PARTLY, SHAKY, SOME, WHOLE, Kind

HELD_OUT: Final[tuple[Kind, ...]] = (
)  # fmt: skip
