"""Names of fields in which a dataset tells its answer once more: a solution, a rationale, a remark of whoever wrote the task."""

import re
from functools import lru_cache
from typing import Final

MAX_NAME: Final = 200
SPEAKS: Final = frozenset([
    "solution", "rationale", "explanation", "derivation", "worked", "working", "answer", "answers", "correct", "gold", "golden",
    "reference", "truth", "key", "computation", "calculation", "workings", "justification", "proof", "reasoning", "steps", "formula", "why", "because", "fact", "facts", "evidence", "grounds", "basis", "annotation", "annotations",
])  # fmt: skip
"""Words in the name of a field that tells what is right."""
NOTES: Final = frozenset(["note", "notes", "remark", "remarks", "comment", "comments"])
"""Words for what whoever wrote a task noted about it."""
OTHERS: Final = frozenset([
    "model", "judge", "pred", "predicted", "prediction", "extracted", "parsed", "generated", "response", "output", "verifier", "eval",
    "evaluation", "grader", "is", "match", "matches", "matched", "score", "reward", "count", "num", "number", "format", "type", "kind",
    "template", "prompt", "wrong", "incorrect", "distractor", "previous", "candidate", "student", "agent", "library", "field", "id",
    "ids", "hash", "url", "path", "files", "rate", "accuracy", "regex", "pattern", "language", "author", "api", "cache", "calls",
    "actions", "function", "tool", "tools", "context", "passage", "question", "tests", "test", "feedback", "analysis", "attempt", "given",
])  # fmt: skip
"""Words in the names of fields that others wrote, or that tell something else."""
_JUDGES: Final = frozenset(
    ["model", "judge", "grader", "verifier", "eval", "evaluation", "agent", "student", "predicted", "prediction"]
)
"""Words in the names of remarks that others made."""
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


@lru_cache(maxsize=4096)
def name_words(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(name[:MAX_NAME]))


@lru_cache(maxsize=4096)
def of_others(name: str) -> bool:
    """Whether a name has a word of those that others wrote, or that tell something else."""
    return not OTHERS.isdisjoint(name_words(name))


@lru_cache(maxsize=4096)
def tells_answer(name: str) -> bool:
    """Whether a field is named after what is right, or is a remark of whoever wrote the task."""
    words = name_words(name)
    return bool(words & (NOTES | SPEAKS)) and not words & (_JUDGES if words & NOTES else OTHERS)
