"""One tool call with what came back, as detectors see it."""

from typing import Any

import msgspec

from blade.runs.steps import Step
from blade.signals.calls import arguments, sameness
from blade.signals.calls.answered import answer_data
from blade.signals.calls.matcher import ErrorText
from blade.signals.calls.mutation import CHANGE, READ, Mutation
from blade.signals.once import once


class Call(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A tool call with what came back. `arguments` is None where they do not parse, and `problem` says why."""

    position: int
    step: int
    name: str
    raw: str
    arguments: dict[str, Any] | None
    problem: str | None
    output: Step | None
    output_position: int | None
    errors: tuple[ErrorText, ...]
    mutation: Mutation
    by_user: bool = False
    """Made by the other side of a dialogue, with a tool of its own."""

    @property
    def reads(self) -> bool:
        return self.mutation.kind == READ

    @property
    def changes(self) -> bool:
        return self.mutation.kind == CHANGE

    @once
    def key(self) -> tuple[str, str]:
        """What makes two calls the same call."""
        return self.name, arguments.canonical(self.arguments, self.raw)

    @once
    def leaves(self) -> tuple[tuple[str, Any], ...]:
        """The plain values of its arguments with their paths; none where they do not parse."""
        return tuple(arguments.leaves(self.arguments or {}))

    @once
    def normal(self) -> Any:
        """Its arguments in the one spelling that they are compared in."""
        return sameness.normal(self.arguments)

    @once
    def data(self) -> Any:
        """What its answer holds as objects and lists; None where there is none, or where it is laid out as neither."""
        return None if self.output is None else answer_data(self.output.text)

    @once
    def error(self) -> ErrorText | None:
        """What the whole call came to, if that is an error; an error line somewhere in a long output is none."""
        return next((error for error in self.errors if error.decides), None)

    @property
    def short(self) -> str:
        return f"{self.name}({self.key[1]})"
