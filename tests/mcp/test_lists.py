"""Lists of tasks, signals and findings: filters hold, pages meet without a gap, and long rows make shorter pages."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from blade.mcp.desk import Study
from blade.mcp.findings import signal_list, signal_places
from blade.mcp.pages import MOST
from blade.mcp.reviews import verification
from blade.mcp.tasks import task_list
from tests.e2e.desk_runs import mixed, worked
from tests.mcp.desk import desk_over


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    folder = tmp_path_factory.mktemp("lists")
    rows = [
        worked(task, repeat, mixed(task, repeat)) | {"_ng_task_index": f"task-{task}-{'n' * 60}"}
        for task in range(90)
        for repeat in range(3)
    ]
    with desk_over(folder, rows).study("run.jsonl") as opened:
        yield opened


def listed(text: str) -> list[str]:
    return re.findall(r"(?m)^\| `(task-\d+-n+)`", text)


def test_the_pages_of_tasks_meet_without_a_gap(study: Study) -> None:
    document = study.document()
    seen: list[str] = []
    while True:
        told = task_list(document, {"bucket": "sometimes"}, len(seen), 100)
        assert len(told) <= MOST
        seen += listed(told)
        if "More:" not in told:
            break
        assert f"offset={len(seen)}" in told
    assert sorted(seen) == sorted(task["task"] for task in document["tasks"] if task["bucket"] == "sometimes")
    assert len(seen) == len(set(seen)) == 60


def test_filters_are_joined(study: Study) -> None:
    document = study.document()
    labels = {task["task"]: task["cause"]["label"] for task in document["tasks"] if task.get("cause")}
    label = next(iter(labels.values()))
    told = task_list(document, {"bucket": "sometimes", "label": label}, 0, 100)
    assert f"{sum(one == label for one in labels.values())} of 90 tasks" in told
    assert "0 of 90 tasks" in task_list(document, {"bucket": "always", "label": label}, 0, 100)
    assert "Labels here:" in task_list(document, {"label": "nonsense"}, 0, 100)


def test_signals_tell_failing_from_passing(study: Study) -> None:
    document = study.document()
    assert len(signal_list(document, 0)) <= MOST
    code = max(document["signals"], key=lambda one: one["in_failed"])["code"]
    failing = signal_places(study, code, None, False, 0, 100)
    found = next(one for one in document["signals"] if one["code"] == code)
    assert f"in {found['in_failed']:,} rollouts" in failing
    assert len(failing) <= MOST
    assert "offset=" in failing
    assert "Codes in this run" in signal_places(study, "nonsense", None, None, 0, 10)


def test_many_findings_are_bounded_and_counted(study: Study, tmp_path: Path) -> None:
    text = "# Report\n\n" + "\n\n".join(f"pass@1 is 99.{number} %, {'so it is, ' * 12}as said." for number in range(10, 99))
    told = verification(text, [study])
    assert len(told) <= MOST
    assert "more findings" in told
