"""DA: gold that is a damaged copy of what was seen and given.

Datasets go through spreadsheets and encodings. A long number comes back rounded (`4.82101E+16`), a code without its leading zeros, a date with
day and month swapped or in another century, a text cut in a word or read in the wrong encoding. What a copy went through is told by the two values
(`damage`); that it was the gold, and not the work, by what the rollout saw, by its request and by the tools that take the value.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import permutations
from typing import Any, Final

from blade.signals.calls.arguments import leaves
from blade.signals.calls.tools import Tool
from blade.signals.data.damage import (
    BINARY,
    CHECKED,
    FIGURES,
    GROUPED,
    JOINED,
    QUOTED,
    SERIAL,
    SHIFTED,
    SWAPPED,
    binary_fraction,
    damage,
    edited,
    escaped,
    fraction_of_percent,
    holds_figure,
    parts_of,
    turned_round,
)
from blade.signals.example import Example, call
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, parted, signal
from blade.signals.texts.days import counted_to, day_in_request, iso_day, plain_day, today_of
from blade.signals.texts.origins import shown, sources_of, whole_word
from blade.signals.texts.values import RELATIVE, dates_in
from blade.signals.wanted.asked import asks_for_fraction
from blade.signals.wanted.comparison import MADE, comparison_of
from blade.signals.wanted.differing import differing

_EITHER_WAY: Final = re.compile(r"(?<![\d/.-])\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4}|\.)(?![\d/-])")
MAX_SCHEMA: Final = 12
MIN_CLIPPED: Final = 4
"""Characters of gold from which on it is known again as the beginning of a text."""
_FURTHER_WORD: Final = re.compile(r"\s\W*\w")
SOON: Final = timedelta(62)
"""How far from today a day is that people name from today on."""
_SEVERAL: Final = re.compile(r"\b(?:two|both|twice|in a row|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b", re.IGNORECASE)
"""Words by which a request wants more than one."""


@signal(
    "gold_damaged",
    label="DA",
    meaning="the expected value is a damaged copy of the one that was seen and given: digits lost as in a spreadsheet, day and month swapped, the century mistaken, check digits that do not fit, cut in a word, wrongly encoded, with the trace of an edit, its ends swapped, written for people to read or for a table",
    causal=False,
    example=Example(
        (
            call("get_order", '{"payment_id": "48210136574410022"}', order_id="W1"),
            call("refund_order", "ok", payment_id="48210136574410022"),
        ),
        fields={"expected_calls": [{"name": "refund_order", "arguments": {"payment_id": "4.82101E+16"}}]},
    ),
)
def gold_damaged(rollout: Rollout) -> Iterator[Evidence]:
    told = _traced(rollout) or _turned_round(rollout) or _written_otherwise(rollout) or _clipped(rollout)
    if told is not None:
        yield told
        return
    for path, expected, actual, step in differing(rollout):
        how = damage(expected, actual)
        if how is None and (days := (plain_day(rollout, expected), plain_day(rollout, actual))) != (expected, actual):
            how = damage(*days)
        if how is None and (share := fraction_of_percent(path, expected, actual)) and not _counted_by_one(rollout, path):
            how = share
        if how is None and holds_figure(expected, actual) and _wants_number(rollout, path):
            how = FIGURES
        if (
            how is not None
            and (how in (QUOTED, GROUPED) or not sources_of(rollout).places(expected))
            and not (
                how == JOINED
                and (
                    _SEVERAL.search(rollout.request) is not None
                    or any(
                        sources_of(rollout).places(part) or day_in_request(rollout, part)
                        for part in parts_of(str(expected))
                        if part != actual
                    )
                )
            )
            and (
                how in (SHIFTED, SERIAL, GROUPED, CHECKED, FIGURES)
                or (how == JOINED and iso_day(plain_day(rollout, actual)) is not None)
                or sources_of(rollout).places(actual)
                or _asked_day(rollout, expected, actual)
                or (
                    how == SWAPPED
                    and not counted_to(rollout, expected)
                    and not _nearer(rollout, expected, actual)
                    and (counted_to(rollout, actual) or not _may_be_read_so(rollout, expected))
                )
            )
        ):
            yield Evidence(step, f"{path} = {shown(expected)}", f"{shown(actual)} was given, and the gold is {how}", path)
            return


def _counted_by_one(rollout: Rollout, path: str) -> bool:
    """Whether the prompt or the tool says that an argument is a fraction of one, whatever its name."""
    if asks_for_fraction(rollout.prompt_text):
        return True
    tool, schemas = _declared(rollout, path)
    if tool is None:
        return False
    limits = [schema.get(limit) for schema in schemas for limit in ("maximum", "exclusiveMaximum")]
    if any(isinstance(limit, int | float) and not isinstance(limit, bool) and limit <= 1 for limit in limits):
        return True
    texts = [tool.description, *(str(schema.get(told) or "") for schema in schemas for told in ("description", "title"))]
    return any(map(asks_for_fraction, texts))


def _wants_number(rollout: Rollout, path: str) -> bool:
    """Whether the tool takes a number for an argument and nothing else."""
    _, schemas = _declared(rollout, path)
    return bool(schemas) and all(schema.get("type") in ("integer", "number") for schema in schemas)


def _declared(rollout: Rollout, path: str) -> tuple[Tool | None, list[dict[str, Any]]]:
    """The tool of an argument, and what it declares of that."""
    name, inner = parted(path, rollout.tools)
    tool = rollout.tools.get(name)
    return tool, [] if tool is None else list(_schemas_of(tool.parameters, inner.rpartition(".")[2].partition("[")[0]))


def _schemas_of(schema: Any, name: str, depth: int = 0) -> Iterator[dict[str, Any]]:
    """The schemas of the properties of a name, however deep."""
    if not isinstance(schema, dict | list) or depth > MAX_SCHEMA:
        return
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if isinstance(properties, dict) and isinstance(properties.get(name), dict):
        yield properties[name]
    for inner in schema.values() if isinstance(schema, dict) else schema:
        yield from _schemas_of(inner, name, depth + 1)


def _may_be_read_so(rollout: Rollout, expected: Any) -> bool:
    """Whether the expected day is named anywhere, or a date that reads with the day first or the month first: then whoever worked may have swapped them."""
    day = iso_day(plain_day(rollout, expected))
    texts = (rollout.prompt_text, *(made.output.text for made in rollout.calls if made.output is not None))
    return day is None or any(
        _EITHER_WAY.search(text) or any((month, number) == (day.month, day.day) for _, month, number in dates_in(text))
        for text in texts
    )


def _nearer(rollout: Rollout, expected: Any, actual: Any) -> bool:
    """Whether the expected one of two days is the nearer to today, where the request speaks of days as people do from today on: `tomorrow`, `in three weeks`."""
    today, days = today_of(rollout.prompt_text), [iso_day(plain_day(rollout, value)) for value in (expected, actual)]
    if today is None or RELATIVE.search(rollout.request) is None:
        return False
    gold, given = days
    return gold is not None and given is not None and abs(gold - today) < min(SOON, abs(given - today))


def _asked_day(rollout: Rollout, expected: Any, actual: Any) -> bool:
    """Whether the request names the day that was given, in words or figures, and not the expected one."""
    return day_in_request(rollout, actual) and not day_in_request(rollout, expected)


def _traced(rollout: Rollout) -> Evidence | None:
    """Gold in which an editor left a trace beside the value that was given: `20 (was 23)`."""
    for path, expected, actual, step in differing(rollout):
        if not isinstance(expected, str):
            continue
        gold, given = expected.strip(), str(actual).strip()
        if given and gold != given and edited(gold, given):
            return Evidence(
                step,
                f"{path} = {shown(expected)}",
                f"{shown(actual)} was given, and the gold holds it beside the trace of an edit",
                path,
            )
    return None


def _written_otherwise(rollout: Rollout) -> Evidence | None:
    """Gold that means what was given and is written otherwise, by a computer or for a page, where nothing else is held against it."""
    for path, expected, actual, step in differing(rollout):
        if binary_fraction(expected, actual):
            return Evidence(step, f"{path} = {shown(expected)}", f"{shown(actual)} was given, and the gold is {BINARY}", path)
    compared = comparison_of(rollout)
    if compared is None or compared.extra or any(match.outcome != MADE for match in compared.counted):
        return None
    for match in compared.counted:
        given = (match.call.arguments if match.call is not None else None) or {}
        for name, expected in match.expected.arguments.items():
            if match.call is not None and escaped(expected, given.get(name)):
                detail = f"{shown(given[name])} was given, and the gold is escaped as in HTML"
                return Evidence(match.call.step, f"{name} = {shown(expected)}", detail, argument_subject(match.call.name, name))
            if match.call is not None and binary_fraction(expected, given.get(name)):
                detail = f"{shown(given[name])} was given, and the gold is {BINARY}"
                return Evidence(match.call.step, f"{name} = {expected}", detail, argument_subject(match.call.name, name))
    return None


def _clipped(rollout: Rollout) -> Evidence | None:
    """Gold that is the beginning of a text which the request dictates in quotes and which was given as it stands there; it names that beginning nowhere else."""
    for path, expected, actual, step in differing(rollout):
        if not isinstance(expected, str) or not isinstance(actual, str) or len(expected.strip()) < MIN_CLIPPED:
            continue
        if len(actual) <= len(expected.rstrip()) or not actual.startswith(expected.rstrip()):
            continue
        if not _is_more(rollout, expected, actual[len(expected.rstrip()) :]):
            continue
        rest, times = re.subn(rf"[\"'“”‘’«»`]{re.escape(actual)}[.,;!]?[\"'“”‘’«»`]", " ", rollout.request)
        if times and expected.strip().lower() not in rest.lower():
            detail = f"{shown(actual)} was given as the request has it in quotes, and the gold is its beginning"
            return Evidence(step, f"{path} = {shown(expected)}", detail, path)
    return None


def _is_more(rollout: Rollout, expected: str, left: str) -> bool:
    """Whether what a text has beyond its expected beginning is a further word, no mark or ending, and nothing that is expected at another place."""
    if not _FURTHER_WORD.search(left):
        return False
    compared = comparison_of(rollout)
    others = (value for match in (compared.counted if compared else ()) for _, value in leaves(match.expected.arguments))
    words = left.lower()
    return not any(
        value != expected
        and isinstance(value, str | int | float)
        and str(value).strip()
        and whole_word(str(value).lower(), words)
        for value in others
    )


def _turned_round(rollout: Rollout) -> Evidence | None:
    """An expected span whose end lies before its beginning, where the same two were given in their order."""
    compared = comparison_of(rollout)
    for match in compared.counted if compared else ():
        if len(match.differences) < 2:
            continue
        ends = {differs.path: differs for differs in match.differences}
        for first, second in permutations(ends, 2) if len(ends) > 1 and match.call is not None else ():
            one, other = ends[first], ends[second]
            if turned_round(one, other):
                assert match.call is not None
                detail = f"{shown(one.actual)} and {shown(other.actual)} were given; the gold has them in each other's place, and ends before it begins"
                return Evidence(
                    match.call.step, f"{first} = {shown(one.expected)}", detail, argument_subject(match.call.name, first)
                )
    return None
