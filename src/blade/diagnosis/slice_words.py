"""Names of fields: which speak of a kind of task, and which of an outcome, an answer, an id or usage."""

import re
from typing import Final

OUTCOMES: Final = frozenset(
    {
        "accuracy",
        "completed",
        "correct",
        "correctness",
        "error",
        "errors",
        "exception",
        "exit",
        "fail",
        "failed",
        "failure",
        "feedback",
        "finish",
        "graded",
        "grader",
        "incomplete",
        "invalid",
        "judge",
        "judgement",
        "judgment",
        "matched",
        "metric",
        "metrics",
        "outcome",
        "pass",
        "passed",
        "passes",
        "penalty",
        "rating",
        "reason",
        "resolved",
        "result",
        "results",
        "reward",
        "rewards",
        "score",
        "scores",
        "solved",
        "status",
        "stop",
        "success",
        "successful",
        "terminated",
        "termination",
        "timeout",
        "truncated",
        "unscored",
        "valid",
        "verdict",
        "verified",
        "verifier",
        "won",
    }
)
ANSWERS: Final = frozenset(
    {
        "answer",
        "answers",
        "choice",
        "completion",
        "correct",
        "expected",
        "extracted",
        "generated",
        "generation",
        "gold",
        "golden",
        "ground",
        "hypothesis",
        "label",
        "labels",
        "output",
        "outputs",
        "predicted",
        "prediction",
        "reference",
        "references",
        "response",
        "responses",
        "solution",
        "solutions",
        "target",
        "targets",
        "truth",
    }
)
USAGE: Final = frozenset(
    {
        "attempt",
        "attempts",
        "cached",
        "calls",
        "cost",
        "costs",
        "duration",
        "elapsed",
        "latency",
        "price",
        "retries",
        "retry",
        "seconds",
        "steps",
        "time",
        "tokens",
        "turns",
        "usage",
    }
)
IDENTITY: Final = frozenset(
    {
        "checksum",
        "created",
        "date",
        "digest",
        "file",
        "filename",
        "guid",
        "hash",
        "id",
        "ids",
        "idx",
        "index",
        "key",
        "line",
        "nonce",
        "number",
        "path",
        "port",
        "seed",
        "sha",
        "timestamp",
        "trial",
        "uid",
        "updated",
        "url",
        "uuid",
    }
)
KINDS: Final = frozenset(
    {
        "category",
        "class",
        "difficulty",
        "domain",
        "format",
        "group",
        "kind",
        "language",
        "level",
        "split",
        "style",
        "subset",
        "topic",
        "type",
    }
)
"""A last word that makes a name speak of a kind: `answer_type` is metadata, `answer` is not."""
METADATA: Final = frozenset(
    {
        "dataset",
        "doc",
        "example",
        "extra",
        "input",
        "inputs",
        "item",
        "meta",
        "metadata",
        "problem",
        "question",
        "sample",
        "tags",
        "task",
    }
)
"""Words of an object that holds what the evaluation fixed: of its fields only their own name is judged."""
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def speaks_of_outcome(name: str) -> bool:
    """Whether a field's name says that it is an outcome, an answer, an id or usage rather than a kind of task."""
    words = words_of(name)
    if not words:
        return False
    if any(word in OUTCOMES or word in USAGE for word in words) or words[-1] in IDENTITY:
        return True
    return words[-1] not in KINDS and any(word in ANSWERS for word in words)


def words_of(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]
