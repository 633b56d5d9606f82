"""The observatory's verifier: what passes by it, and what its known flaws do to sound work."""

from __future__ import annotations

from random import Random

import pytest

from blade.lab.environments import ENVIRONMENTS
from blade.lab.environments.observatory.sky import TONIGHT, build_sky, sky_backend
from blade.lab.faults import data
from blade.lab.stage.play import Episode, Player
from blade.lab.stage.script import Script, Task

PLACE = ENVIRONMENTS["observatory"]
TASKS = PLACE.tasks(3, 56)


def played(task: Task, script: Script) -> Episode:
    episode = Episode(task, 0.0, PLACE.hosts[0])
    return Player(episode, PLACE.backend(task), Random(1), PLACE.manner, None, "x").play(script, noisy=False)


def reward(task: Task, script: Script, flaw: str | None = None) -> float:
    return float(PLACE.verify(played(task, script), flaw, Random(1))["reward"])


def test_sound_scripts_pass_and_faulty_ones_fail() -> None:
    assert {reward(task, script) for task in TASKS for script in task.sound} == {1.0}
    assert {reward(task, script) for task in TASKS for scripts in task.faulty.values() for script in scripts} == {0.0}


@pytest.mark.parametrize(
    "kind", ["wrong_zone", "first_hit", "limit_ignored", "wrong_rounding", "obsolete_flag", "wavering_order"]
)
def test_some_tasks_give_occasion(kind: str) -> None:
    assert any(task.faulty.get(kind) for task in TASKS)


def test_a_figure_passes_within_its_tolerance_unless_the_verifier_is_too_tight() -> None:
    figures = [task for task in TASKS if "tolerance" in task.gold]
    assert figures
    assert {reward(task, task.sound[0], "tight_tolerance") for task in figures} == {0.0}


def test_nobody_reaches_the_whole_of_a_rubric_that_lost_weight() -> None:
    assert {reward(data.misweighted(task), task.sound[0]) for task in TASKS} == {0.0}


def test_a_question_whose_gold_has_another_unit_cannot_be_passed() -> None:
    broken = [made for task in TASKS if (made := data.in_another_unit(task)) is not None]
    assert broken
    assert {reward(task, task.sound[0]) for task in broken} == {0.0}


def test_two_equal_options_and_one_letter() -> None:
    found = [made for task in TASKS if (made := data.with_a_twin_option(task)) is not None]
    assert found
    for broken, twin in found:
        texts = [choice.partition(". ")[2] for choice in broken.gold["choices"]]
        assert len(texts) - len(set(texts)) == 1
        assert (reward(broken, broken.sound[0]), reward(broken, twin)) == (1.0, 0.0)


def test_a_cut_request_ends_within_a_word_and_before_the_question_is_complete() -> None:
    for task in TASKS:
        cut = data.cut_short(task, Random(task.index))
        if cut is not None:
            assert task.request.startswith(cut.request)
            assert task.request[len(cut.request) - 1 : len(cut.request) + 1].isalpha()
            assert "?" not in cut.request


def test_searches_come_in_pages() -> None:
    sky = build_sky(Random(2))
    answer = sky_backend(sky)
    task = next(task for task in TASKS if task.faulty.get("first_hit"))
    pages = [move.call for move in task.sound[0] if move.call and move.call.name == "lookupTarget"]
    assert len(pages) > 1
    assert '"pages": 2' in answer(pages[0])
    assert TONIGHT.isoformat() == "2026-07-14"
