"""Trouble with the machinery: while it lasts, for whoever it meets.

Weather knows nothing of tasks. A burst hits the calls made in its time, a broken host the rollouts that happen to run there.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from blade.lab.desk import Call


@dataclass(frozen=True)
class Weather:
    """`texts` is what the tool or the client prints; `{tool}` stands for the tool's name and `{host}` for the host's."""

    texts: tuple[str, ...]
    opens: float = 0.0
    closes: float = float("inf")
    hosts: frozenset[str] | None = None
    tools: frozenset[str] | None = None
    commands: frozenset[str] | None = None
    """Only commands that begin with, or pipe into, one of these programs."""
    recovers: float = 0.0
    """How often a second try gets through although the trouble lasts."""
    halves: bool = False
    """The tool's own answer arrives, and breaks off."""
    crosses: bool = False
    """The answer to another query arrives."""
    stops: tuple[str, ...] = ()
    """What agents say who stop because of it, where that is not what they say of any trouble."""
    retries: tuple[str, ...] = ()
    """What they say before they try again, likewise."""

    def meets(self, call: Call, at: float, host: str) -> bool:
        if not self.opens <= at < self.closes or (self.hosts is not None and host not in self.hosts):
            return False
        if self.tools is not None and call.name not in self.tools:
            return False
        return self.commands is None or any(program in _programs(call) for program in self.commands)

    def covers(self, at: float, host: str) -> bool:
        return self.opens <= at < self.closes and (self.hosts is None or host in self.hosts)

    def text(self, call: Call, host: str, rng: Random) -> str:
        program = next((name for name in sorted(self.commands or ()) if name in _programs(call)), "")
        return rng.choice(self.texts).format(tool=call.name, host=host, program=program)

    def broken(self, answer: str, rng: Random) -> str:
        """As much of an answer as gets through."""
        return answer[: int(len(answer) * rng.uniform(0.25, 0.7))]


def _programs(call: Call) -> list[str]:
    """The programs that a shell command calls, in order."""
    text = " ".join(str(value) for value in call.arguments.values())
    for mark in ("&&", "||", "|", ";", "\n"):
        text = text.replace(mark, "\0")
    return [words[0] for part in text.split("\0") if (words := part.split())]
