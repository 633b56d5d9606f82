"""What the code of environments gives back, as values that a row can hold.

People compute with numpy and return what they have: a number of another library is a number, and an array is a list. What is no JSON
value at all is refused where it was made, with the type that was in the way, instead of failing later when a row is written.
"""

from typing import Any

import msgspec


class NotPlain(TypeError):
    """A value that cannot be written as JSON, in words for whoever wrote the environment."""


def plain(value: Any) -> Any:
    """The value in JSON's own types; raises `NotPlain`."""
    try:
        return msgspec.to_builtins(value, str_keys=True, enc_hook=of_other_libraries)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise NotPlain(f"what it returned cannot be written as JSON: {error}") from None


def packed(value: Any) -> bytes:
    """The value as it travels between processes, bytes included; raises `NotPlain`."""
    try:
        return msgspec.msgpack.encode(value, enc_hook=of_other_libraries)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise NotPlain(f"what it returned cannot be written as JSON: {error}") from None


def of_other_libraries(value: Any) -> Any:
    """A number or an array that says what it is in Python's own types (numpy's, and those like them)."""
    said = getattr(value, "tolist", None) or getattr(value, "item", None)
    if not callable(said) or isinstance(value, type):
        raise TypeError(f"a value of type {type(value).__module__}.{type(value).__qualname__} is no JSON value")
    found = said()
    if type(found) is type(value):
        raise TypeError(f"a value of type {type(value).__module__}.{type(value).__qualname__} is no JSON value")
    return found
