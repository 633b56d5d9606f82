"""The numbers of a run: pure functions over per-task counts, each with its textbook name and its source.

Rooms: `repeats` (pass@k, pass^k), `majority`, `intervals`, `rewards`, `variance`, `missing`, `buckets`, `summary`, `detectable`, `multiple`,
`within_task` (with its `_test` and `_bootstrap`), `lift`, `gain`, `gain_ranking`, `slice_test`. Two runs: `paired`, `sign_flip`,
`on_this_benchmark`, `detectable_pair`, `transitions`, `shrinkage`, `flips`; runs yet to be made: `power`, `planning`.
Nothing here reads files. numpy is imported with the package, scipy only inside the functions that need a quantile.
"""

from .buckets import Buckets, buckets
from .detectable import Detectable, detectable_mean, detectable_rate, minimum_detectable_effect
from .detectable_pair import detectable_difference, detectable_difference_of_rates
from .errors import ImpossibleCounts, StatsError, TooFewAttempts
from .flips import Flips, flips
from .gain import Gain, OracleGain, gain, oracle_gain
from .gain_ranking import Ranking, rankings, shrunken
from .intervals import Interval, clustered_standard_error, mean_interval, rate_interval, task_means
from .lift import Lift, lift
from .majority import expected_majority_at_k, majority_at_k, plurality_score
from .mcnemar import mcnemar_power
from .mean_flips import probability_mean_better
from .missing import MissingRows, missing_rows
from .multiple import benjamini_hochberg, holm
from .on_this_benchmark import OnThisBenchmark, means_on_this_benchmark, rates_on_this_benchmark
from .paired import bootstrap_interval, equivalence_interval, pair_repeats, paired_interval, rate_differences
from .planning import Option, benchmark_like, option, options, tasks_needed
from .power import Benchmark, equivalence_chance, paired_effect, paired_power
from .repeats import TaskMean, pass_at_k, pass_hat_k
from .rewards import two_valued_interval
from .selected_change import SelectedChange, selected_change
from .shrinkage import RatePrior, rate_prior, within_variances
from .sign_flip import SignFlipTest, mcnemar_p_value, sign_flip_rates, sign_flip_test
from .slice_test import SliceTest, slice_test
from .summary import RetryValue, best_reward_oracle, consistency, coverage, modal_repeats, oracle, retry_value
from .transitions import Transitions, transitions
from .variance import VarianceSplit, binary_variances, rate_variance_split, variance_split, within_variance
from .within_task import Split, mantel_haenszel, split, split_rows
from .within_task_bootstrap import Resampled, expected_gain, resample
from .within_task_test import WithinTaskTest, within_task_test

__all__ = [
    "Benchmark",
    "Buckets",
    "Detectable",
    "Flips",
    "Gain",
    "ImpossibleCounts",
    "Interval",
    "Lift",
    "MissingRows",
    "OnThisBenchmark",
    "Option",
    "OracleGain",
    "Ranking",
    "RatePrior",
    "Resampled",
    "RetryValue",
    "SelectedChange",
    "SignFlipTest",
    "SliceTest",
    "Split",
    "StatsError",
    "TaskMean",
    "TooFewAttempts",
    "Transitions",
    "VarianceSplit",
    "WithinTaskTest",
    "benchmark_like",
    "benjamini_hochberg",
    "best_reward_oracle",
    "binary_variances",
    "bootstrap_interval",
    "buckets",
    "clustered_standard_error",
    "consistency",
    "coverage",
    "detectable_difference",
    "detectable_difference_of_rates",
    "detectable_mean",
    "detectable_rate",
    "equivalence_chance",
    "equivalence_interval",
    "expected_gain",
    "expected_majority_at_k",
    "flips",
    "gain",
    "holm",
    "lift",
    "majority_at_k",
    "mantel_haenszel",
    "mcnemar_p_value",
    "mcnemar_power",
    "mean_interval",
    "means_on_this_benchmark",
    "minimum_detectable_effect",
    "missing_rows",
    "modal_repeats",
    "option",
    "options",
    "oracle",
    "oracle_gain",
    "pair_repeats",
    "paired_effect",
    "paired_interval",
    "paired_power",
    "pass_at_k",
    "pass_hat_k",
    "plurality_score",
    "probability_mean_better",
    "rankings",
    "rate_differences",
    "rate_interval",
    "rate_prior",
    "rate_variance_split",
    "rates_on_this_benchmark",
    "resample",
    "retry_value",
    "selected_change",
    "shrunken",
    "sign_flip_rates",
    "sign_flip_test",
    "slice_test",
    "split",
    "split_rows",
    "task_means",
    "tasks_needed",
    "transitions",
    "two_valued_interval",
    "variance_split",
    "within_task_test",
    "within_variance",
    "within_variances",
]
