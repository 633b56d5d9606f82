"""Three runs and more on a terminal."""

import pytest

from blade.cli.comparison_table import print_table
from tests.reports.comparison.support import document, pair
from tests.reports.comparison.test_markdown import with_strangers


def shown(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.strip() for line in capsys.readouterr().out.splitlines()]


def test_every_run_is_called_by_its_letter(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(document(pair(), pair(reason="Improved: C scores 20 points higher.")), ())
    lines = shown(capsys)
    assert "Ranking  booked score, 95 % interval, on the 10 shared tasks, p against A (Holm)" in lines
    assert any(line.startswith("C  IMPROVED  C scores 20 points higher") for line in lines)
    assert not any("not ranked" in line for line in lines)


def test_strangers_stand_behind_the_ranking(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(with_strangers(2), ())
    lines = shown(capsys)
    ranking = lines[lines.index("Against A") - 6 : lines.index("Against A") - 1]
    assert [line.split()[0] for line in ranking] == ["A", "B", "D", "C", "C"]
    assert ranking[3].split()[-3:] == ["–", "not", "ranked"]
    assert ranking[4] == "C is not ranked: it shares no scored task with A."
    assert "no run passes    2 of 5: 0, C's 0" in lines


def test_where_nothing_compares_with_the_baseline_no_shared_task_is_spoken_of(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(with_strangers(1, 2, 3), ())
    lines = shown(capsys)
    assert "Ranking  booked score, 95 % interval" in lines
    assert "B, C and D are not ranked: they share no scored task with A." in lines
