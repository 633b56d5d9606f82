"""How fast `gym eval run` collects, beside a bare client that sends the same requests: rollouts a second against requests a second.

The endpoint stands in a process of its own and answers every request after 200 ms. The bare client does nothing but send requests and
read answers. The run expands tasks, journals attempts, asks the model through `openai_model`, verifies in worker processes and writes
rows durably. One model call per rollout, so both send the same number of requests.
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

CONCURRENCY = 2_000
REPLY_SECONDS = 0.2
APP = """
from blade.gym.servers import ResourcesServer


class Echo(ResourcesServer):
    reverify_mode = "stateless"

    def verify(self, state, row, response):
        return {"reward": float(row["wanted"] in response["output"][-1]["content"][0]["text"])}
"""
CONFIG = """
echo:
  resources_servers:
    echo: {entrypoint: app.py, domain: other}
echo_agent:
  responses_api_agents:
    simple_agent:
      entrypoint: app.py
      resources_server: {type: resources_servers, name: echo}
      model_server: {type: responses_api_models, name: policy_model}
policy_model:
  responses_api_models:
    openai_model:
      entrypoint: app.py
      openai_base_url: ${policy_base_url}
      openai_api_key: none
      openai_model: scripted
      api: responses
"""
ENDPOINT = """
import asyncio, json, sys
from aiohttp import web

BODY = json.dumps({"id": "r", "created_at": 0, "model": "scripted-endpoint", "object": "response", "status": "completed",
    "error": None, "incomplete_details": None,
    "output": [{"type": "message", "id": "m", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": "the answer is 42", "annotations": []}]}],
    "usage": {"input_tokens": 20, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
              "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 25}}).encode()

async def answer(request):
    await request.read()
    await asyncio.sleep(%s)
    return web.Response(body=BODY, content_type="application/json")

async def main():
    app = web.Application()
    app.router.add_post("/v1/responses", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, backlog=8192)
    await site.start()
    print(site._server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@dataclass(frozen=True)
class Rates:
    """What a bare client and a run reach in a second, and the most memory that the run used."""

    rollouts: int
    bare: float
    run: float
    peak_mb: float

    @property
    def ratio(self) -> float:
        return self.run / self.bare


def measure(rollouts: int) -> Rates:
    """Rates of the bare client and of a run, in one go, with the run's peak memory."""
    _allow_many_files()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        _write(folder, rollouts)
        endpoint = subprocess.Popen([sys.executable, "-c", ENDPOINT % REPLY_SECONDS], stdout=subprocess.PIPE, text=True)
        try:
            assert endpoint.stdout is not None
            url = f"http://127.0.0.1:{int(endpoint.stdout.readline())}/v1"
            bare = _bare(url, folder / "in.jsonl")
            run, memory = _run(folder, url)
        finally:
            endpoint.kill()
            endpoint.wait()
    return Rates(rollouts, bare, run, memory)


def _write(folder: Path, rollouts: int) -> None:
    place = folder / "resources_servers" / "echo"
    (place / "configs").mkdir(parents=True)
    (place / "app.py").write_text(APP)
    (place / "configs" / "echo.yaml").write_text(CONFIG)
    with (folder / "in.jsonl").open("w") as file:
        for number in range(rollouts):
            content = f"Task {number}: what is the answer to everything? Think of it as question {number} of many."
            row = {"responses_create_params": {"input": [{"role": "user", "content": content}]}, "wanted": "42"}
            file.write(json.dumps(row) + "\n")


def _bare(url: str, inputs: Path) -> float:
    """Requests a second of a client that does nothing else."""
    bodies = [json.dumps({**json.loads(line)["responses_create_params"], "model": "scripted"}).encode() for line in inputs.open()]
    return asyncio.run(_send(f"{url}/responses", bodies))


async def _send(url: str, bodies: list[bytes]) -> float:
    import aiohttp

    left = iter(bodies)

    async def work(session: aiohttp.ClientSession) -> None:
        for body in left:
            async with session.post(url, data=body, headers={"Content-Type": "application/json"}) as answer:
                json.loads(await answer.read())

    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        started = time.perf_counter()
        await asyncio.gather(*(work(session) for _ in range(CONCURRENCY)))
        return len(bodies) / (time.perf_counter() - started)


def _run(folder: Path, url: str) -> tuple[float, float]:
    """Rollouts a second of `gym eval run` from the first attempt to the last row, and its peak memory in MB."""
    output = folder / "out" / "run.jsonl"
    command = [str(Path(sys.executable).parent / "gym"), "eval", "run", "--resources-server", "echo", "--search-dir", str(folder)]
    command += ["--model-url", url, "--model", "scripted", "--model-api-key", "none", "--concurrency", str(CONCURRENCY)]
    command += ["--input", str(folder / "in.jsonl"), "--output", str(output), "--disable-aggregation"]
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    _, status, usage = os.wait4(started.pid, 0)
    assert status == 0, "the run failed"
    attempts, rows = output.with_name("run_attempts.jsonl"), output
    assert rows.read_bytes().count(b"\n") == (folder / "in.jsonl").read_bytes().count(b"\n")
    seconds = rows.stat().st_mtime - _first_begun(attempts)
    return rows.read_bytes().count(b"\n") / seconds, usage.ru_maxrss / 1024


def _first_begun(attempts: Path) -> float:
    with attempts.open() as file:
        return float(json.loads(file.readline())["at"])


def _allow_many_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.collection", description=__doc__)
    parser.add_argument("--rollouts", type=int, nargs="+", default=[10_000, 40_000])
    for rollouts in parser.parse_args().rollouts:
        found = measure(rollouts)
        print(
            f"{rollouts:,} rollouts: bare client {found.bare:,.0f} requests/s, run {found.run:,.0f} rollouts/s,"
            f" {found.ratio:.0%}, peak {found.peak_mb:.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    main()
