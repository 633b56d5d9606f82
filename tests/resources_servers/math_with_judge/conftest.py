"""The server as it is loaded in a run: from its folder, with workers of its own."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from blade.gym.servers.calls import LocalCalls, Reply
from blade.gym.servers.components import build, find
from blade.gym.servers.model import ModelServer
from blade.gym.settings import Settings

REPO = Path(__file__).parents[3]
Verify = Callable[..., dict[str, Any]]


class ScriptedJudge(ModelServer):
    """A model that answers by a rule on the text of its question, and remembers what it was asked."""

    def __init__(self, rule: Callable[[str], Any]) -> None:
        super().__init__("judge_model", Settings(), LocalCalls())
        self.rule = rule
        self.asked: list[dict[str, Any]] = []

    async def responses(self, params: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(params)
        said = self.rule(params["input"][-1]["content"])
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, dict) else response(said)


def response(text: str, **more: Any) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"model": "scripted", "output": [{"type": "message", "role": "assistant", "content": content}], "usage": None, **more}


@pytest.fixture
def verify() -> Verify:
    """POST /verify on a started server, with a judge or without; gives the body of the answer."""

    def ask(
        text: str | dict[str, Any], row: dict[str, Any], judge: ScriptedJudge | None = None, **settings: Any
    ) -> dict[str, Any]:
        async def exchange() -> Reply:
            calls = LocalCalls()
            if judge is not None:
                calls.servers["judge_model"] = judge
                settings.update(should_use_judge=True, judge_model_server={"type": "responses_api_models", "name": "judge_model"})
            server = build(
                find("resources_servers", "math_with_judge", [REPO]), "math_with_judge", {"num_workers": 1, **settings}, calls
            )
            await server.start()
            try:
                body = {**row, "response": response(text) if isinstance(text, str) else text}
                return await server.handle("POST", "/verify", body, {})
            finally:
                await server.stop()

        return dict(within(exchange()).body)

    return ask


def within(what: Awaitable[Any], seconds: float = 60.0) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(seconds):
            return await what

    return asyncio.run(bounded())
