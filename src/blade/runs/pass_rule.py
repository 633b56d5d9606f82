"""When a rollout passes.

A threshold that was given decides; else rewards within {0, 1} or {−1, 1} pass at 1; else rewards within [0, 1] of which some
reach 1 pass at full reward; else there is no rule, and only mean rewards are reported until someone gives a threshold.
"""

from dataclasses import dataclass

TOLERANCE = 1e-6


@dataclass(frozen=True)
class PassRule:
    kind: str  # binary, full_reward, threshold, none
    threshold: float | None
    source: str  # flag, package, rewards
    condition: str | None = None
    """SQL over a row of `rollouts` that decides instead of a least reward: a benchmark's own rule."""

    @property
    def decides(self) -> bool:
        return self.kind != "none"

    @property
    def sql(self) -> str:
        """SQL that is true for a row that passes; NULL where there is no rule."""
        if self.condition is not None:
            return f"coalesce(({self.condition}), false)"
        return f"(reward >= {self.least!r})" if self.decides else "CAST(NULL AS BOOLEAN)"

    @property
    def words(self) -> str:
        """What it takes to pass, in a few words."""
        if self.condition is not None:
            return "the benchmark's own rule"
        return f"a reward of at least {self.threshold:g}" if self.decides else "no rule"

    @property
    def least(self) -> float:
        """The least reward that passes, with room for rounding."""
        if self.threshold is None:
            raise ValueError("there is no pass rule")
        return self.threshold - TOLERANCE


@dataclass(frozen=True)
class RewardShape:
    """What the rewards of a run look like, as far as the rule needs it."""

    count: int
    low: float | None
    high: float | None
    binary: bool  # all within {0, 1}
    signed: bool  # all within {−1, 1}


def out_of_reach(shape: RewardShape, threshold: float | None) -> str | None:
    """What to tell of a threshold that no reward of the run reaches."""
    if threshold is None or shape.high is None or shape.high >= threshold - TOLERANCE:
        return None
    return f"nothing can pass: the threshold is {threshold:g} and the highest reward is {shape.high:g}"


def pass_rule(shape: RewardShape, threshold: float | None = None, source: str = "flag") -> PassRule:
    if threshold is not None:
        return PassRule("threshold", threshold, source)
    if shape.count and (shape.binary or shape.signed):
        return PassRule("binary", 1.0, "rewards")
    if (
        shape.count
        and shape.low is not None
        and shape.high is not None
        and shape.low >= -TOLERANCE
        and abs(shape.high - 1) <= TOLERANCE
    ):
        return PassRule("full_reward", 1.0, "rewards")
    return PassRule("none", None, "rewards")
