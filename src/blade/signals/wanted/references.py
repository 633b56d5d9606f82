"""The reference outputs of a dataset's example: what stands beside its inputs, as a plain value, under a name of its own, or as an assistant's messages.

Harnesses that compare a run with an example keep that example in the row as it was: `{"inputs": …, "outputs": …}`. What a run returned is called outputs as
well, so the object has to be one that holds a row of the dataset, or the outputs have to be called after what is expected (`reference_outputs`).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from blade.runs.chats import speaker
from blade.signals.layout.texts import message_text

MAX_MESSAGES: Final = 40
_EXAMPLE: Final = re.compile(
    r"^(?:dataset_|reference_|eval_|test_|data_?)?(?:example|item|record|row|doc|point|case)$|^datapoint$|^datasource_item$",
    re.IGNORECASE,
)
_OF_DATASET: Final = re.compile(r"^(?:dataset|reference)_|(?:^|_)example$", re.IGNORECASE)
"""Names of objects that hold a row of the dataset as it was, and of those among them that cannot be the record of a run: there bare outputs are the reference."""
_INPUTS: Final = re.compile(r"^inputs?$", re.IGNORECASE)
_OUTPUTS: Final = re.compile(r"^outputs?$", re.IGNORECASE)
_REFERENCE: Final = re.compile(r"^(?:reference|expected|gold|golden|ideal|target)_(?:outputs?|messages?)$", re.IGNORECASE)
_SPEAKERS: Final = ("assistant", "agent")
_MESSAGES: Final = re.compile(r"^(?:messages|conversation|turns|history)$", re.IGNORECASE)

Found = tuple[str, Any]


def reference_outputs(fields: dict[str, Any]) -> Iterator[Found]:
    """The objects, lists or texts that a row keeps as the outputs of its example, each with its place."""
    for name, value in fields.items():
        if _is_reference(name):
            yield name, value
        elif isinstance(value, dict) and _is_example(name):
            asks = _OF_DATASET.search(name) is not None and any(_INPUTS.match(key) for key in value)
            yield from (
                (f"{name}.{key}", held) for key, held in value.items() if _is_reference(key) or (asks and _OUTPUTS.match(key))
            )


@lru_cache(maxsize=4096)
def _is_reference(name: str) -> bool:
    return _REFERENCE.match(name) is not None


@lru_cache(maxsize=4096)
def _is_example(name: str) -> bool:
    return _EXAMPLE.match(name) is not None


def reference_messages(fields: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The messages among the reference outputs, all of them an assistant's or with calls and their answers between."""
    for place, value in reference_outputs(fields):
        if (told := _messages(value)) is not None:
            yield place, told
        for key, held in value.items() if isinstance(value, dict) else ():
            if _MESSAGES.match(key) and (told := _messages(held)) is not None:
                yield f"{place}.{key}", told


def _messages(value: Any) -> list[dict[str, Any]] | None:
    if not isinstance(value, list) or not 0 < len(value) <= MAX_MESSAGES:
        return None
    if not all(
        isinstance(one, dict) and speaker(one) and ("content" in one or "parts" in one or "tool_calls" in one) for one in value
    ):
        return None
    return value


def last_words(fields: dict[str, Any]) -> Iterator[Found]:
    """What the last of the assistant's reference messages says, where it calls nothing."""
    for place, messages in reference_messages(fields):
        last = messages[-1]
        if speaker(last) in _SPEAKERS and not last.get("tool_calls"):
            yield f"{place}.{len(messages) - 1}.content", message_text(last)


def reference_calls(fields: dict[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """The calls of the assistant's reference messages; nothing where there are none, because many references give the last words alone."""
    for place, messages in reference_messages(fields):
        made = [
            (number, one["tool_calls"])
            for number, one in enumerate(messages)
            if speaker(one) in _SPEAKERS and isinstance(one.get("tool_calls"), list) and one["tool_calls"]
        ]
        if len(made) == 1:
            yield f"{place}.{made[0][0]}.tool_calls", made[0][1]
        elif made:
            yield place, [call for _, calls in made for call in calls]
