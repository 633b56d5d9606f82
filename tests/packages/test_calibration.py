"""A calibration with several runs at hand."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from blade.claims.reading.facts import RunFacts
from blade.claims.reading.measured import run_facts
from blade.diagnosis.diagnose import diagnose, extractors
from blade.lab.example import build, write
from blade.packages.anchors.anchor import Anchor
from blade.packages.calibration import calibrate
from blade.packages.controls.shallow import shallow
from blade.runs.run import open_run

GOLDEN = """# Golden report

## Executive summary

The desk run was read rollout by rollout, and the agent makes up ids instead of looking them up in the directory.
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[RunFacts]]:
    """One run of eight tasks, and one of six."""
    with ExitStack() as stack:
        found = []
        for tasks in (8, 6):
            path = write(build(tasks=tasks, seed=11), tmp_path_factory.mktemp("desk"))
            run = stack.enter_context(open_run(str(path), extractors=extractors(), use_index=False))
            found.append(run_facts(run, diagnose(run)))
        yield found


def anchor(name: str, tasks: int) -> Anchor:
    check = {"says": "tasks", "query": "SELECT count(DISTINCT task) FROM rollouts", "value": tasks}
    return Anchor(name, f"The run of the desk has {tasks} tasks, each with four repeats.", checks=[check])


def test_an_anchor_holds_where_one_of_the_runs_confirms_it(runs: list[RunFacts]) -> None:
    anchors = [anchor("B1", 8), anchor("B2", 6), anchor("B3", 9), Anchor("B4", "The agent makes up ids of members.")]
    found = {case.name: case for case in calibrate(GOLDEN, anchors, shallow(GOLDEN), runs).cases}
    assert found["anchors"].score == 1 - 1 / 4
    assert found["anchors"].note == "the run speaks against B3"
    alone = {case.name: case for case in calibrate(GOLDEN, anchors, shallow(GOLDEN), runs[:1]).cases}
    assert alone["anchors"].note == "the run speaks against B2, B3"
