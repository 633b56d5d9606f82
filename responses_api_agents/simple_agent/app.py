"""The plain tool-calling loop: ask the model, run the tools it calls, until it answers; then have the attempt verified.

The loop ends when the model answers without a call, when its output was cut off, after `max_steps` model calls, or when nothing
moves any more (turns with neither text nor call, or the same calls with the same results over and over). How it ended stands in
the row as `_ng_stop_reason`; the attempt is verified in every case.
"""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from blade.errors import UsageError
from blade.gym.models.shape import asked, whole
from blade.gym.models.usage import sum_usage
from blade.gym.servers import AgentServer, AgentSettings, CallFailed
from blade.gym.servers.agent import Row, failed
from blade.gym.servers.calls import failure_of
from blade.gym.servers.tools import RESERVED
from blade.gym.skills import READ_SKILL, Skills, load_skills

MOST_NAMED = 40
"""Tools that a model is told of when it calls one that is not there."""
MOST_SKILLS = 8
"""Folders of skills that an agent keeps in memory."""


class SimpleAgentSettings(AgentSettings):
    max_steps: int | None = 100
    max_idle_turns: int = 3
    """Turns in a row with neither text nor call."""
    max_repeated_turns: int = 10
    """Turns in a row with the same calls and the same results."""
    max_tool_output_characters: int | None = Field(default=1_000_000, ge=1)
    """What is longer is cut in the middle, and says so."""
    skip_verification: bool = False
    skip_verification_reward: float = 0.0


class SimpleAgent(AgentServer):
    Settings = SimpleAgentSettings

    def __init__(self, name: str, settings: Any, calls: Any) -> None:
        super().__init__(name, settings, calls)
        self._known_skills: dict[tuple[str, str], Skills] = {}

    async def responses(self, params: Row, cookies: dict[str, str]) -> Row:
        attempt = Attempt({"responses_create_params": params}, None)
        await self._loop(attempt, cookies)
        return attempt.response()

    async def run(self, row: Row) -> Row:
        resources = self.settings.resources_server
        attempt = Attempt(row, self._skills(row))
        try:
            cookies = dict((await self.ask(resources.name, "/seed_session", row)).cookies) if resources else {}
            reason = await self._loop(attempt, cookies)
            done = row | {"responses_create_params": asked(row["responses_create_params"]), "response": attempt.response()}
            if resources is None or self.settings.skip_verification:
                skipped = {"reward": self.settings.skip_verification_reward, "verification_skipped": True}
                return done | skipped | {"_ng_stop_reason": reason}
            verified = await self.ask(resources.name, "/verify", done, cookies)
        except CallFailed as error:
            return row | attempt.so_far() | failed(error)
        result: Row = verified.body
        return result | {"_ng_stop_reason": reason}

    async def _loop(self, attempt: "Attempt", cookies: dict[str, str]) -> str:
        """Model calls and tool calls in turn; says why it ended."""
        step = 0
        while True:
            step += 1
            reply = await self.ask(self.settings.model_server.name, "/v1/responses", attempt.request())
            attempt.take(reply.body)
            if reply.body.get("incomplete_details"):
                return "incomplete"
            calls = [item for item in reply.body["output"] if item.get("type") == "function_call"]
            spoke = any(item.get("type") == "message" for item in reply.body["output"])
            if spoke and not calls:
                return "completed"
            results = [await self._use(call, attempt, cookies) for call in calls]
            attempt.output += results
            if attempt.stands_still(calls, results, self.settings):
                return "no_progress"
            if self.settings.max_steps and step >= self.settings.max_steps:
                return "max_steps"

    async def _use(self, call: Row, attempt: "Attempt", cookies: dict[str, str]) -> Row:
        """A tool's output; what the environment says of a bad call is an output too, and the model may mend it.

        The model chooses the name, so it must reach tools only: never what the server answers itself, and never another session.
        """
        name = str(call.get("name"))
        try:
            arguments = json.loads(call.get("arguments") or "{}")
        except (ValueError, RecursionError) as error:
            return _output(call, json.dumps({"error": f"Invalid tool call arguments: {error}"}))
        if name == "read_skill" and attempt.skills is not None:
            known = arguments if isinstance(arguments, dict) else {}
            return _output(call, attempt.skills.read(known.get("name"), known.get("file") or "SKILL.md"))
        if self.settings.resources_server is None or "/" in name or name in RESERVED or not attempt.offers(name):
            return _output(call, json.dumps({"error": f"no tool is called {name!r}{attempt.offer()}"}))
        reply = await self.calls.post(self.settings.resources_server.name, f"/{name}", arguments, cookies=cookies)
        if not reply.ok and (lost := failure_of(self.name, f"/{name}", reply)).failure == "session_lost":
            raise lost
        for cookie, value in reply.cookies.items():
            cookies.setdefault(cookie, value)
        text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body, ensure_ascii=False)
        return _output(call, _cut(text, self.settings.max_tool_output_characters))

    def _skills(self, row: Row) -> Skills | None:
        reference = row.get("skills_ref")
        if not isinstance(reference, Mapping):
            return None
        key = str(reference.get("path")), str(reference.get("hash"))
        if key not in self._known_skills:
            self._known_skills[key] = self._loaded_skills(*key)
            while len(self._known_skills) > MOST_SKILLS:
                del self._known_skills[next(iter(self._known_skills))]
        return self._known_skills[key]

    def _loaded_skills(self, path: str, expected: str) -> Skills:
        try:
            skills = load_skills(path)
        except UsageError as error:
            raise CallFailed(self.name, "/run", "skills_changed", str(error)) from None
        if skills.hash != expected:
            raise CallFailed(self.name, "/run", "skills_changed", f"the files under {path} changed since the run began")
        return skills


class Attempt:
    """One rollout under way: what was asked, what came back, what it cost."""

    def __init__(self, row: Row, skills: Skills | None) -> None:
        self.skills = skills
        self.params: Row = dict(row["responses_create_params"])
        self._offered: list[Any] = self.params.get("tools") or []
        given = self.params.get("input") or []
        self.prompt: list[Row] = [{"role": "user", "content": given}] if isinstance(given, str) else list(given)
        if skills is not None:
            self.prompt = _introduced(self.prompt, skills.introduction())
            self.params["tools"] = [*(self.params.get("tools") or []), READ_SKILL]
        self.output: list[Row] = []
        self._last: Row | None = None
        self._usages: list[Row | None] = []
        self._idle = 0
        self._repeated = 0
        self._before: object = None

    def offers(self, name: str) -> bool:
        """Whether the row offers a tool; a row that lists none says nothing about them."""
        return not self._offered or any(isinstance(tool, dict) and tool.get("name") == name for tool in self._offered)

    def offer(self) -> str:
        """The tools of the row, as the end of a sentence."""
        names = [str(tool.get("name")) for tool in self._offered if isinstance(tool, dict)]
        return f"; the tools are {', '.join(names[:MOST_NAMED])}{', …' if len(names) > MOST_NAMED else ''}" if names else ""

    def request(self) -> Row:
        return self.params | {"input": [*self.prompt, *self.output]}

    def take(self, response: Row) -> None:
        self._last = response
        self._usages.append(response.get("usage"))
        self.output += response["output"]

    def response(self) -> Row:
        """The last call's response with the items and the usage of all calls."""
        return whole({**(self._last or {}), "output": self.output, "usage": sum_usage(self._usages)}, self.params)

    def so_far(self) -> Row:
        return {"response": self.response()} if self._last is not None else {}

    def stands_still(self, calls: list[Row], results: list[Row], settings: Any) -> bool:
        self._idle = 0 if calls else self._idle + 1
        now = ([(call.get("name"), call.get("arguments")) for call in calls], [result["output"] for result in results])
        self._repeated = self._repeated + 1 if calls and now == self._before else 0
        self._before = now
        return bool(self._idle >= settings.max_idle_turns or self._repeated >= settings.max_repeated_turns)


def _introduced(prompt: list[Row], text: str) -> list[Row]:
    """The prompt with a text at the end of its system message, or with a system message of its own."""
    if prompt and prompt[0].get("role") in ("system", "developer") and isinstance(prompt[0].get("content"), str):
        return [prompt[0] | {"content": f"{prompt[0]['content']}\n\n{text}"}, *prompt[1:]]
    return [{"role": "system", "content": text}, *prompt]


def _output(call: Row, text: str) -> Row:
    return {"type": "function_call_output", "call_id": call.get("call_id"), "output": text}


def _cut(text: str, most: int | None) -> str:
    """A text of at most so many characters, its beginning and its end kept."""
    if most is None or len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half:,} of {len(text):,} characters left out …]\n{text[len(text) - half :]}"
