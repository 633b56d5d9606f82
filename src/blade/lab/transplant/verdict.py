"""How this run's verifier writes a failure: the reward of failing rows, and the fields that go with it.

Learned from the rows themselves: a scalar field that has one value on all passing rows belongs to the verdict. A row whose work was
spoiled gets the values that failing rows most often have together, so that its checks agree with its reward as in other failures.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from blade.lab.stage.script import Row
from blade.lab.transplant.rollout import Rollout
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


def learn_verdict(passing: Sequence[Row], failing: Sequence[Row], zero: float = 0.0) -> Verdict:
    """`zero` is what a failing row gets where the run has none to learn from."""
    right = [dict(_leaves(row)) for row in passing]
    values: dict[Path, Counter[Any]] = {}
    for leaves in right:
        for path, value in leaves.items():
            values.setdefault(path, Counter())[value] += 1
    constant = {
        path: next(iter(seen))
        for path, seen in values.items()
        if len(seen) == 1 and not path[0].startswith("_ng_") and seen.total() >= MOSTLY * len(passing)
    }
    wrong = [
        tuple((path, value) for path, value in _leaves(row) if path in constant and value != constant[path]) for row in failing
    ]
    found = dict(Counter(wrong).most_common(1)[0][0]) if wrong else {}
    found |= {path: zero for path in constant if path[-1] == "reward" and not failing}
    found[("reward",)] = Counter(row["reward"] for row in failing).most_common(1)[0][0] if failing else zero
    return Verdict(found)


def recheck(one: Rollout) -> None:
    """Let the verifier's list of expected actions say again which of them were made."""
    made = {_key(str(one.items[number].get("name")), one.arguments(number)) for number in one.calls}
    for entry in _entries({name: value for name, value in one.row.items() if name not in _NOT_A_VERDICT}):
        action = entry["action"]
        given: dict[str, Any] = next(
            (action[name] for name in ("arguments", "kwargs", "parameters") if isinstance(action.get(name), dict)), {}
        )
        for name, value in entry.items():
            if value is True and _key(str(action.get("name")), given) not in made:
                entry[name] = False


def _key(name: str, arguments: Mapping[str, Any]) -> str:
    return f"{name} {json.dumps(arguments, sort_keys=True)}"


def _entries(value: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """The entries of lists that say of an action whether it was made."""
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    if isinstance(value, dict) and isinstance(value.get("action"), dict):
        yield value
    elif depth <= _DEPTH:
        for one in inner:
            yield from _entries(one, depth + 1)


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
