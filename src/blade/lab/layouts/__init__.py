"""The same run in other people's layouts: a metamorphic test of whoever reads rows.

A case of the lab is told again, row by row, as another harness would have logged it: what was wanted and found is read out of the
environment's own fields (`facts`) and written as that harness writes it (`platforms`, `benchmarks`) or as no harness does (`drawn`), the
conversation in a shape of its own (`conversations`). Nothing that happened changes, so the label of no task may change either.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from blade.lab.cases import Case
from blade.lab.layouts import benchmarks, platforms
from blade.lab.layouts.conversations import SHAPES, mcp_name
from blade.lab.layouts.facts import READERS, Facts
from blade.lab.layouts.writer import Writer
from blade.lab.stage.script import Row

WRITERS: Final = platforms.WRITERS | benchmarks.WRITERS
OWN: Final = "own"
"""The environment's own fields, for a conversation in another shape."""
_CONVERSATION: Final = frozenset(["responses_create_params", "response"])


def retold(case: Case, layout: str | Writer, shape: str = "responses") -> Case:
    """The case with its rows in another layout, by its name or its writer, and its conversations in another shape."""
    return replace(case, rows=[retold_row(case.environment, row, layout, shape) for row in case.rows])


def retold_row(environment: str, row: Row, layout: str | Writer, shape: str) -> Row:
    reader, taken = READERS[environment]
    conversation = SHAPES[shape](row)
    if layout == OWN:
        return {**{name: value for name, value in row.items() if name not in _CONVERSATION}, **conversation}
    facts = reader(row)
    if shape == "mcp":
        facts = _under_servers(facts)
    rest = {name: value for name, value in row.items() if name not in taken and name not in _CONVERSATION}
    written = (WRITERS[layout] if isinstance(layout, str) else layout)(facts)
    return {**conversation, **{name: value for name, value in written.items() if value is not None or name not in rest}, **rest}


def _under_servers(facts: Facts) -> Facts:
    def renamed(calls: list[tuple[str, Row]]) -> list[tuple[str, Row]]:
        return [(mcp_name(tool), given) for tool, given in calls]

    return replace(facts, wanted=renamed(facts.wanted), done=None if facts.done is None else renamed(facts.done))
