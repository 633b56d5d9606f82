"""Where a value stands in a rollout: which tool's answer, which turn, which part of the prompt; and how it could have been made.

Sources are the prompt, the other side's turns and the tools' answers. What the assistant said or asked for itself is none, and
neither is an answer that only repeats the arguments of its own call.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from blade.signals.calls.call import Call
from blade.signals.calls.sameness import NOT_GIVEN, Difference, same
from blade.signals.rollout import Rollout, lowered, once_for_each
from blade.signals.texts.days import moment_in_request, plain_day
from blade.signals.texts.seen import Seen, runs_told
from blade.signals.texts.values import digit_runs

SMALL: Final = 12
"""Whole numbers up to here stand everywhere, and that says nothing."""
MIN_TRACED: Final = 3
"""Characters from which a text can be told apart from what happens to be written."""
MAX_STEPS: Final = 4
IN_OWN: Final = "stood in its own call of"
FROM_OWN: Final = "was given by its own call of"
IN_REQUEST: Final = "stood in the user's part of the prompt"
SEEN_IN_REQUEST: Final = "was seen in the user's part of the prompt"
NOTHING: Final = "is grounded in nothing seen before"
"""Said of a value that was neither seen nor follows from what was seen."""
NO_SOURCE: Final = "was given by no tool and no user; the agent used it itself"
"""Said of a right value that nobody gave and that the assistant came up with all the same."""
FIRST: Final = 3
"""Words of a text that are looked for before all of it is."""
CODE: Final = 4
"""Letters up to which a word in capitals may be a code, and no name."""
LARGEST_FLOAT: Final = sys.float_info.max
"""Whole numbers beyond it are no figure that anything follows from."""
MAX_EXPLAINED: Final = 200
"""Numbers of one rollout for which a calculation is looked for."""
_COMMAS: Final = str.maketrans(",.", ".,")
"""From 1,390.05 to 1.390,05."""


class Place(NamedTuple):
    """`position` is −1 for the prompt; `tool` is set for an answer; `source` says it in words."""

    position: int
    step: int
    source: str
    tool: str | None = None


class Sources:
    """The texts of a rollout in which a value can be looked up, in lower case, worked out once."""

    def __init__(self, rollout: Rollout) -> None:
        self._calls = {made.output_position: made for made in rollout.calls if made.output_position is not None}
        self._texts: list[tuple[Place, str, Call | None]] = []
        self._output = rollout.output
        self._prompt = rollout.prompt_text
        self._runs = runs_told(rollout)
        self._known: dict[tuple[type, str], tuple[Place, ...]] = {}
        for item in rollout.prompt:
            if item.role != "assistant":
                self._texts.append(
                    (Place(-1, item.step, f"the {item.role or 'prompt'}'s part of the prompt"), lowered(item.text), None)
                )
        for position, item in enumerate(rollout.output):
            if item.kind == "tool_output":
                made = self._calls.get(position)
                tool = made.name if made else None
                self._texts.append((Place(position, item.step, tool or "a tool's answer", tool), rollout.lowered(position), made))
            elif item.kind == "message" and item.role != "assistant":
                self._texts.append(
                    (Place(position, item.step, f"the {item.role or 'other side'}'s turn"), rollout.lowered(position), None)
                )

    def places(self, value: Any) -> tuple[Place, ...]:
        """Where a value stands, in order. Several detectors ask for the same values, expected and given ones."""
        if isinstance(value, dict | list):
            return ()  # which has no spelling of its own
        key = value.__class__, str(value)
        known = self._known.get(key)
        if known is None:
            found = self._places(_spellings(value))
            name = _short_name(value)
            known = self._known[key] = tuple(found if name is None else filter(lambda place: self._has_name(place, name), found))
        return known

    def _has_name(self, place: Place, name: str) -> bool:
        """Whether a short name stands in a text as one writes names: in capitals throughout it is a code (`MIA`) and nobody's name."""
        return (
            re.search(
                rf"(?<![^\W_])(?<![^\W_]_)(?:{name}|{name.lower()})(?!_?[^\W_])",
                self._prompt if place.position < 0 else self._output[place.position].text,
            )
            is not None
        )

    def _places(self, spellings: tuple[str, ...]) -> Iterator[Place]:
        written = [wanted for wanted in spellings if self._hold(wanted)]
        for place, text, made in self._texts if written else ():
            for wanted in written:
                if wanted in text and whole_word(wanted, text):
                    if not _echoes(made, spellings):
                        yield place
                    break

    def _hold(self, wanted: str) -> bool:
        """Whether any of the texts may hold it; of what has digits in it, its runs of them come first."""
        return _runs_of(wanted) <= self._runs and wanted.encode("utf-8", "surrogatepass") in self._whole

    @cached_property
    def _whole(self) -> bytes:
        return "\0".join([text for _, text, _ in self._texts]).encode("utf-8", "surrogatepass")


def _echoes(made: Call | None, spellings: tuple[str, ...]) -> bool:
    """Whether an answer may only repeat its own call; a lookup that found something has confirmed what it repeats."""
    if made is None or (made.reads and made.error is None):
        return False
    given = made.raw.lower()
    return any(wanted in given for wanted in spellings)


@lru_cache(maxsize=512)
def _runs_of(wanted: str) -> frozenset[bytes]:
    return digit_runs(wanted)


@lru_cache(maxsize=128)
def _spelled(number: str, whole: bool) -> tuple[str, ...]:
    """How a number may be written; several detectors ask for the same ones."""
    if whole and abs(int(number)) > LARGEST_FLOAT:
        return (number,)
    value = int(number) if whole else float(number)
    plain = f"{value:g}" if abs(value) < 1e15 else number
    money = f"{value:,.2f}"
    return (
        tuple(dict.fromkeys((plain, f"{value:.2f}", f"{value:,}", money, money.translate(_COMMAS), number)))
        if value == value
        else ()
    )


def _spellings(value: Any) -> tuple[str, ...]:
    if isinstance(value, bool) or value is None or value is NOT_GIVEN or isinstance(value, dict | list):
        return ()
    if isinstance(value, int | float):
        return _spelled(str(value), isinstance(value, int))
    text = " ".join(str(value).split()).lower()
    return (text,) if len(text) >= MIN_TRACED else ()


def _short_name(value: Any) -> str | None:
    """A value that is written like a name and is as short as a code."""
    return (
        value
        if isinstance(value, str) and len(value) <= CODE and value.isascii() and value.isalpha() and value.istitle()
        else None
    )


def whole_word(wanted: str, text: str) -> bool:
    """Whether a text holds these words with no letter or digit running on; of a word of letters alone, behind an underscore neither."""
    word = wanted.isalpha()
    at = text.find(wanted)
    while at >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(wanted) : at + len(wanted) + 1]
        decimal = (
            wanted[-1:].isdigit() and after == "." and text[at + len(wanted) + 1 : at + len(wanted) + 2].strip("0").isdigit()
        )
        if not (before.isalnum() and wanted[:1].isalnum()) and not (after.isalnum() and wanted[-1:].isalnum()) and not decimal:
            end = at + len(wanted)
            if not word or not (
                (before == "_" and text[at - 2 : at - 1].isalnum()) or (after == "_" and text[end + 1 : end + 2].isalnum())
            ):
                return True  # and no part of an identifier
        at = text.find(wanted, at + 1)
    return False


@once_for_each
def sources_of(rollout: Rollout) -> Sources:
    return Sources(rollout)


def in_request(rollout: Rollout, value: Any) -> bool:
    """Whether the request names a value as a whole."""
    asked = rollout.lowered_request
    if isinstance(value, str) and not all(word.lower() in asked for word in value.split(None, FIRST)[:FIRST]):
        return False  # seen without bringing all of a long text to one spelling
    return any(wanted in asked and whole_word(wanted, asked) for wanted in _spellings(value))


def traceable(value: Any) -> bool:
    """Whether finding a value somewhere means anything: no flag, no small count, no short word."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int | float):
        return value == value and (abs(value) > SMALL or value != int(value))
    return isinstance(value, str) and len(value.strip()) >= MIN_TRACED


def origin(rollout: Rollout, value: Any, position: int) -> str:
    """Where the value of a call at `position` comes from, in words; empty where nothing can be said."""
    if not traceable(value):
        return ""
    before = [place for place in sources_of(rollout).places(value) if place.position < position]
    if before:
        return f"{shown(value)} was seen in {_named(before)}"
    own = _own_call(rollout, value, position)
    if own is not None:
        return f"{shown(value)} {FROM_OWN} {own.name} (step {own.step})"
    if moment_in_request(rollout, value):
        return f"{shown(value)} {SEEN_IN_REQUEST} in words"
    derived = _derived(rollout, value, position)
    if derived:
        return f"{shown(value)} was not seen but follows from what was seen ({derived})"
    return f"{shown(value)} {NOTHING}"


def _derived(rollout: Rollout, value: Any, position: int) -> str | None:
    seen = _seen_before(rollout, position)
    if isinstance(value, int | float):
        return seen.number(float(value)) if abs(value) <= LARGEST_FLOAT else None
    try:
        day = date.fromisoformat(str(plain_day(rollout, value)).strip()[:10])
        return "a date near one that was seen" if seen.date(day) else None
    except ValueError:
        text = str(value)
        return (
            "spelled otherwise"
            if seen.holds(text)
            else "a number that was seen with signs added"
            if seen.extended(text)
            else None
        )


@once_for_each
def _begun(rollout: Rollout) -> list[Seen]:
    """What was seen so far of a rollout."""
    return [Seen(rollout, MAX_EXPLAINED)]


def _seen_before(rollout: Rollout, position: int) -> Seen:
    """What stood before a position. Positions are mostly asked for in order, so it is taken further and not begun again."""
    begun = _begun(rollout)
    if begun[0].position > position:
        begun[0] = Seen(rollout, MAX_EXPLAINED)
    begun[0].advance(position)
    return begun[0]


def _named(places: Sequence[Place]) -> str:
    """The sources with their steps: `get_order (steps 5, 9), the user's turn (step 3)`."""
    by_source: dict[str, list[int]] = {}
    for place in places:
        by_source.setdefault(place.source, []).append(place.step)
    parts = []
    for source, steps in list(by_source.items())[:2]:
        listed = ", ".join(map(str, steps[:MAX_STEPS])) + (", …" if len(steps) > MAX_STEPS else "")
        parts.append(f"{source} (step{'s' if len(steps) > 1 else ''} {listed})")
    return " and ".join(parts)


def whereabouts(rollout: Rollout, value: Any, position: int) -> str:
    """Where the right value was to be had, in words; empty where nothing can be said."""
    if not traceable(value):
        return ""
    places = sources_of(rollout).places(value)
    before = [place for place in places if place.position < position]
    if before:
        return f"{shown(value)} stood in {_named(before)}"
    own = _own_call(rollout, value, position)
    if own is not None:
        return f"{shown(value)} {IN_OWN} {own.name} (step {own.step})"
    if moment_in_request(rollout, value):
        return f"{shown(value)} {IN_REQUEST} in words"
    if places:
        return f"{shown(value)} came only later, from {_named(places)}"
    used = _used_at(rollout, value)
    if used is not None:
        return f"{shown(value)} {NO_SOURCE} (step {used})"
    return f"{shown(value)} was never seen in this rollout"


def _used_at(rollout: Rollout, value: Any) -> int | None:
    """The first step at which the assistant itself gave a value to a tool or said it."""
    given = ((made.position, made.step) for made in rollout.own_calls if any(same(value, leaf) for _, leaf in made.leaves))
    spellings = _spellings(value)
    said = (
        (position, item.step)
        for position, item in rollout.assistant_messages()
        if any(whole_word(wanted, rollout.lowered(position)) for wanted in spellings)
    )
    first = min((found for found in (next(given, None), next(said, None)) if found is not None), default=None)
    return None if first is None else first[1]


def _own_call(rollout: Rollout, value: Any, position: int) -> Call | None:
    """The first change before a position that had a value among its arguments."""
    return next((made for made in rollout.own_calls if made.position < position and _gave(made, value)), None)


def _gave(made: Call, value: Any) -> bool:
    """Whether a call that its tool took had a value among its arguments."""
    return made.changes and made.error is None and any(same(value, given) for _, given in made.leaves)


def given_later(rollout: Rollout, value: Any, position: int) -> Place | None:
    """The first answer of a tool that held the value, if nothing before `position` did."""
    if not traceable(value):
        return None
    places = sources_of(rollout).places(value)
    if any(place.position < position for place in places):
        return None
    return next((place for place in places if place.tool is not None), None)


def shown(value: Any, limit: int = 60) -> str:
    """A value in a sentence."""
    text = str(value) if not isinstance(value, str) else value
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def shown_expected(differs: Difference) -> str:
    """The expected value beside the actual one; with its place, where that is another one."""
    value = shown(differs.expected)
    return value if differs.expected_path == differs.path else f"{differs.expected_path}={value}"
