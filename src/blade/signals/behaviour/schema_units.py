"""BI: a figure of the request was passed on as it stands, although the tool says that it takes another unit.

The request says £4.50, the description of the argument says `in pence`, and 4.5 was given where 450 is expected. What is expected is the given figure in the very proportion of
the two units, so both are known to be meant as such; and the tool's own words say what is to be done.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from blade.answers.rounding import becomes, last_place
from blade.answers.units import Unit, is_known, unit_named
from blade.signals.calls.tools import Tool
from blade.signals.data.premises import number_of
from blade.signals.example import Example, call, tool
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.origins import shown
from blade.signals.wanted.comparison import WRONG, comparison_of

CLOSE: Final = 0.0006
"""What factors that people know by heart differ by from the exact ones."""
MINOR: Final = 100
"""Pence in a pound, and the like."""
_MINOR: Final = re.compile(
    r"\b(?:pence|penny|pennies|(?:euro ?)?cents?|öre|øre|ore|centimes?|grosz|groszy|rappen|kopecks?|hellers?|minor (?:currency )?units?)\b",
    re.IGNORECASE,
)
_MONEY: Final = re.compile(
    r"[£€$]|\b(?:GBP|EUR|USD|CHF|SEK|NOK|DKK|PLN|pounds?|euros?|dollars?|francs?|kron(?:or|er|a|e)|zloty|zł)\b", re.IGNORECASE
)
_NAMED: Final = re.compile(
    r"\b(?:in|as|unit:?|of) (?:whole |full )?([^\W\d_]{1,24}(?:/[^\W\d_]{1,4})?)\b|\(([^\W\d_]{1,12}(?:/[^\W\d_]{1,4})?)\)"
)
"""Where a description may name its unit."""
_IN_NAME: Final = re.compile(r"_([^\W\d_]{1,12})$")
_INDEX: Final = re.compile(r"\[\d+\]")


@signal(
    "unit_not_converted",
    label="BI",
    needs=("wrong_argument",),
    meaning="a figure of the request was given to a tool as it stands, where the tool's description wants another unit and the expected one is converted into that",
    causal=False,
    example=Example(
        (call("issue_credit", "ok", account="A-7", amount=4.5),),
        asked="Please credit £4.50 to the account A-7.",
        tools=(tool("issue_credit", amount={"type": "number", "description": "Amount in pence"}),),
        fields={"expected_calls": [{"name": "issue_credit", "arguments": {"account": "A-7", "amount": 450}}]},
    ),
)
def unit_not_converted(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for match in compared.counted if compared is not None else ():
        for differs in match.differences if match.outcome == WRONG and match.call is not None else ():
            assert match.call is not None
            declared = rollout.tools.get(match.call.name)
            told = None if declared is None else _description(declared, _INDEX.sub("", differs.path))
            if told is None or isinstance(differs.actual, bool | str) or isinstance(differs.expected, bool | str):
                continue
            units = _left_as_it_is(rollout.request, told, differs.expected, differs.actual)
            if units:
                detail = f"the request has {shown(differs.actual)} {units[0]}, and {match.call.name} takes {differs.path} in {units[1]}: {shown(differs.expected)}"
                subject = argument_subject(match.call.name, differs.path)
                yield Evidence(match.call.step, f"{differs.path}={shown(differs.actual)}", detail, subject)


def _left_as_it_is(request: str, told: str, wanted: Any, given: Any) -> tuple[str, str] | None:
    """The unit of the request and that of the tool, where the expected figure is the given one converted."""
    expected, actual = number_of(wanted), number_of(given)
    if not expected or not actual or expected == actual:
        return None
    places = 0.0, last_place(wanted)  # the given one is exact, as it was asked for
    for before, after in _beside(request, actual):
        minor, money = _MINOR.search(told), _MONEY.search(before) or _MONEY.match(after.strip())
        if minor is not None and money is not None and _is_converted(actual, expected, MINOR, places):
            return money[0], minor[0]
        unit = _measure(after.strip().partition(" ")[0])
        for other in _units_told(told) if unit is not None else ():
            if unit is None or other.dimension != unit.dimension or other.factor == unit.factor or other.shift or unit.shift:
                continue
            if _is_converted(actual, expected, float(unit.factor / other.factor), places):
                return unit.name, other.name
    return None


def _is_converted(one: float, other: float, factor: float, places: tuple[float, float]) -> bool:
    return abs(one * factor - other) <= 1e-9 * abs(other) or becomes(one, other, factor, places, close=CLOSE)


def _beside(request: str, figure: float) -> Iterator[tuple[str, str]]:
    """What stands right before and behind a figure in a request."""
    for found in _figures(request):
        if number_of(found[0]) == figure:
            yield request[max(0, found.start() - 4) : found.start()], request[found.end() : found.end() + 24].replace("-", " ", 1)


@once_for_repeats
def _figures(request: str) -> tuple[re.Match[str], ...]:
    return tuple(_FIGURE.finditer(request[:20_000]))


_FIGURE: Final = re.compile(r"(?<![\w.,:/#-])\d[\d,]*+(?:\.\d++)?(?![.,:]?\d)")


def _measure(word: str) -> Unit | None:
    found = unit_named(word.strip(".,;:()")) if word else None
    return found if found is not None and is_known(found) else None


@lru_cache(maxsize=512)
def _units_told(told: str) -> tuple[Unit, ...]:
    """The units that a description, or the end of an argument's name, may speak of."""
    words = [one or other for one, other in _NAMED.findall(told)] + _IN_NAME.findall(told.partition(" ")[0])
    return tuple(dict.fromkeys(unit for word in words if (unit := _measure(word)) is not None))


def _description(declared: Tool, path: str) -> str | None:
    """The name of an argument and what its schema says of it."""
    schema: Any = declared.parameters
    for name in path.split("."):
        held = schema.get("items") if isinstance(schema, dict) and isinstance(schema.get("items"), dict) else schema
        properties = held.get("properties") if isinstance(held, dict) else None
        schema = properties.get(name) if isinstance(properties, dict) else None
    said = schema.get("description") if isinstance(schema, dict) else None
    return f"{path.rpartition('.')[2]} {said if isinstance(said, str) else ''}" if isinstance(schema, dict) else None
