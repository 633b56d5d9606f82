"""Pairs of runs for the tests of `blade.comparison`: rows as plain dicts, each run a directory of its own."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from blade.runs.run import Run
from tests.runs.support import Line, opened, row

Files = dict[str, Iterable[Line]] | Iterable[Line]


@contextmanager
def both(a: Files, b: Files, **options: Any) -> Iterator[tuple[Run, Run]]:
    """Two opened runs."""
    with opened(a, **options) as first, opened(b, **options) as second:
        yield first, second


def asked(user: str | None = None, system: str | None = None, **params: Any) -> dict[str, Any]:
    """`responses_create_params` of a row."""
    turns = [("system", system), ("user", user)]
    made = [{"role": role, "content": content} for role, content in turns if content is not None]
    return {"responses_create_params": {"input": made} | params}


def rolled(
    task: Any, reward: Any = 1, repeat: Any = 0, *, user: str | None = None, system: str | None = None, **fields: Any
) -> dict[str, Any]:
    """A row that asks `question <task>` unless told otherwise."""
    params = {name: fields.pop(name) for name in ("tools", "temperature", "top_p", "max_output_tokens") if name in fields}
    words = f"question {task}" if user is None else user
    return row(task, repeat, reward, **asked(words, system, **params), **fields)
