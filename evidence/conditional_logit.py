"""The weights that make the labelled turn of each rollout likeliest: a conditional logit (McFadden 1974) with a ridge penalty."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from blade.stats.counts import FloatArray

ROUNDS = 100
CLOSE = 1e-10


@dataclass(frozen=True, eq=False)
class Choice:
    """The cues of every turn of one rollout (turns × cues), and which of the turns was labelled."""

    cues: FloatArray
    chosen: int


def fit(choices: Sequence[Choice], penalty: float) -> FloatArray:
    """The penalised maximum likelihood by Newton's method; the penalty makes it unique, so where it starts does not matter."""
    weights = np.zeros(choices[0].cues.shape[1])
    for _ in range(ROUNDS):
        slope, curve = -penalty * weights, penalty * np.eye(weights.size)
        for choice in choices:
            chances = probabilities(choice.cues, weights)
            mean = chances @ choice.cues
            slope = slope + choice.cues[choice.chosen] - mean
            curve = curve + (choice.cues * chances[:, None]).T @ choice.cues - np.outer(mean, mean)
        move = np.linalg.solve(curve, slope)
        weights = weights + move
        if np.abs(move).max() < CLOSE:
            return weights
    raise ArithmeticError(f"the fit did not settle within {ROUNDS} rounds")


def probabilities(cues: FloatArray, weights: FloatArray) -> FloatArray:
    sums = cues @ weights
    raised = np.exp(sums - sums.max())
    return np.asarray(raised / raised.sum(), dtype=np.float64)
