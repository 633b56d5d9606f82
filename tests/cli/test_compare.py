"""`blade compare` on the screen: narrow screens, ASCII, a run that is given twice."""

import os
from pathlib import Path

import pytest

from blade.cli.main import main
from tests.commands import called
from tests.e2e.compared_runs import make_pair
from tests.e2e.support import blade_process


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compare")


@pytest.fixture(autouse=True)
def cache(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


@pytest.fixture(scope="module")
def pair(home: Path) -> tuple[Path, Path]:
    return make_pair("regressed", home)


@pytest.mark.parametrize("columns", [40, 60, 100])
def test_no_line_is_wider_than_a_screen_of_ascii(pair: tuple[Path, Path], columns: int) -> None:
    env = os.environ | {"COLUMNS": str(columns), "NO_COLOR": "1"}
    for runs in (pair, (*pair, pair[0])):
        result = called(main, "compare", *(run.name for run in runs), env=env, cwd=pair[0].parent, encoding="ascii")
        assert result.returncode == 0, result.stderr
        assert result.stdout.isascii()
        assert "\\u" not in result.stdout
        assert max(map(len, result.stdout.splitlines())) <= columns


def test_a_run_that_is_given_twice_keeps_two_letters(pair: tuple[Path, Path]) -> None:
    lines = blade_process("compare", pair[0].name, pair[1].name, pair[0].name, cwd=pair[0].parent).out.splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("Ranking"))
    ranked = [line.split()[0] for line in lines[start + 1 : start + 4]]
    assert ranked == ["A", "C", "B"]
    assert "baseline" in lines[start + 1]
