"""Rows without what gives their answer away: the raw traces of some benchmarks carry it along (`true_answer`, `test_patch`)."""

from typing import Any, Final

GIVE_AWAY: Final = frozenset(
    {"ground_truth", "true_answer", "expected_answer", "answer_key", "gold", "test_patch", "gold_patch", "reward", "reward_note"}
)


def without_answers(value: Any) -> Any:
    """The same value without these fields, however deep they lie."""
    if isinstance(value, dict):
        return {name: without_answers(inner) for name, inner in value.items() if name not in GIVE_AWAY}
    return [without_answers(inner) for inner in value] if isinstance(value, list) else value
