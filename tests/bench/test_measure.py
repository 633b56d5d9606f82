"""What the benchmark says about a command: its peak memory with all children, its complaint, and a page that keeps its notes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench.measure import Outcome, best_of, run
from bench.report import Line, table, write_page

PARENT_AND_CHILD = """
import subprocess, sys, time
held = b"x" * 60_000_000
child = 'import time; held = b"y" * 80_000_000; time.sleep(0.6)'
subprocess.run([sys.executable, "-c", child], check=True)
"""


def test_peak_memory_counts_the_whole_tree() -> None:
    outcome = run([sys.executable, "-c", PARENT_AND_CHILD], sample_memory=True)
    assert outcome.ok
    assert 140_000_000 < outcome.peak_bytes < 220_000_000


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ([sys.executable, "-c", "import sys; print('first', file=sys.stderr); sys.exit('no such run')"], "no such run"),
        (["/nonexistent/blade"], "No such file"),
    ],
)
def test_a_command_that_fails_is_an_outcome_with_its_last_words(command: list[str], complaint: str) -> None:
    outcome = run(command)
    assert not outcome.ok
    assert complaint in outcome.complaint


def test_best_of_takes_the_quickest_and_stops_at_a_failure() -> None:
    slow, quick, broken = Outcome(3.0, 0), Outcome(1.0, 0), Outcome(0.1, 2, "broken")
    assert best_of(2, iter([slow, quick]).__next__) is quick
    assert best_of(3, iter([slow, broken, quick]).__next__) is broken


def test_the_table_is_aligned_and_shows_why_a_command_failed() -> None:
    shown = table([Line("a", "1.0 s", 0.5, "<= 1.0x", True), Line("longer", "", None, "<= 0.3x", None, "boom")]).splitlines()
    assert len({line.index("<=") for line in shown if "<=" in line}) == 1
    assert shown[2].endswith("met")
    assert [line.split() for line in shown[3:]] == [["longer", "<=", "0.3x", "failed"], ["boom"]]


def test_notes_survive_a_rewrite_of_the_page(tmp_path: Path) -> None:
    path = tmp_path / "docs" / "performance.md"
    write_page(path, [Line("a", "1.0 s")], "How.", "make bench")
    path.write_text(path.read_text().replace("Nothing noted yet.", "Missed because of the small file."))
    write_page(path, [Line("a", "2.0 s")], "How.", "make bench")
    assert "Missed because of the small file." in path.read_text()
    assert "2.0 s" in path.read_text()
    assert "1.0 s" not in path.read_text()
