"""An OpenAI-compatible endpoint: its Responses API, or chat completions where it has only those."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import Field

from blade.gym.models import shape
from blade.gym.models.chat import ask_chat, endpoint, leaves_no_room
from blade.gym.models.errors import ModelError
from blade.gym.models.upstream import Upstream, UpstreamSettings
from blade.gym.servers import Calls, ModelServer

Api = Literal["responses", "chat"]

_NOT_SENT: Final = ("stream", "background")
_NOT_THERE: Final = (404, 405, 501)
_FIND_OUT_SECONDS: Final = 10
_UNFINISHED: Final = ("queued", "in_progress", "cancelled")


class OpenAISettings(UpstreamSettings):
    openai_base_url: str = Field(pattern=r"^https?://")
    openai_api_key: str
    openai_model: str
    extra_body: dict[str, Any] = Field(default_factory=dict)
    openai_default_headers: dict[str, str] = Field(default_factory=dict)
    drop_input_reasoning_items: bool = False
    api: Literal["auto", "responses", "chat"] = "auto"
    max_tokens_key: str = "max_tokens"
    """What chat completions call the limit of an answer: newer endpoints want `max_completion_tokens`."""


class OpenAIModel(ModelServer):
    Settings = OpenAISettings

    def __init__(self, name: str, settings: OpenAISettings, calls: Calls) -> None:
        super().__init__(name, settings, calls)
        self.settings: OpenAISettings = settings
        self.upstream = Upstream(
            settings, urls=[settings.openai_base_url], api_key=settings.openai_api_key, headers=settings.openai_default_headers
        )
        self.api: Api | None = None if settings.api == "auto" else settings.api
        """What the endpoint speaks; `None` until it was asked."""
        self._responses_url = endpoint(settings.openai_base_url, "responses")
        self._finding_out = asyncio.Lock()

    async def stop(self) -> None:
        await self.upstream.close()

    async def responses(self, params: dict[str, Any]) -> dict[str, Any]:
        if self.api is None:
            async with self._finding_out:
                self.api = self.api or await self._find_out()
        if self.api == "chat":
            return await self._ask_chat(params)
        try:
            return await self._ask_responses(params)
        except ModelError as error:
            if self.settings.api != "auto" or not is_not_there(error):
                raise
        self.api = "chat"  # the endpoint could not say so when it was first asked
        return await self._ask_chat(params)

    async def _find_out(self) -> Api:
        """What the endpoint speaks, asked with a request that has no input: whoever knows the address refuses it without computing."""
        try:
            async with asyncio.timeout(_FIND_OUT_SECONDS):
                await self.upstream.post(self._responses_url, {"model": self.settings.openai_model}, retries=0)
        except (ModelError, TimeoutError) as error:
            if isinstance(error, ModelError) and is_not_there(error):
                return "chat"
        return "responses"

    async def _ask_responses(self, params: Mapping[str, Any]) -> dict[str, Any]:
        body = {key: value for key, value in params.items() if value is not None and key not in _NOT_SENT}
        if self.settings.drop_input_reasoning_items and isinstance(body["input"], list):
            body["input"] = [item for item in body["input"] if not (isinstance(item, dict) and item.get("type") == "reasoning")]
        body |= {"model": self.settings.openai_model} | self.settings.extra_body
        try:
            answer = await self.upstream.post(self._responses_url, body, missing_in_response)
        except ModelError as error:
            if not leaves_no_room(error):
                raise
            return shape.out_of_context(params, model=self.settings.openai_model)
        return shape.after_tries(shape.whole(answer.body, params), answer.failed)

    async def _ask_chat(self, params: Mapping[str, Any]) -> dict[str, Any]:
        settings = self.settings
        return await ask_chat(
            self.upstream,
            settings.openai_base_url,
            params,
            model=settings.openai_model,
            added=settings.extra_body,
            max_tokens_key=settings.max_tokens_key,
        )


def is_not_there(error: ModelError) -> bool:
    """Whether an endpoint says that it has no such address."""
    unknown = error.status == 400 and any(
        words in error.message.lower() for words in ("unknown url", "invalid url", "unknown path")
    )
    return error.status in _NOT_THERE or unknown


def missing_in_response(answer: Mapping[str, Any]) -> str | None:
    """What an answer lacks to be a finished Response object."""
    output = answer.get("output")
    if not isinstance(output, list) or not all(isinstance(item, dict) for item in output):
        return "the answer has no output"
    if answer.get("status") in _UNFINISHED:
        return f"the answer is {answer['status']}"
    return None
