"""What a kind of fault is, where kinds fit, and how they strike the repeats of a task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SEVERITIES: Final = ("mild", "severe")
ALL: Final = 99
"""Strikes: as many repeats as there are."""

EVERYWHERE: Final = ("records", "code", "questions", "dialogue", "terminal", "warehouse", "observatory", "museum")
TOOLS: Final = ("records", "code", "dialogue", "terminal", "warehouse", "observatory", "museum")
ERRANDS: Final = ("records", "dialogue", "warehouse", "observatory", "museum")
SANDBOXES: Final = ("code", "terminal")


@dataclass(frozen=True)
class Kind:
    name: str
    label: str
    means: str
    environments: tuple[str, ...]
    mild: tuple[int, int]
    """The least and most repeats of a task that it strikes when mild."""
    severe: tuple[int, int]
    held_out: bool = False

    def strikes(self, severity: str) -> tuple[int, int]:
        return self.mild if severity == "mild" else self.severe


SOME: Final = ((1, 2), (2, 4))
PARTLY: Final = ((1, 2), (2, 3))
"""As some, but never all of four: a sibling shows how it is done."""
WHOLE: Final = ((ALL, ALL), (ALL, ALL))
NEARLY: Final = ((ALL - 1, ALL - 1), (ALL, ALL))
SHAKY: Final = ((1, 1), (2, 2))
"""One or two of four go wrong, so that knowing is seen beside not knowing."""
