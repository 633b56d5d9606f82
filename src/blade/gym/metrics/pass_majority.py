"""The reference's own pass@k, average and majority figures, as several servers' aggregate files hold them: all ×100.

This is compatibility, not our estimate (`estimates` has that): the columns of one file may speak of different sets of tasks
(pass@k leaves out tasks with fewer than k rollouts, the averages keep them), pass@k of partial scores depends on the order of the
rollouts, and `…_across_runs` is a spread between repeats, not a standard error over tasks. For k = 1 … K, K the most rollouts:

    pass@k/<score>              1 - C(w,k)/C(n,k), w zeros among n scores, where all are 0 or 1; else the best of the first k
    pass@1[avg-of-k]/<score>    mean of the first k; with /std_dev_across_runs and /std_err_across_runs for k ≥ 2
    majority@k/<score>          with an answer field only: score of the most common (answer, score) of the first k, ties averaged
    per_sample_aggregate        {score: [mean over tasks of the i-th rollout]}
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import comb, sqrt
from statistics import fmean, stdev
from typing import Any

Scores = Sequence[float]
Answers = Sequence[Hashable | None]
NO_ANSWER = "no_answer"


def pass_majority(scores: dict[str, list[Scores]], answers: Mapping[str, list[Answers]] | None = None) -> dict[str, Any]:
    """All figures by score name: every task is the list of its rollouts' scores in order, with the answers that earned them."""
    found: dict[str, Any] = {}
    samples = {name: per_sample(tasks) for name, tasks in scores.items()}
    for k in range(1, max((len(task) for tasks in scores.values() for task in tasks), default=0) + 1):
        for name, tasks in scores.items():
            if enough := [pass_at_k(task, k) for task in tasks if len(task) >= k]:
                found[f"pass@{k}/{name}"] = 100.0 * fmean(enough)
            if averages := [fmean(task[:k]) for task in tasks if task]:
                found[f"pass@1[avg-of-{k}]/{name}"] = 100.0 * fmean(averages)
            if k >= 2 and len(samples[name]) >= k:
                spread = stdev(samples[name][:k])
                found[f"pass@1[avg-of-{k}]/{name}/std_dev_across_runs"] = spread
                found[f"pass@1[avg-of-{k}]/{name}/std_err_across_runs"] = spread / sqrt(k)
            if answers and name in answers and tasks:
                voted = [majority(said[:k], task[:k]) for said, task in zip(answers[name], tasks, strict=True)]
                found[f"majority@{k}/{name}"] = 100.0 * fmean(voted)
    return found | {"per_sample_aggregate": samples}


def pass_at_k(scores: Scores, k: int) -> float:
    """Unbiased for scores of 0 and 1 (Chen et al. 2021), else the best of the first k."""
    if all(score in (0, 1) for score in scores):
        failed = sum(score == 0 for score in scores)
        return 1.0 - comb(failed, k) / comb(len(scores), k)
    return max(scores[:k])


def majority(answers: Answers, scores: Scores) -> float:
    """Mean score of the most common (answer, score) pairs; 0 when nobody answered."""
    votes = Counter((answer, score) for answer, score in zip(answers, scores, strict=True) if answer is not None)
    most = max(votes.values(), default=0)
    winners = [score for (_, score), count in votes.items() if count == most]
    return fmean(winners) if winners else 0.0


def per_sample(tasks: Iterable[Scores]) -> list[float]:
    """100 × the mean over tasks of the i-th rollout, for every i that a task has."""
    listed = list(tasks)
    longest = max(map(len, listed), default=0)
    return [100.0 * fmean(task[i] for task in listed if len(task) > i) for i in range(longest)]
