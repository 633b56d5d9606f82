"""What the names of fields and objects say of answers: which hold the expected one, and which what the verifier took for it.

The names come again with every row of a run, so what they say is worked out once (`once_for_names`).
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from blade.signals.calls.mutation import plain_name
from blade.signals.data.task import of_calls
from blade.signals.repeats import once_for_names
from blade.signals.verifier.verdicts import EXTRACTED_FIELDS

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
REPLIES: Final = re.compile(r"^(?:final_)?(?:reply|answer|response|message|output)s?$", re.IGNORECASE)
PREDICTED: Final = frozenset(["pred", "prediction", "predicted", "answer", "final_answer"])
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


@once_for_names
def gold_by_name(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of gold among those of a row: first those with a counterpart among the extracted ones."""
    paired = [
        name
        for name in names
        if name.startswith(_WANTED) and not of_calls(name)
        for prefix in _WANTED
        if name.startswith(prefix) and any(taken + name.removeprefix(prefix) in names for taken in _TAKEN)
    ]
    return (*paired, *filter(_names_gold, names))


@lru_cache(maxsize=4096)
def _names_gold(name: str) -> bool:
    return _GOLD_NAME.search(plain_name(name)) is not None


@lru_cache(maxsize=4096)
def _names_taken(name: str) -> bool:
    return _TAKEN_NAME.match(plain_name(name)) is not None


@lru_cache(maxsize=4096)
def is_model(name: str) -> bool:
    return _MODELS_FOR.search(name) is not None


def _last_name(path: str) -> str:
    """The last name of the place of an object, as names are known."""
    return plain_name(path.rstrip(".").rpartition(".")[2])


@lru_cache(maxsize=4096)
def holds_gold(path: str) -> bool:
    """Places of objects come again with every row, so each is looked at once."""
    return _GOLD_HOLDER.match(_last_name(path)) is not None


@lru_cache(maxsize=4096)
def holds_reply(path: str) -> bool:
    return REPLIES.match(_last_name(path)) is not None


@lru_cache(maxsize=4096)
def holds_taken(path: str) -> bool:
    return _TAKEN_HOLDER.match(_last_name(path)) is not None


@once_for_names
def taken_in_verdict(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of what a verifier read, among those of an object that may hold its verdict."""
    return tuple(name for name in names if name in _TAKEN_IN_VERDICT or name in EXTRACTED_FIELDS or _names_taken(name))


@lru_cache(maxsize=4096)
def of_model(path: str) -> bool:
    return _OF_MODEL.match(path.rstrip(".").rpartition(".")[2]) is not None


class TakenNames(NamedTuple):
    """The names in a row of what the verifier took for the answer: those known for it, those with a counterpart that is expected, and others that mean it."""

    known: tuple[str, ...]
    paired: tuple[str, ...]
    others: tuple[str, ...]
    models: tuple[str, ...]
    """Names that say how a model was run, or hold one to go by, where they hold an object."""


@once_for_names
def taken_by_name(names: tuple[str, ...]) -> TakenNames:
    paired = [
        name
        for name in names
        if name.startswith(_TAKEN) and not of_calls(name)
        for prefix in _TAKEN
        if name.startswith(prefix) and any(wanted + name.removeprefix(prefix) in names for wanted in _WANTED)
    ]
    return TakenNames(
        tuple(name for name in EXTRACTED_FIELDS if name in names),
        tuple(paired),
        tuple(filter(_names_taken, names)),
        tuple(filter(is_model, names)),
    )
