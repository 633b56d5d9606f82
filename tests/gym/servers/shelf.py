"""A small environment for tests: a shelf of books, and tools that misbehave."""

import asyncio
import os
import time
from datetime import date
from pathlib import Path
from typing import Any

from blade.gym.servers import JudgeFailed, ResourcesServer, tool


class Shelf(ResourcesServer):
    def seed_session(self, row: dict[str, Any]) -> Any:
        if row.get("seed") == "raise":
            raise ValueError("no shelf")
        return {"books": list(row.get("books", []))}

    @tool
    def shelf_add(self, state: Any, title: str, year: date = date(2020, 1, 1), copies: int = 1) -> str:
        """Put a book on the shelf."""
        state["books"] += [f"{title} ({year.year})"] * copies
        return f"{len(state['books'])} books"

    @tool
    def shelf_list(self, state: Any) -> dict[str, Any]:
        """What stands on the shelf."""
        return {"books": state["books"]}

    @tool
    async def shelf_wait(self, state: Any, seconds: float) -> str:
        """Wait in the event loop."""
        state["books"].append("waited")
        await asyncio.sleep(seconds)
        return "waited"

    @tool
    def shelf_hang(self, state: Any, sign: str = "") -> str:
        """Never return; with a sign, a file that says that it hangs."""
        state["books"].append("hung")
        if sign:
            Path(sign).touch()
        time.sleep(600)
        return ""

    @tool
    def shelf_die(self, state: Any) -> str:
        """End the process."""
        os._exit(3)

    @tool
    def shelf_raise(self, state: Any) -> str:
        """Raise."""
        state["books"].append("raised")
        raise ValueError("the shelf fell down")

    def verify(self, state: Any, row: dict[str, Any], response: dict[str, Any]) -> dict[str, Any]:
        how = row.get("how")
        if how == "raise":
            raise ValueError("cannot verify")
        if how == "hang":
            time.sleep(600)
        if how == "judge":
            raise JudgeFailed("the judge is ill")
        if how == "flaky" and not Path(row["marker"]).exists():
            Path(row["marker"]).touch()
            raise ValueError("not this time")
        if how == "response":
            return {"reward": 1.0, "response": "gone"}
        return {"reward": row["reward"] if "reward" in row else float(len(state["books"])), "books": state["books"]}
