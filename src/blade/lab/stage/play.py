"""Playing a script: the clock runs, tools answer, the weather strikes, and every move becomes items of a response.

The agent is sensible about trouble: a call that the machinery failed is tried again, and when that fails too it says so and stops.
What ordinary agents do besides (a look too many, a typo that is put right, a call made twice) is noise and changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import Random

from blade.lab.desk import Call
from blade.lab.stage.script import Move, Row, Script, Task
from blade.lab.stage.weather import Weather

CHARACTERS_PER_TOKEN = 4
OUTPUT_LIMIT = 1_200
"""Tokens after which a response is cut off."""

_STOPS = (
    "I wasn't able to finish this: {tool} did not respond. Please try again later.",
    "Sorry, I could not complete the request because {tool} is not responding at the moment.",
    "I'm stopping here, {tool} keeps failing and without it I cannot continue.",
    "Unfortunately the system behind {tool} is unavailable right now, so nothing could be done.",
    "{tool} returned an error twice in a row. I have to leave this unfinished.",
)
_AGAIN = ("That call failed, trying once more.", "Error from the tool. Retrying.", "Let me try that again.", None, None)


@dataclass(frozen=True)
class Manner:
    """How the agents of an environment write: how often they think aloud, and what they say before a call."""

    thinks: float = 0.5
    before_read: tuple[str, ...] = ()
    before_change: tuple[str, ...] = ()
    speaks: bool = False
    """Comments stand in messages before the calls instead of in reasoning items."""
    extra_read: float = 0.12
    recovered_error: float = 0.06
    harmless_retry: float = 0.04
    pace: tuple[float, float] = (1.5, 6.0)
    """Seconds that a model call takes."""


@dataclass
class Episode:
    task: Task
    started: float
    host: str
    items: list[Row] = field(default_factory=list)
    accepted: list[Call] = field(default_factory=list)
    """The calls that reached their tool, in order."""
    final: str = ""
    """The last message of the agent."""
    ended: float = 0.0
    truncated: bool = False
    decisive: list[int] = field(default_factory=list)
    """The steps of the moves that decide the outcome, by the script."""
    troubled: list[int] = field(default_factory=list)
    """The steps at which the machinery failed."""
    stopped: bool = False
    """The agent stopped because of that."""
    read_tokens: int = 0
    written_tokens: int = 0
    thought_tokens: int = 0
    error: str | None = None
    """What the harness recorded when the rollout broke down."""

    @property
    def said_nothing(self) -> bool:
        return not self.items


Backend = Callable[[Call], str]


@dataclass
class Player:
    """The hand that plays one rollout."""

    episode: Episode
    backend: Backend
    rng: Random
    manner: Manner
    weather: Weather | None
    name: str
    """What the ids of this rollout's items are made from."""

    def __post_init__(self) -> None:
        self.clock = self.episode.started
        self.context = _tokens(self.episode.task.system + self.episode.task.request) + 400

    def play(self, script: Script, noisy: bool = True) -> Episode:
        """Play the moves in order; `noisy` adds what ordinary agents do besides."""
        played = self._with_noise(script) if noisy else script
        for move in played:
            if move.user is not None:
                self._item("message", role="user", content=move.user)
                self.context += _tokens(move.user)
            elif move.call is not None:
                if not self._call(move):
                    break
            else:
                self._say(move)
                if move.cut:
                    self.episode.truncated = True
                    break
        self.episode.ended = round(self.clock, 3)
        return self.episode

    def _with_noise(self, script: Script) -> Script:
        """A read too many, a typo put right, or a read made twice, somewhere before the first change."""
        reads = [number for number, move in enumerate(script) if move.call is not None and not move.changes]
        firsts = [number for number, move in enumerate(script) if move.changes or move.decisive]
        spots = [number for number in reads if not firsts or number < firsts[0]]
        if not spots:
            return script
        at, chance = self.rng.choice(spots), self.rng.random()
        extras = self.episode.task.extras
        if chance < self.manner.extra_read and extras:
            return (*script[:at], Move(self.rng.choice(extras)), *script[at:])
        chance -= self.manner.extra_read
        if 0 <= chance < self.manner.recovered_error and (slip := _mistyped(script[at], self.rng)) is not None:
            return (*script[:at], slip, *script[at:])
        chance -= self.manner.recovered_error
        if 0 <= chance < self.manner.harmless_retry:
            return (*script[: at + 1], replace(script[at], thought=None), *script[at + 1 :])
        return script

    def _call(self, move: Move) -> bool:
        made = move.call
        assert made is not None
        for attempt in range(2):
            self._tick()
            self._comment(move, attempt)
            host, weather = self.episode.host, self.weather
            down = weather is not None and weather.meets(made, self.clock, host)
            if down and weather is not None and attempt and self.rng.random() < weather.recovers:
                down = False
            if down and weather is not None:
                output = self._disturbed(made, weather)
            else:
                output = self.backend(made)
            step = self._call_items(made, output)
            if move.decisive:
                self.episode.decisive.append(step)
            if not down:
                self.episode.accepted.append(made)
                return True
            self.episode.troubled.append(step + 1)
        stops = (self.weather and self.weather.stops) or _STOPS
        self._say(Move(message=self.rng.choice(stops).format(tool=made.name)))
        self.episode.stopped = True
        return False

    def _disturbed(self, made: Call, weather: Weather) -> str:
        """What comes back from a tool in bad weather."""
        if weather.halves:
            return weather.broken(self.backend(made), self.rng)
        others = [one for one in self.episode.task.extras if one.key != made.key]
        if weather.crosses and others:
            alike = [one for one in others if one.name == made.name]
            return self.backend(self.rng.choice(alike or others))
        return weather.text(made, self.episode.host, self.rng)

    def _comment(self, move: Move, attempt: int) -> None:
        assert move.call is not None
        phrases = self.manner.before_change if move.changes else self.manner.before_read
        text = move.thought
        if attempt:
            text = self.rng.choice((self.weather and self.weather.retries) or _AGAIN)
        elif text is None and phrases and self.rng.random() < self.manner.thinks:
            text = self.rng.choice(phrases).format(tool=move.call.name)
        if text:
            self._think(text)

    def _think(self, text: str) -> None:
        if self.manner.speaks:
            self._message(text)
        else:
            self._item("reasoning", summary=[{"type": "summary_text", "text": text}], encrypted_content=None)
            self.episode.thought_tokens += _tokens(text)
        self._wrote(text)

    def _say(self, move: Move) -> None:
        self._tick()
        if move.thought:
            self._think(move.thought)
        text = move.message or ""
        step = self._message(text, "incomplete" if move.cut else "completed")
        self._wrote(text)
        self.episode.final = text
        if move.decisive:
            self.episode.decisive.append(step)

    def _message(self, text: str, status: str = "completed") -> int:
        content: list[Row] = [{"type": "output_text", "text": text, "annotations": [], "logprobs": None}]
        return self._item("message", role="assistant", status=status, content=content)

    def _call_items(self, made: Call, output: str) -> int:
        arguments = json.dumps(made.arguments, ensure_ascii=False)
        call_id = self._id("call")
        step = self._item("function_call", call_id=call_id, name=made.name, arguments=arguments, status="completed")
        self._item("function_call_output", call_id=call_id, output=output, status="completed")
        self._wrote(arguments)
        self.episode.read_tokens += self.context
        self.context += _tokens(output)
        return step

    def _item(self, kind: str, **content: object) -> int:
        prefix = {"message": "msg", "reasoning": "rs", "function_call": "fc", "function_call_output": "fco"}[kind]
        self.episode.items.append({"type": kind, "id": self._id(prefix), **content})
        return len(self.episode.items) - 1

    def _id(self, prefix: str) -> str:
        return identifier(prefix, self.name, len(self.episode.items))

    def _wrote(self, text: str) -> None:
        self.episode.written_tokens += _tokens(text)
        self.context += _tokens(text)

    def _tick(self) -> None:
        self.clock += round(self.rng.uniform(*self.manner.pace), 3)


def _tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def identifier(prefix: str, *parts: object) -> str:
    return f"{prefix}_{sha256(':'.join(map(str, parts)).encode()).hexdigest()[:24]}"


def _mistyped(move: Move, rng: Random) -> Move | None:
    """The call with two letters of an argument swapped, as fingers and models do; it finds nothing and is made again."""
    assert move.call is not None
    texts = [key for key, value in move.call.arguments.items() if isinstance(value, str) and len(value) > 5 and value.isascii()]
    if not texts:
        return None
    key = rng.choice(texts)
    value = move.call.arguments[key]
    at = rng.randrange(1, len(value) - 2)
    swapped = value[:at] + value[at + 1] + value[at] + value[at + 2 :]
    if swapped == value:
        return None
    return Move(replace(move.call, arguments={**move.call.arguments, key: swapped}))
