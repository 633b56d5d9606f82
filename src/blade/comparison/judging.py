"""One rule for all runs of a comparison: when a rollout passes, and what a row is worth.

Each run alone finds its rule from its own rewards, and two runs may find different ones. A rate that means two things is no
difference: so the runs are judged by one rule, found from the rewards of all of them, and where that changes what a run would have
said of itself, a limit says so. A threshold that was given wins; of several the baseline's.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from blade.comparison.letters import letter
from blade.errors import UsageError
from blade.runs.pass_rule import TOLERANCE, PassRule, RewardShape, pass_rule
from blade.runs.run import Run

PASS_AT_1: Final = "pass_at_1"  # noqa: S105 (a metric, no password)
MEAN_REWARD: Final = "mean_reward"
METRICS: Final = (PASS_AT_1, MEAN_REWARD)


@dataclass(frozen=True)
class Limit:
    """Something that bounds what a comparison can say: a code for scripts, a sentence for people."""

    code: str
    message: str


@dataclass(frozen=True)
class Judging:
    """The metric, the rule behind it, and whether the rewards of the runs are on one scale."""

    metric: str
    rule: PassRule
    limits: tuple[Limit, ...] = ()
    same_scale: bool = True
    signs_mapped: bool = False
    """Rewards of −1 and 1 count as 0 and 1, because other runs are on that scale."""
    span: float = 1.0
    """The range of the metric over all runs: 1 for a rate, the highest minus the lowest reward for a mean."""

    def score(self, run: Run) -> str:
        """SQL over `rollouts`: what a scored row is worth by the metric."""
        if self.metric == PASS_AT_1:
            return f"CAST({run.passes} AS DOUBLE)"
        return "(reward + 1) / 2" if self.signs_mapped and _only_signed(run.reward_shape) else "reward"


def judge(runs: Sequence[Run], metric: str | None = None) -> Judging:
    """Settle the rule and the metric, and let every run be judged by that rule."""
    if metric not in (None, *METRICS):
        raise UsageError(f"{metric} is no metric", hint=f"give one of {', '.join(METRICS)}")
    rule, limits = _one_rule(runs)
    if metric == PASS_AT_1 and not rule.decides:
        raise UsageError(
            "no rule says which rewards pass in all of these runs", hint="give --pass-threshold or compare by mean_reward"
        )
    chosen = metric or (PASS_AT_1 if rule.decides else MEAN_REWARD)
    mapped, same, scale_limits = _scale(runs) if chosen == MEAN_REWARD else (False, True, [])
    span = 1.0 if chosen == PASS_AT_1 or mapped else _span(runs)
    return Judging(chosen, rule, (*limits, *scale_limits), same, mapped, span)


def _span(runs: Sequence[Run]) -> float:
    shapes = [run.reward_shape for run in runs if run.reward_shape.count]
    lows, highs = (
        [shape.low for shape in shapes if shape.low is not None],
        [shape.high for shape in shapes if shape.high is not None],
    )
    wide = max(highs) - min(lows) if lows else 0.0
    return min(wide, sys.float_info.max) or 1.0


def _one_rule(runs: Sequence[Run]) -> tuple[PassRule, list[Limit]]:
    if any(run.pass_rule.condition is not None for run in runs):
        return runs[0].pass_rule, _own_conditions(runs)
    thresholds = [run.pass_threshold for run in runs if run.pass_threshold is not None]
    if thresholds:
        rule = PassRule("threshold", thresholds[0], next(run for run in runs if run.pass_threshold is not None).threshold_source)
    else:
        rule = _from_rewards(runs)
    judged_otherwise = [run for run in runs if run.reward_shape.count and run.pass_rule.sql != rule.sql]
    limits = []
    if judged_otherwise and rule.decides:
        itself = "themselves" if len(runs) > 2 and len(judged_otherwise) > 1 else "itself"
        message = f"all runs are judged by one rule, {rule.words}; by {itself} {_sides(runs, judged_otherwise)} would be judged by {judged_otherwise[0].pass_rule.words}"
        limits.append(Limit("one_pass_rule", message))
    elif judged_otherwise:
        message = f"no one rule fits the rewards of all runs ({_ranges(runs)}): they are compared by mean reward; give --pass-threshold for pass rates"
        limits.append(Limit("no_common_pass_rule", message))
    kinds = {run.pass_rule.kind for run in runs if run.reward_shape.count}
    if not judged_otherwise and kinds == {"binary", "full_reward"}:
        partial = [run for run in runs if run.pass_rule.kind == "full_reward"]
        limits.append(Limit("partial_rewards_on_one_side", _partial(runs, partial)))
    for run in runs:
        if run.pass_rule.sql != rule.sql:
            run.judge_by(rule)
    return rule, limits


def _partial(runs: Sequence[Run], partial: Sequence[Run]) -> str:
    if len(runs) == 2:
        return f"{_sides(runs, partial)} gives partial rewards and the other run does not; a full reward of 1 passes in both"
    give = "gives" if len(partial) == 1 else "give"
    return f"of the runs only {_sides(runs, partial)} {give} partial rewards; a full reward of 1 passes in all"


def _from_rewards(runs: Sequence[Run]) -> PassRule:
    """The rule that the rewards of all runs together lead to."""
    shapes = [run.reward_shape for run in runs if run.reward_shape.count]
    if not shapes:
        return pass_rule(runs[0].reward_shape)
    if all(shape.binary or shape.signed for shape in shapes):
        return PassRule("binary", 1.0, "rewards")
    together = RewardShape(
        sum(shape.count for shape in shapes),
        min(shape.low for shape in shapes if shape.low is not None),
        max(shape.high for shape in shapes if shape.high is not None),
        binary=False,
        signed=False,
    )
    return pass_rule(together)


def _own_conditions(runs: Sequence[Run]) -> list[Limit]:
    """A benchmark's own condition was put to each run; a run without it keeps the rule that it has."""
    without = [run for run in runs if run.pass_rule.condition is None]
    if not without:
        return []
    message = f"{_sides(runs, without)} {'is' if len(without) == 1 else 'are'} judged by {without[0].pass_rule.words}, the others by the benchmark's own rule: a difference may be the rule's"
    return [Limit("pass_rules_differ", message)]


def _scale(runs: Sequence[Run]) -> tuple[bool, bool, list[Limit]]:
    """Whether −1/1 is mapped to 0/1, whether the scales are one, and what is to be said of them."""
    shapes = [run.reward_shape for run in runs if run.reward_shape.count]
    signed = [_only_signed(shape) for shape in shapes]
    others = [shape for shape, is_signed in zip(shapes, signed, strict=True) if not is_signed]
    if any(signed) and others and not all(shape.binary and shape.signed for shape in others):
        if all(_within_unit(shape) for shape in others):
            mapped = [run for run in runs if _only_signed(run.reward_shape)]
            which, whose = ("on one side", "other") if len(runs) == 2 else (f"of {_sides(runs, mapped)}", "others")
            message = f"rewards of −1 and 1 {which} count as 0 and 1, the scale of the {whose} ({_ranges(runs)})"
            return True, True, [Limit("signed_rewards_mapped", message)]
        return False, False, [_scales_differ(runs)]
    within = {_within_unit(shape) for shape in shapes} if not any(signed) else {True}
    return False, len(within) == 1, [_scales_differ(runs)] if len(within) > 1 else []


def _scales_differ(runs: Sequence[Run]) -> Limit:
    message = (
        f"the rewards of the runs may not be on one scale ({_ranges(runs)}): the difference of their means may be the scale's"
    )
    return Limit("reward_scales_differ", message)


def _only_signed(shape: RewardShape) -> bool:
    return shape.signed and not shape.binary


def _within_unit(shape: RewardShape) -> bool:
    return shape.low is not None and shape.high is not None and shape.low >= -TOLERANCE and shape.high <= 1 + TOLERANCE


def _ranges(runs: Sequence[Run]) -> str:
    shapes = [run.reward_shape for run in runs]
    return ", ".join(
        "no rewards" if shape.low is None or shape.high is None else f"{shape.low:g} to {shape.high:g}" for shape in shapes
    )


def _sides(runs: Sequence[Run], some: Sequence[Run]) -> str:
    """Runs by their letters."""
    return " and ".join(letter(place) for place, run in enumerate(runs) if run in some)
