"""Which fields of a run divide its tasks into slices: metadata that the evaluation fixed, not what came out of it.

A field qualifies when it has a few values, the same on all rollouts of a task, and enough tasks for at least two of them. What came
out of a rollout is kept away by three rules: where the inputs are known, only their fields count; names that speak of outcomes,
answers, ids or usage do not; and a field whose value settles the outcome of every task is taken for a part of the verdict.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from blade.diagnosis.slice_words import METADATA, speaks_of_outcome, words_of
from blade.runs.own_columns import FLOAT, NESTED
from blade.runs.quoting import identifier
from blade.runs.run import Run
from blade.sentences import plural

FEWEST_TASKS: Final = 5
MOST_VALUES: Final = 20
MOST_LENGTH: Final = 80
MOST_FIELDS: Final = 50


@dataclass(frozen=True, eq=False)
class SliceField:
    """A field that divides the tasks: its name to the reader, and its value (None where a task has none) task by task."""

    name: str
    values: Any


@dataclass(frozen=True)
class SliceFields:
    fields: tuple[SliceField, ...]
    refused: dict[str, str]
    """Fields that the benchmark named and that cannot be used, and those taken for a part of the verdict, with the reason."""


def slice_fields(run: Run, named: Sequence[str] = ()) -> SliceFields:
    """The benchmark's own fields first, then those that were found; values in the order of the scored tasks' ids."""
    fields: list[SliceField] = []
    refused: dict[str, str] = {}
    partitions: set[bytes] = set()
    outcomes = _outcomes(run)
    guess_outcomes = _input_fields(run) is None
    for name in (*named, *_candidates(run, named)):
        planned = name in named
        try:
            field = SliceField(name, _values(run, name))
            partition = _partition(field)
            if not planned and (partition in partitions or len(fields) >= MOST_FIELDS):
                continue
            if not planned and guess_outcomes and _settles(field, outcomes):
                refused[name] = "its value settles the outcome of every task, so it is taken for a part of the verdict"
                continue
        except _Unusable as unusable:
            if planned:
                refused[name] = str(unusable)
            continue
        fields.append(field)
        partitions.add(partition)
    return SliceFields(tuple(fields), refused)


def field_expression(run: Run, name: str) -> str:
    """SQL for the value of a field as text."""
    columns = {field["field"]: field["column"] for field in run.meta["own_fields"]} | {"agent": "agent", "model": "model"}
    if name not in columns:
        raise _Unusable("no row has this field")
    return f"CAST({identifier(columns[name])} AS VARCHAR)"


class _Unusable(ValueError):
    """Why a field does not divide the tasks."""


def _candidates(run: Run, named: Sequence[str]) -> list[str]:
    """Fields that may be metadata by name and by a first, approximate count of their values."""
    known = _input_fields(run)
    repeated = bool((run.outcomes.scored > 1).any())
    found = (str(field["field"]) for field in run.meta["own_fields"] if _may_be_metadata(field, known, repeated))
    names = ["agent", "model", *found]
    names = [name for name in dict.fromkeys(names) if name not in named]
    counts = run.query(
        "SELECT "
        + ", ".join(f"approx_count_distinct({field_expression(run, name)})" for name in names)
        + " FROM rollouts WHERE class = 'scored'"
    ).rows[0]
    return [name for name, count in zip(names, counts, strict=True) if 2 <= count <= 2 * MOST_VALUES]


def _may_be_metadata(field: dict[str, Any], known: frozenset[str] | None, repeated: bool) -> bool:
    """Fractions are measurements, nested values have no name for their kinds. Without inputs and repeats, only an object that is
    named as metadata is believed to hold some."""
    name = str(field["field"])
    if field["place"] == "usage" or field["kinds"] & (NESTED | FLOAT) or name.startswith("_"):
        return False
    parent, _, child = name.partition(".")
    if known is not None and parent not in known:
        return False
    if child and METADATA & set(words_of(parent)):
        return not speaks_of_outcome(child)
    return not speaks_of_outcome(name) and (not child or known is not None or repeated)


def _input_fields(run: Run) -> frozenset[str] | None:
    """The fields that the materialized inputs have; None where there are none to tell."""
    if not run.query("SELECT count(*) FROM inputs").rows[0][0]:
        return None
    parts = run.query("SELECT DISTINCT definition_parts FROM tasks WHERE definition_parts IS NOT NULL ORDER BY 1 LIMIT 1000").rows
    return frozenset(name for (text,) in parts for name in json.loads(text))


def _values(run: Run, name: str) -> Any:
    value = field_expression(run, name)
    found = run.db.execute(f"""
        SELECT min({value}) AS value, coalesce(min({value}) <> max({value}), false) OR (count({value}) NOT IN (0, count(*))) AS varies
        FROM rollouts WHERE class = 'scored' GROUP BY task ORDER BY task""").fetchall()
    if varying := sum(varies for _, varies in found):
        raise _Unusable(f"it varies between the rollouts of {plural(varying, 'task')}")
    return np.array([text for text, _ in found], dtype=object)


def _partition(field: SliceField) -> bytes:
    """How the field divides the tasks, whatever its values are called."""
    counts = Counter(value for value in field.values if value is not None)
    if len(counts) < 2:
        raise _Unusable("it has fewer than two values")
    if len(counts) > MOST_VALUES or max(map(len, counts)) > MOST_LENGTH:
        raise _Unusable(f"it has {len(counts)} values, some of them long, where at most {MOST_VALUES} short ones make slices")
    if sum(1 for count in counts.values() if count >= FEWEST_TASKS) < 1 or len(field.values) < 2 * FEWEST_TASKS:
        raise _Unusable(f"none of its values has {FEWEST_TASKS} tasks")
    numbers: dict[str | None, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in field.values], dtype=np.int16).tobytes()


def _outcomes(run: Run) -> Any:
    """The mean score of each task, and NaN where its rollouts disagree."""
    found = run.db.execute("""
        SELECT CASE WHEN min(reward) = max(reward) THEN min(reward) ELSE 'nan'::DOUBLE END AS score
        FROM rollouts WHERE class = 'scored' GROUP BY task ORDER BY task""").fetchnumpy()
    return np.asarray(found["score"], dtype=np.float64)


def _settles(field: SliceField, outcomes: Any) -> bool:
    by_value: dict[str | None, set[float]] = {}
    if np.isnan(outcomes).any():
        return False
    for value, score in zip(field.values, outcomes.tolist(), strict=True):
        by_value.setdefault(value, set()).add(score)
    return len(set(outcomes.tolist())) > 1 and all(len(scores) == 1 for scores in by_value.values())
