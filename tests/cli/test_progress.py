"""The one progress bar: shown on a terminal for work that is long enough, and cleared when it is done."""

import io
import sys

import pytest

from blade.cli.progress import LONG_DIAGNOSIS, LONG_READING, Bar


class Screen(io.StringIO):
    """A stream that says that it is a terminal, or that it is none."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("bar", "total", "terminal", "shown"),
    [
        (Bar(), LONG_READING, True, "reading 67.1/67.1 MB"),
        (Bar(), LONG_READING - 1, True, ""),
        (Bar(), LONG_READING, False, ""),
        (Bar("things", least=LONG_DIAGNOSIS), LONG_DIAGNOSIS, True, "reading 2000/2000"),
        (Bar("things", least=LONG_DIAGNOSIS), LONG_DIAGNOSIS - 1, True, ""),
        (Bar("things", least=1), 3, True, "reading 3/3"),
    ],
)
def test_a_bar_for_long_work_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, bar: Bar, total: int, terminal: bool, shown: str
) -> None:
    screen = Screen(terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    bar.start("reading", total)
    bar.advance(total)
    bar.finish()
    words = "".join(part for part in screen.getvalue() if part.isascii())
    assert all(word in words for word in shown.split())
    assert bool(words) == bool(shown)


def test_names_from_artifacts_are_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(True)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    bar = Bar("things", least=1)
    bar.start("[bold]\x1b[2Jfile[/bold]", 1)
    bar.finish()
    assert "[bold]" in screen.getvalue()
    assert "\x1b[2J" not in screen.getvalue()
