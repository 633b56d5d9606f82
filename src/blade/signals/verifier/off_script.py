"""TI: the simulated user gave a value of its own making, and the assistant is scored for having taken it.

A row that keeps the instructions of its simulated user shows what that user can know: these, and what it was told on the way. An address that
stands in neither, was said by the user first and then went into a change that differs from the expected one is the user's invention. Names of
records are left aside: where an assistant asks for an id that only its tools know, what it is told is its own doing as well.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from blade.sentences import tail
from blade.signals.calls.arguments import leaves
from blade.signals.calls.call import Call
from blade.signals.example import Example, call, says, user
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.origins import shown
from blade.signals.texts.schemes import RECORD
from blade.signals.wanted.comparison import WRONG, comparison_of
from blade.signals.wanted.scenario import scenario_of

MIN_VALUE: Final = 4
MAX_VALUE: Final = 200
MIN_WORD: Final = 4
"""Letters of a word that says something."""
_WORDS: Final = re.compile(r"[^\W_]+")
_DATE: Final = re.compile(r"\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?|\d{1,2}:\d{2}.*")
_PLACEHOLDER: Final = re.compile(r"[\[<{].*[\]>}]")

_TOLD: Final = "You are Ann Lee. You moved to your parents' house and want your default address changed; it is in another order."


class Invented(NamedTuple):
    call: Call
    path: str
    value: str
    step: int
    turn: str


@signal(
    "user_off_script",
    label="TI",
    needs=("dialogue",),
    meaning="the simulated user gave a value that neither its instructions nor anything it was told has, and it went into a wrong change",
    causal=False,
    example=Example(
        (says("Which address?"), user("It is 123 Main Street."), call("set_user_address", "ok", user_id="u1", address="123 Main Street")),
        fields={
            "instruction": _TOLD,
            "expected_calls": [{"name": "set_user_address", "arguments": {"user_id": "u1", "address": "9 Oak Lane"}}],
        },
    ),
)  # fmt: skip
def user_off_script(rollout: Rollout) -> Iterator[Evidence]:
    script = scenario_of(rollout) if rollout.has_dialogue else ""
    if not script:
        return
    told: set[tuple[str, int]] = set()
    for made, path, value in _wrong_values(rollout):
        found = _invented(rollout, script, made, path, value)
        if found is not None and (made.name, found.step) not in told:
            told.add((made.name, found.step))
            yield Evidence(
                found.step,
                tail(found.turn, 200),
                f"the user's instructions have no {shown(found.value)}, nor was it told so; given to {made.name} at step {made.step}",
                argument_subject(made.name, path),
            )


def _wrong_values(rollout: Rollout) -> Iterator[tuple[Call, str, Any]]:
    """The values of changes that went through and differ from the expected ones, or are of a change that nobody expected."""
    compared = comparison_of(rollout)
    if compared is None:
        return
    for match in compared.counted:
        if match.outcome == WRONG and match.call is not None:
            for differs in match.differences:
                yield match.call, differs.path, differs.actual
    for made in compared.extra:
        if made.error is None:
            for path, value in leaves(made.arguments or {}):
                yield made, path, value


def _invented(rollout: Rollout, script: str, made: Call, path: str, value: Any) -> Invented | None:
    if not isinstance(value, str) or not MIN_VALUE <= len(value) <= MAX_VALUE or _DATE.fullmatch(value):
        return None
    if (RECORD.fullmatch(value) and not _PLACEHOLDER.fullmatch(value)) or _has_choices(rollout, made.name, path):
        return None
    wanted = value.lower()
    if _stands_in(wanted, script):
        return None
    said = _first_said(rollout, wanted, made.position)
    return None if said is None else Invented(made, path, value, *said)


def _stands_in(value: str, script: str) -> bool:
    """Whether instructions have a value, or a part of it that says which one it is: its figures, else its longer words."""
    words = _WORDS.findall(value)
    telling = [word for word in words if any(map(str.isdigit, word))] or [word for word in words if len(word) >= MIN_WORD]
    known = set(_WORDS.findall(script))
    return value in script or not telling or any(word in known for word in telling)


def _first_said(rollout: Rollout, value: str, before: int) -> tuple[int, str] | None:
    """The turn of the user that has a value before anybody else has it, and before the call at that position; None where it came from elsewhere."""
    if (
        any(item.role != "user" and value in item.text.lower() for item in rollout.prompt)
        or value in rollout.instructions.lower()
    ):
        return None
    opening = next((item for item in rollout.prompt if value in item.text.lower()), None)
    if opening is not None:
        return opening.step, opening.text
    for position, item in enumerate(rollout.output[:before]):
        if value in rollout.lowered(position) or value in (item.arguments or "").lower():
            return (item.step, item.text) if item.kind == "message" and item.role == "user" else None
    return None


def _has_choices(rollout: Rollout, tool: str, path: str) -> bool:
    """Whether the tool lists the values that an argument can have: such a wish is chosen, not made up."""
    declared = rollout.tools.get(tool)
    properties = declared.parameters.get("properties") if declared is not None and isinstance(declared.parameters, dict) else None
    name = re.split(r"[.\[]", path)[0]
    entry = properties.get(name) if isinstance(properties, dict) else None
    return isinstance(entry, dict) and "enum" in str(entry)
