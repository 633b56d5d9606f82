"""Scores in words: percentages and points for pass rates, plain numbers for mean rewards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from blade.comparison.verdict import p_text
from blade.reports.wording import percent

MINUS = "−"


@dataclass(frozen=True)
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
        return "unknown" if value is None else percent(value) if self.rate else f"{value:.4g}".replace("-", MINUS)

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

    def change(self, value: float | None) -> str:
        """Signed, with its unit."""
        return f"{self.signed(value)} points" if self.rate and value is not None else self.signed(value)

    def span(self, ci: Sequence[float] | None) -> str:
        return "no interval" if ci is None else f"{self.signed(ci[0])} to {self.signed(ci[1])}"

    def brackets(self, ci: Sequence[float] | None) -> str:
        return "[–]" if ci is None else f"[{self.signed(ci[0])}, {self.signed(ci[1])}]"

    def _number(self, value: float) -> str:
        return f"{100 * value:.1f}" if self.rate else f"{value:.3g}"


def units(pair: Mapping[str, Any]) -> Units:
    return Units(pair["metric"] == "pass_at_1")


def p_value(value: float | None) -> str:
    return "no p-value" if value is None else p_text(value)


def chance(probability: float | None) -> str:
    """A posterior probability: two digits, and never 0 or 1."""
    if probability is None:
        return "unknown"
    return "< .01" if probability < 0.01 else "> .99" if probability > 0.99 else f"{probability:.2f}".removeprefix("0")
