"""The model server: stateless inference behind the Responses API.

A model server takes `responses_create_params` and gives a Response object, or raises `ModelError` with a category once its own bounded
retries are used up. It knows nothing of tasks, tools or rewards.
"""

from collections.abc import Mapping
from typing import Any

from blade.gym.models.errors import ModelError
from blade.gym.servers.calls import Reply, failure
from blade.gym.servers.dialects.refusal import Refused
from blade.gym.servers.dialects.responses import check_request
from blade.gym.servers.server import Handler, Server

STATUS = {"timeout": 504, "rate_limit": 429, "auth": 401, "not_found": 404, "client_error": 400}
FOR_GOOD = ("client_error",)
"""What the endpoint says of the request itself: the same request would be refused again."""


EVENTS = "text/event-stream"


class ModelServer(Server):
    async def responses(self, params: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def routes(self) -> dict[tuple[str, str], Handler]:
        return super().routes() | {
            ("POST", "/v1/responses"): self._responses,
            ("POST", "/v1/chat/completions"): self._chat,
            ("POST", "/v1/messages"): self._messages,
        }

    async def _responses(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        try:
            request = check_request(body)
        except Refused as error:
            return Reply(422, {"detail": str(error)})
        streamed = request.pop("stream", None)
        reply = await self._answer(request)
        if not (streamed and reply.ok):
            return reply
        from blade.gym.servers.dialects.replay import event_stream, response_events

        return Reply(200, event_stream(response_events(reply.body)), content_type=EVENTS)

    async def _chat(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        from blade.gym.servers.dialects import chat
        from blade.gym.servers.dialects.refusal import object_at
        from blade.gym.servers.dialects.replay import chat_events, event_stream

        try:
            params = chat.params_of_chat(object_at(body, "the body"))
            options = object_at(body.get("stream_options") or {}, "stream_options")
        except Refused as error:
            return Reply(422, {"detail": str(error)})
        reply = await self._answer(params)
        if not reply.ok:
            return reply
        completion = chat.chat_completion(reply.body)
        if not body.get("stream"):
            return Reply(200, completion)
        return Reply(
            200, event_stream(chat_events(completion, with_usage=bool(options.get("include_usage")))), content_type=EVENTS
        )

    async def _messages(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        from blade.gym.servers.dialects import messages
        from blade.gym.servers.dialects.refusal import object_at
        from blade.gym.servers.dialects.replay import event_stream, message_events

        try:
            params = messages.params_of_messages(object_at(body, "the body"))
        except Refused as error:
            return Reply(422, {"type": "error", "error": {"type": "invalid_request_error", "message": str(error)}})
        reply = await self._answer(params)
        if not reply.ok:
            return Reply(reply.status, {"type": "error", "error": {"type": "api_error", **reply.body["error"]}})
        message = messages.message_of(reply.body)
        if not body.get("stream"):
            return Reply(200, message)
        return Reply(200, event_stream(message_events(message)), content_type=EVENTS)

    async def _answer(self, params: dict[str, Any]) -> Reply:
        """The model's answer; its failure is an answer too, with the class that callers sort by."""
        try:
            return Reply(200, await self.responses(params))
        except ModelError as error:
            return failure(
                f"model_{error.category}", str(error), status=STATUS.get(error.category, 502), terminal=error.category in FOR_GOOD
            )
