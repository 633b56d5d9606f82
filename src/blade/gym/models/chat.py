"""A model behind a chat completions endpoint: convert, ask, convert back."""

import re
from collections.abc import Mapping
from typing import Any, Final

from blade.gym.models import shape
from blade.gym.models.chat_answer import missing_in_chat, response_of_chat
from blade.gym.models.chat_request import ReasoningStyle, chat_request, extra_body
from blade.gym.models.errors import ModelError
from blade.gym.models.upstream import Upstream

_NO_ROOM: Final = re.compile(
    r"context[ _-]?(?:length|size|window|limit)|exceeds? .{0,40}context|maximum model length"
    r"|\b(?:prompt|input|messages)(?: \([^)]{0,60}\))? (?:is|are) (?:too (?:long|large)|longer than)"
    r"|\binput (?:tokens?|token count|length)\b.{0,60}\bexceeds?\b"
    r"|`inputs` (?:tokens \+|must have less than)|reduce the length of the (?:messages|prompt|input)",
    re.IGNORECASE,
)
_NOT_KNOWN: Final = re.compile(
    r"un(?:supported|known|recognized|expected)|not (?:supported|permitted|recognized)|extra (?:inputs|fields)", re.IGNORECASE
)


async def ask_chat(
    upstream: Upstream,
    base_url: str,
    params: Mapping[str, Any],
    *,
    model: str,
    added: Mapping[str, Any] | None = None,
    reasoning: ReasoningStyle = "drop",
    parse_thinking: bool = True,
    max_tokens_key: str = "max_tokens",
) -> dict[str, Any]:
    """The Response object for a request. `added` are parameters from settings; the request's own `extra_body` goes over them."""
    body = chat_request(params, model=model, reasoning=reasoning, max_tokens_key=max_tokens_key)
    body |= dict(added or {}) | extra_body(params)
    try:
        answer = await upstream.post(endpoint(base_url, "chat/completions"), body, missing_in_chat)
    except ModelError as error:
        if not leaves_no_room(error):
            raise
        return shape.out_of_context(params, model=model)
    found = response_of_chat(answer.body, params, model=model, parse_thinking=parse_thinking)
    return shape.after_tries(found, answer.failed)


def endpoint(base_url: str, path: str) -> str:
    """An address under a base URL, which people write with and without the last slash."""
    return f"{base_url.rstrip('/')}/{path}"


def leaves_no_room(error: ModelError) -> bool:
    """Whether an endpoint refused a prompt because it fills the context.

    A refusal that merely names `max_tokens` (as unknown, too small, or more than the model ever writes) is a wrong setting, and must not
    pass for a long prompt: a run would then consist of empty answers.
    """
    return error.status in (400, 413) and bool(_NO_ROOM.search(error.message)) and not _NOT_KNOWN.search(error.message)
