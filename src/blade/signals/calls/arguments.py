"""The arguments of a call: parsed, brought to one form, and checked against the tool's schema."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

MAX_LEAVES = 400
MAX_DEPTH = 12
MAX_PAIRS = 60
_PLAIN = frozenset([str, int, float, bool, type(None)])
_NAMES = ("name", "key", "argument", "parameter", "arg", "param")
_VALUE_TYPES = ("value_type", "type", "data_type")
_OF_TEXT = ("str", "string", "text", "datetime", "date", "none", "any")
_JSON_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


def parse(text: str | None) -> tuple[dict[str, Any] | None, str | None]:
    """The arguments as an object, or None with what is wrong with them. No text at all is a call without arguments."""
    if text is None or not text.strip():
        return {}, None
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return None, f"not JSON: {error}"
    if not isinstance(value, dict):
        return None, f"a JSON {type(value).__name__}, not an object"
    return value, None


def paired(arguments: Any) -> Any:
    """Arguments that are listed one by one (`[{"name": "seat", "value": "12A"}]`, perhaps with their types) as the object that they make; else as it is."""
    if not isinstance(arguments, list) or len(arguments) > MAX_PAIRS:
        return arguments
    told = {}
    for one in arguments:
        name = next((one[key] for key in _NAMES if key in one), None) if isinstance(one, dict) else None
        if not isinstance(name, str) or "value" not in one or name in told:
            return arguments
        told[name] = _of_its_type(one)
    return told


def _of_its_type(one: dict[str, Any]) -> Any:
    """The value of such an argument, read as its type says where it is written as text."""
    value, kind = one["value"], next((one[key] for key in _VALUE_TYPES if isinstance(one.get(key), str)), "str")
    if not isinstance(value, str) or kind.lower() in _OF_TEXT:
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return value


def canonical(arguments: dict[str, Any] | None, text: str | None) -> str:
    """One text for equal arguments, whatever their order and spacing; unparsable ones stand for themselves."""
    if arguments is None:
        return text or ""
    try:
        return msgspec.json.encode(arguments, order="sorted").decode()
    except (TypeError, ValueError, RecursionError):
        return text or ""


def leaves(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The plain values inside arguments with their paths: `flights[0].date`, a key of its own for each name on the way."""
    if isinstance(value, dict) and not path and _PLAIN.issuperset(map(type, value.values())):
        return iter([(str(name), inner) for name, inner in islice(value.items(), MAX_LEAVES)])  # as most calls have them
    return islice(_leaves(value, path, depth), MAX_LEAVES)


def _leaves(value: Any, path: str, depth: int) -> Iterator[tuple[str, Any]]:
    if depth > MAX_DEPTH:
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{name}" if path else str(name), depth + 1)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{number}]", depth + 1)
    else:
        yield path, value


def violations(arguments: dict[str, Any], schema: dict[str, Any], path: str = "", depth: int = 0) -> Iterator[str]:
    """What an argument object has against its schema: required ones missing, unknown ones, wrong types, values outside an enum.

    Only what is certain is said: a schema with `anyOf`, references or several types is taken at its word where it can be read
    and passed over where it cannot.
    """
    properties = schema.get("properties")
    if not isinstance(properties, dict) or depth > MAX_DEPTH:
        return
    required = schema.get("required")
    for name in required if isinstance(required, list) else ():
        if isinstance(name, str) and name not in arguments:
            yield f"{path}{name} is required and missing"
    for name, value in arguments.items():
        expected = properties.get(name)
        if expected is None:
            if not schema.get("additionalProperties") and not schema.get("patternProperties") and properties:
                yield f"{path}{name} is no argument of this tool"
        elif isinstance(expected, dict):
            yield from _violation(value, expected, f"{path}{name}", depth)


def _violation(value: Any, expected: dict[str, Any], path: str, depth: int) -> Iterator[str]:
    kinds = expected.get("type")
    allowed = [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) else []
    if allowed and all(isinstance(kind, str) and (kind in _JSON_TYPES or kind == "null") for kind in allowed):
        if value is None:
            # A null stands for "not given" in strict schemas and in many clients, so it is no wrong type.
            return
        if not any(_is_of(value, kind) for kind in allowed):
            yield f"{path} should be {' or '.join(allowed)} and is {_kind_of(value)}"
            return
    choices = expected.get("enum")
    if isinstance(choices, list) and choices and value not in choices and value is not None:
        yield f"{path} is none of {', '.join(map(str, choices[:6]))}"
    if isinstance(value, dict):
        yield from violations(value, expected, f"{path}.", depth + 1)
    items = expected.get("items")
    if isinstance(value, list) and isinstance(items, dict) and depth < MAX_DEPTH:
        for number, inner in enumerate(value[:50]):
            yield from _violation(inner, items, f"{path}[{number}]", depth + 1)


def _is_of(value: Any, kind: str) -> bool:
    if kind == "null":
        return value is None
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _JSON_TYPES[kind])


def _kind_of(value: Any) -> str:
    for kind in ("boolean", "integer", "number", "string", "array", "object"):
        if _is_of(value, kind):
            return kind
    return "null"
