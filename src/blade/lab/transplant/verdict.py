"""How this run's verifier writes a failure: the reward of failing rows, and the fields that go with it.

Learned from the rows themselves: a scalar field that has one value on all passing rows and another on most failing ones belongs to the
verdict. A row whose work was spoiled gets the failing value of each, so that it looks like any other failure of this run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from blade.lab.stage.script import Row
from blade.runs.definition import GOLD_FIELDS

Path = tuple[str, ...]
_NOT_A_VERDICT = frozenset(["responses_create_params", "response", "messages", "agent_ref", *GOLD_FIELDS])
MOSTLY = 0.7
_DEPTH = 4


@dataclass(frozen=True)
class Verdict:
    """The failing value of each field of the verdict, the reward among them."""

    failing: Mapping[Path, Any]

    def fail(self, row: Row) -> None:
        """Let the row carry the verdict of a failed rollout."""
        for path, value in self.failing.items():
            _set(row, path, value)


def learn_verdict(passing: Sequence[Row], failing: Sequence[Row]) -> Verdict:
    right = _values(passing)
    wrong = _values(failing)
    found: dict[Path, Any] = {}
    for path, seen in right.items():
        if len(seen) != 1 or path[0].startswith("_ng_"):
            continue
        ((value, count),) = seen.items()
        if path[-1] == "reward" and path not in wrong:
            found[path] = 0.0
        elif path in wrong and count >= MOSTLY * len(passing):
            other, times = wrong[path].most_common(1)[0]
            if other != value and times >= MOSTLY * len(failing):
                found[path] = other
    found[("reward",)] = Counter(row["reward"] for row in failing).most_common(1)[0][0] if failing else 0.0
    return Verdict(found)


def _values(rows: Sequence[Row]) -> dict[Path, Counter[Any]]:
    found: dict[Path, Counter[Any]] = {}
    for row in rows:
        for path, value in _leaves(row):
            found.setdefault(path, Counter())[value] += 1
    return found


def _leaves(value: Mapping[str, Any], path: Path = ()) -> Iterator[tuple[Path, Any]]:
    for key, inner in value.items():
        if not path and key in _NOT_A_VERDICT:
            continue
        if isinstance(inner, bool | int | float):
            yield (*path, key), inner
        elif isinstance(inner, dict) and len(path) < _DEPTH:
            yield from _leaves(inner, (*path, key))


def _set(row: Row, path: Path, value: Any) -> None:
    place: Any = row
    for key in path[:-1]:
        place = place.get(key) if isinstance(place, dict) else None
    if isinstance(place, dict) and path[-1] in place:
        place[path[-1]] = deepcopy(value)
