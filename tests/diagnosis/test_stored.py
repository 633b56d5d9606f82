"""A diagnosis as it is kept: what is read back is what was written, and what may be printed as it is."""

import json
from typing import Any

import pytest

from blade.diagnosis.stored import _pieces, can_be_printed, read_document

DOCUMENTS: list[tuple[dict[str, Any], bool]] = [
    ({"schema": "x/1", "tasks": [{"task": "a", "n": 1}, {"task": "ü", "n": 0.1}], "none": [], "deep": {"a": [1, None]}}, True),
    ({}, True),
    ({"quote": "\x9b31m red"}, True),
    ({"quote": "half a sign: \ud83d"}, False),
    ({"value": float("inf")}, False),
]


def _kept(document: dict[str, Any]) -> bytes:
    return b"".join(_pieces(document))


@pytest.mark.parametrize(("document", "printable"), DOCUMENTS)
def test_a_document_comes_back_as_it_was(document: dict[str, Any], printable: bool) -> None:
    kept = _kept(document)
    assert read_document(kept) == document
    assert can_be_printed(kept) is printable


def test_pieces_are_the_json_of_the_whole() -> None:
    document = DOCUMENTS[0][0]
    assert b"".join(_pieces(document)) == json.dumps(document, ensure_ascii=False).encode()


def test_what_steers_a_terminal_is_kept_as_an_escape() -> None:
    assert _kept({"quote": "\x9b31m é"}) == '{"quote": "\\u009b31m é"}'.encode()
