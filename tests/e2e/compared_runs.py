"""Pairs of small runs whose verdict is known, one for each verdict."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.e2e.desk_runs import grid, mixed
from tests.e2e.support import row, write

Rows = list[dict[str, Any]]


def simple(tasks: int, repeats: int, reward: Callable[[int, int], object], first: int = 0) -> Rows:
    return [row(task, repeat, reward(task, repeat)) for task in range(first, first + tasks) for repeat in range(repeats)]


def half(task: int, repeat: int) -> int:
    return task % 2


def passes(task: int, repeat: int) -> int:
    return 1


def now_and_then(task: int, repeat: int) -> int:
    """Differs from `half` on two tasks, one each way."""
    return int(task % 2) if task not in (2, 3) else int(task == 2)


MAKERS: dict[str, tuple[Callable[[], Rows], Callable[[], Rows]]] = {
    "improved": (lambda: grid(15, 3, mixed), lambda: grid(15, 3, passes)),
    "regressed": (lambda: grid(15, 3, passes), lambda: grid(15, 3, mixed)),
    "equivalent": (lambda: simple(160, 1, passes), lambda: simple(160, 1, passes)),
    "inconclusive": (lambda: simple(12, 2, half), lambda: simple(12, 2, now_and_then)),
    "not_comparable": (lambda: simple(6, 1, half), lambda: simple(6, 1, half, first=100)),
}


def make_pair(verdict: str, folder: Path) -> tuple[Path, Path]:
    """The two runs as files of one folder, `before.jsonl` and `after.jsonl`."""
    before, after = MAKERS[verdict]
    return write(folder / verdict / "before.jsonl", before()), write(folder / verdict / "after.jsonl", after())
