"""Scores in words: percentages and points for pass rates, plain numbers for mean rewards. The metric decides, never the scale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

from blade.comparison.judging import PASS_AT_1

MINUS: Final = "−"


@dataclass(frozen=True, slots=True)
class Units:
    """How the scores of one pair are written; `rate` says that they are shares."""

    rate: bool

    @property
    def what(self) -> str:
        return "pass@1" if self.rate else "mean reward"

    @property
    def unit(self) -> str:
        return "points" if self.rate else "units of the reward"

    def score(self, value: float | None) -> str:
        if value is None or not isfinite(value):
            return "unknown"
        return f"{100 * value:.1f} %" if self.rate else f"{value:.4g}".replace("-", MINUS)

    def size(self, value: float | None) -> str:
        """Without a sign, with its unit."""
        if value is None:
            return "unknown"
        number = self._number(abs(value))
        return f"{number} {'point' if number == '1.0' else 'points'}" if self.rate else number

    def signed(self, value: float | None) -> str:
        if value is None:
            return "unknown"
        number = self._number(abs(value))
        return number if float(number) == 0 else f"{MINUS if value < 0 else '+'}{number}"

    def bare(self, value: float) -> str:
        """Without its unit, and with a sign only below 0."""
        return self.signed(value).removeprefix("+")

    def change(self, value: float | None) -> str:
        """Signed, with its unit."""
        return f"{self.signed(value)} points" if self.rate and value is not None else self.signed(value)

    def compared(self, value: float) -> str:
        """`4.3 points higher`."""
        return "the same" if float(self._number(abs(value))) == 0 else f"{self.size(value)} {'higher' if value > 0 else 'lower'}"

    def span(self, ci: Sequence[float] | None) -> str:
        return "no interval" if ci is None else f"{self.signed(ci[0])} to {self.signed(ci[1])}"

    def brackets(self, ci: Sequence[float] | None) -> str:
        return "[–]" if ci is None else f"[{self.signed(ci[0])}, {self.signed(ci[1])}]"

    def _number(self, value: float) -> str:
        return f"{100 * value:.1f}" if self.rate else f"{value:.3g}"


POINTS: Final = Units(rate=True)
REWARDS: Final = Units(rate=False)


def units_of(metric: str) -> Units:
    return POINTS if metric == PASS_AT_1 else REWARDS


def units(document: Mapping[str, Any]) -> Units:
    """Of a pair or a plan, by its metric."""
    return units_of(document["metric"])


def p_text(p_value: float) -> str:
    """A p-value as it is printed: two digits, and no more zeros than help."""
    if p_value < 1e-4:
        return "p < .0001"
    return "p = 1" if p_value > 0.995 else f"p = {p_value:.2g}".replace("= 0.", "= .")


def p_value(value: float | None) -> str:
    return "no p-value" if value is None else p_text(value)


def chance(probability: float | None) -> str:
    """A posterior probability: two digits, and never 0 or 1."""
    if probability is None or not isfinite(probability):
        return "unknown"
    return "< .01" if probability < 0.01 else "> .99" if probability > 0.99 else f"{probability:.2f}".removeprefix("0")
