"""What goes wrong around the agents of an assay office: the words of its broken machinery, and the ways in which its dataset breaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any, Final

from blade.lab.environments.assay.register import through_double
from blade.lab.environments.draws import misread, turned
from blade.lab.faults import troubles
from blade.lab.stage.script import Row, Script, call, say

troubles.TOOL_TEXTS["circuit_open"] = (
    "io.github.resilience4j.circuitbreaker.CallNotPermittedException: CircuitBreaker 'assay-backend' is OPEN and does not permit further calls",
    "Polly.CircuitBreaker.BrokenCircuitException: The circuit is now open and is not allowing calls.",
    "pybreaker.CircuitBreakerError: Timeout not elapsed yet, circuit breaker still open ({tool})",
    "Hystrix: {tool} short-circuited and fallback disabled",
    '{{"fault": {{"faultstring": "The circuit breaker for route {tool} is open; half-open probe pending"}}}}',
)
troubles.STOPS["circuit_open"] = (
    "Calls to {tool} are blocked before they get anywhere, by a breaker that stays open. The note is not dealt with.",
    "{tool} is cut off for the time being and lets nothing through, on the second attempt either. I leave it there.",
    "The circuit breaker in front of {tool} does not close again. Without it nothing can be filed.",
)
troubles.TOOL_TEXTS["handles_exhausted"] = (
    "OSError: [Errno 24] Too many open files",
    "{tool}: accept4 failed (24: Too many open files), worker_connections are not enough on {host}",
    "RuntimeError: can't start new thread (pids.current equals pids.max on {host})",
    "java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached",
    "BlockingIOError: [Errno 11] Resource temporarily unavailable: fork failed while starting {tool}",
)
troubles.STOPS["handles_exhausted"] = (
    "{tool} can't open what it needs because its machine has run out of handles. I can't do more about this note.",
    "The machine behind {tool} is at one of its limits, and trying again made no difference. Nothing was filed.",
    "Neither attempt got past the limits of the system that {tool} runs on, so this is left undone.",
)

CASE: Final = "eval_case"
EXPECTED: Final = "expected_invocation"
WIDTH: Final = 10
"""Characters that a column keeps of a text."""
_ID = re.compile(r"\d{18}")
_UNKNOWN: Final = (
    "We have no assayer called {name}, so nothing was filed.",
    "{name} is not among the assayers of this office. I left everything as it was.",
    "No {name} comes up in the staff records; whoever wrote the note may want to check the name.",
)


def invocation(uses: list[Row], answer: str | None) -> Row:
    """What was called and what was answered, as the harness keeps both."""
    response = None if answer is None else {"role": "model", "parts": [{"text": answer}]}
    return {"intermediate_data": {"tool_uses": uses}, "final_response": response}


def uses_in(kept: Row) -> list[Row]:
    """The calls of an invocation."""
    uses: list[Row] = kept["intermediate_data"]["tool_uses"]
    return uses


def answer_in(kept: Row) -> str | None:
    """The answer of an invocation."""
    response = kept["final_response"]
    return None if response is None else str(response["parts"][0]["text"])


def expecting(gold: Row, uses: list[Row], answer: str | None) -> Row:
    """The dataset's fields with another expectation."""
    return {CASE: {**gold[CASE], EXPECTED: invocation(uses, answer)}}


def spoilt_golds(gold: Row, rounded: float | str | None = None, exact: float | None = None) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing.

    `rounded` is the figure that was worked out for the task and `exact` the same before it was rounded.
    """
    kept = gold[CASE][EXPECTED]
    uses, answer = uses_in(kept), answer_in(kept)
    made = {
        "unfilled_gold": _each(uses, lambda key, value: f"{{{{{key}}}}}" if _is_id(value) else value),
        "list_as_text": _each(uses, lambda _, value: str(value) if isinstance(value, list) else value),
        "mangled_encoding": _each(uses, lambda _, value: misread(value) if isinstance(value, str) else value),
        "clipped_values": _each(uses, lambda _, value: value[:WIDTH] if isinstance(value, str) else value),
        "day_month_swapped": _each(uses, lambda _, value: turned(value) if isinstance(value, str) else value),
        "id_through_double": _each(uses, lambda _, value: through_double(value) if _is_id(value) else value),
        "columns_swapped": [_swapped(one) for one in uses],
        "fanned_out_gold": [one for one in uses for _ in range(2)],
        "gold_missing_step": uses[:-1] if len(uses) > 1 else uses,
    }
    if isinstance(rounded, (int, float)):
        made["unrounded_gold"] = _each(uses, lambda _, value: exact if value == rounded else value)
    broken = {kind: expecting(gold, ones, answer) for kind, ones in made.items() if ones != uses}
    if answer is not None and answer == rounded:
        broken["unrounded_gold"] = expecting(gold, uses, repr(exact))
    return broken


def _each(uses: list[Row], change: Callable[[str, Any], Any]) -> list[Row]:
    return [{**one, "args": {key: change(key, value) for key, value in one["args"].items()}} for one in uses]


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def _swapped(one: Row) -> Row:
    """The call whose two ids stand in each other's columns."""
    ids = [key for key, value in one["args"].items() if _is_id(value)]
    if len(ids) != 2:
        return one
    first, second = ids
    return {**one, "args": {**one["args"], first: one["args"][second], second: one["args"][first]}}


def under_a_pseudonym(request: str, name: str, stranger: str, rng: Random) -> Row:
    """The task as it is when its request, and only that, went through a program that replaces people's names."""
    look = call("Staff-find_assayer", name=stranger)
    last = call("Staff-find_assayer", name=stranger.split()[-1])
    ways: tuple[Script, ...] = ((look,), (look, last), (look,))
    says = [say(words.format(name=stranger)) for words in rng.sample(_UNKNOWN, 3)]
    return {
        "request": request.replace(name, stranger),
        "sound": tuple((*way, words) for way, words in zip(ways, says, strict=True)),
    }
