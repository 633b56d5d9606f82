"""Every `gym` command line of the documents that this project grew from, typed as it stands there, in a clone.

The clone is a copy of the folders that the commands need, with an `env.yaml` in which a user would have put the model's address and key.
The model is the scripted endpoint, and its rows say so.
"""

import fcntl
import json
import re
import shlex
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest

from blade.gym.servers.head import HEAD_PORT
from tests.e2e import office_worker
from tests.e2e.offices import ROOT, rows_of
from tests.e2e.shelves import BIN, environment
from tests.gym.endpoints import ScriptedEndpoint
from tests.shared_data import SEEDS, needs_seeds

START = "gym env start --resources-server workplace_assistant --model-type openai_model"
RUN = (
    "gym eval run --no-serve --agent workplace_assistant_simple_agent "
    "--input resources_servers/workplace_assistant/data/example.jsonl "
    "--output results/workplace_assistant_rollouts.jsonl --num-repeats 4"
)
LIST, LIST_JSON = "gym list benchmarks", "gym list benchmarks --json"
SEARCHES = {"math": "gym search math", "coding": "gym search coding", "safety": "gym search safety"}
COMMANDS = {START, RUN, LIST, LIST_JSON, *SEARCHES.values()}
PARTS = ("resources_servers", "responses_api_agents", "responses_api_models", "benchmarks")
SCRIPT = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from tests.e2e import office_worker
office_worker.PLANTED_REQUESTS.clear()
reply = office_worker.reply
"""
"""The worker without faults."""
STEM = "results/workplace_assistant_rollouts"
READY_SECONDS = 60.0


@needs_seeds
def test_the_commands_here_are_those_of_the_documents() -> None:
    assert {line for document in SEEDS.glob("*.txt") for line in command_lines(document.read_text(encoding="utf-8"))} == COMMANDS


def command_lines(document: str) -> Iterator[str]:
    """The `gym` lines of the code blocks, each with its continuations and with single spaces."""
    for block in re.findall(r"^ *```\w*\n(.*?)^ *```", document, re.DOTALL | re.MULTILINE):
        for line in re.sub(r"\\\n", " ", block).splitlines():
            if line.split()[:1] == ["gym"]:
                yield " ".join(line.split())


class Clone:
    """A user's clone, with the model configured."""

    def __init__(self, folder: Path, url: str, port: int) -> None:
        self.folder = folder
        for part in PARTS:
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        there = {"policy_base_url": url, "policy_api_key": "none", "policy_model_name": "scripted"}
        there |= {"head_server": {"port": port}} if port != HEAD_PORT else {}
        (folder / "env.yaml").write_text(json.dumps(there), encoding="utf-8")

    def words(self, line: str) -> list[str]:
        command, *rest = shlex.split(line)
        return [str(BIN / command), *rest]

    def type(self, line: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.words(line),
            capture_output=True,
            text=True,
            timeout=timeout,
            cwd=self.folder,
            env=environment(self.folder.parent),
            check=False,
        )

    @contextmanager
    def terminal(self, line: str, ready: str) -> Iterator[subprocess.Popen[str]]:
        """A command that stays, once it has said that it is ready; ended by Ctrl-C."""
        log = self.folder.parent / "terminal.log"
        with log.open("w", encoding="utf-8") as said:
            running = subprocess.Popen(
                self.words(line), stdout=said, stderr=said, text=True, cwd=self.folder, env=environment(self.folder.parent)
            )
            try:
                until = time.monotonic() + READY_SECONDS
                while ready not in log.read_text(encoding="utf-8"):
                    assert running.poll() is None, log.read_text(encoding="utf-8")
                    assert time.monotonic() < until, f"not ready after {READY_SECONDS:g} s: {log.read_text(encoding='utf-8')}"
                    time.sleep(0.1)
                yield running
                running.send_signal(signal.SIGINT)
                assert running.wait(30) == 0, log.read_text(encoding="utf-8")
            finally:
                if running.poll() is None:
                    running.kill()
                    running.wait()


@contextmanager
def head_port() -> Iterator[int]:
    """The port that the commands use when nobody says another, one test at a time; another where some other program has it."""
    with (Path(gettempdir()) / "blade_test_head_port.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind(("127.0.0.1", HEAD_PORT))
            except OSError:
                one.bind(("127.0.0.1", 0))
            port: int = one.getsockname()[1]
        yield port


@pytest.fixture(scope="module")
def clone(home: Path) -> Iterator[Clone]:
    """A clone in which the two commands of the tutorial have been typed, each in a terminal of its own."""
    endpoint = ScriptedEndpoint(home / "endpoint", SCRIPT)
    try:
        with head_port() as port:
            made = Clone(home / "clone", endpoint.url, port)
            with made.terminal(START, "servers are ready"):
                done = made.type(RUN)
            assert done.returncode == 0, done.stderr
            assert "Key metrics for workplace_assistant_simple_agent:" in done.stdout
            yield made
    finally:
        endpoint.stop()


def test_the_run_is_there_with_all_its_files(clone: Clone) -> None:
    found = {path.name for path in (clone.folder / "results").iterdir() if path.is_file()}
    stem = Path(STEM).name
    assert {f"{stem}.jsonl", f"{stem}_materialized_inputs.jsonl", f"{stem}_aggregate_metrics.json"} <= found
    rows = rows_of(clone.folder / f"{STEM}.jsonl")
    assert sorted((row["_ng_task_index"], row["_ng_rollout_index"]) for row in rows) == [
        (task, repeat) for task in range(5) for repeat in range(4)
    ]
    assert {row["response"]["model"] for row in rows} == {"scripted-endpoint"}
    tasks = {row["id"]: row for row in rows}
    assert all(row["reward"] == 1.0 for row in rows if row["_ng_stop_reason"] == "completed")
    unfinished = {row["id"] for row in rows if row["_ng_stop_reason"] == "max_steps"}
    assert unfinished <= {140}, "only the task across several databases needs more turns than six, one lookup at a time"
    assert len(tasks) == 5


def test_the_figures_follow_without_servers(clone: Clone) -> None:
    profiled = clone.type(f"gym eval profile --inputs {STEM}_materialized_inputs.jsonl --rollouts {STEM}.jsonl")
    assert profiled.returncode == 0, profiled.stderr
    assert "pass@1" in profiled.stdout
    assert len(rows_of(clone.folder / f"{STEM}_reward_profiling.jsonl")) == 5
    merged = clone.type(f"gym eval aggregate --input-glob {STEM}.jsonl --output results/merged.jsonl")
    assert merged.returncode == 0, merged.stderr
    (entry,) = json.loads((clone.folder / "results" / "merged_aggregate_metrics.json").read_text(encoding="utf-8"))
    (before,) = json.loads((clone.folder / f"{STEM}_aggregate_metrics.json").read_text(encoding="utf-8"))
    assert entry["agent_ref"] == {"name": "workplace_assistant_simple_agent"}
    assert entry["agent_metrics"]["mean/reward"] == before["agent_metrics"]["mean/reward"]


def test_the_run_can_be_diagnosed(clone: Clone) -> None:
    told = clone.type("blade diagnose results --json")
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["denominator"]["expected"] == 20


def test_benchmarks_are_listed_with_domain_and_repeats(clone: Clone) -> None:
    shown, listed = clone.type(LIST), clone.type(LIST_JSON)
    assert (shown.returncode, listed.returncode) == (0, 0)
    entries = {entry["name"]: entry for entry in json.loads(listed.stdout)}
    assert {name: (entry["domain"], entry["num_repeats"]) for name, entry in entries.items()} == {
        "arithmetic": ("math", 4),
        "gsm8k": ("math", 1),
    }
    for name, entry in entries.items():
        line = next(line for line in shown.stdout.splitlines() if line.startswith(name))
        assert line.split()[1:3] == [entry["domain"], str(entry["num_repeats"])]


@pytest.mark.parametrize("area", SEARCHES)
def test_a_search_filters_to_an_area(clone: Clone, area: str) -> None:
    found = clone.type(SEARCHES[area])
    assert found.returncode == 0, found.stderr
    assert found.stderr == ""
    if area == "math":
        assert {"arithmetic", "gsm8k", "math_with_judge"} <= {line.split()[0] for line in found.stdout.splitlines()}
        assert "workplace_assistant" not in found.stdout
    else:
        assert f"Nothing matches '{area}'" in found.stdout


@needs_seeds
def test_the_configuration_of_a_benchmark_in_the_documents_is_understood(clone: Clone) -> None:
    """It names no file for its data, which `prepare.py` makes."""
    text = "\n".join(document.read_text(encoding="utf-8") for document in sorted(SEEDS.glob("*.txt")))
    (block,) = re.findall(r"^```yaml\n# benchmarks/aime24/config.yaml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    place = clone.folder.parent / "more" / "benchmarks" / "aime24"
    place.mkdir(parents=True)
    (place / "config.yaml").write_text(block, encoding="utf-8")
    (place / "prepare.py").write_text("def prepare() -> None: ...\n", encoding="utf-8")
    listed = clone.type(f"{LIST_JSON} --search-dir {place.parents[1]}")
    entries: dict[str, Any] = {entry["name"]: entry for entry in json.loads(listed.stdout)}
    assert (entries["aime24"]["domain"], entries["aime24"]["num_repeats"]) == ("math", 32)


def test_every_example_can_be_understood() -> None:
    """The scripted worker reads the requests of the example with patterns: a new example needs a new pattern, not a new test."""
    data = ROOT / "resources_servers" / "workplace_assistant" / "data" / "example.jsonl"
    assert all(office_worker.understood(office_worker.request_of(row)) for row in rows_of(data))
