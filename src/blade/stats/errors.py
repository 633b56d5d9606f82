"""What a formula refuses, as types: the caller decides whether a refusal is a null in the JSON or a sentence to the user."""


class StatsError(ValueError):
    """A question the numbers cannot answer."""


class TooFewAttempts(StatsError):
    """pass@k and its kin need a task with at least k attempts; `most` is what the best-covered task has."""

    def __init__(self, k: int, most: int) -> None:
        super().__init__(f"k = {k} needs a task with at least {k} scored attempts; the most any task has is {most}")
        self.k = k
        self.most = most


class ImpossibleCounts(StatsError):
    """Counts that no run can have: more passes than attempts, a negative count, a fraction of a rollout."""
