"""The agent server: the loop that turns a model into an agent, and a row into a rollout.

`run` takes a materialized row and gives the rollout's row. What stops a rollout from being scored (the endpoint gave up, the verifier
raised) is data: a row with `_ng_failure_class`, so that it can be counted, stored and tried again.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from blade.gym.servers.calls import CallFailed, Reply, failure, failure_of
from blade.gym.servers.server import Handler, Server
from blade.gym.settings import Settings

Row = dict[str, Any]


class Reference(Settings):
    """Another instance, by type and name."""

    type: str = ""
    name: str


class AgentSettings(Settings):
    model_server: Reference
    resources_server: Reference | None = None
    max_steps: int | None = None


class AgentServer(Server):
    Settings: ClassVar[type[Any]] = AgentSettings

    async def run(self, row: Row) -> Row:
        """The rollout of a row: its fields, `response`, `reward` and what the verifier adds; or a failure's row."""
        raise NotImplementedError

    async def responses(self, params: Row, cookies: dict[str, str]) -> Row:
        """The loop alone, for a caller who begins and ends the session: the response with the items of all its model calls.

        `cookies` are the caller's and go along to the tools; what the environment adds to them is put in there.
        """
        raise NotImplementedError

    def routes(self) -> dict[tuple[str, str], Handler]:
        whole = {("POST", "/run"): self._run, ("POST", "/aggregate_metrics"): self._aggregate}
        alone = {("POST", "/v1/responses"): self._responses} if type(self).responses is not AgentServer.responses else {}
        return super().routes() | whole | alone

    async def _run(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        if not isinstance(body, dict) or not isinstance(body.get("responses_create_params"), dict):
            return Reply(422, {"detail": "the body must be a row with responses_create_params"})
        try:
            return Reply(200, await self.run(body))
        except CallFailed as error:
            return Reply(200, body | failed(error))

    async def _responses(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        if not isinstance(body, dict) or not body.get("input"):
            return Reply(422, {"detail": "the body must be a request with input"})
        if body.get("stream"):
            return Reply(422, {"detail": "an agent answers when all is done: leave stream out"})
        held = dict(cookies)
        try:
            return Reply(200, await self.responses(body, held), held)
        except CallFailed as error:
            return failure(error.failure, str(error), status=502, terminal=error.terminal)

    async def _aggregate(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        """The environment's own figures: the resources server computes them."""
        reference = self.settings.resources_server
        if reference is None:
            return Reply(404, {"detail": f"{self.name} has no resources server"})
        return await self.calls.post(reference.name, "/aggregate_metrics", body)

    async def ask(self, server: str, path: str, body: Any, cookies: Mapping[str, str] | None = None) -> Reply:
        """A call that must succeed; raises `CallFailed`."""
        reply = await self.calls.post(server, path, body, cookies=cookies)
        if not reply.ok:
            raise failure_of(server, path, reply)
        return reply


def failed(error: CallFailed) -> Row:
    """What a failed call leaves in the rollout's row."""
    marks: Row = {"_ng_failure_class": error.failure, "failure_message": str(error)}
    return marks | ({"_ng_failure_terminal": True} if error.terminal else {})
