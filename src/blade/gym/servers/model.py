"""The model server: stateless inference behind the Responses API.

A model server takes `responses_create_params` and gives a Response object, or raises `ModelError` with a category once its own bounded
retries are used up. It knows nothing of tasks, tools or rewards.
"""

from collections.abc import Mapping
from typing import Any

from blade.gym.models.errors import ModelError
from blade.gym.servers.calls import Reply, failure
from blade.gym.servers.server import Handler, Server

STATUS = {"timeout": 504, "rate_limit": 429, "auth": 401, "not_found": 404, "client_error": 400}
FOR_GOOD = ("client_error",)
"""What the endpoint says of the request itself: the same request would be refused again."""


class ModelServer(Server):
    async def responses(self, params: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def routes(self) -> dict[tuple[str, str], Handler]:
        return super().routes() | {("POST", "/v1/responses"): self._responses}

    async def _responses(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        if not isinstance(body, dict) or not body.get("input"):
            return Reply(422, {"detail": "the body must be a request with input"})
        try:
            return Reply(200, await self.responses(body))
        except ModelError as error:
            return failure(
                f"model_{error.category}", str(error), status=STATUS.get(error.category, 502), terminal=error.category in FOR_GOOD
            )
