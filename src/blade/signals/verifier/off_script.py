"""TI: the simulated user gave a value of its own making, and the assistant is scored for having taken it.

A row that keeps the instructions of its simulated user shows what that user can know: these, the request that it opened with, and what it was told
on the way. An address that stands in none of them, was said by the user first and then went into a change that differs from the expected one is
the user's invention. Left aside is what a user may well put into words of its own (reasons, messages, days and hours), and names of records: where
an assistant asks for an id that only its tools know, what it is told is its own doing as well.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

from blade.sentences import tail
from blade.signals.calls.arguments import leaves
from blade.signals.calls.call import Call
from blade.signals.calls.mutation import words_of_last
from blade.signals.example import Example, call, says, user
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.origins import shown, whole_word
from blade.signals.texts.schemes import RECORD
from blade.signals.texts.values import RELATIVE, dates_in, numbers_in_words
from blade.signals.wanted.comparison import WRONG, comparison_of
from blade.signals.wanted.scenario import scenario_of

MIN_VALUE: Final = 4
MAX_VALUE: Final = 200
BEGINNING: Final = 4
"""Letters of a word that says something, and of its beginning by which it is known again in another form."""
MOST_TRIED: Final = 100
"""Values of a rollout that are looked at."""
_LONG: Final = re.compile(r"[^\W\d_]{4,}")
_RUNS: Final = re.compile(r"\d+")
_SIGNS: Final = re.compile(r"[\W_]+")
_DATE: Final = re.compile(r"\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?|\d{1,2}:\d{2}.*|\d{1,2} ?[ap]\.?m\.?", re.IGNORECASE)
_WORDED: Final = frozenset(
    ["reason", "note", "notes", "comment", "comments", "message", "text", "summary", "description", "explanation", "feedback", "subject", "body", "content", "title"]
)  # fmt: skip
"""Last words in the names of arguments for what somebody says in words of its own."""
_NO_VALUES: Final = frozenset(["none", "null", "nothing", "anything", "other", "unknown", "default"])
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
    for made, path, value in islice(_wrong_values(rollout), MOST_TRIED):
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
    if not isinstance(value, str) or not MIN_VALUE <= len(value) <= MAX_VALUE or _is_moment(value):
        return None
    if value.lower() in _NO_VALUES or (RECORD.fullmatch(value) and not _PLACEHOLDER.fullmatch(value)):
        return None
    wanted = value.lower()
    if _WORDED.intersection(words_of_last(path)[-1:]) or _has_choices(rollout, made.name, path) or _stands_in(wanted, script):
        return None
    said = _first_said(rollout, wanted, made.position)
    return None if said is None else Invented(made, path, value, *said)


def _is_moment(value: str) -> bool:
    return bool(_DATE.fullmatch(value) or RELATIVE.search(value)) or next(iter(dates_in(value)), None) is not None


class _Known(NamedTuple):
    """What instructions hold: their figures, those in words too, the beginnings of their words, and all of it without signs."""

    figures: frozenset[str]
    beginnings: frozenset[str]
    compact: str


@once_for_repeats
def _known(script: str) -> _Known:
    counted = (f"{number:g}" for number in numbers_in_words(script))
    beginnings = frozenset(word[:BEGINNING] for word in _LONG.findall(script))
    return _Known(frozenset([*_RUNS.findall(script), *counted]), beginnings, _SIGNS.sub("", script))


def _stands_in(value: str, script: str) -> bool:
    """Whether instructions have a value, or a part of it that says which one it is: its figures, else its longer words."""
    known, figures = _known(script), _RUNS.findall(value)
    if any(len(part) >= MIN_VALUE and part in known.compact for part in (_SIGNS.sub("", value), "".join(figures))):
        return True
    if figures:
        return not known.figures.isdisjoint(figures)
    words = _LONG.findall(value)
    return not words or any(word[:BEGINNING] in known.beginnings for word in words)


def _first_said(rollout: Rollout, value: str, before: int) -> tuple[int, str] | None:
    """The turn of the user that has a value before anybody else has it, and before the call at that position; None where it came from elsewhere."""
    if any(_tells(value, text) for text in (rollout.lowered_prompt, rollout.instructions.lower())):
        return None
    for position, item in enumerate(rollout.output[:before]):
        said = rollout.lowered(position)
        if item.kind == "message" and item.role == "user":
            if value in said and whole_word(value, said):
                return item.step, item.text
        elif value in (item.arguments or "").lower() or _tells(value, said):
            return None
    return None


def _tells(value: str, text: str) -> bool:
    """Whether a text has a value, if in other words: its figures and one of its longer words, or all of these where it has no figures."""
    if value in text:
        return True
    figures, words = _RUNS.findall(value), _LONG.findall(value)
    if not (figures or words) or not all(figure in text for figure in figures) or not {*figures} <= {*_RUNS.findall(text)}:
        return False
    return (any if figures and words else all)(word in text for word in words)


def _has_choices(rollout: Rollout, tool: str, path: str) -> bool:
    """Whether the tool lists the values that an argument can have: such a wish is chosen, not made up."""
    declared = rollout.tools.get(tool)
    properties = declared.parameters.get("properties") if declared is not None and isinstance(declared.parameters, dict) else None
    name = re.split(r"[.\[]", path)[0]
    entry = properties.get(name) if isinstance(properties, dict) else None
    return isinstance(entry, dict) and "enum" in str(entry)
