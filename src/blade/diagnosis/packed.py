"""Parts of a diagnosis that are JSON already while it is still being made.

The repeats of the tasks are most of a document and nothing asks for them again once they are told. As Python objects they take several
times the memory of their text, in the process that already holds everything else, and have to be carried there from the workers.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from blade.untrusted.escapes import json_escapes


@dataclass(frozen=True, slots=True)
class Packed:
    """A value as the text that a document is written with."""

    text: bytes

    @classmethod
    def of(cls, value: Any) -> Self:
        return cls(_text(value))

    def opened(self) -> Any:
        return json.loads(self.text.decode("utf-8", "surrogatepass"))


def opened(value: Any) -> Any:
    """What was packed, or what was not, as it is."""
    return value.opened() if isinstance(value, Packed) else value


def json_bytes(value: Any) -> bytes:
    """A value as JSON; an object may hold packed values, which are taken as they are."""
    if isinstance(value, Packed):
        return value.text
    if isinstance(value, Mapping) and any(isinstance(inner, Packed) for inner in value.values()):
        return b"{" + b", ".join(_text(name) + b": " + json_bytes(inner) for name, inner in value.items()) + b"}"
    return _text(value)


_STEERS: Final = (b"\x7f", b"\xc2")
"""What begins, in UTF-8, all that steers a terminal and that JSON leaves as it is: U+007F to U+009F."""


def _text(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False)
    written = text.encode("utf-8", "surrogatepass")
    if any(begun in written for begun in _STEERS):
        return json_escapes(text).encode("utf-8", "surrogatepass")
    return written
