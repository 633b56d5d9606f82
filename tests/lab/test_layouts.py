"""The same runs as other tools would have logged them: the label of a task does not depend on the layout of its rows."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from blade.lab.cases import Case, clean, plant
from blade.lab.judging import false_findings, judge
from blade.lab.layouts import OWN, WRITERS, retold
from blade.lab.layouts.conversations import SHAPES
from blade.lab.layouts.drawn import drawn
from blade.lab.layouts.writer import Writer
from blade.lab.selftest import diagnose_file

TASKS = 10
KINDS = (
    ("market", "wrong_fact"),
    ("brewery", "graded_another_rollout"),
    ("insurer", "unfilled_gold"),
    ("assay", "same_tool_overwritten"),
)
"""A kind of fault each for what a misread row takes down first: an answer, what was done, what was expected, what was recorded."""
LAYOUTS = [(name, "mcp" if name == "mcp_bench" else "responses") for name in WRITERS]


@cache
def case(number: int) -> Case:
    return plant(*KINDS[number % len(KINDS)], "severe", 7_300, tasks=TASKS)


@cache
def quiet() -> Case:
    return clean("rescue", 7_301, tasks=TASKS)


def labels_hold(case: Case, layout: str | Writer, shape: str, folder: Path) -> None:
    judged = judge(case, diagnose_file(retold(case, layout, shape).write(folder)))
    assert [(task.task, task.predicted) for task in judged if task.planted and not task.right] == []
    assert [(task.task, task.predicted) for task in judged if not task.truth and task.predicted] == []


@pytest.mark.parametrize(
    ("number", "layout", "shape"), [(number, *one) for number, one in enumerate(LAYOUTS)], ids=[one for one, _ in LAYOUTS]
)
def test_labels_hold_in_the_layout_of_a_harness(number: int, layout: str, shape: str, tmp_path: Path) -> None:
    labels_hold(case(number), layout, shape, tmp_path)


def test_a_record_of_wrong_answers_is_not_taken_for_what_was_expected(tmp_path: Path) -> None:
    labels_hold(case(0), "phoenix", "responses", tmp_path)


@pytest.mark.parametrize(("number", "shape"), list(enumerate(SHAPES)), ids=list(SHAPES))
def test_labels_hold_in_the_shape_of_a_conversation(number: int, shape: str, tmp_path: Path) -> None:
    if shape != "mcp":  # it names the tools otherwise, so what is expected has to as well
        labels_hold(case(number), OWN, shape, tmp_path)


DRAWN = (2, 6, 8, 11, 13, 19, 22, 37, 38, 40)
"""Seeds of layouts: calls as messages, in turns, side by side, as code and under keys that count; columns, camel case, text; verdicts in words and logs."""


@pytest.mark.parametrize("seed", DRAWN)
def test_labels_hold_in_a_layout_that_no_tool_has(seed: int, tmp_path: Path) -> None:
    labels_hold(case(seed), drawn(seed), "responses", tmp_path)


def test_a_drawn_layout_is_the_same_for_all_rows_and_says_all_that_the_row_said() -> None:
    rows = [row for row in retold(case(0), drawn(3)).rows if row["reward"]]
    assert len({tuple(sorted(row)) for row in rows}) == 1
    assert retold(case(0), drawn(3)).rows == retold(case(0), drawn(3)).rows
    assert retold(case(0), drawn(3)).rows != retold(case(0), drawn(4)).rows


@pytest.mark.parametrize("layout", ["phoenix", "milestones", "helm"])
def test_nothing_is_accused_in_a_clean_run(layout: str, tmp_path: Path) -> None:
    found = false_findings(diagnose_file(retold(quiet(), layout).write(tmp_path)))
    assert not any(found.accused.values()), found.codes
