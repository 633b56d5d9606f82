"""Two names of one record: the id and the chip of an animal, the number and the address of a customer.

Two values name one record where a tool's answer holds both in one object, or on one line, under different keys, and neither is a plain word or a
moment. That a call took the other name is told by the tool: it answers with the expected one, or its schema says that either will do.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from blade.signals.calls.answered import answer_data
from blade.signals.calls.call import Call
from blade.signals.rollout import Rollout
from blade.signals.texts.origins import whole_word
from blade.signals.texts.schemes import of_one_scheme

MIN_NAME: Final = 4
MAX_LINE: Final = 600
MAX_READ: Final = 60_000
_EITHER: Final = re.compile(r"\bor\b|\beither\b|/", re.IGNORECASE)
_NAME: Final = re.compile(r"(?=.*\d)[\w.@:+/#-]+|[\w.+-]+@[\w.-]+")


def is_alias(rollout: Rollout, made: Call, argument: str, expected: Any, actual: Any) -> bool:
    """Whether a call that was taken names the expected record otherwise."""
    if (
        made is rollout.calls[0]
        or made.error is not None
        or made.output is None
        or not isinstance(expected, str | int)
        or not isinstance(actual, str | int)
    ):
        return False
    one, other = str(expected).strip(), str(actual).strip()
    if not (_is_name(one) and _is_name(other)) or of_one_scheme(one, other):
        return False
    if not any(_together(text, one, other) for text in _answers_before(rollout, made)):
        return False
    return whole_word(one.lower(), made.output.text.lower()) or _says_either(rollout, made.name, argument)


def _is_name(text: str) -> bool:
    return len(text) >= MIN_NAME and _NAME.fullmatch(text) is not None and not re.match(r"\d{4}-\d{2}-\d{2}", text)


def _answers_before(rollout: Rollout, made: Call) -> Iterator[str]:
    for earlier in rollout.calls:
        if earlier.position < made.position and earlier.reads and earlier.output is not None:
            yield earlier.output.text[:MAX_READ]


def _together(text: str, one: str, other: str) -> bool:
    if one not in text or other not in text:
        return False
    if any({one, other} <= values for values in _objects(answer_data(text))):
        return True
    return text.lstrip()[:1] not in ("{", "[") and any(
        one in line and other in line and len(line) <= MAX_LINE for line in text.splitlines()
    )


def _objects(value: Any, depth: int = 0) -> Iterator[set[str]]:
    """The plain values of each object in a document."""
    if depth > 6:
        return
    if isinstance(value, dict):
        yield {str(inner) for inner in value.values() if isinstance(inner, str | int) and not isinstance(inner, bool)}
        for inner in value.values():
            yield from _objects(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _objects(inner, depth + 1)


def _says_either(rollout: Rollout, name: str, argument: str) -> bool:
    tool = rollout.tools.get(name)
    properties = tool.parameters.get("properties") if tool is not None else None
    schema = properties.get(argument) if isinstance(properties, dict) else None
    said = schema.get("description") if isinstance(schema, dict) else None
    return isinstance(said, str) and _EITHER.search(said) is not None
