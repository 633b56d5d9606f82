"""The checks of a verifier: named entries with a verdict each, all of which hold where a rollout passes.

A verdict is a boolean, one of two words or marks, or a number; which of its values is the good one is read off passing rollouts, so that
`violated: false` and `state: "held"` are as good as `passed: true`. The entries are those of a list of objects, or of an object by name.
Where verdicts are shares, the reward has to be their mean.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from blade.signals.layout.check_entries import INSIDE, Entry, encoded, entries_at, member
from blade.signals.layout.columns import Column, by_task, columns
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import ChecksField, Path, written
from blade.signals.layout.support import AGREEING, MIN_TASKS, goes_with
from blade.signals.wanted.checks import checks_of

MAX_ENTRIES: Final = 60
MAX_NAME: Final = 120
MAX_WORD: Final = 24
MOST_ROWS: Final = 300
MOST_VALUES: Final = 4
"""Different verdicts beyond which a text is no verdict."""
MOST_FIGURES: Final = 10
"""The same for points."""
GOOD: Final = 0.05
"""Share of the entries of passing rollouts from which on a verdict is one of a check that holds."""
NEAR: Final = 0.011
MOSTLY: Final = 0.5
"""Share of the rows in which names differ from entry to entry."""


def learn_checks(rows: Sequence[Sampled]) -> tuple[ChecksField, ...]:
    """The field that holds the checks of rows in which no name tells any; at most one."""
    free = {number for number, row in enumerate(rows) if not checks_of(row.rollout)}
    best: tuple[float, int, str, ChecksField] | None = None
    for path, column in columns(rows, _listed).items():
        mine = {number: column[number] for number in list(column)[:MOST_ROWS] if number in free}
        if len(by_task(rows, mine)) < MIN_TASKS or path[-1].isdecimal():  # one entry of a list is one check
            continue
        for name, verdict in _keys(mine):
            told = _field(rows, path, mine, name, verdict)
            if told is not None:
                key = (-told[0], len(path), written(path), told[1])
                best = key if best is None or key[:3] < best[:3] else best
    return () if best is None else (best[3],)


def _listed(value: Any) -> bool:
    if isinstance(value, list):
        return 0 < len(value) <= MAX_ENTRIES and all(isinstance(entry, dict) for entry in value)
    return isinstance(value, dict) and 1 < len(value) <= MAX_ENTRIES


def _keys(column: Column) -> Iterator[tuple[str | None, str | None]]:
    """(key of the name, key of the verdict) that could be; None for the name where an object holds the checks by name."""
    values = list(column.values())
    if all(isinstance(value, dict) for value in values):
        inner = [entry for value in values for entry in value.values()]
        if all(_verdict(entry) for entry in inner):
            yield None, None
        elif all(isinstance(entry, dict) for entry in inner):
            yield from ((None, key) for key in _members(inner) if all(_verdict(member(entry, key)) for entry in inner))
        return
    if not all(isinstance(value, list) for value in values):
        return
    entries = [entry for value in values for entry in value]
    keys = _common(entries)
    names = [key for key in keys if all(_named(entry.get(key)) for entry in entries)]
    names = [key for key in names if sum(_tells(value, key) for value in values) >= MOSTLY * len(values)]
    names = names or [key for key in keys if all(_counts(value, key) for value in values)]
    for name in names:
        yield from (
            (name, key) for key in _members(entries) if key != name and all(_verdict(member(entry, key)) for entry in entries)
        )


def _common(entries: list[dict[str, Any]]) -> list[str]:
    return [key for key in entries[0] if all(key in entry for entry in entries)] if entries else []


def _members(entries: list[dict[str, Any]]) -> list[str]:
    """The keys that all entries have, and those of the objects in them that all of these have: `result.score`."""
    found: list[str] = []
    for key in _common(entries):
        inner = [entry[key] for entry in entries]
        found += [f"{key}{INSIDE}{name}" for name in _common(inner)] if all(isinstance(one, dict) for one in inner) else [key]
    return found


def _named(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= MAX_NAME


def _tells(entries: list[dict[str, Any]], key: str) -> bool:
    """Whether no two entries have the same name; one check may be made of several things."""
    return len({entry[key].strip() for entry in entries}) == len(entries)


def _counts(entries: list[dict[str, Any]], key: str) -> bool:
    """Whether entries are numbered, as the lines of a script are."""
    numbers = [entry[key] for entry in entries]
    return all(type(number) is int for number in numbers) and numbers in (
        list(range(len(numbers))),
        list(range(1, len(numbers) + 1)),
    )


def _verdict(value: Any) -> bool:
    if isinstance(value, str):
        return 0 < len(value.strip()) <= MAX_WORD
    return isinstance(value, bool | int | float)


def _field(
    rows: Sequence[Sampled], path: Path, column: Column, name: str | None, verdict: str | None
) -> tuple[float, ChecksField] | None:
    entries = {number: entries_at(value, name, verdict) for number, value in column.items()}
    if max(len(listed) for listed in entries.values()) < 2:
        return None
    tasks = by_task(rows, entries)
    shares = _shares(rows, entries)
    if shares is not None:
        return shares, ChecksField(path, len(tasks), round(shares * len(tasks)), name, verdict)
    values = Counter(encoded(said) for listed in entries.values() for _, said in listed)
    passing = Counter(encoded(said) for number, listed in entries.items() if rows[number].passed for _, said in listed)
    good = tuple(sorted(said for said, times in passing.items() if times >= GOOD * passing.total()))
    figures = all(isinstance(said, int | float) for listed in entries.values() for _, said in listed)
    if len(values) > (MOST_FIGURES if figures else MOST_VALUES) or len(good) == len(values):
        return None
    held = {number: all(encoded(said) in good for _, said in listed) for number, listed in entries.items()}
    if not goes_with([(held[number], rows[number].passed) for number in entries]):
        return None
    right = {number for number in entries if held[number] == rows[number].passed}
    agreeing = sum(all(number in right for number in mine) for mine in tasks.values())
    return len(right) / len(entries), ChecksField(path, len(tasks), agreeing, name, verdict, good)


def _shares(rows: Sequence[Sampled], entries: dict[int, list[Entry]]) -> float | None:
    """How often the mean of the verdicts is the reward; None where they are no shares, or it is not nearly always."""
    listed = [[said for _, said in mine] for mine in entries.values()]
    flat = [said for mine in listed for said in mine]
    if not all(isinstance(said, int | float) and not isinstance(said, bool) and 0 <= said <= 1 for said in flat) or set(flat) <= {
        0,
        1,
    }:
        return None
    rewards = [rows[number].rollout.fields.get("reward", rows[number].rollout.fields.get("score")) for number in entries]
    near = [
        isinstance(reward, int | float) and abs(sum(mine) / len(mine) - reward) <= NEAR
        for mine, reward in zip(listed, rewards, strict=True)
        if mine
    ]
    return sum(near) / len(near) if near and sum(near) >= AGREEING * len(near) and len(set(rewards)) > 2 else None
