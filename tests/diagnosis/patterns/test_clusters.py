"""Where infrastructure failures cluster."""

import numpy as np
import pytest

from blade.diagnosis.patterns.clusters import clusters, densest_window
from blade.signals.extractor import SignalsExtractor
from tests.runs.support import opened, row


def rollout(task, failed, **fields):
    response = {"output": [{"type": "message", "role": "assistant", "content": "done"}], "created_at": 1_700_000_000 + task}
    broken = {"error": "ConnectionError: connection refused"} if failed else {}
    return row(task, 0, float(not failed), response=response, **broken, **fields)


def found(rows, **files):
    with opened(files or rows, extractors=(SignalsExtractor(),)) as run:
        return clusters(run)


def test_a_burst_in_time():
    (burst, *_) = found([rollout(task, 40 <= task < 55) for task in range(200)])
    assert (burst["code"], burst["by"]) == ("infrastructure", "time")
    assert burst["hit"] >= 12
    assert burst["hit"] / burst["of"] > 0.7
    assert burst["hit"] + burst["rest_hit"] == 15
    assert burst["p_adjusted"] <= 0.01


def test_a_bad_host_is_named():
    rows = [rollout(task, task % 4 == 1 and task % 3 == 0, host=f"node-{task % 4}") for task in range(120)]
    entries = [entry for entry in found(rows) if entry["by"] == "host"]
    assert [(entry["value"], entry["hit"], entry["of"], entry["rest_hit"]) for entry in entries] == [("node-1", 10, 30, 0)]


def test_a_bad_file_is_named():
    files = {
        "a.jsonl": [rollout(task, task < 12) for task in range(30)],
        "b.jsonl": [rollout(task, False) for task in range(30, 90)],
    }
    with opened(files, extractors=(SignalsExtractor(),)) as run:
        entries = [entry for entry in clusters(run) if entry["by"] == "file"]
    assert len(entries) == 1
    assert entries[0]["value"].endswith("a.jsonl")
    assert (entries[0]["hit"], entries[0]["of"]) == (12, 30)


def test_failures_that_are_spread_out_are_no_cluster():
    assert found([rollout(task, task % 13 == 0, host=f"node-{task % 5}") for task in range(260)]) == []


def test_few_failures_tell_nothing():
    assert found([rollout(task, task in (7, 8)) for task in range(100)]) == []


def test_the_scan_holds_its_level():
    """Random orders are called a cluster about as often as the level says: 5 % of 300, within four standard errors."""
    rng = np.random.default_rng(5)
    called = sum(densest_window(rng.random(160) < 0.1).p <= 0.05 for _ in range(300))
    assert called <= 15 + 4 * (300 * 0.05 * 0.95) ** 0.5


@pytest.mark.parametrize("start", [0, 30, 84])
def test_the_scan_finds_the_burst(start):
    hit = np.zeros(96, dtype=bool)
    hit[start : start + 12] = True
    window = densest_window(hit)
    assert window.p == pytest.approx(1 / 2000)
    assert hit[window.start : window.stop].mean() > 0.6
