"""The one-screen summaries on narrow screens, without colour, and where a stream prints nothing but ASCII."""

from pathlib import Path

import pytest

from blade.lab.example import build, write
from tests.e2e.support import blade, blade_process

ONE_CACHE = True
COMMANDS = ("inspect", "health", "diagnose")


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    write(build(), folder)
    return folder


@pytest.mark.parametrize("columns", [100, 40, 20])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_is_wider_than_the_screen_and_none_of_it_is_an_escape(example: Path, command: str, columns: int) -> None:
    plain = blade(command, example.name, env={"COLUMNS": str(columns), "NO_COLOR": "1"}, cwd=example.parent, encoding="ascii")
    wide = blade(command, example.name, env={"COLUMNS": str(columns)}, cwd=example.parent)
    printed = [plain.out, wide.out]
    for lines in map(str.splitlines, printed):
        assert max(map(len, lines)) <= columns
        assert not [line for line in lines if line.startswith("\\u") or "\\u2" in line]
    assert printed[0].isascii()


def test_numbers_are_whole_on_a_narrow_screen(example: Path) -> None:
    env = {"COLUMNS": "40", "PYTHONIOENCODING": "ascii"}
    text = " ".join(blade_process("diagnose", example, env=env).out.split())
    for said in ("pass@4 79.4 %", "pass^4 26.5 %", "6 of 160 expected have no score", "gain <= "):
        assert said in text
    text = " ".join(blade_process("inspect", example, env=env).out.split())
    for said in ("reward >= 1 (binary, from rewards)", "bounds [0.5625, 0.6]", "40 tasks | 3 to 4 scored repeats each"):
        assert said in text


def test_what_goes_on_stands_under_its_text(example: Path) -> None:
    lines = blade("health", example, env={"COLUMNS": "60"}).out.splitlines()
    assert lines[1].startswith("  ✓ malformed lines      0 of 154") or lines[2].startswith("  ✓ malformed lines      0 of 154")
    began = [line for line in lines[3:] if line[:5].strip()]
    assert all(line[2] in "✓!✗?" for line in began)
    assert all(line.startswith(" " * 25) for line in lines[3:] if line not in began)
