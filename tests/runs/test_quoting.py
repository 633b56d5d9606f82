"""Texts and names in our own SQL: DuckDB reads back what was given, whatever it is made of."""

from pathlib import Path

import duckdb
import pytest

from blade.runs.quoting import identifier, literal

ODD = ["a", "it's", "''", "a\\'; DROP TABLE t; --", 'a"b', "", "a\nb", "ä → …", "/tmp/o'clock"]


@pytest.mark.parametrize("text", ODD)
def test_a_text_comes_back_as_it_was(text: str) -> None:
    assert duckdb.execute(f"SELECT {literal(text)}").fetchall() == [(text,)]


@pytest.mark.parametrize("name", [name for name in ODD if name])
def test_a_column_is_found_by_its_name(name: str) -> None:
    assert duckdb.execute(f"SELECT {identifier(name)} FROM (SELECT 1 AS {identifier(name)})").fetchall() == [(1,)]


def test_a_path_is_its_text() -> None:
    assert literal(Path("/tmp/o'clock")) == "'/tmp/o''clock'"
