"""The turns of a rollout: what an agent said or did, with what came of it. One of them decided the failure.

A turn is an assistant's message or a tool call. What a machine sends back (a tool's output, the log of executed code) belongs to the
turn that asked for it and is never itself decisive: the machine does as it is told. Where agents talk to each other, the first of
them often stands in the prompt, as an item with a name (a plan, an assignment, earlier results); that item is a turn too.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from blade.runs.steps import Step
from blade.signals.calls import matcher
from blade.signals.calls.matcher import ErrorText
from blade.signals.rollout import Rollout, says_something

MAX_TEXT: Final = 20_000
"""Characters of a turn or a result that are read."""
NOBODY: Final = "assistant"
"""The agent of a turn that bears no name."""
_CODE: Final = re.compile(r"```[^\n]*\n(.*?)(?:```|\Z)", re.DOTALL)
_NO_AGENTS: Final = frozenset({"user", "human", "system", "tool"})


@dataclass(frozen=True, eq=False)
class Turn:
    """`step` is the number of the step as everywhere; `result_step` that of the machine output that answers it."""

    step: int
    agent: str
    text: str
    opening: bool = False
    call: bool = False
    changes: bool = False
    result: str | None = None
    result_step: int | None = None
    errors: tuple[ErrorText, ...] = ()
    after_result: bool = False
    """Whether a machine's output stands between this turn and the one before."""

    @cached_property
    def prose(self) -> str:
        """The words without the code blocks."""
        return "" if self.call else _CODE.sub(" ", self.text)

    @cached_property
    def acts(self) -> bool:
        """Whether it had something run, or gave code to run."""
        return self.call or any(block.strip() for block in _CODE.findall(self.text))

    @property
    def error(self) -> ErrorText | None:
        """What its run came to, if that is an error."""
        return next((error for error in self.errors if error.decides), None) if self.acts else None


def turns_of(rollout: Rollout) -> tuple[Turn, ...]:
    """The turns in order. A message's result is the machine output that follows it before anybody else speaks."""
    calls = {made.position: made for made in rollout.calls}
    found: list[Turn] = []
    opening = _opening(rollout)
    if opening is not None:
        found.append(_message(rollout, -1, opening, opening=True))
    speaker, after = NOBODY, False
    for position, item in enumerate(rollout.output):
        if (made := calls.get(position)) is not None:
            found.append(
                Turn(
                    step=item.step,
                    agent=speaker,
                    text=f"{made.name}({made.raw})"[:MAX_TEXT],
                    call=True,
                    changes=made.changes,
                    result=None if made.output is None else made.output.text[:MAX_TEXT],
                    result_step=None if made.output is None else made.output.step,
                    errors=made.errors,
                    after_result=after,
                )
            )
            after = False
        elif says_something(item):
            found.append(_message(rollout, position, item, after_result=after))
            speaker, after = found[-1].agent, False
        elif _is_machine(item):
            after = True
    return tuple(found)


def _message(rollout: Rollout, position: int, item: Step, *, opening: bool = False, after_result: bool = False) -> Turn:
    answer = rollout.output[position + 1] if position + 1 < len(rollout.output) else None
    if answer is not None and not _is_machine(answer):
        answer = None
    return Turn(
        step=item.step,
        agent=item.name or NOBODY,
        text=item.text[:MAX_TEXT],
        opening=opening,
        result=None if answer is None else answer.text[:MAX_TEXT],
        result_step=None if answer is None else answer.step,
        errors=() if answer is None else rollout.errors.get(position + 1, ()),
        after_result=after_result,
    )


def _opening(rollout: Rollout) -> Step | None:
    """The last item of the prompt, if an agent wrote it."""
    last = rollout.prompt[-1] if rollout.prompt else None
    if last is None or last.role == "system" or not last.name or last.name.lower() in _NO_AGENTS:
        return None
    return last


def _is_machine(item: Step) -> bool:
    return item.kind == "tool_output" or (item.kind == "message" and item.role != "assistant" and matcher.is_execution(item.text))
