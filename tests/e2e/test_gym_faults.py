"""What goes wrong around a run costs what it must and nothing else: a real endpoint, real workers, a real full disk."""

import json
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.shelves import EXPECTED, SCRIPT, Shelves
from tests.gym.endpoints import ScriptedEndpoint

Start = Callable[..., ScriptedEndpoint]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    started: list[ScriptedEndpoint] = []

    def begin(**script: Any) -> ScriptedEndpoint:
        started.append(ScriptedEndpoint(tmp_path / f"endpoint{len(started)}", SCRIPT | script))
        return started[-1]

    yield begin
    for endpoint in started:
        endpoint.stop()


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    return Shelves(tmp_path / "evaluation")


@pytest.mark.parametrize("fault", ["429", "500", "503", "garbage", "half", "reset", "list", "hollow", "hang"])
def test_an_endpoint_that_recovers_leaves_no_trace_in_the_rollouts(shelves: Shelves, start: Start, fault: str) -> None:
    endpoint = start(faults=[{"when": {"contains": "task-1"}, "schedule": [fault, None]}])
    done = shelves.run(endpoint.url)
    assert done.returncode == 0, done.stderr
    assert shelves.scored() == EXPECTED
    assert shelves.rows("_failures") == []


@pytest.mark.parametrize(
    ("fault", "failure"),
    [("500", "model_upstream_error"), ("429", "model_rate_limit"), ("hang", "model_timeout"), ("reset", "model_connection")],
)
def test_an_endpoint_that_does_not_recover_costs_the_rollouts_that_it_fails(
    shelves: Shelves, start: Start, fault: str, failure: str
) -> None:
    endpoint = start(faults=[{"when": {"contains": "task-5 "}, "schedule": [fault] * 100}])
    quick = (
        "++policy_model.responses_api_models.openai_model.max_retries=1",
        "++policy_model.responses_api_models.openai_model.request_timeout_seconds=0.5",
    )
    done = shelves.run(endpoint.url, "--max-attempts", "2", *quick)
    assert done.returncode == 1, done.stderr
    assert shelves.scored() == {key: value for key, value in EXPECTED.items() if key[0] != 5}
    failures = shelves.rows("_failures")
    keys = [(row["_ng_task_index"], row["_ng_rollout_index"], row.get("_ng_attempt_index", 0)) for row in failures]
    assert sorted(keys) == [(5, 0, 0), (5, 0, 1), (5, 1, 0), (5, 1, 1)]
    assert {row["_ng_failure_class"] for row in failures} == {failure}
    (entry,) = shelves.document("_aggregate_metrics")
    missing = [group["missing_num_rollouts"] for group in entry["group_level_metrics"] if group["_ng_task_index"] == 5]
    assert missing == [2]
    again = shelves.run(endpoint.url, "--resume", "--max-attempts", "2", *quick)
    assert again.returncode == 1
    tried = len(shelves.rows("_failures")) - 4
    assert tried == (4 if failure == "model_connection" else 0), (
        "what the set-up failed is tried again, what failed for itself is not"
    )


def test_a_request_that_is_refused_is_not_tried_again(shelves: Shelves, start: Start) -> None:
    endpoint = start(faults=[{"when": {"contains": "task-5 "}, "schedule": ["400"] * 100}])
    done = shelves.run(endpoint.url)
    assert done.returncode == 1
    failures = shelves.rows("_failures")
    assert len(failures) == 2
    assert {(row["_ng_failure_class"], row["_ng_failure_terminal"]) for row in failures} == {("model_client_error", True)}


def test_an_endpoint_that_refuses_everything_ends_the_run_early(tmp_path: Path, start: Start) -> None:
    shelves = Shelves(tmp_path / "many", tasks=200)
    endpoint = start(faults=[{"schedule": ["401"] * 1_000}])
    done = shelves.run(endpoint.url, "--concurrency", "4")
    assert done.returncode == 2
    assert "attempts in a row failed in the same way" in done.stderr
    assert len(endpoint.requests()) < 60
    healthy = start()
    done = shelves.run(healthy.url, "--resume")
    assert done.returncode == 0, done.stderr
    assert len(shelves.scored()) == 400


def test_an_endpoint_that_refuses_every_request_ends_the_run_and_costs_nothing(tmp_path: Path, start: Start) -> None:
    shelves = Shelves(tmp_path / "many", tasks=200)
    endpoint = start(faults=[{"schedule": ["400"] * 1_000}])
    done = shelves.run(endpoint.url, "--concurrency", "4")
    assert done.returncode == 2
    assert len(endpoint.requests()) < 60
    refused = shelves.run(start().url, "--resume")
    assert refused.returncode == 1, "what was refused for good is not tried again by itself"
    forced = shelves.run(start().url, "--resume", "--force")
    assert forced.returncode == 0, forced.stderr
    assert len(shelves.scored()) == 400


@pytest.mark.parametrize("tool", ["shelf_raise", "shelf_hang", "shelf_die", "no_such_tool"])
def test_a_tool_that_fails_is_part_of_the_rollout(shelves: Shelves, start: Start, tool: str) -> None:
    rule = {"when": {"contains": "task-1 ", "turn": 0}, "reply": {"calls": [{"name": tool, "arguments": {}}]}}
    endpoint = start(rules=[rule, *SCRIPT["rules"]])
    done = shelves.run(endpoint.url)
    assert done.returncode == 0, done.stderr
    assert shelves.scored() == EXPECTED | {(1, 0): 0.0, (1, 1): 0.0}


@pytest.mark.parametrize(
    ("how", "failure"), [("raise", "verifier_error"), ("hang", "verifier_timeout"), ("judge", "judge_failed")]
)
def test_a_verifier_that_fails_costs_its_rollouts_only_and_keeps_their_responses(
    tmp_path: Path, start: Start, how: str, failure: str
) -> None:
    shelves = Shelves(tmp_path / "evaluation", tasks=4)
    with shelves.input.open("a") as file:
        file.write(json.dumps(shelves.row(4, how=how)) + "\n")
    endpoint = start()
    done = shelves.run(endpoint.url, "--max-attempts", "1")
    assert done.returncode == 1
    assert shelves.scored() == {key: value for key, value in EXPECTED.items() if key[0] < 4}
    failures = shelves.rows("_failures")
    assert [row["_ng_failure_class"] for row in failures] == [failure] * 2
    assert all(row["response"]["output"][-1]["content"][0]["text"] == "done" for row in failures)


def test_a_verifier_that_fails_once_is_asked_again(tmp_path: Path, start: Start) -> None:
    shelves = Shelves(tmp_path / "evaluation", tasks=1, how="flaky", marker=str(tmp_path / "marker"))
    endpoint = start()
    done = shelves.run(endpoint.url, repeats=1)
    assert done.returncode == 0, done.stderr
    (row,) = shelves.rows()
    assert ("_ng_attempt_index" in row, row["reward"]) == (False, 2.0)
    assert len(endpoint.requests()) == 4, "one of them asks which API the endpoint has; the model is not asked again"


def test_an_answer_that_nobody_graded_is_never_sampled_again(tmp_path: Path, start: Start) -> None:
    shelves = Shelves(tmp_path / "evaluation", tasks=2, how="raise")
    endpoint = start()
    done = shelves.run(endpoint.url, repeats=1)
    assert done.returncode == 1
    assert "gym eval reverify" in done.stdout
    assert "cannot verify" in done.stdout
    assert len(shelves.rows("_failures")) == 2
    asked = len(endpoint.requests())
    assert shelves.run(endpoint.url, "--resume", repeats=1).returncode == 1
    assert len(endpoint.requests()) == asked


def test_an_agent_that_loops_is_ended_and_verified(shelves: Shelves, start: Start) -> None:
    rule = {"when": {"contains": "task-1 "}, "reply": {"calls": [{"name": "shelf_add", "arguments": {"title": "more"}}]}}
    endpoint = start(rules=[rule, *SCRIPT["rules"]])
    done = shelves.run(endpoint.url)
    assert done.returncode == 0, done.stderr
    assert shelves.scored() == EXPECTED | {(1, 0): 6.0, (1, 1): 6.0}
    reasons = Counter(row["_ng_stop_reason"] for row in shelves.rows())
    assert reasons == {"completed": 22, "max_steps": 2}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48k", "tmpfs", str(place)], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("no file system may be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_disk_stops_the_run_and_loses_nothing(shelves: Shelves, start: Start, small_disk: Path) -> None:
    endpoint = start()
    shelves.output = small_disk / "run.jsonl"
    done = shelves.process(endpoint.url, "--concurrency", "2")
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "--resume" in done.stderr
    finished = shelves.scored()
    assert finished == {key: EXPECTED[key] for key in finished}
    subprocess.run(["mount", "-o", "remount,size=2m", str(small_disk)], check=True)
    again = shelves.run(endpoint.url, "--resume")
    assert again.returncode == 0, again.stderr
    assert shelves.scored() == EXPECTED
