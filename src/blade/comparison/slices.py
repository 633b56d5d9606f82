"""The change in slices: did some kinds of tasks gain or lose?

A slice is a value of a metadata field that both runs have and agree on, task by task. Each slice is compared like the whole (paired on
its tasks, sign-flip test), and the p-values are adjusted by Holm for the number of slices looked at. A slice of fewer than five paired
tasks is shown only where its field was asked for, and not tested.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from blade import stats
from blade.comparison.letters import BASELINE
from blade.comparison.pairing import Pairing, Side
from blade.diagnosis.slice_fields import FEWEST_TASKS, field_expression, slice_fields
from blade.errors import UsageError
from blade.runs.run import Run
from blade.sentences import plural
from blade.stats.counts import BoolArray, IntArray

CORRECTION: Final = "holm"
MOST_VALUES: Final = 50
NO_VALUE: Final = "(none)"


@dataclass(frozen=True, eq=False)
class Partition:
    """One field as a partition of the keys: for every key the number of its slice in `names`."""

    by: str
    codes: IntArray
    names: tuple[str, ...]


@dataclass(frozen=True)
class SliceChanges:
    slices: list[dict[str, Any]]
    """The contract's keys, most striking first: by, value, a, b, delta, ci, p_adjusted, and tasks, p_value, test beside them."""
    tests: int
    refused: dict[str, str]
    """Fields of both runs that make no slices, and why."""


def partition(a: Run, b: Run, pairing: Pairing, by: str) -> Partition:
    """The keys by one field; a task without a value is in a slice of its own."""
    values = _merged(_field_values(a, pairing.a, by), _field_values(b, pairing.b, by), pairing.letter)
    if isinstance(values, str):
        raise UsageError(
            f"the tasks cannot be divided by {by}: {values}", hint="give --by a field that is the same on all rollouts of a task"
        )
    texts = [NO_VALUE if value is None else value for value in values]
    names = sorted(set(texts), key=lambda name: (name == NO_VALUE, name))
    if len(names) > MOST_VALUES:
        raise UsageError(f"{by} has {len(names)} values", hint=f"--by takes a field with at most {MOST_VALUES}")
    place = {name: number for number, name in enumerate(names)}
    return Partition(by, np.array([place[text] for text in texts], dtype=np.int64), tuple(names))


def slice_changes(a: Run, b: Run, pairing: Pairing, by: str | None = None) -> SliceChanges:
    """All slices over the fields that both runs have, and those of `by` first."""
    asked = [partition(a, b, pairing, by)] if by is not None else []
    refused: dict[str, str] = {}
    found: list[dict[str, Any]] = []
    for field in (*asked, *_found_fields(a, b, pairing, by, refused)):
        found += _slices_of(field, pairing, keep_small=field in asked)
    tested = [slice_ for slice_ in found if slice_["p_value"] is not None]
    adjusted = stats.holm([slice_["p_value"] for slice_ in tested])
    for slice_, p_value in zip(tested, adjusted, strict=True):
        slice_["p_adjusted"] = float(p_value)
    found.sort(
        key=lambda slice_: (slice_["by"] != by, slice_["p_adjusted"] is None, slice_["p_adjusted"] or 0, -abs(slice_["delta"]))
    )
    return SliceChanges(found, len(tested), refused)


def _found_fields(a: Run, b: Run, pairing: Pairing, by: str | None, refused: dict[str, str]) -> list[Partition]:
    """The fields that were found in both runs, and mean the same there."""
    names = [field.name for field in slice_fields(a).fields]
    also = {field.name for field in slice_fields(b).fields}
    found = []
    divided: set[bytes] = set()
    for name in names:
        if name not in also or name == by:
            continue
        values = _merged(_field_values(a, pairing.a, name), _field_values(b, pairing.b, name), pairing.letter)
        if isinstance(values, str):
            refused[name] = values
            continue
        numbers: dict[str | None, int] = {}
        codes = np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)
        if codes[pairing.paired].tobytes() not in divided:
            divided.add(codes[pairing.paired].tobytes())
            found.append(Partition(name, codes, tuple(NO_VALUE if value is None else value for value in numbers)))
    return found


def _field_values(run: Run, side: Side, name: str) -> list[str | None] | str:
    """The field's value for every key, or why it has none."""
    try:
        value = field_expression(run, name)
    except ValueError as unusable:
        return str(unusable)
    rows = run.query(f"""
        SELECT task, min({value}), coalesce(min({value}) <> max({value}), false) FROM rollouts WHERE class <> 'duplicate' GROUP BY task""").rows
    if varying := sum(varies for _, _, varies in rows):
        return f"it varies between the rollouts of {plural(varying, 'task')}"
    keys = side.index()
    values: list[str | None] = [None] * len(side.ids)
    for task, text, _ in rows:
        if task in keys:
            values[keys[task]] = text
    return values


def _merged(a: list[str | None] | str, b: list[str | None] | str, letter: str) -> list[str | None] | str:
    """What both runs say; a field that a task has differently in the two is no property of the task."""
    if isinstance(a, str) or isinstance(b, str):
        return a if isinstance(a, str) else str(b)
    differing = sum(first is not None and second is not None and first != second for first, second in zip(a, b, strict=True))
    if differing:
        return f"{plural(differing, 'task has', 'tasks have')} another value in {letter} than in {BASELINE}"
    return [second if first is None else first for first, second in zip(a, b, strict=True)]


def _slices_of(field: Partition, pairing: Pairing, keep_small: bool) -> list[dict[str, Any]]:
    made = []
    for code, value in enumerate(field.names):
        inside = pairing.paired & (field.codes == code)
        tasks = int(inside.sum())
        if not tasks or (not keep_small and (tasks < FEWEST_TASKS or value == NO_VALUE or tasks == int(pairing.paired.sum()))):
            continue
        made.append({"by": field.by, "value": value} | _compared(pairing, inside, tested=tasks >= FEWEST_TASKS))
    return made


def _compared(pairing: Pairing, inside: BoolArray, tested: bool) -> dict[str, Any]:
    means = pairing.a.means[inside], pairing.b.means[inside]
    repeats = stats.pair_repeats(pairing.a.scored[inside], pairing.b.scored[inside])
    difference = means[1] - means[0]
    interval = stats.paired_interval(difference, repeats, span=pairing.judging.span)
    test = _test(pairing, inside, difference) if tested else None
    return {
        "a": float(means[0].mean()),
        "b": float(means[1].mean()),
        "delta": float(difference.mean()),
        "ci": None if interval is None else [interval.low, interval.high],
        "p_adjusted": None,
        "p_value": None if test is None else test.p_value,
        "test": None if test is None else test.method,
        "correction": CORRECTION,
        "tasks": int(inside.sum()),
    }


def _test(pairing: Pairing, inside: BoolArray, difference: Any) -> Any:
    if not pairing.binary:
        return stats.sign_flip_test(difference)
    counts: Sequence[Any] = [
        values[inside] for side in (pairing.a, pairing.b) for values in (side.total.astype(np.int64), side.scored)
    ]
    return stats.sign_flip_rates(*counts)
