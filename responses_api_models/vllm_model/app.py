"""One or several vLLM servers with the same model, by chat completions."""

import hashlib
from typing import Any, Literal

from pydantic import Field, field_validator

from blade.gym.models.chat import ask_chat
from blade.gym.models.chat_request import ReasoningStyle
from blade.gym.models.prompts import opening_digest, rollout_name
from blade.gym.models.upstream import Upstream, UpstreamSettings
from blade.gym.servers import Calls, ModelServer


class VLLMSettings(UpstreamSettings):
    base_url: list[str] = Field(min_length=1)
    api_key: str
    model: str
    uses_reasoning_parser: bool = True
    """`<think>` in an answer is reasoning, and goes back into later prompts the same way for the chat template to keep or drop."""
    uses_interleaved_reasoning: bool = False
    """Reasoning goes back in a field of its own, for models that reason between calls."""
    chat_template_kwargs: dict[str, Any] = Field(default_factory=dict)
    sampling_overrides: dict[str, Any] = Field(default_factory=dict)
    """Sampling parameters that hold whatever a request says."""
    extra_body: dict[str, Any] = Field(default_factory=dict)
    default_headers: dict[str, str] = Field(default_factory=dict)
    return_token_id_information: Literal[False] = False
    """Token ids are for training, which is not done here; asking for them is an error rather than a silent no."""

    @field_validator("base_url", mode="before")
    @classmethod
    def _one_or_many(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value

    @property
    def reasoning_style(self) -> ReasoningStyle:
        if self.uses_interleaved_reasoning:
            return "field"
        return "think" if self.uses_reasoning_parser else "drop"


class VLLMModel(ModelServer):
    Settings = VLLMSettings

    def __init__(self, name: str, settings: VLLMSettings, calls: Calls) -> None:
        super().__init__(name, settings, calls)
        self.settings: VLLMSettings = settings
        self.upstream = Upstream(settings, urls=settings.base_url, api_key=settings.api_key, headers=settings.default_headers)

    async def stop(self) -> None:
        await self.upstream.close()

    async def responses(self, params: dict[str, Any]) -> dict[str, Any]:
        settings = self.settings
        template = {"chat_template_kwargs": settings.chat_template_kwargs} if settings.chat_template_kwargs else {}
        return await ask_chat(
            self.upstream,
            server_for(settings.base_url, params),
            params,
            model=settings.model,
            added=template | settings.extra_body | settings.sampling_overrides,
            reasoning=settings.reasoning_style,
            parse_thinking=settings.uses_reasoning_parser,
        )


def server_for(urls: list[str], params: dict[str, Any]) -> str:
    """The server that has this conversation's beginning in its cache: the same for all turns of a rollout."""
    name = rollout_name(params) or opening_digest(params)
    return urls[int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]) % len(urls)]
