"""What an agent does in one rollout, move by move, and the ways in which a script is bent.

A *move* is a tool call, a message of the agent, or a turn of a simulated user. A *script* is a tuple of moves. Faults of behaviour and
knowledge are other scripts for the same task: what they change is marked `decisive`, and where that move lands in the output is
known only when the script is played. Nothing here knows rewards: the environment's verifier computes them from what was played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from blade.lab.desk import Call

Row = dict[str, Any]


@dataclass(frozen=True)
class Move:
    """One of `call`, `message` and `user` is set."""

    call: Call | None = None
    message: str | None = None
    user: str | None = None
    thought: str | None = None
    """What the agent thinks before it; None where it thinks nothing worth writing."""
    changes: bool = False
    """A call that changes the world."""
    decisive: bool = False
    cut: bool = False
    """The output limit ends the message, and the rollout, here."""


Script = tuple[Move, ...]


@dataclass(frozen=True)
class Task:
    """One task of an environment: what is asked, what is expected, and how agents of every kind go about it."""

    index: int
    family: str
    system: str
    request: str
    sound: tuple[Script, ...]
    """One or several right ways."""
    gold: Row
    """The dataset's own fields."""
    faulty: Mapping[str, tuple[Script, ...]] = field(default_factory=dict)
    """By kind of fault: the scripts of an agent that has it. A fault that varies from repeat to repeat has several."""
    extras: tuple[Call, ...] = ()
    """Reads that do no harm."""
    other_gold: Row | None = None
    """Plausible and wrong: what a careless annotator might have written."""
    other_script: Script | None = None
    """A script that satisfies `other_gold`."""
    contradicted_gold: Row | None = None
    """The dataset's fields where the expected result is wrong and another field still tells the truth."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the environment's backend and verifier need to know."""


def call(name: str, /, *, thought: str | None = None, decisive: bool = False, changes: bool = False, **arguments: Any) -> Move:
    return Move(Call(name, arguments), thought=thought, decisive=decisive, changes=changes)


def say(text: str, *, thought: str | None = None, decisive: bool = False, cut: bool = False) -> Move:
    return Move(message=text, thought=thought, decisive=decisive, cut=cut)


def hear(text: str) -> Move:
    return Move(user=text)


def changes_of(script: Script) -> list[int]:
    """Where the state-changing calls stand."""
    return [number for number, move in enumerate(script) if move.changes]


def without(script: Script, *numbers: int) -> Script:
    return tuple(move for number, move in enumerate(script) if number not in numbers)


def with_arguments(script: Script, number: int, /, **arguments: Any) -> Script:
    """The script with other values in one call, which decides."""
    move = script[number]
    assert move.call is not None
    bent = replace(move, call=replace(move.call, arguments={**move.call.arguments, **arguments}), decisive=True)
    return (*script[:number], bent, *script[number + 1 :])


def with_value(script: Script, old: Any, new: Any) -> Script:
    """The script with one value replaced wherever a call gives it; the first change that carries it is decisive."""
    bent: list[Move] = []
    marked = False
    for move in script:
        if move.call is not None and old in move.call.arguments.values():
            arguments = {key: new if value == old else value for key, value in move.call.arguments.items()}
            marks = move.changes and not marked
            move = replace(move, call=replace(move.call, arguments=arguments), decisive=move.decisive or marks)
            marked = marked or marks
        bent.append(move)
    return tuple(bent)


def inserted(script: Script, number: int, *moves: Move) -> Script:
    return script[:number] + moves + script[number:]


def ending(script: Script, closing: Move) -> Script:
    """The script with another last message."""
    return (*script[:-1], closing)
