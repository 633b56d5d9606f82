"""The numbers of a run: pure functions over per-task counts, each with its textbook name and its source.

Rooms: `repeats` (pass@k, pass^k), `majority`, `intervals`, `rewards`, `variance`, `missing`, `buckets`, `summary`, `detectable`, `multiple`,
`within_task` (with its `_test` and `_bootstrap`), `lift`, `gain`, `gain_ranking`, `slice_test`.
Nothing here reads files. numpy is imported with the package, scipy only inside the functions that need a quantile.
"""

from .buckets import Buckets, buckets
from .detectable import Detectable, detectable_mean, detectable_rate, minimum_detectable_effect
from .errors import ImpossibleCounts, StatsError, TooFewAttempts
from .gain import Gain, OracleGain, gain, oracle_gain
from .gain_ranking import Ranking, rankings, shrunken
from .intervals import Interval, clustered_standard_error, mean_interval, rate_interval, task_means
from .lift import Lift, lift
from .majority import expected_majority_at_k, majority_at_k, plurality_score
from .mcnemar import mcnemar_power
from .missing import MissingRows, missing_rows
from .multiple import benjamini_hochberg, holm
from .repeats import TaskMean, pass_at_k, pass_hat_k
from .rewards import two_valued_interval
from .slice_test import SliceTest, slice_test
from .summary import RetryValue, best_reward_oracle, consistency, coverage, modal_repeats, oracle, retry_value
from .variance import VarianceSplit, binary_variances, rate_variance_split, variance_split, within_variance
from .within_task import Split, mantel_haenszel, split, split_rows
from .within_task_bootstrap import Resampled, expected_gain, resample
from .within_task_test import WithinTaskTest, within_task_test

__all__ = [
    "Buckets",
    "Detectable",
    "Gain",
    "ImpossibleCounts",
    "Interval",
    "Lift",
    "MissingRows",
    "OracleGain",
    "Ranking",
    "Resampled",
    "RetryValue",
    "SliceTest",
    "Split",
    "StatsError",
    "TaskMean",
    "TooFewAttempts",
    "VarianceSplit",
    "WithinTaskTest",
    "benjamini_hochberg",
    "best_reward_oracle",
    "binary_variances",
    "buckets",
    "clustered_standard_error",
    "consistency",
    "coverage",
    "detectable_mean",
    "detectable_rate",
    "expected_gain",
    "expected_majority_at_k",
    "gain",
    "holm",
    "lift",
    "majority_at_k",
    "mantel_haenszel",
    "mcnemar_power",
    "mean_interval",
    "minimum_detectable_effect",
    "missing_rows",
    "modal_repeats",
    "oracle",
    "oracle_gain",
    "pass_at_k",
    "pass_hat_k",
    "plurality_score",
    "rankings",
    "rate_interval",
    "rate_variance_split",
    "resample",
    "retry_value",
    "shrunken",
    "slice_test",
    "split",
    "split_rows",
    "task_means",
    "two_valued_interval",
    "variance_split",
    "within_task_test",
    "within_variance",
]
