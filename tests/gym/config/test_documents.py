from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from blade.gym.config.documents import Text, UnreadableConfig, parse_document, place_of, plain, read_document


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("", {}),
        ("# only a remark\n", {}),
        ("a: 1e-3\nb: 1.5\nc: 2020-01-02\nd: yes\ne: ~\n", {"a": 0.001, "b": 1.5, "c": "2020-01-02", "d": True, "e": None}),
        ("1: x\n", {"1": "x"}),
        ("base: &b {x: 1, y: 2}\nover: {<<: *b, y: 3}\n", {"base": {"x": 1, "y": 2}, "over": {"x": 1, "y": 3}}),
    ],
)
def test_what_is_read(text: str, tree: dict[str, Any]) -> None:
    assert plain(parse_document(text, "f.yaml")) == tree


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "a is written twice (first on line 1)"),
        ("a:\n  x: 1\n  y: 2\n  x: 1\n", 4, "x is written twice (first on line 2)"),
        ("a: [1, 2\nb: 3\n", 2, "not valid YAML"),
        ("a: 1\n\tb: 2\n", 2, "not valid YAML"),
        ("a: !!python/object:os.system x\n", 1, "not valid YAML"),
        ("? [a, b]\n: 1\n", 1, "must be a word"),
    ],
)
def test_errors_name_the_file_and_the_line(text: str, line: int, words: str) -> None:
    with pytest.raises(UnreadableConfig) as error:
        parse_document(text, "f.yaml")
    assert str(error.value).startswith(f"f.yaml, line {line}: ")
    assert words in str(error.value)


@pytest.mark.parametrize(("text", "words"), [("- 1\n", "a list"), ("word\n", "a single value")])
def test_a_file_must_hold_keys(text: str, words: str) -> None:
    with pytest.raises(UnreadableConfig, match=words):
        parse_document(text, "f.yaml")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UnreadableConfig, match="cannot be read"):
        read_document(tmp_path / "none.yaml", "none.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"a: 1\nb: \xe9\n")
    with pytest.raises(UnreadableConfig, match=r"latin.yaml, line 2: is not UTF-8"):
        read_document(tmp_path / "latin.yaml", "latin.yaml")


def test_texts_know_where_they_stand() -> None:
    tree = parse_document(dedent("a: x\nb:\n- c: 1\n  d: y\n"), "f.yaml")
    assert isinstance(tree["a"], Text)
    assert str(place_of(tree["b"])) == "f.yaml, line 4"
