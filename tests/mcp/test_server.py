"""What a tool tells of the next page is the same call again."""

from pathlib import Path
from typing import Any

import anyio
import pytest

from blade.mcp import reviews
from blade.mcp.pages import MOST
from blade.mcp.server import Tools
from tests.e2e.support import row
from tests.mcp.desk import desk_over


def compared(folder: Path, **arguments: Any) -> str:
    tools = Tools(desk_over(folder, [row()]), 5)
    context: Any = None  # asked for only where a call takes seconds

    async def call() -> str:
        return await tools.compare(context, "run.jsonl", "run.jsonl", **arguments)

    return anyio.run(call)


def test_the_next_page_of_a_comparison_is_divided_like_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "comparison", lambda *_: "a line of the report\n\n" * 2_000)
    divided = compared(tmp_path, by="category", section=4)
    assert "by='category', section=4, page=2)" in divided
    assert len(divided) <= MOST
    assert "by=" not in compared(tmp_path, section=4)


def test_a_page_of_a_trajectory_without_a_step_is_refused_and_says_how_to_read_on(tmp_path: Path) -> None:
    tools = Tools(desk_over(tmp_path, [row()]), 5)
    context: Any = None

    async def call() -> str:
        return await tools.trajectory(context, "run.jsonl", "0:0", page=2)

    with pytest.raises(Exception, match="from_step"):
        anyio.run(call)
