"""The resources server: an environment's state, its tools and its verifier.

An environment is a page of code: what a session starts with, a method per tool, and a verdict.

    class Shelf(ResourcesServer):
        def seed_session(self, row):            # the state of one rollout: anything that pickles
            return {"books": list(row["books"])}

        @tool
        def shelf_add(self, state, title: str) -> str:
            "Put a book on the shelf."
            state["books"].append(title)
            return "done"

        def verify(self, state, row, response):
            return {"reward": float(sorted(state["books"]) == sorted(row["wanted"]))}

Plain methods run in worker processes that are killed at their deadline (see `workers`). `async def` methods run in the server's own
event loop, may call other servers, and are cancelled at the deadline; what they compute for long they give to `in_worker`, and while they
wait for a free worker their deadline stands still.
"""

import asyncio
import inspect
import json
import math
import os
import pickle
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from blade.gym.servers import mcp
from blade.gym.servers.calls import Reply, failure
from blade.gym.servers.deadlines import deadline
from blade.gym.servers.server import Handler, Server
from blade.gym.servers.sessions import NoSession, Session, Sessions
from blade.gym.servers.tools import InvalidArguments, checked, tool_schemas, tools_of
from blade.gym.servers.values import NotPlain, plain
from blade.gym.servers.worker_process import Recipe
from blade.gym.servers.workers import NOTHING, WorkerPool, WorkFailed
from blade.gym.settings import Settings

ReverifyMode = Literal["stateless", "unsupported", "unknown"]
Row = dict[str, Any]
SECOND_TRY = ("verifier_error", "verifier_died")
"""What may pass: the answer is there, the state is as before, and only its grading is made again. Who hung once is not waited for twice."""
ROW_KEYS = ("response", "responses_create_params", "agent_ref", "_ng_task_index", "_ng_rollout_index")
VERIFIER_FAILURES = {"error": "verifier_error", "timeout": "verifier_timeout", "died": "verifier_died"}


class JudgeFailed(Exception):
    """The judge gave no verdict: the rollout is kept, unscored, and can be verified again."""


class ResourcesSettings(Settings):
    domain: str = "other"
    num_workers: int | None = None
    worker_memory_mb: int | None = Field(default=None, ge=1)
    """The address space that one worker may use; a call that needs more fails alone."""
    tool_timeout_seconds: float = 60.0
    verify_timeout_seconds: float = 300.0
    expose_tools_over_mcp: bool = False
    """Whether agents that speak MCP find the tools at `/mcp` too."""
    verbose: bool = False
    """Whether what tools and verifiers print is shown."""


class ResourcesServer(Server):
    """An environment. `reverify_mode` says whether `verify` needs nothing but the row and the response."""

    Settings: ClassVar[type[Any]] = ResourcesSettings
    reverify_mode: ClassVar[ReverifyMode] = "unknown"

    # What an environment writes.

    def seed_session(self, row: Row) -> Any:
        """The state that a rollout starts with: any value that pickles."""
        return None

    def verify(self, state: Any, row: Row, response: Row) -> Any:
        """The verdict: an object with `reward` and whatever else a reader should know. It is added to the row."""
        raise NotImplementedError(f"{type(self).__name__} has no verify")

    def compute_metrics(self, tasks: list[list[Row]]) -> Row:
        """Figures beyond the usual ones, over the rollouts of each task; also called offline, from the class."""
        return {}

    @property
    def has_own_metrics(self) -> bool:
        return type(self).compute_metrics is not ResourcesServer.compute_metrics

    def get_key_metrics(self, agent_metrics: Row) -> Row:
        """The figures to print first; by default all means."""
        return {name: value for name, value in agent_metrics.items() if name.startswith("mean/")}

    # How it is answered.

    def __init__(self, name: str, settings: Any, calls: Any) -> None:
        super().__init__(name, settings, calls)
        self._sessions = Sessions()
        self._pool: WorkerPool | None = None
        self._tools = tools_of(type(self))
        self._cookie = f"{type(self).__name__}___{name}"

    def routes(self) -> dict[tuple[str, str], Handler]:
        return (
            super().routes()
            | {
                ("POST", "/seed_session"): self._seed,
                ("POST", "/verify"): self._verify,
                ("POST", "/aggregate_metrics"): self._aggregate,
                ("GET", "/reverify_mode"): self._mode,
            }
            | (self._over_mcp() if self.settings.expose_tools_over_mcp else {})
        )

    async def start(self) -> None:
        if self.component is not None:
            size = self.settings.num_workers or os.cpu_count() or 1
            settings = self.settings.model_dump(mode="json")
            recipe = Recipe(
                self.component, self.name, settings, self.settings.worker_memory_mb, verbose=bool(self.settings.verbose)
            )
            self._pool = WorkerPool(recipe, size)

    async def stop(self) -> None:
        if self._pool is not None:
            await self._pool.close()

    async def in_worker(self, method: str, *arguments: Any, timeout: float | None = None) -> Any:
        """The result of a plain method of this class that takes no state, computed where it can be killed; raises `WorkFailed`."""
        if self._pool is None:
            return getattr(self, method)(*arguments)
        seconds = timeout or self.settings.verify_timeout_seconds
        return (await self._pool.call(method, None, list(arguments), seconds, repeatable=True))[0]

    async def _seed(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        if not isinstance(body, dict):
            return Reply(422, {"detail": "the body must be the row of a rollout"})
        if self._needs_no_session:
            return Reply(200, {})
        state = NOTHING
        if type(self).seed_session is not ResourcesServer.seed_session:
            try:
                state = await self._fresh_state(body)
            except WorkFailed as error:
                return failure("seed_error", str(error))
            except TimeoutError:
                return failure("seed_error", f"seed_session did not return within {self.settings.tool_timeout_seconds:g} s")
        session = self._sessions.begin(state)
        over_mcp = {"mcp": mcp.way_in(self.name, session)} if self.settings.expose_tools_over_mcp else {}
        return Reply(200, over_mcp, {self._cookie: session})

    @property
    def _needs_no_session(self) -> bool:
        """Nothing is seeded, nothing can be changed: there is nothing to keep apart."""
        return self.reverify_mode == "stateless" and not self._tools and type(self).seed_session is ResourcesServer.seed_session

    async def _fresh_state(self, row: Row) -> bytes:
        seconds = self.settings.tool_timeout_seconds
        if inspect.iscoroutinefunction(self.seed_session):
            async with deadline(seconds):
                return pickle.dumps(await self.seed_session(row), pickle.HIGHEST_PROTOCOL)
        if self._pool is None:
            return pickle.dumps(self.seed_session(row), pickle.HIGHEST_PROTOCOL)
        found: bytes = (await self._pool.call("_pickled_seed", None, [row], seconds))[0]
        return found

    def _pickled_seed(self, row: Row) -> bytes:
        return pickle.dumps(self.seed_session(row), pickle.HIGHEST_PROTOCOL)

    async def unknown(self, method: str, path: str, body: Any, cookies: Mapping[str, str]) -> Reply:
        name = path.removeprefix("/")
        if method != "POST" or name not in self._tools:
            close = "" if not self._tools else f"; the tools are {', '.join(self._tools)}"
            return Reply(404, {"detail": f"no tool is called {name!r}{close}"})
        return await self._use(name, body, cookies)

    async def _use(self, name: str, body: Any, cookies: Mapping[str, str]) -> Reply:
        """A tool's output. What a tool raises is told to the model: it is part of the rollout."""
        try:
            return Reply(200, await self._used(name, body, cookies.get(self._cookie)))
        except NoSession as error:
            return failure("session_lost", str(error), status=400)
        except TOOL_FAILURES as error:
            return Reply(200, _said_of(name, error))

    async def _used(self, name: str, body: Any, cookie: str | None) -> Any:
        seconds = self.settings.tool_timeout_seconds
        session = self._sessions.find(cookie)
        async with session.lock:
            if inspect.iscoroutinefunction(self._tools[name]):
                return await self._in_session(session, name, list(checked(self._tools[name], body).values()), seconds)
            return await self._in_session(session, "_plain_tool", [name, body], seconds)

    def _over_mcp(self) -> dict[tuple[str, str], Handler]:
        return {("POST", mcp.PATH): self._mcp, ("GET", mcp.PATH): mcp.no_stream, ("DELETE", mcp.PATH): mcp.no_stream}

    async def _mcp(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        session = cookies.get(mcp.SESSION_HEADER) or cookies.get(self._cookie)

        async def use(name: str, arguments: Any) -> tuple[str, bool]:
            try:
                value = await self._used(name, arguments, session)
            except NoSession as error:
                return str(error), False
            except TOOL_FAILURES as error:
                return _said_of(name, error), False
            return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), True

        return await mcp.answer(body, self.name, tool_schemas(type(self)), use)

    def _plain_tool(self, state: Any, name: str, body: Any) -> Any:
        """A tool with its arguments checked where it runs, so that it gets dates and numbers and not their texts."""
        return getattr(self, name)(state, **checked(self._tools[name], body))

    async def _in_session(self, session: Session, name: str, arguments: list[Any], seconds: float) -> Any:
        """A method's value with the session's state changed by it; after a failure the state is what it was before."""
        method = getattr(self, name)
        if not inspect.iscoroutinefunction(method) and self._pool is not None:
            value, state = await self._pool.call(name, session.state, arguments, seconds, repeatable=name == "verify")
            value = _checked(value)
            session.state = state if state is not None else NOTHING
            return value
        current = pickle.loads(session.state)  # noqa: S301  # made by this server's own code
        try:
            async with deadline(seconds):
                value = await method(current, *arguments) if inspect.iscoroutinefunction(method) else method(current, *arguments)
            value = _checked(value)
        except (JudgeFailed, WorkFailed):
            raise
        except TimeoutError as error:
            raise WorkFailed("timeout", f"{name} did not return within {seconds:g} s") from error
        except Exception as error:
            raise ToolRaised(str(error) or type(error).__name__) from error
        session.state = pickle.dumps(current, pickle.HIGHEST_PROTOCOL)
        return value

    async def _verify(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        if not isinstance(body, dict) or not isinstance(body.get("response"), dict):
            return Reply(422, {"detail": "the body must be a row with its response"})
        if self.settings.expose_tools_over_mcp:
            body = body | {"response": mcp.with_plain_names(body["response"], self.name)}
        try:
            session = self._session_to_verify(cookies)
        except NoSession as error:
            return failure("session_lost", str(error), status=400)
        try:
            reply = await self._verdict(session, body)
            if not reply.ok and reply.body["error"]["class"] in SECOND_TRY:
                reply = await self._verdict(session, body)
            return reply
        finally:
            self._sessions.end(session)

    async def _verdict(self, session: Session, body: Row) -> Reply:
        row = {name: value for name, value in body.items() if name != "response"}
        try:
            async with session.lock:
                verdict = await self._in_session(session, "verify", [row, body["response"]], self.settings.verify_timeout_seconds)
        except JudgeFailed as error:
            return Reply(200, body | _judge_failed(str(error)))
        except WorkFailed as error:
            if error.error_type == JudgeFailed.__name__:
                return Reply(200, body | _judge_failed(str(error)))
            return failure(VERIFIER_FAILURES[error.kind], str(error))
        except ToolRaised as error:
            return failure("verifier_error", str(error))
        if fault := _not_a_verdict(verdict):
            return failure("verifier_error", fault)
        return Reply(200, body | verdict | {"reward": verdict["reward"] + 0.0})

    def _session_to_verify(self, cookies: Mapping[str, str]) -> Session:
        """A stateless verifier needs no session: stored rollouts are verified again without one."""
        if self.reverify_mode == "stateless" and self._cookie not in cookies:
            return Session("none", NOTHING)
        return self._sessions.find(cookies.get(self._cookie))

    async def _aggregate(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        from blade.gym.servers.metrics import aggregate_metrics

        rows = body.get("verify_responses") if isinstance(body, dict) else None
        if not isinstance(rows, list):
            return Reply(422, {"detail": "the body must hold verify_responses, a list of rows"})
        return Reply(200, await asyncio.to_thread(aggregate_metrics, self, rows))

    async def _mode(self, body: Any, cookies: Mapping[str, str]) -> Reply:
        return Reply(200, self.reverify_mode)


class ToolRaised(Exception):
    """What a method that runs in the event loop raised."""


TOOL_FAILURES = (WorkFailed, ToolRaised, InvalidArguments)


def _said_of(tool: str, error: Exception) -> str:
    return f"Error executing tool '{tool}': {error}"


def _checked(value: Any) -> Any:
    """What a method returned, if a row can hold it."""
    try:
        return plain(value)
    except NotPlain as error:
        raise WorkFailed("error", str(error), NotPlain.__name__) from None


def _judge_failed(message: str) -> Row:
    return {"reward": 0.0, "_ng_failure_class": "judge_failed", "_ng_failure_judge_error": message}


def _not_a_verdict(verdict: Any) -> str | None:
    if not isinstance(verdict, dict):
        return f"verify must return an object with a reward, not {type(verdict).__name__}"
    reward = verdict.get("reward")
    if not isinstance(reward, int | float) or not math.isfinite(reward):
        return f"verify must return a finite number as reward, not {reward!r}"
    if taken := [name for name in ROW_KEYS if name in verdict]:
        return f"verify must not return {taken[0]}: the row has it already"
    return None
