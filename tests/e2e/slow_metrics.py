"""The figures of a run computed again, slowly and from the rows alone: subsets are listed one by one, votes are counted by hand."""

import math
from itertools import combinations
from typing import Any

Row = dict[str, Any]


def numbers_of(row: Row, *, usage_wins: bool) -> dict[str, float]:
    own = {key: value for key, value in row.items() if isinstance(value, bool | int | float) and not key.startswith("_ng_")}
    usage = {key: value for key, value in row["response"]["usage"].items() if isinstance(value, int | float)}
    return {key: float(value) for key, value in ((own | usage) if usage_wins else (usage | own)).items()}


def baseline(rows: list[Row]) -> dict[str, float]:
    """`<stat>/<field>` of a group of rollouts."""
    table = [numbers_of(row, usage_wins=True) for row in rows]
    found: dict[str, float] = {}
    for name in sorted({name for numbers in table for name in numbers}):
        values = sorted(numbers[name] for numbers in table if name in numbers)
        mean, half = sum(values) / len(values), len(values) // 2
        found[f"mean/{name}"], found[f"max/{name}"], found[f"min/{name}"] = mean, values[-1], values[0]
        found[f"median/{name}"] = values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2
        if len(values) > 1:
            found[f"std/{name}"] = math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
        elif len(rows) == 1:
            found[f"std/{name}"] = 0.0
    return found


def spread(values: list[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))


def vote(answers: list[str | None], scores: list[float]) -> float:
    pairs = [(answer, score) for answer, score in zip(answers, scores, strict=True) if answer is not None]
    counts = {pair: pairs.count(pair) for pair in pairs}
    winners = [score for (_, score), count in counts.items() if count == max(counts.values())]
    return sum(winners) / len(winners) if winners else 0.0


def pass_figures(tasks: list[list[Row]], repeats: int) -> dict[str, float]:
    found: dict[str, float] = {}
    scores = {
        "accuracy": [[row["reward"] for row in task] for task in tasks],
        "no_answer": [[float(row["extracted_answer"] is None) for row in task] for task in tasks],
    }
    answers = [[row["extracted_answer"] for row in task] for task in tasks]
    for name, values in scores.items():
        samples = [100 * mean([task[i] for task in values if len(task) > i]) for i in range(repeats)]
        for k in range(1, repeats + 1):
            subsets = [[max(chosen) for chosen in combinations(task, k)] for task in values if len(task) >= k]
            found[f"pass@{k}/{name}"] = 100 * mean([mean(each) for each in subsets])
            found[f"pass@1[avg-of-{k}]/{name}"] = 100 * mean([mean(task[:k]) for task in values])
            if k >= 2:
                found[f"pass@1[avg-of-{k}]/{name}/std_dev_across_runs"] = spread(samples[:k])
                found[f"pass@1[avg-of-{k}]/{name}/std_err_across_runs"] = spread(samples[:k]) / math.sqrt(k)
    for k in range(1, repeats + 1):
        votes = [vote(said[:k], task[:k]) for said, task in zip(answers, scores["accuracy"], strict=True)]
        found[f"majority@{k}/accuracy"] = 100 * mean(votes)
    return found


def mean(values: list[float]) -> float:
    return sum(values) / len(values)
