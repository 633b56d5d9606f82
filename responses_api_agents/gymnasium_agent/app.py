"""Episodes in environments of the Gymnasium style: the model acts, the environment answers with an observation and a reward.

What the environment says is a message of the user's side and stands among the output, because it is part of what happened. The reward
is the sum over all steps. An episode ends when the environment says so, or after `max_steps` actions, which counts as truncated.
"""

from typing import Any

from pydantic import Field

from blade.gym.models.shape import asked, whole
from blade.gym.models.usage import sum_usage
from blade.gym.servers import AgentServer, AgentSettings, CallFailed
from blade.gym.servers.agent import Reference, Row, failed


class GymnasiumAgentSettings(AgentSettings):
    resources_server: Reference
    max_steps: int = Field(default=10, ge=1)


class GymnasiumAgent(AgentServer):
    Settings = GymnasiumAgentSettings

    async def run(self, row: Row) -> Row:
        episode = Episode(row)
        try:
            await self._play(episode, row)
        except CallFailed as error:
            return row | episode.so_far() | failed(error)
        return row | episode.result()

    async def _play(self, episode: "Episode", row: Row) -> None:
        environment, model = self.settings.resources_server.name, self.settings.model_server.name
        begun = await self.ask(environment, "/reset", row)
        cookies = dict(begun.cookies)
        episode.begin(begun.body)
        for _ in range(self.settings.max_steps):
            answer = (await self.ask(model, "/v1/responses", episode.request())).body
            episode.act(answer)
            reply = await self.ask(environment, "/step", row | {"response": answer}, cookies)
            cookies |= reply.cookies
            episode.see(reply.body)
            if episode.ended:
                return


class Episode:
    """One rollout under way."""

    def __init__(self, row: Row) -> None:
        self.params: Row = dict(row["responses_create_params"])
        given = self.params.get("input") or []
        self.params["input"] = [{"role": "user", "content": given}] if isinstance(given, str) else list(given)
        self.output: list[Row] = []
        self.reward = 0.0
        self.outcome: Row = {"terminated": False, "truncated": False, "info": {}}
        self._last: Row = {}
        self._usages: list[Any] = []

    @property
    def ended(self) -> bool:
        return bool(self.outcome["terminated"] or self.outcome["truncated"])

    def begin(self, first: Row) -> None:
        self.params["input"] += _told(first.get("observation"))
        self.outcome["info"] = first.get("info") or {}

    def request(self) -> Row:
        return self.params | {"input": [*self.params["input"], *self.output]}

    def act(self, answer: Row) -> None:
        self._last = answer
        self._usages.append(answer.get("usage"))
        self.output += answer["output"]

    def see(self, outcome: Row) -> None:
        """Take a step's reward, and what the model is to know of it; after the last one it is asked nothing more."""
        self.reward += outcome["reward"]
        self.outcome = outcome
        if not self.ended:
            self.output += [
                {"type": "function_call_output", "call_id": result["call_id"], "output": result["output"]}
                for result in outcome["info"].get("tool_outputs") or []
            ]
            self.output += _told(outcome.get("observation"))

    def so_far(self) -> Row:
        return {"response": self._response()} if self._last else {}

    def result(self) -> Row:
        return {
            "responses_create_params": asked(self.params),
            "response": self._response(),
            "reward": self.reward,
            "terminated": self.outcome["terminated"],
            "truncated": self.outcome["truncated"] or not self.ended,
            "info": self.outcome["info"],
            "_ng_stop_reason": "completed" if self.ended else "max_steps",
        }

    def _response(self) -> Row:
        return whole({**self._last, "output": self.output, "usage": sum_usage(self._usages)}, self.params)


def _told(observation: str | None) -> list[Row]:
    return [{"type": "message", "role": "user", "content": observation}] if observation else []
