"""`gym eval run` as a user types it: files, flags, stops and goes on."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.shelves import BIN, EXPECTED, SCRIPT, SECRET, Shelves, environment, gym
from tests.gym.endpoints import ScriptedEndpoint


@pytest.fixture(scope="module")
def endpoint(home: Path) -> Iterator[ScriptedEndpoint]:
    started = ScriptedEndpoint(home / "endpoint", SCRIPT)
    yield started
    started.stop()


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    return Shelves(tmp_path / "evaluation")


@pytest.fixture(scope="module")
def undisturbed(home: Path, endpoint: ScriptedEndpoint) -> Shelves:
    """A run that is done; tests take a copy of it."""
    evaluation = Shelves(home / "undisturbed")
    assert evaluation.run(endpoint.url).returncode == 0
    return evaluation


@pytest.fixture
def finished(undisturbed: Shelves, tmp_path: Path) -> Shelves:
    """The finished run in a folder of the test's own, to be changed, stopped short and gone on with."""
    return undisturbed.copied(tmp_path / "evaluation")


def test_a_run_leaves_every_file_that_a_reader_needs(shelves: Shelves, endpoint: ScriptedEndpoint) -> None:
    done = shelves.process(endpoint.url)
    assert done.returncode == 0, done.stderr
    assert shelves.scored() == EXPECTED
    plan = shelves.rows("_materialized_inputs")
    assert [(row["_ng_task_index"], row["_ng_rollout_index"]) for row in plan] == sorted(EXPECTED)
    assert shelves.rows("_failures") == []
    (entry,) = shelves.document("_aggregate_metrics")
    assert entry["agent_metrics"]["mean/reward"] == pytest.approx(sum(EXPECTED.values()) / 24)
    assert "Key metrics for shelf_agent:" in done.stdout
    manifest = shelves.document("_run")
    assert (manifest["model"], manifest["agent"], manifest["repeats"]) == ("scripted", "shelf_agent", 2)
    assert manifest["verifier"].startswith("shelf@")
    assert manifest["limits"]["max_steps"] == 6
    assert manifest["config"]["policy_api_key"] == "****"
    assert not [path for path in shelves.output.parent.iterdir() if SECRET in path.read_text()]
    assert SECRET not in done.stdout + done.stderr
    seen = subprocess.run(
        [BIN / "blade", "inspect", shelves.output, "--json"], capture_output=True, env=environment(shelves.folder), check=True
    )
    inspection = json.loads(seen.stdout)
    assert (inspection["denominator"]["expected"], inspection["denominator"]["missing"]) == (24, 0)
    assert inspection["denominator"]["expected_source"] == "inputs"
    assert inspection["provenance"]["source"]["verifier"] == "manifest"


def test_a_row_holds_the_input_the_response_and_the_verdict(shelves: Shelves, endpoint: ScriptedEndpoint) -> None:
    shelves.run(endpoint.url, "--limit", "1", "--temperature", "0", "--top-p", "0.9", "--max-output-tokens", "64", repeats=1)
    (row,) = shelves.rows()
    assert row["task_id"] == "t0"
    assert row["responses_create_params"]["temperature"] == 0
    assert (row["responses_create_params"]["top_p"], row["responses_create_params"]["max_output_tokens"]) == (0.9, 64)
    assert [item["type"] for item in row["response"]["output"]] == [*["function_call", "function_call_output"] * 2, "message"]
    assert (row["reward"], row["books"]) == (2.0, ["a (2020)", "b (2020)"])
    assert row["agent_ref"] == {"name": "shelf_agent"}


def test_a_run_over_a_run_asks_first(finished: Shelves, endpoint: ScriptedEndpoint) -> None:
    before = finished.output.read_bytes()
    again = finished.run(endpoint.url)
    assert again.returncode == 2
    assert "--resume" in again.stderr
    assert "--overwrite" in again.stderr
    assert finished.output.read_bytes() == before
    anew = finished.run(endpoint.url, "--overwrite", "--limit", "2")
    assert anew.returncode == 0
    assert len(finished.rows()) == 4


def test_what_is_done_is_not_asked_again(finished: Shelves, endpoint: ScriptedEndpoint) -> None:
    lines = finished.output.read_bytes().splitlines(keepends=True)
    finished.output.write_bytes(b"".join(lines[:10]) + lines[10][:50])
    asked = len(endpoint.requests())
    done = finished.run(endpoint.url, "--resume")
    assert done.returncode == 0, done.stderr
    assert finished.scored() == EXPECTED
    assert "torn" in done.stderr
    assert finished.output.with_name("run.jsonl.torn").read_bytes() == lines[10][:50] + b"\n"
    left = [
        key
        for key in EXPECTED
        if key not in {(row["_ng_task_index"], row["_ng_rollout_index"]) for row in map(json.loads, lines[:10])}
    ]
    turns = sum(3 if task % 3 == 0 else 2 for task, _ in left)
    assert len(endpoint.requests()) - asked == turns + 1, "one more asks which API the endpoint has"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (("--model", "another"), "model was scripted, is another"),
        (("++shelf_agent.responses_api_agents.simple_agent.max_steps=7",), "limits was"),
        (("++shelf.resources_servers.shelf.strict=true",), "verifier was shelf@"),
    ],
)
def test_a_changed_run_is_not_resumed_unless_forced(
    finished: Shelves, endpoint: ScriptedEndpoint, change: tuple[str, ...], named: str
) -> None:
    lines = finished.output.read_bytes().splitlines(keepends=True)
    finished.output.write_bytes(b"".join(lines[:20]))
    refused = finished.run(endpoint.url, "--resume", *change)
    assert refused.returncode == 2
    assert named in refused.stderr
    assert finished.output.read_bytes() == b"".join(lines[:20])
    forced = finished.run(endpoint.url, "--resume", "--force", *change)
    assert forced.returncode == 0, forced.stderr
    assert finished.scored() == EXPECTED
    manifest = finished.document("_run")
    assert any("forced" in event for event in manifest["history"])
    assert len(manifest[named.split()[0]]) == 2, "both values stand there"


@pytest.mark.parametrize(("change", "named"), [(("--temperature", "0.3"), "sampling was"), (("--limit", "3"), "dataset was")])
def test_another_plan_is_another_run_whatever_is_forced(
    finished: Shelves, endpoint: ScriptedEndpoint, change: tuple[str, ...], named: str
) -> None:
    before = finished.output.read_bytes()
    for force in ([], ["--force"]):
        refused = finished.run(endpoint.url, "--resume", *force, *change)
        assert refused.returncode == 2
        assert named in refused.stderr
    assert finished.output.read_bytes() == before


def test_where_the_endpoint_is_may_change(finished: Shelves, endpoint: ScriptedEndpoint) -> None:
    lines = finished.output.read_bytes().splitlines(keepends=True)
    finished.output.write_bytes(b"".join(lines[:20]))
    patient = "++policy_model.responses_api_models.openai_model.max_retries=9"
    done = finished.run(endpoint.url.replace("127.0.0.1", "localhost"), "--resume", patient)
    assert done.returncode == 0, done.stderr
    assert finished.scored() == EXPECTED


def test_a_run_that_was_killed_before_its_first_attempt_goes_on(finished: Shelves, endpoint: ScriptedEndpoint) -> None:
    for suffix in (".jsonl", "_failures.jsonl", "_attempts.jsonl", "_aggregate_metrics.json"):
        finished.output.with_name(f"run{suffix}").unlink()
    done = finished.run(endpoint.url, "--resume")
    assert done.returncode == 0, done.stderr
    assert finished.scored() == EXPECTED


def test_a_bad_plan_overwrites_nothing(finished: Shelves, endpoint: ScriptedEndpoint) -> None:
    before = {path.name: path.read_bytes() for path in finished.output.parent.iterdir()}
    with finished.input.open("a") as file:
        file.write("{broken\n")
    done = finished.run(endpoint.url, "--overwrite")
    assert done.returncode == 2
    assert "line 13" in done.stderr
    assert {path.name: path.read_bytes() for path in finished.output.parent.iterdir()} == before


def test_a_misspelt_agent_is_named_before_anything_is_written(shelves: Shelves, endpoint: ScriptedEndpoint) -> None:
    done = shelves.run(endpoint.url, "--agent", "shelf_agnt")
    assert done.returncode == 2
    assert "did you mean shelf_agent?" in done.stderr
    assert not shelves.output.exists()


def test_code_that_does_not_load_is_named_with_its_line(shelves: Shelves, endpoint: ScriptedEndpoint) -> None:
    app = shelves.folder / "resources_servers" / "shelf" / "app.py"
    app.write_text(app.read_text() + "\ndef broken(:\n    pass\n")
    done = shelves.run(endpoint.url)
    assert done.returncode == 2
    assert "app.py, line" in done.stderr
    assert "bug in BLADE" not in done.stderr
    assert not shelves.output.with_name("run_run.json").exists()


def test_a_setting_that_looks_misspelt_is_told(shelves: Shelves, endpoint: ScriptedEndpoint) -> None:
    done = shelves.run(endpoint.url, "++shelf.resources_servers.shelf.tool_timeout_second=5")
    assert done.returncode == 0
    assert "did you mean tool_timeout_seconds?" in done.stderr


def test_what_looks_misspelt_is_told_before_a_run(shelves: Shelves) -> None:
    config = shelves.folder / "resources_servers" / "shelf" / "configs" / "shelf.yaml"
    dataset = "datasets: [{name: s, type: example, jsonl_fpath: in.jsonl, num_repaets: 3}]"
    config.write_text(config.read_text().replace("max_steps: 6", f"max_stpes: 6\n      {dataset}"))
    done = gym(shelves.folder, "env", "validate", "--resources-server", "shelf", "--search-dir", shelves.folder)
    told = done.stdout + done.stderr
    assert "did you mean max_steps?" in told
    assert "has no key num_repaets; did you mean num_repeats?" in told


@pytest.mark.parametrize("verbose", [True, False])
def test_what_an_environment_prints_is_heard_when_asked_for(shelves: Shelves, endpoint: ScriptedEndpoint, verbose: bool) -> None:
    app = shelves.folder / "resources_servers" / "shelf" / "app.py"
    said = app.read_text().replace('how = row.get("how")', 'print("verifying", row["task_id"])\n        how = row.get("how")')
    app.write_text(said)
    done = shelves.process(endpoint.url, "--limit", "3", *(["-v"] if verbose else []))
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("verifying t1\n") == (2 if verbose else 0)
    assert "verifying" not in done.stdout
    again = shelves.run(endpoint.url, "--limit", "3", "--resume")
    assert again.returncode == 0, again.stderr


def test_a_changed_dataset_is_not_resumed(finished: Shelves, endpoint: ScriptedEndpoint) -> None:
    with finished.input.open("a") as file:
        file.write(json.dumps(finished.row(99)) + "\n")
    refused = finished.run(endpoint.url, "--resume")
    assert refused.returncode == 2
    assert "dataset was" in refused.stderr


def test_resuming_with_lost_inputs_loses_nothing(finished: Shelves, endpoint: ScriptedEndpoint) -> None:
    finished.output.with_name("run_materialized_inputs.jsonl").unlink()
    done = finished.run(endpoint.url, "--resume")
    assert done.returncode == 0, done.stderr
    assert finished.scored() == EXPECTED
    assert len(finished.rows("_materialized_inputs")) == 24


def test_shards_aggregate_to_the_whole(shelves: Shelves, endpoint: ScriptedEndpoint) -> None:
    whole = shelves.output
    shelves.run(endpoint.url)
    for shard in range(3):
        shelves.output = whole.with_name(f"shard{shard}.jsonl")
        assert shelves.run(endpoint.url, "--shard", f"{shard}/3", "--disable-aggregation").returncode == 0
    merged = whole.with_name("merged.jsonl")
    done = gym(shelves.folder, "eval", "aggregate", "-i", whole.with_name("shard*.jsonl"), "-o", merged)
    assert done.returncode == 0, done.stderr

    def means(name: str) -> dict[str, float]:
        (entry,) = json.loads(whole.with_name(f"{name}_aggregate_metrics.json").read_text())
        return {key: value for key, value in entry["agent_metrics"].items() if isinstance(value, float)}

    assert means("merged") == means("run")


def test_an_interrupt_lets_rollouts_finish_and_the_run_goes_on_later(shelves: Shelves, tmp_path: Path) -> None:
    slow = ScriptedEndpoint(tmp_path / "slow", SCRIPT | {"latency_seconds": 0.2})
    try:
        running = subprocess.Popen(
            shelves.command(slow.url, "--concurrency", "2"),
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            cwd=shelves.folder,
            env=environment(shelves.folder),
        )
        wait_for_rows(shelves.output, 2)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
        assert running.returncode == 130, said
        begun = shelves.rows("_attempts")
        assert len(shelves.rows()) == len(begun) < 24
        assert shelves.document("_run")["state"] == "stopped"
        done = shelves.run(slow.url, "--resume")
        assert done.returncode == 0, done.stderr
        assert shelves.scored() == EXPECTED
        assert len(shelves.rows("_attempts")) == 24
    finally:
        slow.stop()


def test_two_runs_do_not_write_to_one_output(shelves: Shelves, tmp_path: Path) -> None:
    slow = ScriptedEndpoint(tmp_path / "slow", SCRIPT | {"latency_seconds": 0.3})
    try:
        first = subprocess.Popen(
            shelves.command(slow.url, "--concurrency", "1"),
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            cwd=shelves.folder,
            env=environment(shelves.folder),
        )
        wait_for_rows(shelves.output, 1)
        for flag in ("--resume", "--overwrite"):
            second = shelves.run(slow.url, flag)
            assert second.returncode == 2
            assert "another run is writing" in second.stderr
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
    finally:
        slow.stop()


def wait_for_rows(path: Path, count: int) -> None:
    deadline = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") < count:
        assert time.monotonic() < deadline, "no rollout was written"
        time.sleep(0.02)
