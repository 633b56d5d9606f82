"""DA: gold that a record of the tools speaks against: it is another record's, or says something else of the same one.

*Beside*: the listing itself tells: the record of the value that was given holds what the request names, and best of all; the expected id stands in another record of
the same listing, which holds less of it and nothing besides (a namesake), as where gold is a line off. *Off record*: the expected call names somebody or something as the tools know it, and one
field of it otherwise; what was given is the record's own, and the expected value stands nowhere and follows from nothing. What a simulated user is told to say
has to be known, for a user may tell a value that no record has. One repeat may have misread; telling only where all repeats agree and none passes (`diagnosis.patterns.stale_gold`).
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any, Final

import msgspec

from blade.runs.definition import SCENARIO_FIELDS
from blade.signals.calls.answered import answer_data
from blade.signals.calls.call import Call
from blade.signals.calls.mutation import words_of
from blade.signals.calls.sameness import Difference, same
from blade.signals.example import Example, call
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.days import iso_day, plain_day
from blade.signals.texts.origins import NOTHING, origin, shown, whole_word
from blade.signals.texts.schemes import of_one_scheme
from blade.signals.texts.values import RELATIVE_DAYS, dates_in
from blade.signals.wanted.comparison import WRONG, comparison_of
from blade.signals.wanted.differing import wrong_arguments
from blade.signals.wanted.wanted_record import as_asked, stands_beside

MIN_NAMING: Final = 2
"""Texts that an expected object and a record have in common, from which on both are of the same somebody."""
MAX_INNER: Final = 6
MAX_SPOKEN: Final = 8_000
QUALIFIES: Final = 3
"""Words between a field's name and what tells which one is meant."""
_QUALIFIERS: Final = frozenset(
    [
        "work",
        "business",
        "office",
        "new",
        "other",
        "another",
        "billing",
        "second",
        "secondary",
        "alternate",
        "alternative",
        "private",
    ]
)
_CONTACTS: Final = frozenset(["email", "mail", "address", "phone", "telephone", "mobile", "contact"])
"""Fields that one word may stand for: the work address may be one of mail."""
_KEYS: Final = frozenset(["id", "ids", "name", "number", "no", "code", "key", "email", "username", "ref", "reference"])
_WORD: Final = re.compile(r"[^\W_]+")


@signal(
    "gold_beside",
    label="DA",
    needs=("wrong_argument", "one_turn"),
    meaning="the value given is in the record that the request names, the expected one in another record of the same listing; telling only where all repeats agree",
    causal=False,
    example=Example(
        (
            call("list_pilots", '[{"licence": "0761", "name": "Zanele Bianchi"}, {"licence": "0807", "name": "Greta Petrov"}]'),
            call("order_pilot", "ok", licence="0761"),
        ),
        asked="Please order the pilot Zanele Bianchi.",
        fields={"expected_calls": [{"name": "order_pilot", "arguments": {"licence": "0807"}}]},
    ),
)  # fmt: skip
def gold_beside(rollout: Rollout) -> Iterator[Evidence]:
    compared = None if rollout.has_dialogue else comparison_of(rollout)
    for path, expected, actual, step in wrong_arguments(compared) if compared is not None else ():
        if not isinstance(expected, str) or not isinstance(actual, str) or not _alike(expected, actual):
            continue
        source = as_asked(rollout, actual)
        if source is not None and stands_beside(rollout, source, actual, expected):
            yield Evidence(
                step,
                f"{path} = {shown(actual)}",
                f"{source.told()}, as the request names it; {shown(expected)} is expected, which is another record there",
                path,
            )


def _alike(one: str, other: str) -> bool:
    """Whether two values are ids of one scheme, or numbers of the same length."""
    return of_one_scheme(one, other) or (one.isdigit() and other.isdigit() and len(one) == len(other))


@signal(
    "gold_off_record",
    label="DA",
    needs=("wrong_argument",),
    meaning="the expected call says something else of a record than the tools do, which stands nowhere; what was given is the record's own; telling only where all repeats agree",
    causal=False,
    example=Example(
        (
            call("get_member", '{"name": {"first": "Ann", "last": "Lee"}, "born": "1981-05-26"}', member_id="M-7"),
            call("book_tour", "booked", guests=[{"first": "Ann", "last": "Lee", "born": "1981-05-26"}]),
        ),
        asked="Book me on the tour, my number is M-7.",
        fields={
            "expected_calls": [
                {"name": "book_tour", "arguments": {"guests": [{"first": "Ann", "last": "Lee", "born": "1985-04-04"}]}}
            ]
        },
    ),
)  # fmt: skip
def gold_off_record(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for match in compared.counted if compared is not None else ():
        for differs in match.differences if match.outcome == WRONG and match.call is not None else ():
            assert match.call is not None
            held = _record_of(rollout, match.call, differs, match.expected.arguments)
            if held is None or _may_be_told(rollout, differs.expected):
                continue
            if not _other_one_asked(rollout, differs.path) and not _left_unasked(rollout, held):
                yield Evidence(
                    match.call.step,
                    f"{differs.path} = {shown(differs.actual)}",
                    f"as {held.name} (step {held.step}) says of the same record; {shown(differs.expected)} is expected, which stands nowhere",
                    argument_subject(match.call.name, differs.path),
                )


def _other_one_asked(rollout: Rollout, path: str) -> bool:
    """Whether the user speaks of another value of a field than the one that stands first in a record: the work address, a new number."""
    names = set(words_of(path.rpartition(".")[2])) - {""}
    if names & _CONTACTS:
        names |= _CONTACTS
    spoken = [rollout.request, _told_to_user(rollout), *(item.text for item in rollout.output if item.role == "user")]
    words = _WORD.findall("\n".join(text[:MAX_SPOKEN] for text in spoken).lower())
    return any(
        word in _QUALIFIERS and names & set(words[max(0, at - QUALIFIES) : at + QUALIFIES + 1]) for at, word in enumerate(words)
    )


def _left_unasked(rollout: Rollout, held: Call) -> bool:
    """Whether a lookup that is declared was never made, and could have been: it takes the key of the record, or a key that stands in the record."""
    called = {made.name for made in rollout.calls}
    known = set(held.arguments or ()) | {
        name for record in _objects(answer_data(held.output.text if held.output is not None else "")) for name in record
    }
    for tool in rollout.tools.values():
        properties = tool.parameters.get("properties")
        if tool.name in called or not isinstance(properties, dict) or rollout.mutation_of(tool.name).kind == "change":
            continue
        needed = tool.parameters.get("required")
        keys = {key for key in (needed if isinstance(needed, list) and needed else properties) if isinstance(key, str)}
        if keys and keys <= known and all(words_of(key)[-1:] and words_of(key)[-1] in _KEYS for key in keys):
            return True
    return False


def _record_of(rollout: Rollout, made: Call, differs: Difference, wanted: dict[str, Any]) -> Call | None:
    """The lookup whose record has all that the expected and the given object have in common, and the given value in the field where they differ."""
    outer, _, field = differs.path.rpartition(".")
    texts = isinstance(differs.expected, str) and isinstance(differs.actual, str)
    if not texts or not field.isidentifier() or not differs.expected_path.endswith(f".{field}"):
        return None
    given, other = _at(made.arguments, outer), _at(wanted, differs.expected_path.rpartition(".")[0])
    if not isinstance(given, dict) or not isinstance(other, dict):
        return None
    naming = {key: value for key, value in other.items() if key != field and isinstance(value, str) and value}
    if len(naming) < MIN_NAMING or not all(same(value, given.get(key)) for key, value in naming.items()):
        return None
    for call_made in rollout.calls:
        if call_made.position >= made.position or not call_made.reads or call_made.error is not None or call_made.output is None:
            continue
        if differs.actual not in call_made.output.text:
            continue
        for record in _objects(answer_data(call_made.output.text)):
            if same(record.get(field), differs.actual) and all(same(value, record.get(key)) for key, value in naming.items()):
                return call_made
    return None


def _at(value: Any, path: str) -> Any:
    """What stands at a path such as `guests[0].address`."""
    for part in path.replace("[", ".[").split("."):
        if part.startswith("["):
            number = int(part[1:-1]) if part[1:-1].isdigit() else -1
            value = value[number] if isinstance(value, list) and 0 <= number < len(value) else None
        elif part:
            value = value.get(part) if isinstance(value, dict) else None
    return value


def _objects(value: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """The objects of an answer, each with the fields of the objects inside it (`name.first`) as its own."""
    if depth > MAX_INNER:
        return
    if isinstance(value, dict):
        inner = [held for held in value.values() if isinstance(held, dict)]
        yield {key: told for held in (*inner, value) for key, told in held.items() if isinstance(told, str | int | float)}
    for held in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        if isinstance(held, dict | list):
            yield from _objects(held, depth + 1)


def _may_be_told(rollout: Rollout, expected: str) -> bool:
    """Whether the expected value is seen, may follow from what is seen, or may be what a user was told to say."""
    spoken = _told_to_user(rollout) if rollout.has_dialogue else ""
    if rollout.has_dialogue and not spoken:
        return True
    texts = [spoken, rollout.prompt_text, *(item.text for item in rollout.output if item.role != "assistant")]
    if any(whole_word(expected.lower(), text.lower()) for text in texts):
        return True
    day = iso_day(plain_day(rollout, expected))
    if day is None:
        return NOTHING not in origin(rollout, expected, len(rollout.output))
    return any(_near(day, *named) for text in texts for named in dates_in(text))


def _near(day: date, year: int | None, month: int, number: int) -> bool:
    """Whether a date that is named, perhaps without its year, is the given one or so near that it may have been counted from it."""
    if year is None:
        return (month, number) == (day.month, day.day)
    return abs((day - date(year, month, number)).days) <= RELATIVE_DAYS


def _told_to_user(rollout: Rollout) -> str:
    """What the row says that a simulated user is told; empty where it does not."""
    task = rollout.fields.get("task")
    places = (rollout.fields, task if isinstance(task, dict) else {})
    told = [place[name] for place in places for name in SCENARIO_FIELDS if place.get(name)]
    return "\n".join(each if isinstance(each, str) else msgspec.json.encode(each).decode() for each in told)
