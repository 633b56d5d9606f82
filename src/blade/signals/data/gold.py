"""DA: gold that the rollout's own work speaks against.

Datasets go through spreadsheets and encodings and are made from copies of a database. A long number comes back rounded (`4.82101E+16`), a
code without its leading zeros, a date with day and month swapped or in another century, a text cut in a word or read in the wrong encoding: gold that is a
*damaged* copy of what was seen and given. Or an id comes from another copy of the database than the one the tools answer from, a value from
another version of the request: then the expected one stands *nowhere*. That is no proof by itself (somebody may have looked in the
wrong place), so it is weighed over repeats and tasks (`diagnosis.patterns.stale_gold`).
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
from blade.signals.layout.texts import plain_text
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.signal import Evidence, argument_subject, parted, signal
from blade.signals.texts.days import counted_to, day_in_request, iso_day, moment_in_request, moment_of, plain_day, today_of
from blade.signals.texts.origins import NOTHING, in_request, origin, shown, sources_of, traceable, whole_word
from blade.signals.texts.schemes import of_one_scheme
from blade.signals.texts.speech import says_it_is_ai
from blade.signals.texts.values import RELATIVE, dates_in
from blade.signals.wanted.answer_fields import expected_answer, taken_answer
from blade.signals.wanted.asked import asks_for_fraction
from blade.signals.wanted.comparison import MADE, WRONG, Comparison, comparison_of
from blade.signals.wanted.wanted_record import Source, as_asked

_EITHER_WAY: Final = re.compile(r"(?<![\d/.-])\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4}|\.)(?![\d/-])")
MAX_SCHEMA: Final = 12
MIN_CLIPPED: Final = 4
"""Characters of gold from which on it is known again as the beginning of a text."""
_FURTHER_WORD: Final = re.compile(r"\s\W*\w")
SOON: Final = timedelta(62)
"""How far from today a day is that people name from today on."""
_SEVERAL: Final = re.compile(r"\b(?:two|both|twice|in a row|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b", re.IGNORECASE)
"""Words by which a request wants more than one."""
_LAST_WORD: Final = re.compile(r"[\w.+-]+$")


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
    for path, expected, actual, step in _differing(rollout):
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


def _traced(rollout: Rollout) -> Evidence | None:
    """Gold in which an editor left a trace beside the value that was given: `20 (was 23)`."""
    for path, expected, actual, step in _differing(rollout):
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
    for path, expected, actual, step in _differing(rollout):
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
    for path, expected, actual, step in _differing(rollout):
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


@signal(
    "gold_unseen",
    label="DA",
    needs=("one_turn",),
    meaning="the work led from the request to one record and used its id, the expected one stands nowhere; telling only where all repeats and other tasks agree",
    causal=False,
    example=Example(
        (
            call("find_customer", '[{"customer_id": "C-20418", "name": "Ann Lee"}]', name="Ann Lee"),
            call("close_account", "ok", customer_id="C-20418"),
        ),
        asked="Please close the account of Ann Lee.",
        fields={"expected_calls": [{"name": "close_account", "arguments": {"customer_id": "C-77120"}}]},
    ),
)  # fmt: skip
def gold_unseen(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.has_dialogue:
        return
    for path, expected, actual, step in _differing(rollout):
        if not of_one_scheme(expected, actual) or sources_of(rollout).places(expected):
            continue
        source = as_asked(rollout, actual)
        if source is not None:
            yield Evidence(
                step, f"{path} = {shown(actual)}", f"{told(source)}; {shown(expected)} is expected and stands nowhere", path
            )


def _another_moment(rollout: Rollout, expected: Any, actual: Any) -> bool:
    """Whether the request names the moment that was given, and nothing the one that is expected."""
    days = moment_of(plain_day(rollout, actual)), moment_of(plain_day(rollout, expected))
    if None in days or not moment_in_request(rollout, actual):
        return False
    return not moment_in_request(rollout, expected) and not sources_of(rollout).places(str(expected))


@signal(
    "gold_not_named",
    label="DA",
    needs=("wrong_argument", "one_turn"),
    meaning="the value given stands in the request, the expected one stands nowhere and follows from nothing; telling only where all repeats and other tasks agree",
    causal=False,
    example=Example(
        (call("book_room", "booked", room="Aurora", guests=40),),
        asked="Book the room Aurora for 40 people.",
        fields={"expected_calls": [{"name": "book_room", "arguments": {"room": "Borealis", "guests": 40}}]},
    ),
)  # fmt: skip
def gold_not_named(rollout: Rollout) -> Iterator[Evidence]:
    if rollout.has_dialogue:
        return
    compared = comparison_of(rollout)
    if compared is None:
        return
    for path, expected, actual, step in wrong_arguments(compared):
        literal = in_request(rollout, actual) and NOTHING in origin(rollout, expected, len(rollout.output))
        if traceable(actual) and (literal or _another_moment(rollout, expected, actual)):
            quote = f"{path} = {shown(actual)}"
            yield Evidence(step, quote, f"as the request says; {shown(expected)} is expected, which stands nowhere", path)


_CANNOT: Final = re.compile(
    r"\b(?:I['’]m|I am) (?:not able|unable) to (?:generate|write|create|produce|compose|help|assist|comply|provide)\b|\bI (?:can(?:no|['’])t|cannot|won['’]t|will not) (?:generate|write|create|produce|compose|help|assist|comply|fulfil+|provide)\b",
    re.IGNORECASE,
)


_REFUSED: Final = {
    "name": "set_sign",
    "arguments": {"board_id": "B-1204", "wording": "As an AI language model I can't help with this."},
}


@signal(
    "gold_refuses",
    label="DA",
    needs=("wrong_argument",),
    meaning="an argument of an expected call is the refusal of whichever model wrote the gold",
    causal=False,
    example=Example(
        (
            call(
                "set_sign",
                "ok",
                board_id="B-1204",
                wording="We would be happy to have you over for lunch at the end of the month.",
            ),
        ),
        asked="Have board B-1204 say: We would be happy to have you over for lunch at the end of the month.",
        fields={"expected_calls": [_REFUSED]},
    ),
)
def gold_refuses(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for path, expected, actual, step in wrong_arguments(compared) if compared is not None else ():
        if isinstance(expected, str) and in_request(rollout, actual) and (says_it_is_ai(expected) or _CANNOT.search(expected)):
            yield Evidence(step, f"{path} = {shown(expected)}", "what a model says when it refuses", path)
            return


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


def told(source: Source) -> str:
    return f"{source.key} of {source.tool} (step {source.step}), the only record there that the request speaks of"


def source_told(detail: str) -> str:
    """The tool and the key that the detail of a `gold_unseen` names."""
    return detail.partition(" (step ")[0]


@once_for_each
def _differing(rollout: Rollout) -> tuple[tuple[str, Any, Any, int | None], ...]:
    """Where something else was given than is expected: (`tool.argument` or the answer's field, expected, given, step)."""
    return tuple(_all_differing(rollout))


def _all_differing(rollout: Rollout) -> Iterator[tuple[str, Any, Any, int | None]]:
    compared = comparison_of(rollout)
    if compared is not None:
        yield from wrong_arguments(compared)
    gold = expected_answer(rollout)
    answer = None if gold is None else plain_text(gold[1])
    if gold is None or answer is None or rollout.final is None:
        return
    taken = taken_answer(rollout)
    given = plain_text(taken[1]) if taken is not None and taken[1] is not None else None
    for text in (given, _last_word(rollout.final.text.strip().rstrip(".*`\"'"))):
        if text and text != answer:
            yield gold[0], answer, text, rollout.final.step
            return


def _last_word(text: str) -> str | None:
    """The word that a text ends with; no word goes beyond a space, so only what follows the last one is looked at."""
    found = _LAST_WORD.search(text if not text or text[-1].isspace() else text.rsplit(None, 1)[-1])
    return None if found is None else found[0]


def wrong_arguments(compared: Comparison) -> Iterator[tuple[str, Any, Any, int | None]]:
    for match in compared.counted:
        if match.outcome == WRONG and match.call is not None:
            for differs in match.differences:
                yield argument_subject(match.call.name, differs.path), differs.expected, differs.actual, match.call.step
