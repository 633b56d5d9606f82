"""Environments in the style of Gymnasium: `reset` begins an episode, `step` takes an action and gives its reward.

    class Guess(GymnasiumServer):
        def reset(self, row):
            return {"secret": row["secret"], "left": 5}, "I think of a number from 1 to 100.", {}

        def step(self, state, action, response):
            state["left"] -= 1
            hit = action.strip() == str(state["secret"])
            return {"observation": "no", "reward": float(hit), "terminated": hit, "truncated": not state["left"]}

The action is the text that the model said last; `response` has all of its answer. An environment that offers tools reads the calls there and
puts their results into `info` as `tool_outputs: [{"call_id": …, "output": …}]`. The reward of a rollout is the sum over its steps, so there is
no `verify`, and stored rollouts cannot be verified again. Both methods run where they can be killed, as tools do.
"""

import inspect
import math
import pickle
from collections.abc import Mapping
from typing import Any

from blade.gym.servers.calls import Reply, failure
from blade.gym.servers.deadlines import deadline
from blade.gym.servers.resources import ResourcesServer, Row, ToolRaised
from blade.gym.servers.server import Handler
from blade.gym.servers.sessions import NoSession
from blade.gym.servers.values import NotPlain, plain
from blade.gym.servers.workers import WorkFailed

STEP_FAILURES = {"error": "step_error", "timeout": "step_timeout", "died": "step_died"}


class GymnasiumServer(ResourcesServer):
    reverify_mode = "unsupported"

    def reset(self, row: Row) -> Any:
        """An episode's state (any value that pickles), its first observation (a text, or none), and further facts about it."""
        raise NotImplementedError(f"{type(self).__name__} has no reset")

    def step(self, state: Any, action: str, response: Row) -> Any:
        """What an action did: `observation`, `reward`, `terminated` and `truncated` (default: false) and `info`; or these five in a row."""
        raise NotImplementedError(f"{type(self).__name__} has no step")

    def routes(self) -> dict[tuple[str, str], Handler]:
        kept = {key: handler for key, handler in super().routes().items() if key[1] not in ("/seed_session", "/verify")}
        return kept | {("POST", "/reset"): self._reset, ("POST", "/step"): self._step}

    async def _reset(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        if not isinstance(body, dict):
            return Reply(422, {"detail": "the body must be the row of a rollout"})
        try:
            state, observation, info = await self._begun(body)
            info = plain(info)
        except (WorkFailed, NotPlain) as error:
            return failure("seed_error", str(error))
        except TimeoutError:
            return failure("seed_error", f"reset did not return within {self.settings.tool_timeout_seconds:g} s")
        fault = _not_an_observation(observation) or _not_facts(info)
        if fault is not None:
            return failure("seed_error", f"reset {fault}")
        return Reply(200, {"observation": observation, "info": info or {}}, {self._cookie: self._sessions.begin(state)})

    async def _begun(self, row: Row) -> tuple[bytes, Any, Any]:
        seconds = self.settings.tool_timeout_seconds
        if inspect.iscoroutinefunction(self.reset):
            async with deadline(seconds):
                return _pickled(await self.reset(row))
        if self._pool is None:
            return self._pickled_reset(row)
        state, observation, info = (await self._pool.call("_pickled_reset", None, [row], seconds))[0]
        return state, observation, info

    def _pickled_reset(self, row: Row) -> tuple[bytes, Any, Any]:
        return _pickled(self.reset(row))

    async def _step(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        if not isinstance(body, dict) or not isinstance(response := body.get("response"), dict):
            return Reply(422, {"detail": "the body must be a row with a response"})
        try:
            session = self._sessions.find(cookies.get(self._cookie))
            async with session.lock:
                done = await self._in_session(
                    session, "step", [action_of(response), response], self.settings.tool_timeout_seconds
                )
        except NoSession as error:
            return failure("session_lost", str(error), status=400)
        except WorkFailed as error:
            return failure(STEP_FAILURES[error.kind], str(error))
        except ToolRaised as error:
            return failure("step_error", str(error))
        outcome = _outcome(done)
        if isinstance(outcome, str):
            return failure("step_error", f"step {outcome}")
        if outcome["terminated"] or outcome["truncated"]:
            self._sessions.end(session)
        return Reply(200, outcome)


def action_of(response: Mapping[str, Any]) -> str:
    """The text of a model's answer."""
    messages = [item for item in response.get("output") or [] if isinstance(item, Mapping) and item.get("type") == "message"]
    parts = [part for item in messages for part in item.get("content") or []]
    return "".join(str(part.get("text") or "") for part in parts if isinstance(part, Mapping))


def _pickled(begun: Any) -> tuple[bytes, Any, Any]:
    if not isinstance(begun, tuple | list) or len(begun) != 3:
        raise TypeError("reset must return a state, an observation and further facts")
    state, observation, info = begun
    return pickle.dumps(state, pickle.HIGHEST_PROTOCOL), observation, info


def _outcome(done: Any) -> Row | str:
    """What a step did, with every key; or what is wrong with it."""
    keys = ("observation", "reward", "terminated", "truncated", "info")
    if isinstance(done, tuple | list) and len(done) == len(keys):
        done = dict(zip(keys, done, strict=True))
    if not isinstance(done, Mapping):
        return f"must return an object with a reward, or five values, not {type(done).__name__}"
    reward = done.get("reward")
    if not isinstance(reward, int | float) or not math.isfinite(reward):
        return f"must return a finite number as reward, not {reward!r}"
    if fault := _not_an_observation(done.get("observation")) or _not_facts(done.get("info")):
        return fault
    ended = {key: bool(done.get(key)) for key in ("terminated", "truncated")}
    return {"observation": done.get("observation"), "reward": float(reward), **ended, "info": done.get("info") or {}}


def _not_an_observation(observation: Any) -> str | None:
    if observation is None or isinstance(observation, str):
        return None
    return f"must return a text or None as observation, not {type(observation).__name__}"


def _not_facts(info: Any) -> str | None:
    return None if info is None or isinstance(info, Mapping) else f"must return an object as info, not {type(info).__name__}"
