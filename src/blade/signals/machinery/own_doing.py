"""Stores and sessions that failed by the agent's own doing: a program that locks its own database, a session that nobody opened.

A locked store behind a tool that takes plain values is the machinery's. Where the call itself holds a program or a statement that writes, what the store answers
is about that; and a session that no output and no prompt named was made up.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from blade.runs.steps import Step
from blade.signals.calls import arguments
from blade.signals.calls.matcher import ErrorText
from blade.signals.calls.mutation import words_of_last

READ: Final = 20_000
"""Characters of an argument that are looked through."""
STORE, SESSION = "store_failed", "session_lost"
_STATEMENT: Final = re.compile(
    r"\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|merge\s+into|delete\s+from|update\s+[\w.\"`\[\]]+\s+set|truncate\s+table|lock\s+tables?"
    r"|(?:create|alter|drop)\s+(?:(?:or\s+replace|temp|temporary|unique)\s+)*(?:table|index|view|trigger|database|schema|sequence)"
    r"|begin\s+(?:exclusive|immediate|deferred|transaction|work)|start\s+transaction)\b|\A\s*(?:begin|vacuum)\s*;",
    re.IGNORECASE,
)
"""Statements that write to a store, or hold it."""
_CODE: Final = re.compile(
    r"^[ \t]*(?:import \w|from [\w.]+ import |(?:async )?def \w+\(|class \w+[(:]|(?:for|while|with|if|try|except)\b[^\n]*:[ \t]*$|[\w.\[\], ]+ ?= ?\S|[\w.]+\([^\n]*\)[ \t;]*$|#!/)",
    re.MULTILINE,
)
_ONE_LINE: Final = re.compile(
    r"\w\([^\n]*\) for \w+ in \w|\bfor \w+ in (?:range|xrange)\(|\bimport \w+;|\bopen\(|\bexec\(|\bpython3? +-c\b|<<-? *['\"]?\w+"
)
"""What only a program of several lines holds, and what one of a single line does."""
_OF_SESSION: Final = frozenset(["session", "sid", "id", "token", "handle", "connection", "conn", "key", "cookie"])


def own_doing(
    errors: tuple[ErrorText, ...], output: Sequence[Step], position: int, said: Callable[[], str], failed: Sequence[int]
) -> tuple[ErrorText, ...]:
    """The errors, those of a store or a session that answer what the call itself did as errors of the call.

    `said` gives what the prompt and the tools say; `failed` are the outputs before this one that are errors themselves, which give no session by quoting it.
    """
    kinds = {error.kind for error in errors}
    if STORE not in kinds and SESSION not in kinds:
        return errors
    place = _call_of(output, position)
    if place is None:
        return errors
    sent = output[place]
    if sent.kind == "message":
        return _turned(errors, "exception") if _is_program(sent.text[-READ:]) else errors
    parsed, _ = arguments.parse(sent.arguments)
    values = [("", sent.arguments or "")] if parsed is None else [*arguments.leaves(parsed)]
    if any(isinstance(value, str) and _is_program(value[:READ]) for _, value in values):
        return _turned(errors, "tool_error")
    lines = [error.line for error in errors if error.kind == SESSION]
    quoted = [
        str(value)
        for path, value in values
        if _OF_SESSION & set(words_of_last(path)) and any(_stands_in(str(value), line) for line in lines)
    ]
    if quoted:
        told = [said(), *(output[one].text for one in range(place) if one not in failed and _is_given(output[one]))]
        if not any(_stands_in(value, text) for value in quoted for text in told):
            return tuple(replace(error, kind="invalid_arguments") if error.kind == SESSION else error for error in errors)
    return errors


def _call_of(output: Sequence[Step], position: int) -> int | None:
    """Where the call stands that an output answers, or the message whose program was run."""
    before = range(position - 1, -1, -1)
    if (call_id := output[position].call_id) is not None:
        named = next((one for one in before if output[one].kind == "tool_call" and output[one].call_id == call_id), None)
        if named is not None:
            return named
    return next(
        (
            one
            for one in before
            if output[one].kind == "tool_call" or (output[one].kind == "message" and output[one].role == "assistant")
        ),
        None,
    )


def _is_given(item: Step) -> bool:
    return item.kind == "tool_output" or (item.kind == "message" and item.role != "assistant")


def _is_program(text: str) -> bool:
    """Whether a text is run: code of several lines or of one, or a statement that writes."""
    if _STATEMENT.search(text) or _ONE_LINE.search(text) or "```" in text:
        return True
    return "\n" in text.strip() and _CODE.search(text) is not None


def _stands_in(value: str, text: str) -> bool:
    return bool(value) and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


def _turned(errors: tuple[ErrorText, ...], kind: str) -> tuple[ErrorText, ...]:
    return tuple(replace(error, kind=kind) if error.kind in (STORE, SESSION) else error for error in errors)
