"""Model servers built as the product builds them, and questions for them."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from blade.gym.servers import ModelServer
from blade.gym.servers.calls import NoCalls
from blade.gym.servers.components import build, find

ROOT = Path(__file__).parents[3]
T = TypeVar("T")

QUICK = {"retry_pause_seconds": 0.01, "max_retry_pause_seconds": 0.02, "request_timeout_seconds": 5, "max_retries": 3}


def model_server(implementation: str, settings: Mapping[str, Any]) -> ModelServer:
    server = build(find("responses_api_models", implementation, [ROOT]), "policy_model", dict(settings), NoCalls())
    assert isinstance(server, ModelServer)
    return server


def openai_model(url: str, **settings: Any) -> ModelServer:
    named = {"openai_base_url": url, "openai_api_key": "key-of-the-test", "openai_model": "m", "api": "chat"}
    return model_server("openai_model", named | QUICK | settings)


def vllm_model(url: str | list[str], **settings: Any) -> ModelServer:
    return model_server("vllm_model", {"base_url": url, "api_key": "key-of-the-test", "model": "m"} | QUICK | settings)


def during(server: ModelServer, do: Callable[[ModelServer], Awaitable[T]]) -> T:
    """Start the server, do something with it, and stop it, in a loop of its own."""

    async def whole() -> T:
        await server.start()
        try:
            return await do(server)
        finally:
            await server.stop()

    return asyncio.run(whole())


def ask(server: ModelServer, *requests: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The answers to requests made one after another."""

    async def all_of(model: ModelServer) -> list[dict[str, Any]]:
        return [await model.responses(dict(request)) for request in requests]

    return during(server, all_of)


def text_of(response: Mapping[str, Any]) -> str:
    return "".join(part["text"] for item in response["output"] if item["type"] == "message" for part in item["content"])
