"""Planted faults in rows whose every own name is replaced by one that says nothing: the causes are found all the same."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from blade.lab.cases import Case, plant
from blade.lab.judging import judge
from blade.lab.selftest import diagnose_file

_ARGUMENTS = frozenset(["args", "arguments", "kwargs", "parameters", "params"])
_KEPT = frozenset(["reward", "response", "responses_create_params", "agent_ref", "node", "host"])


def nameless(row: dict[str, Any]) -> dict[str, Any]:
    """The row with other names for all its own fields, and words for all its booleans; what calls are given keeps its names."""
    return {
        name if name in _KEPT or name.startswith("_ng_") else _name(name): value if name in _KEPT else _renamed(value, name)
        for name, value in row.items()
    }


def _name(name: str) -> str:
    return f"q{hashlib.blake2b(name.encode(), digest_size=3).hexdigest()}"


def _renamed(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        kept = name in _ARGUMENTS or all(len(key) == 1 for key in value)
        return value if kept else {_name(key): _renamed(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, name) for inner in value]
    return ("held" if value else "broken") if isinstance(value, bool) else value


def diagnosed(case: Case, folder: Path) -> dict[str, Any]:
    path = case.write(folder)
    rows = [json.dumps(nameless(json.loads(line))) for line in path.read_text().splitlines()]
    path.write_text("\n".join(rows) + "\n")
    return diagnose_file(path)


@pytest.mark.parametrize(
    ("environment", "kind", "meanings"),
    [
        ("questions", "format_rejected", {"expected answer"}),
        ("questions", "wrong_fact", {"expected answer"}),
        ("museum", "extra_change", {"expected answer", "expected calls", "checks"}),
        ("warehouse", "partial_update", {"expected calls", "checks"}),
        ("observatory", "wavering_argument", {"expected calls", "checks"}),
    ],
)
def test_causes_without_names(environment: str, kind: str, meanings: set[str], tmp_path: Path) -> None:
    case = plant(environment, kind, "severe", 4_100)
    document = diagnosed(case, tmp_path)
    learned = {one["meaning"] for one in document["learned_fields"]}
    assert meanings <= learned
    judged = [task for task in judge(case, document) if task.planted]
    assert judged
    assert sum(task.right for task in judged) >= 0.75 * len(judged)
    assert not [task for task in judge(case, document) if not task.truth and task.predicted]


def test_rows_with_names_teach_nothing(tmp_path: Path) -> None:
    document = diagnose_file(plant("museum", "extra_change", "severe", 4_100).write(tmp_path))
    assert {one["meaning"] for one in document["learned_fields"]} <= {"expected value told again"}
