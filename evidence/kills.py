"""Runs that are killed at random moments and resumed: `python -m evidence.kills` kills 200 times and publishes what came of it.

A run of sixty rollouts over a scripted endpoint (a real server on loopback) is killed with SIGKILL, the collector or one of its
servers, and resumed, again and again. In the end every expected rollout must be there once, every attempt that was begun must be
accounted for, and the metrics must equal those of a run that nobody disturbed.
"""

import argparse
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evidence.fingerprint import PUBLISHED, fingerprint
from tests.e2e.shelves import BIN, SCRIPT, Shelves, environment
from tests.gym.endpoints import ScriptedEndpoint

TASKS, REPEATS = 30, 2
LATENCY = 0.15
CONCURRENCY = "4"
LONGEST = 240.0
SOURCES = (
    *(f"src/blade/gym/collect/{name}.py" for name in ("durable", "expansion", "run", "schedule", "standing")),
    *(
        f"src/blade/gym/servers/{name}.py"
        for name in ("child", "lanes", "processes", "worker_handles", "worker_process", "workers")
    ),
)


@dataclass(frozen=True)
class Disturbed:
    """What lies on disk after the last resume."""

    kills: int
    resumes: int
    scores: dict[tuple[int, int], float]
    twice: int
    metrics: Any
    begun: set[tuple[int, int, int]]
    accounted: set[tuple[int, int, int]]

    def problems(self, quiet: "Disturbed") -> list[str]:
        """What differs from the undisturbed run, a sentence each."""
        found = []
        if self.scores != quiet.scores:
            found.append(f"{len(self.scores)} rollouts are there, {len(quiet.scores)} were expected, or their rewards differ")
        if self.twice:
            found.append(f"{self.twice} rollouts stand there twice")
        if self.begun != self.accounted:
            found.append(f"attempts begun and attempts accounted for differ: {sorted(self.begun ^ self.accounted)[:5]}")
        if self.metrics != quiet.metrics:
            found.append("the metrics differ")
        return found


def undisturbed_run(folder: Path) -> Disturbed:
    with _evaluation(folder) as (shelves, url):
        done = shelves.process(url, "--concurrency", CONCURRENCY, repeats=REPEATS, timeout=LONGEST)
        assert done.returncode == 0, done.stderr
        return _read(shelves, 0, 0)


def disturbed_run(folder: Path, *, kills: int, seed: int, serve: bool) -> Disturbed:
    """A run that is killed so many times: its collector, or with `serve` the servers that it uses, in turn with the collector."""
    chance = random.Random(seed)
    with _evaluation(folder) as (shelves, url):
        if serve:
            with _served(shelves, url) as port:
                return _killed(shelves, _there(shelves, port), kills, chance, port)
        return _killed(shelves, shelves.command(url, "--concurrency", CONCURRENCY, repeats=REPEATS), kills, chance, None)


def _killed(shelves: Shelves, command: list[str], kills: int, chance: random.Random, port: int | None) -> Disturbed:
    deadline = time.monotonic() + LONGEST
    done = resumes = 0
    begun = False
    while True:
        assert time.monotonic() < deadline, f"not finished after {done} kills"
        running = _start(shelves, command, resume=bool(begun))
        begun = True
        resumes += 1
        while done < kills and running.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                running.wait(timeout=chance.uniform(0.0, 2.6 if port is None else 1.6))
            if running.poll() is not None:
                break
            done += 1
            if port is not None and done % 2:
                _kill_a_server(shelves, port, chance)
            else:
                running.kill()
                running.wait()
                break
        else:
            running.wait(timeout=LONGEST)
        if running.returncode not in (0, -signal.SIGKILL):
            raise AssertionError(running.stderr.read() if running.stderr else "failed")
        _close(running)
        if running.returncode == 0:
            if done >= kills:
                return _read(shelves, done, resumes)
            _begin_another(shelves)
            begun = False


def _begin_another(shelves: Shelves) -> None:
    """The run was quicker than the kills: begin another one, the earlier one having shown that it is whole."""
    assert len(shelves.scored()) == TASKS * REPEATS
    for path in shelves.output.parent.iterdir():
        if path.suffix != ".lock":
            path.unlink()


def _start(shelves: Shelves, command: list[str], resume: bool) -> subprocess.Popen[str]:
    flags = ["--resume"] if resume else []
    return subprocess.Popen(
        [*command, *flags],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=shelves.folder,
        env=environment(shelves.folder),
    )


def _close(process: subprocess.Popen[str]) -> None:
    if process.stderr is not None:
        process.stderr.close()


@contextmanager
def _evaluation(folder: Path) -> Iterator[tuple[Shelves, str]]:
    endpoint = ScriptedEndpoint(folder / "endpoint", SCRIPT | {"latency_seconds": LATENCY})
    try:
        yield Shelves(folder / "evaluation", tasks=TASKS), endpoint.url
    finally:
        endpoint.stop()


def _there(shelves: Shelves, port: int) -> list[str]:
    """The command that uses servers which run already; they die under it, so it is patient."""
    run = ["--input", str(shelves.input), "--output", str(shelves.output), "--num-repeats", str(REPEATS), "--max-attempts", "20"]
    more = ["--agent", "shelf_agent", "--search-dir", str(shelves.folder), "--concurrency", CONCURRENCY]
    keys = [f"+head_server.port={port}", "+num_repeats_add_seed=true"]
    return [str(BIN / "gym"), "eval", "run", "--no-serve", *run, *more, *keys]


@contextmanager
def _served(shelves: Shelves, url: str) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    chosen = ["--resources-server", "shelf", "--search-dir", str(shelves.folder)]
    model = ["--model", "scripted", "--model-url", url, "--model-api-key", "none", f"+head_server.port={port}"]
    servers = subprocess.Popen(
        [str(BIN / "gym"), "env", "start", *chosen, *model, "+max_server_restarts=1000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=shelves.folder,
        env=environment(shelves.folder),
    )
    try:
        deadline = time.monotonic() + 60
        while len(_instances(shelves, port)) < 3:
            assert servers.poll() is None, servers.stdout.read() if servers.stdout else ""
            assert time.monotonic() < deadline, "the servers did not start"
            time.sleep(0.2)
        yield port
    finally:
        servers.terminate()
        try:
            servers.wait(timeout=20)
        except subprocess.TimeoutExpired:
            servers.kill()
        if servers.stdout is not None:
            servers.stdout.close()


def _instances(shelves: Shelves, port: int) -> list[dict[str, Any]]:
    asked = [str(BIN / "gym"), "env", "status", "--json", f"+head_server.port={port}"]
    done = subprocess.run(asked, capture_output=True, text=True, cwd=shelves.folder, env=environment(shelves.folder), check=False)
    listed = json.loads(done.stdout or "[]")
    return [entry for entry in listed if entry["status"] == "success"]


def _kill_a_server(shelves: Shelves, port: int, chance: random.Random) -> None:
    running = _instances(shelves, port)
    if running:
        os.kill(int(chance.choice(running)["pid"]), signal.SIGKILL)


def _read(shelves: Shelves, kills: int, resumes: int) -> Disturbed:
    rows = shelves.rows()
    scores = {(row["_ng_task_index"], row["_ng_rollout_index"]): row["reward"] for row in rows}
    accounted = {_attempt(row) for row in (*rows, *shelves.rows("_failures"))}
    begun = {_attempt(row) for row in shelves.rows("_attempts")}
    metrics = shelves.document("_aggregate_metrics")
    return Disturbed(kills, resumes, scores, len(rows) - len(scores), metrics, begun, accounted)


def _attempt(row: dict[str, Any]) -> tuple[int, int, int]:
    return row["_ng_task_index"], row["_ng_rollout_index"], row.get("_ng_attempt_index", 0)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m evidence.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    asked = parser.parse_args()
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as scratch:
        quiet = undisturbed_run(Path(scratch) / "quiet")
        while (killed := sum(run["kills"] for run in found)) < asked.kills:
            serve = len(found) % 4 == 3
            run = disturbed_run(
                Path(scratch) / str(len(found)), kills=min(10, asked.kills - killed), seed=len(found), serve=serve
            )
            problems = run.problems(quiet)
            found.append({"kills": run.kills, "resumes": run.resumes, "serve": serve, "problems": problems})
            print(f"{killed + run.kills} kills: {'; '.join(problems) or 'nothing lost'}", flush=True)
    failed = [run for run in found if run["problems"]]
    if asked.kills >= 200:
        document = {"kills": sum(run["kills"] for run in found), "runs": found, "fingerprint": fingerprint(SOURCES)}
        (PUBLISHED / "kills.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
