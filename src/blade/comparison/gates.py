"""What a verdict means for a gate: 0 lets the change through, 1 stops it, 3 says that it cannot be decided.

With several pairs the worst counts: a stop before a doubt, a doubt before a pass.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from blade.errors import Exit

REGRESSED: Final = "regressed"
NOT_IMPROVED: Final = "not-improved"
NOT_EQUIVALENT: Final = "not-equivalent"
GATES: Final = (REGRESSED, NOT_IMPROVED, NOT_EQUIVALENT)

_UNTOLD: Final = {"inconclusive": Exit.NOT_DECIDABLE, "not_comparable": Exit.NOT_DECIDABLE}
_CODES: Final[Mapping[str, Mapping[str, Exit]]] = {
    REGRESSED: {"regressed": Exit.FELL_SHORT, "not_comparable": Exit.NOT_DECIDABLE},
    NOT_IMPROVED: {"regressed": Exit.FELL_SHORT, "equivalent": Exit.FELL_SHORT, **_UNTOLD},
    NOT_EQUIVALENT: {"regressed": Exit.FELL_SHORT, "improved": Exit.FELL_SHORT, **_UNTOLD},
}
_WORST_FIRST: Final = (Exit.FELL_SHORT, Exit.NOT_DECIDABLE, Exit.FINE)


@dataclass(frozen=True)
class Decision:
    """The exit code, and the place of the pair that it is owed to."""

    code: Exit
    pair: int


def decide(gate: str, verdicts: Sequence[str]) -> Decision:
    """The gate's decision on the verdicts of one or more pairs."""
    codes = [_CODES[gate].get(verdict, Exit.FINE) for verdict in verdicts]
    worst = min(codes, key=_WORST_FIRST.index)
    return Decision(worst, codes.index(worst))
