"""Killed at random moments and resumed until it is done, a run ends as if nothing had happened, with every attempt counted."""

import pytest

from evidence.kills import Disturbed, disturbed_run, undisturbed_run

KILLS = 8


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Disturbed:
    return undisturbed_run(tmp_path_factory.mktemp("quiet"))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_collector_that_is_killed_loses_nothing(tmp_path_factory: pytest.TempPathFactory, quiet: Disturbed, seed: int) -> None:
    found = disturbed_run(tmp_path_factory.mktemp("killed"), kills=KILLS, seed=seed, serve=False)
    assert found.kills == KILLS
    assert found.problems(quiet) == []


def test_servers_that_are_killed_lose_nothing(tmp_path_factory: pytest.TempPathFactory, quiet: Disturbed) -> None:
    found = disturbed_run(tmp_path_factory.mktemp("served"), kills=4, seed=3, serve=True)
    assert found.kills == 4
    assert found.problems(quiet) == []
