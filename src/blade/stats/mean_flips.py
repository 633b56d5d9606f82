"""Which single tasks probably changed, where rewards are not pass or fail: a ranking, never a test.

Differences d_i of task means are drawn towards 0 by what all tasks show (normal-normal empirical Bayes, Efron and Morris 1973): with
s² the pooled variance within tasks, d_i varies by v_i = s²(1/n_A + 1/n_B) when nothing changed, and τ² = max(0, mean(d²) − mean(v))
is what true changes add. Given d_i, the true change is normal with mean d_i τ²/(τ² + v_i) and variance τ² v_i/(τ² + v_i).
"""

import numpy as np
from numpy.typing import ArrayLike

from .counts import FloatArray
from .variance import known_variances


def probability_mean_better(
    means: tuple[ArrayLike, ArrayLike], variances: tuple[ArrayLike, ArrayLike], attempts: tuple[ArrayLike, ArrayLike]
) -> FloatArray | None:
    """P(mean of B > mean of A) for each task; None where no task has two attempts to show how rewards vary.

    Means, sample variances (ddof 1, NaN for one attempt) and attempts of the tasks that both runs scored.
    """
    centres = [np.asarray(of_run, dtype=np.float64) for of_run in means]
    tried = [np.asarray(of_run, dtype=np.float64) for of_run in attempts]
    known = np.concatenate([known_variances(of_run) for of_run in variances])
    if not known.size:
        return None
    from scipy.special import ndtr

    differences = centres[1] - centres[0]
    noise = float(known.mean()) * (1 / tried[0] + 1 / tried[1])
    true = max(0.0, float(np.mean(differences**2) - np.mean(noise)))
    if true == 0:
        return np.full(differences.size, 0.5)
    # mean/sd of the posterior: d·√(τ²/(v (τ² + v))); without noise the sign decides
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.where(differences == 0, 0.0, differences * np.sqrt(true / (noise * (true + noise))))
    return np.asarray(ndtr(score), dtype=np.float64)
