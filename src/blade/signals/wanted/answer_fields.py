"""Where a row keeps the expected answer, and what the verifier took for the answer: by the names of its fields, or as the run was learned.

The expected answer is the row's own gold (`data.ANSWER_FIELDS`, at the top, in the verifier's object or in the dataset's row as it was kept), a field that has a
counterpart among the extracted ones (`expected_count` beside `predicted_count`), or one of a name that can mean nothing else, in any object of the row. What the
verifier took for the answer stands at the top, or in an object that holds a verdict: there a bare `parsed` can mean nothing else either. Expected calls are no
answers; they have a place of their own (`expectation`).
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final

from blade.answers import compare, extract
from blade.signals.calls.mutation import plain_name
from blade.signals.data.task import ANSWER_FIELDS, answer_inside, expecting, gold_anywhere, named_answers, objects_in, of_calls
from blade.signals.layout.paths import opened
from blade.signals.layout.reading import learned_gold, learned_taken
from blade.signals.layout.shape import written
from blade.signals.layout.texts import message_text
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.verifier.compared import Compared, compared_answer
from blade.signals.verifier.verdicts import EXTRACTED_FIELDS
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
_ASKS: Final = ("question", "problem", "prompt", "instruction", "query", "answer_index", "answer_idx")
"""Columns of a dataset that asks a question: the answer beside them is the expected one."""
_OFFERS: Final = ("options", "choices")
_OPTION_KEYS: Final = frozenset(["label", "text", "key", "letter", "option", "value", "content", "answer"])
_OF_RESPONSE: Final = frozenset(["message", "finish_reason", "delta", "logprobs", "stop_reason"])
"""Columns that ask where they hold options, what an option is told under, and what a response's `choices` hold instead."""
_WANTED: Final = ("expected_", "gold_", "golden_", "reference_", "target_", "correct_")
_TAKEN: Final = ("extracted_", "predicted_", "parsed_", "pred_", "model_")
_TAKEN_NAME: Final = re.compile(
    r"(?:extracted|parsed|predicted|pred|detected|read|submitted|graded|scored|matched|normali[sz]ed)_"
    r"(?:final_)?(?:answer|result|value|choice|option|letter|number|label|output|response|solution|prediction|text)$"
    r"|(?:answer|result|value|choice|option|letter|number|label)_(?:extracted|parsed|predicted|detected|read|submitted|found|given)$"
)
"""Names under which verifiers keep what they read in the message."""
_GOLD_NAME: Final = re.compile(
    r"(?:expected|expectation|gold|golden|reference|correct|target|true|right|key|wanted|ideal|oracle|desired|ground_truth|labels)_"
    r"(?:final_)?(?:answer|result|value|choice|option|letter|number|label|output|figure)$|^answer_key$"
    r"|^(?:expected|expectation|gold|golden|ideal|oracle|desired|wanted|ground_truth|answer_key|labels)_(?:final_)?(?:reply|response|text|completion)$"
)
"""Names under which datasets keep the answer."""
_GOLD_HOLDER: Final = re.compile(
    r"^(?:reference|gold(?:en)?|expected|target|ground_?truth|truth|solution|answer_?key|wanted|oracle|ideal|correct)(?:_\w+)?$",
    re.IGNORECASE,
)
"""Names of objects that hold what is expected."""
_TAKEN_HOLDER: Final = re.compile(r"^(?:actual|observed|produced|received|predicted|given)(?:_\w+)?$", re.IGNORECASE)
_REPLIES: Final = re.compile(r"^(?:final_)?(?:reply|answer|response|message|output)s?$", re.IGNORECASE)
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
_PREDICTED: Final = frozenset(["pred", "prediction", "predicted", "answer", "final_answer"])
_OF_MODEL: Final = re.compile(r"^(?:model|candidate|agent|predict(?:ed|ion))_\w+$|^(?:prediction|candidate)s?$", re.IGNORECASE)
_MODELS_FOR: Final = re.compile(r"(?:^|_)model_(?:solution|answer|hint|config)s?$", re.IGNORECASE)
"""Objects that are a model to go by, or say how one was run.

Above, names that can mean nothing but what was answered, and objects of what the model did, which need no verdict in them."""
_TAKEN_IN_VERDICT: Final = frozenset(
    [
        "parsed",
        "extracted",
        "prediction",
        "predicted",
        "pred",
        "submitted",
        "given",
        "read",
        "got",
        "found",
        "actual",
        "observed",
        "received",
    ]
)
"""Names that hold what a verifier read, in an object that holds its verdict."""
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
    for at, held in _candidates(rollout.fields):
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
        or extracted_answer(fields)
        or _in_verdict(fields, lambda: _marked(rollout))
        or _in_message(fields)
    )
    if found is None and (compared := _compared(rollout)) is not None:
        return compared.found_at, compared.found
    return found or (learned_taken(fields, options.layout) if options.layout.extracted else None)


@once_for_each
def _compared(rollout: Rollout) -> Compared | None:
    return compared_answer(rollout.fields, "" if rollout.final is None else rollout.final.text)


@lru_cache(maxsize=4096)
def _names_gold(name: str) -> bool:
    """Names of fields come again with every row, so each is looked at once."""
    return _GOLD_NAME.search(plain_name(name)) is not None


@lru_cache(maxsize=4096)
def _names_taken(name: str) -> bool:
    return _TAKEN_NAME.match(plain_name(name)) is not None


@lru_cache(maxsize=4096)
def _is_model(name: str) -> bool:
    return _MODELS_FOR.search(name) is not None


def _last_name(path: str) -> str:
    """The last name of the place of an object, as names are known."""
    return plain_name(path.rstrip(".").rpartition(".")[2])


def _candidates(fields: dict[str, Any]) -> Iterator[Found]:
    yield from named_answers(fields)
    for holder in _HOLDERS:
        inner = fields.get(holder)
        if isinstance(inner, dict):
            names = (*ANSWER_FIELDS, *_LATE, *(("reference",) if holder in _ITEMS else ()))
            yield from ((f"{holder}.{name}", value) for name, value in named_answers(inner, names))
    for name in fields:
        if name.startswith(_WANTED) and not of_calls(name):
            for prefix in _WANTED:
                if name.startswith(prefix) and any(taken + name.removeprefix(prefix) in fields for taken in _TAKEN):
                    yield name, fields[name]
    for name in fields:
        if _names_gold(name):
            yield name, fields[name]
    if _asks(fields) or extracted_answer(fields) is not None or _in_verdict(fields) is not None:
        for name in _LATE:
            if name in fields:
                yield name, fields[name]
        worked = fields.get("solution")
        if isinstance(worked, str) and len(worked) <= MAX_SHORT and "\n" not in worked.strip():
            yield "solution", worked
    for path, place in objects_in(fields):
        if path and _GOLD_HOLDER.match(_last_name(path)):
            yield from ((f"{path}{name}", message_text(value)) for name, value in place.items() if answer_inside(name))
    for path, place in objects_in(fields):
        if _REPLIES.match(_last_name(path)):
            yield from ((f"{path}{name}", value) for name, value in place.items() if _EQUALS.match(name))
    for path, place in objects_in(fields):
        for name, value in place.items():
            if gold_anywhere(name) and not (isinstance(value, list) and path and len(value) > 1):
                yield f"{path}{name}", value
    for where, value in reference_outputs(fields):
        named = value.items() if isinstance(value, dict) else ()
        yield from ((f"{where}.{name}", message_text(held)) for name, held in named if answer_inside(name))
        yield where, value
    yield from last_words(fields)


def _asks(fields: dict[str, Any]) -> bool:
    """Whether a row has the columns of a dataset that asks a question."""
    return any(name in fields for name in _ASKS) or any(name in fields and _are_options(fields[name]) for name in _OFFERS)


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


def _in_verdict(fields: dict[str, Any], marked: Callable[[], list[str]] = list) -> Found | None:
    """What a verifier read, in an object of the row that holds its verdict, or what a model did: the latter only as far as what it marked is the same."""
    empty: Found | None = None
    for path, holder in objects_in(fields):
        names = (
            [name for name in holder if name in _TAKEN_IN_VERDICT or name in EXTRACTED_FIELDS or _names_taken(name)]
            if path
            else ()
        )
        of_model = _OF_MODEL.match(path.rstrip(".").rpartition(".")[2]) is not None
        told = of_model and not holds_verdict(holder, names)
        if told:
            if _is_model(path.rstrip(".").rpartition(".")[2]):
                continue
            names = [name for name in holder if name in _PREDICTED]
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


def _in_message(fields: dict[str, Any]) -> Found | None:
    """What was said, as a message in an object that is called after what was done (`actual_invocation.final_response`)."""
    for path, place in objects_in(fields):
        if path and _TAKEN_HOLDER.match(_last_name(path)):
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
    said = [key for key in value if _REPLIES.match(key) or key in _SAID]
    if len(said) != 1 or not (_plain(value[said[0]]) or value[said[0]] is None):
        return name, value
    return f"{name}.{said[0]}", value[said[0]]


def extracted_answer(fields: dict[str, Any]) -> Found | None:
    """The field in which the verifier put what it took for the answer, and its value, which may be None: it found none."""
    empty: Found | None = None
    fields = {name: value for name, value in fields.items() if not (isinstance(value, dict) and _is_model(name))}
    for name in EXTRACTED_FIELDS:
        if name in fields:
            place, value = _said_in(name, fields[name])
            if value not in (None, "", []):
                return place, value
            empty = empty or (place, None)
    for name in fields:
        for prefix in _TAKEN if name.startswith(_TAKEN) and not of_calls(name) else ():
            suffix = name.removeprefix(prefix)
            if name.startswith(prefix) and any(wanted + suffix in fields for wanted in _WANTED):
                if _plain(fields[name]):
                    return name, fields[name]
                empty = empty or (name, None)
    for name, value in fields.items():
        if _names_taken(name) and (value in (None, "", []) or (_plain(value) and len(str(value)) <= MAX_ANSWER)):
            if value not in (None, "", []):
                return name, value
            empty = empty or (name, None)
    return empty
