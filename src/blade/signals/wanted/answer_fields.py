"""Where a row keeps the expected answer, and what the verifier took for the answer: by the names of its fields, or as the run was learned.

The expected answer is the row's own gold (`data.ANSWER_FIELDS`, at the top, in the verifier's object or in the dataset's row as it was kept), a field that has a
counterpart among the extracted ones (`expected_count` beside `predicted_count`), or one of a name that can mean nothing else, in any object of the row. What the
verifier took for the answer stands at the top, or in an object that holds a verdict: there a bare `parsed` can mean nothing else either. Expected calls are no
answers; they have a place of their own (`expectation`).
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from blade.answers import compare, extract
from blade.signals.data.task import (
    ANSWER_FIELDS,
    answer_inside,
    expecting,
    gold_named,
    named_answers,
    objects_of,
    of_calls,
)
from blade.signals.layout.paths import opened
from blade.signals.layout.reading import learned_gold, learned_taken
from blade.signals.layout.shape import written
from blade.signals.layout.texts import message_text
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.verifier.compared import Compared, compared_answer
from blade.signals.wanted.answer_names import (
    PREDICTED,
    REPLIES,
    gold_by_name,
    holds_gold,
    holds_reply,
    holds_taken,
    is_model,
    of_model,
    taken_by_name,
    taken_in_verdict,
)
from blade.signals.wanted.checks import holds_verdict
from blade.signals.wanted.option_lists import MAX_PROMPT, options_of
from blade.signals.wanted.references import last_words, reference_outputs

MAX_ANSWER: Final = 500
"""Characters kept of an answer, and of the end of the final message."""
_HOLDERS: Final = (
    "verifier_metadata",
    "verifier",
    "metadata",
    "extra_info",
    "info",
    "task",
    "item",
    "datasource_item",
    "doc",
    "example",
    "record",
)
_ITEMS: Final = frozenset(["item", "datasource_item", "doc", "example", "record"])
"""Objects that hold a row of the dataset as it was: there a bare `reference` is the gold."""
_LATE: Final = (
    "answer", "answers", "ideal", "expected_answers", "gold_answers", "reference_answers", "possible_answer", "possible_answers",
    "accepted_answers", "acceptable_answers", "valid_answers", "correct_answers", "gold_sql", "label",
)  # fmt: skip
"""Names that hold the gold where nothing else does, in rows that ask a question."""
_ASKS: Final = frozenset(["question", "problem", "prompt", "instruction", "query", "answer_index", "answer_idx"])
"""Columns of a dataset that asks a question: the answer beside them is the expected one."""
_OFFERS: Final = ("options", "choices")
_OPTION_KEYS: Final = frozenset(["label", "text", "key", "letter", "option", "value", "content", "answer"])
_OF_RESPONSE: Final = frozenset(["message", "finish_reason", "delta", "logprobs", "stop_reason"])
"""Columns that ask where they hold options, what an option is told under, and what a response's `choices` hold instead."""
_SAID: Final = frozenset(["text", "value", "completion", "content"])
_EQUALS: Final = re.compile(r"^(?:equals|equal_to|exactly|exact|must_equal|must_be|should_equal|should_be)$", re.IGNORECASE)
"""Names of criteria that a reply has to meet, and of the one that it has to be equal to."""
_SEVERAL: Final = re.compile(r"possible|accept|alias|alternativ|(?<!in)valid|allowed", re.IGNORECASE)
MAX_ACCEPTED: Final = 40
"""Names of fields that list answers of which any is right, and the most that are tried; a plain list of answers may want them all."""
_WANTS_ALL: Final = re.compile(
    r"\b(?:all|every|each|both|list|select|which (?:\w+ ){0,3}are|name the|two|three|four|five|six|seven|eight|nine|ten"
    r"|several|(?:name|give|state|find|choose|pick|write|enter) (?:the |me |any )?\d+)\b",
    re.IGNORECASE,
)
"""Words with which a request asks for several answers together."""
MAX_SHORT: Final = 60
"""Characters up to which a `solution` is the answer itself, and not how one gets there."""
Found = tuple[str, Any]


def _plain(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(entry, str | int | float) for entry in value)
    return (isinstance(value, str) and bool(value.strip())) or (isinstance(value, int | float) and value == value)


def _named(fields: dict[str, Any], paths: tuple[str, ...]) -> Found | None:
    """The first of the places that the user named that holds a plain value."""
    for path in paths:
        value: Any = fields
        for key in path.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        if _plain(value):
            return path, value
    return None


@once_for_each
def expected_answer(rollout: Rollout) -> Found | None:
    """The field that holds the expected answer, and its value: as the user named it, by its name, or as the run was learned.

    Several detectors ask for that of the rollout at hand.
    """
    if (told := _named(rollout.fields, rollout.options.answer_fields)) is not None:
        return told
    taken = rollout.expectation.place if rollout.expectation is not None and rollout.expectation.calls else None
    given = taken_answer(rollout)
    for at, held in _candidates(rollout):
        place, value = _inside(rollout, at, held)
        if place != taken and (given is None or place != given[0]) and _plain(value) and expecting(value) is None:
            return place, _meant(rollout, place, value)
    if (compared := _compared(rollout)) is not None:
        return compared.wanted_at, compared.wanted
    layout = rollout.options.layout
    learned = learned_gold(rollout.fields, layout, options_of(rollout)) if layout.expected else None
    if learned is None or learned[0] == taken or not _plain(learned[1]):
        return None  # a field may hold answers in some rows and calls in others
    return learned[0], _meant(rollout, *learned)


def _inside(rollout: Rollout, place: str, value: Any) -> Found:
    """The answer in an object that was written down as text, in a field that holds expected calls elsewhere in the run; every other value as it is."""
    if not isinstance(value, str) or not any(
        written(field.path).startswith(f"{place}.") for field in rollout.options.layout.calls
    ):
        return place, value
    held = opened(value)
    told = [name for name, inner in held.items() if inner not in (None, "", [])] if isinstance(held, dict) else []
    names = [name for name in told if answer_inside(name)] or [name for name in told if _plain(held[name])]
    return (f"{place}.{names[0]}", held[names[0]]) if len(names) == 1 else (place, value)


def _meant(rollout: Rollout, place: str, value: Any) -> Any:
    """Of several answers that are each right, the one that was given; all of them where none was, or where all may be wanted together."""
    if (
        not isinstance(value, list)
        or len(value) < 2
        or len(value) > MAX_ACCEPTED
        or not _SEVERAL.search(place.rpartition(".")[2])
        or _WANTS_ALL.search(rollout.request[-MAX_PROMPT:])
    ):
        return value
    taken = taken_answer(rollout)
    for given in ([str(taken[1])] if taken is not None and taken[1] is not None else []) + _marked(rollout)[:3]:
        if (
            len(given) <= MAX_ANSWER
            and (right := next((one for one in value if compare(str(one), given).same), None)) is not None
        ):
            return right
    return value


@once_for_each
def taken_answer(rollout: Rollout) -> Found | None:
    """The field that holds what the verifier took for the answer, and its value (None: it found none)."""
    fields, options = rollout.fields, rollout.options
    found = (
        _named(fields, options.extracted_fields)
        or _extracted(rollout)
        or _in_verdict(rollout, lambda: _marked(rollout))
        or _in_message(rollout)
    )
    if found is None and (compared := _compared(rollout)) is not None:
        return compared.found_at, compared.found
    return found or (learned_taken(fields, options.layout) if options.layout.extracted else None)


@once_for_each
def _compared(rollout: Rollout) -> Compared | None:
    return compared_answer(rollout.fields, "" if rollout.final is None else rollout.final.text)


def _candidates(rollout: Rollout) -> Iterator[Found]:
    fields = rollout.fields
    yield from named_answers(fields)
    for holder in _HOLDERS:
        inner = fields.get(holder)
        if isinstance(inner, dict):
            names = (*ANSWER_FIELDS, *_LATE, *(("reference",) if holder in _ITEMS else ()))
            yield from ((f"{holder}.{name}", value) for name, value in named_answers(inner, names))
    yield from ((name, fields[name]) for name in gold_by_name(fields))
    if _asks(fields) or _extracted(rollout) is not None or _in_verdict(rollout) is not None:
        for name in _LATE:
            if name in fields:
                yield name, fields[name]
        worked = fields.get("solution")
        if isinstance(worked, str) and len(worked) <= MAX_SHORT and "\n" not in worked.strip():
            yield "solution", worked
    objects = objects_of(rollout)
    for path, place in objects:
        if path and holds_gold(path):
            yield from ((f"{path}{name}", message_text(value)) for name, value in place.items() if answer_inside(name))
    for path, place in objects:
        if path and holds_reply(path):
            yield from ((f"{path}{name}", value) for name, value in place.items() if _EQUALS.match(name))
    for path, place in objects:
        for name in gold_named(place):
            value = place[name]
            if not (isinstance(value, list) and path and len(value) > 1):
                yield f"{path}{name}", value
    for where, value in reference_outputs(fields):
        named = value.items() if isinstance(value, dict) else ()
        yield from ((f"{where}.{name}", message_text(held)) for name, held in named if answer_inside(name))
        yield where, value
    yield from last_words(fields)


def _asks(fields: dict[str, Any]) -> bool:
    """Whether a row has the columns of a dataset that asks a question."""
    return not _ASKS.isdisjoint(fields) or any(name in fields and _are_options(fields[name]) for name in _OFFERS)


def _are_options(value: Any) -> bool:
    """Whether a value lists what may be answered (or could, in other rows of the dataset), and not what a model responded."""
    if isinstance(value, dict):
        held = [one for inner in value.values() for one in (inner if isinstance(inner, list) else [inner])]
        return not _OF_RESPONSE & value.keys() and bool(held) and all(isinstance(one, str | int | float) for one in held)
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return all(not _OF_RESPONSE & one.keys() and (len(one) == 1 or _OPTION_KEYS & one.keys()) for one in value)
    return value is None or (isinstance(value, list) and _plain(value))


def _marked(rollout: Rollout) -> list[str]:
    """What the final message marks as its answer."""
    return [] if rollout.final is None else [one.text for one in extract(rollout.final.text[-8 * MAX_ANSWER :]) if one.marked]


def _in_verdict(rollout: Rollout, marked: Callable[[], list[str]] = list) -> Found | None:
    """What a verifier read, in an object of the row that holds its verdict, or what a model did: the latter only as far as what it marked is the same."""
    empty: Found | None = None
    for path, holder in objects_of(rollout):
        if not path:
            continue
        names = taken_in_verdict(holder)
        told = of_model(path) and not holds_verdict(holder, names)
        if told:
            if is_model(path.rstrip(".").rpartition(".")[2]):
                continue
            names = tuple(name for name in holder if name in PREDICTED)
        elif not names or not holds_verdict(holder, names):
            continue
        for name in names:
            place, value = f"{path}{name}", holder[name]
            if isinstance(value, str) or (isinstance(value, dict) and any(map(of_calls, value))):
                place, value = _said_in(place, value)
            if _plain(value) and not isinstance(value, bool) and len(str(value)) <= MAX_ANSWER:
                said = marked() if told else []
                if said and not any(compare(str(value), one).same for one in said):
                    continue
                return place, value
            if value in (None, "", []):
                empty = empty or (place, None)
    return empty


def _in_message(rollout: Rollout) -> Found | None:
    """What was said, as a message in an object that is called after what was done (`actual_invocation.final_response`)."""
    for path, place in objects_of(rollout):
        if path and holds_taken(path):
            for name, value in place.items():
                if (
                    isinstance(value, dict)
                    and answer_inside(name)
                    and _plain(told := message_text(value))
                    and len(str(told)) <= MAX_ANSWER
                ):
                    return f"{path}{name}", told
    return None


def _said_in(name: str, value: Any) -> Found:
    """What was said, where a field keeps it in an object beside the calls that were made: `{"tool_calls": […], "text": "42"}`, or in one written as text."""
    value = expecting(value) or value
    if not isinstance(value, dict):
        return name, value
    said = [key for key in value if REPLIES.match(key) or key in _SAID]
    if len(said) != 1 or not (_plain(value[said[0]]) or value[said[0]] is None):
        return name, value
    return f"{name}.{said[0]}", value[said[0]]


@once_for_each
def _extracted(rollout: Rollout) -> Found | None:
    """The field in which the verifier put what it took for the answer, and its value, which may be None: it found none."""
    empty: Found | None = None
    fields = rollout.fields
    names = taken_by_name(fields)
    if any(isinstance(fields[name], dict) for name in names.models):
        fields = {name: value for name, value in fields.items() if name not in names.models or not isinstance(value, dict)}
        names = taken_by_name(fields)
    for name in names.known:
        place, value = _said_in(name, fields[name])
        if value not in (None, "", []):
            return place, value
        empty = empty or (place, None)
    for name in names.paired:
        if _plain(fields[name]):
            return name, fields[name]
        empty = empty or (name, None)
    for name in names.others:
        value = fields[name]
        if value in (None, "", []) or (_plain(value) and len(str(value)) <= MAX_ANSWER):
            if value not in (None, "", []):
                return name, value
            empty = empty or (name, None)
    return empty
