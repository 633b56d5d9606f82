"""Packed parts of a document are written as the whole would be, and come back as they went in."""

import json
from typing import Any

import pytest

from blade.diagnosis.packed import Packed, json_bytes, opened
from blade.untrusted.escapes import json_escapes

VALUES: list[tuple[str, Any]] = [
    ("nothing", []),
    ("a repeat", [{"rollout": "1:0", "reward": 0.1, "passed": None, "findings": [{"quote": 'it said "no"…'}]}]),
    ("numbers", [1e300, -0.0, 3, True]),
    ("other alphabets", ["zażółć", "日本", "\U0001f600"]),
    ("what steers a terminal", ["\x1b[31m", "\x9b2J", "\u202e"]),
    ("half a sign", ["\ud83d"]),
]


def written(value: Any) -> bytes:
    return json_escapes(json.dumps(value, ensure_ascii=False)).encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("value", [value for _, value in VALUES], ids=[name for name, _ in VALUES])
def test_a_packed_value_is_written_as_it_would_be_and_opens_as_it_was(value: Any) -> None:
    whole = {"task": "a", "modes": [], "repeats": value}
    packed = whole | {"repeats": Packed.of(value)}
    assert json_bytes(packed) == written(whole) == json_bytes(whole)
    assert opened(packed["repeats"]) == value


def test_what_is_not_packed_is_opened_as_it_is() -> None:
    assert opened(None) is None
    assert opened([1]) == [1]
