"""The numbers of a run: pure functions over per-task counts, each with its textbook name and its source.

Rooms: `repeats` (pass@k, pass^k), `majority`, `intervals`, `rewards`, `variance`, `missing`, `buckets`, `summary`, `detectable`, `multiple`.
Nothing here reads files. numpy is imported with the package, scipy only inside the functions that need a quantile.
"""

from .buckets import Buckets, buckets
from .detectable import Detectable, detectable_mean, detectable_rate, minimum_detectable_effect
from .errors import ImpossibleCounts, StatsError, TooFewAttempts
from .intervals import Interval, clustered_standard_error, mean_interval, rate_interval, task_means
from .majority import expected_majority_at_k, majority_at_k, plurality_score
from .mcnemar import mcnemar_power
from .missing import MissingRows, missing_rows
from .multiple import benjamini_hochberg, holm
from .repeats import TaskMean, pass_at_k, pass_hat_k
from .rewards import two_valued_interval
from .summary import RetryValue, best_reward_oracle, consistency, coverage, modal_repeats, oracle, retry_value
from .variance import VarianceSplit, binary_variances, rate_variance_split, variance_split, within_variance

__all__ = [
    "Buckets",
    "Detectable",
    "ImpossibleCounts",
    "Interval",
    "MissingRows",
    "RetryValue",
    "StatsError",
    "TaskMean",
    "TooFewAttempts",
    "VarianceSplit",
    "benjamini_hochberg",
    "best_reward_oracle",
    "binary_variances",
    "buckets",
    "clustered_standard_error",
    "consistency",
    "coverage",
    "detectable_mean",
    "detectable_rate",
    "expected_majority_at_k",
    "holm",
    "majority_at_k",
    "mcnemar_power",
    "mean_interval",
    "minimum_detectable_effect",
    "missing_rows",
    "modal_repeats",
    "oracle",
    "pass_at_k",
    "pass_hat_k",
    "plurality_score",
    "rate_interval",
    "rate_variance_split",
    "retry_value",
    "task_means",
    "two_valued_interval",
    "variance_split",
    "within_variance",
]
