"""YAML that knows its lines, and what is refused of it."""

import time
from pathlib import Path

import pytest

from blade.diagnosis.skill.document import MAX_BYTES, Node, read_document
from blade.diagnosis.skill.problems import InvalidSkill
from blade.errors import Exit, UsageError


def document(folder: Path, text: str | bytes) -> Node:
    path = folder / "blade.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_document(path)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("null", None),
        ("~", None),
        ("12", 12),
        ("-3", -3),
        ("0.5", 0.5),
        ("1e3", 1000.0),
        ("1e999", "1e999"),
        ("12_000", "12_000"),
        ("2026-03-04", "2026-03-04"),
        ('"true"', "true"),
        ("'12'", "12"),
        ("9" * 30, float("9" * 30)),
        (".inf", ".inf"),
        ("plain words", "plain words"),
    ],
)
def test_plain_values_are_read_as_yaml_1_2_says(tmp_path: Path, text: str, value: object) -> None:
    found = document(tmp_path, f"key: {text}\n").entries["key"]
    assert (found.value, type(found.value)) == (value, type(value))


def test_every_node_knows_its_line(tmp_path: Path) -> None:
    found = document(tmp_path, "a: 1\n\nb:\n  - x\n  # a comment\n  - {c: 2}\n")
    assert found.key_lines == {"a": 1, "b": 3}
    assert [item.line for item in found.entries["b"].items] == [4, 6]
    assert found.entries["b"].items[1].key_lines == {"c": 6}


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join(['*' + before] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (BOMB, 1, "an anchor"),
        ("a: 1\nb: *a\n", 2, "an alias"),
        ("a: 1\nb: !!python/object/apply:os.system ['true']\n", 2, "a tag"),
        ("a: !mine 1\n", 1, "a tag"),
        ("a: 1\n\tb: 2\n", 2, "tabs"),
        ("a:\n\t- 1\n", 2, "tabs"),
        ("a: 1\nb: 2\na: 3\n", 3, "'a' stands here a second time (first in line 1)"),
        ("a: {x: 1, x: 2}\n", 1, "'x' stands here a second time"),
        ("a: 1\n---\nb: 2\n", 2, "second document"),
        ("a: [1, 2\nb: 3\n", 2, "not YAML"),
        ("a: 'x\n", 2, "not YAML"),
        ("? [1, 2]\n: 3\n", 1, "a key that is a collection"),
        ('a: 1\nb: "x\\0y"\n', 2, "control character"),
        ("a: 1\nb: \x07\n", 2, "control character"),
        ("a: 1\nb: \x1b[31mred\n", 2, "control character"),
        (b"a: 1\nb: \xff\xfe\n", 2, "not UTF-8"),
        ("x: " + "[" * 100_000, 1, "nested deeper"),
        ("x: " + "{a: " * 40_000, 1, "nested deeper"),
        ("- " * 60_000, 1, "nested deeper"),
        ("".join(f"k{number}: 1\n" for number in range(15_000)), 10_000, "more than 20,000 values"),
        (b"#" * (10 << 20), 1, f"larger than {MAX_BYTES:,} bytes"),
    ],
)  # fmt: skip
def test_hostile_yaml_is_refused_at_its_line_and_quickly(tmp_path: Path, text: str | bytes, line: int, words: str) -> None:
    started = time.monotonic()
    with pytest.raises(InvalidSkill) as caught:
        document(tmp_path, text)
    assert time.monotonic() - started < 10
    assert caught.value.exit_code == Exit.BAD_INPUT
    (problem,) = caught.value.mistakes
    assert (problem.line, words in problem.message) == (line, True), problem
    assert "\x1b" not in str(caught.value)


def test_all_duplicate_keys_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidSkill) as caught:
        document(tmp_path, "a: 1\na: 2\nb: {c: 1, c: 1}\n")
    assert [problem.line for problem in caught.value.mistakes] == [2, 3]


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_document(tmp_path)
