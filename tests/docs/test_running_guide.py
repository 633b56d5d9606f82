"""`docs/running.md`: a reader with an endpoint follows the page from top to bottom."""

import json
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from blade.runs.artifacts import SIDECAR_SUFFIXES
from tests.docs.guides import Reader, commands_of, files_of, page
from tests.gym.endpoints import ScriptedEndpoint

GUIDE = page("running.md")
SUMS = '''
"""Adds what is added and says 7 otherwise; calls the tool that the probe offers."""
import re

def reply(request):
    tools = request.body.get("tools") or []
    if any("report_number" in str(tool) for tool in tools):
        return {"calls": [{"name": "report_number", "arguments": {"number": 7}}]}
    if "population" in str(request.body.get("text") or request.body.get("response_format") or ""):
        return '{"city": "Paris", "population": 2100000}'
    added = re.search(r"(\\d+) \\+ (\\d+)", request.opening)
    return str(int(added[1]) + int(added[2])) if added else "7"
'''


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    endpoint = ScriptedEndpoint(tmp_path / "endpoint", SUMS)
    yield Reader(tmp_path / "folder", endpoint.url)
    endpoint.stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def at_port(line: str, port: int) -> str:
    """Other tests may have servers of their own at the usual port."""
    return f"{line} +head_server.port={port}" if "env start" in line or "env status" in line or "--no-serve" in line else line


def test_every_command_of_the_page_runs_in_order(reader: Reader) -> None:
    reader.write(files_of(GUIDE))
    port, servers = free_port(), None
    try:
        for line in commands_of(GUIDE):
            if " env start " in line:
                servers = reader.start(at_port(line, port))
                wait_until_ready(reader, port)
            else:
                done = reader.run(at_port(line, port))
                assert done.stdout.strip(), line
    finally:
        if servers is not None:
            servers.terminate()
            servers.communicate(timeout=30)
    check_results(reader.folder / "results")


def check_results(results: Path) -> None:
    """What the page says of the files that these commands leave."""
    assert sum(1 for _ in (results / "first.jsonl").open()) == 12
    assert sum(1 for _ in (results / "plain.jsonl").open()) == 20
    manifests = {path.name: json.loads(path.read_text()) for path in results.glob("*_run.json")}
    assert manifests["first_run.json"]["model"] == "local_model"
    assert manifests["plain_run.json"]["config"]["policy_api_key"] == "****"
    assert manifests["plain_run.json"]["history"][0]["event"] == "resumed"
    assert manifests["worked_run.json"]["prompt"].startswith("worked.yaml@")
    assert manifests["skilled_run.json"]["skills"].startswith("skills@")
    tasks = [{json.loads(line)["_ng_task_index"] for line in (results / f"shard{part}.jsonl").open()} for part in (0, 1)]
    assert tasks == [{0, 2, 4}, {1, 3, 5}]
    assert sum(1 for _ in (results / "whole.jsonl").open()) == 24
    assert all("reverified" in json.loads(line) for line in (results / "plain_regraded.jsonl").open())


def wait_until_ready(reader: Reader, port: int) -> None:
    until = time.monotonic() + 90
    while time.monotonic() < until:
        said = reader.run(f".venv/bin/gym env status --json +head_server.port={port}").stdout
        found = json.loads(said)
        if len(found) == 3 and all(entry["status"] == "success" for entry in found):
            return
        time.sleep(1)
    raise AssertionError("the servers did not start")


def test_every_file_beside_the_rollouts_is_in_the_table() -> None:
    listed = re.findall(r"^\| `NAME(\S*)` \|", GUIDE, re.MULTILINE)
    of_a_run = ("materialized_inputs", "failures", "attempts", "aggregate_metrics", "manifest")
    assert sorted(listed) == sorted([".jsonl", *(SIDECAR_SUFFIXES[kind] for kind in of_a_run)])


def test_every_failure_class_of_the_code_is_in_the_table() -> None:
    """Classes as they stand in the source: `failure("…")`, `CallFailed(…, "…")`, and the categories of models."""
    from typing import get_args

    from blade.gym.collect.standing import INTERRUPTED, SETUP_FAILURES
    from blade.gym.models.errors import Category
    from blade.gym.servers.gymnasium import STEP_FAILURES
    from blade.gym.servers.resources import VERIFIER_FAILURES

    listed = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`[a-z_`, ]+) \|", GUIDE, re.MULTILINE))))
    models = {f"model_{category}" for category in get_args(Category)}
    of_collection = {INTERRUPTED, "timeout_exceeded", "agent_run_error", "judge_failed", "seed_error", "session_lost"}
    not_told = {"unknown_server"}  # a configuration with it is refused before a run begins
    known = models | {*SETUP_FAILURES, *STEP_FAILURES.values(), *VERIFIER_FAILURES.values(), *of_collection} - not_told
    assert known <= listed, known - listed
