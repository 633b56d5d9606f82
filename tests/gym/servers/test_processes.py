"""`gym env start` as a user meets it: real processes on loopback, killed in every way."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from blade.errors import UsageError
from blade.gym.config import resolve_config
from blade.gym.servers.calls import CallFailed, Reply
from blade.gym.servers.connect import configured_there, connect, running_servers
from tests.gym.servers.on_disk import write, write_shelf
from tests.gym.servers.started import GYM, Started, free_port, gone, instances, rollout, started, until

SECRET = "sk-very-secret-value-1234567890"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_shelf(tmp_path)
    return tmp_path


def test_servers_run_a_rollout_and_end_on_request(root: Path) -> None:
    with started(root, "+results_dir=results") as one:
        one.until("all 3 servers are ready")
        assert {line.split(" ")[0] for line in one.said if line.endswith(" ready")} == {"shelf:", "echo:", "shelf_agent:"}
        reply = rollout(one)
        assert reply.status == 200
        assert reply.body["reward"] == 1.0
        assert [item["type"] for item in reply.body["response"]["output"]] == ["function_call", "function_call_output", "message"]

        own = resolve_config(
            [],
            [
                f"+head_server.port={one.port}",
                "+agent_name=shelf_agent",
                "+shelf_agent.responses_api_agents.simple_agent.max_steps=9",
            ],
        )
        merged = asyncio.run(configured_there(own))
        assert merged.settings["agent_name"] == "shelf_agent"
        assert merged.instances["shelf_agent"].settings["max_steps"] == 9
        assert merged.instances["shelf"].settings["domain"] == "other"

        listed = instances(one)
        assert {name: entry["status"] for name, entry in listed.items()} == dict.fromkeys(
            ["shelf", "echo", "shelf_agent"], "success"
        )
        assert set(listed["shelf"]) == {
            *("config_path", "dir_path", "entrypoint", "host", "name", "pid", "port", "process_name", "server_type"),
            *("start_time", "status", "uptime_seconds", "url"),
        }
        assert listed["echo"]["server_type"] == "responses_api_models"
        assert listed["echo"]["name"] == "echo_model"
        assert all(10_001 <= entry["port"] <= 20_000 and entry["host"] == "127.0.0.1" for entry in listed.values())
        assert sorted(file.name for file in (root / "results" / "logs").iterdir()) == ["echo.log", "shelf.log", "shelf_agent.log"]

        processes = one.tree()
        assert len(processes) >= 4  # the three, and what the shelf keeps for its tools
        one.process.send_signal(signal.SIGINT)
        assert one.end() == 0
        assert gone(processes)


def test_secrets_reach_their_own_server_and_nobody_else(root: Path) -> None:
    async def run(one: Started) -> tuple[dict[str, Any], Reply]:
        config, calls = await connect(one.url)
        async with calls:
            return config.settings, await calls.post("echo", "/v1/responses", {"input": "key please"})

    with started(root) as one:
        one.until("servers are ready")
        settings, reply = asyncio.run(run(one))
        key, _, variable = reply.body["output"][0]["content"][0]["text"].partition(" ")
        assert key == SECRET
        assert "echo_model" in variable
        assert SECRET not in variable
        assert settings["echo"]["responses_api_models"]["echo_model"]["api_key"] == "****"
        assert settings["shelf"]["resources_servers"]["shelf"]["port"] == instances(one)["shelf"]["port"]
        seen = [" ".join(process.cmdline()) + str(process.environ()) for process in one.tree()]
        assert not [text for text in seen if SECRET in text]


def test_a_killed_server_is_started_again_and_costs_no_later_rollout(root: Path) -> None:
    with started(root, "+verbose=true") as one:
        one.until("servers are ready")
        for name in ("shelf", "echo", "shelf_agent"):
            before = instances(one)
            own = [process for process in one.tree() if process.pid == before[name]["pid"]]
            inner = own[0].children(recursive=True)
            os.kill(before[name]["pid"], signal.SIGKILL)
            one.until(f"{name} was killed by SIGKILL")
            assert rollout(one).body["reward"] == 1.0  # asked while it is down: the call waits for the new process
            one.until(f"{name}: {before[name]['url']} ready again")
            after = instances(one)
            assert after[name]["pid"] != before[name]["pid"]
            assert {entry["status"] for entry in after.values()} == {"success"}
            assert gone(inner)


def test_a_rollout_in_a_server_that_dies_is_a_typed_failure(root: Path) -> None:
    async def run(one: Started) -> str:
        async with running_servers({"head_server": {"port": one.port}}) as calls:
            cookies = (await calls.post("shelf", "/seed_session", {})).cookies
            hanging = asyncio.ensure_future(calls.post("shelf", "/shelf_wait", {}, cookies=cookies))
            while not (root / "resources_servers" / "shelf" / "waiting").exists():
                await asyncio.sleep(0.01)
                assert not hanging.done()
            os.kill((await asyncio.to_thread(instances, one))["shelf"]["pid"], signal.SIGKILL)
            with pytest.raises(CallFailed) as lost:
                await hanging
            stale = await calls.post("shelf", "/shelf_count", {}, cookies=cookies)
            assert stale.status == 400
            return lost.value.failure

    write(root / "more.yaml", "{shelf: {resources_servers: {shelf: {tool_timeout_seconds: 30}}}}")
    with started(root, "--config", "more.yaml") as one:
        one.until("servers are ready")
        assert asyncio.run(run(one)) == "server_lost"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_servers_end_with_whoever_started_them(root: Path, number: signal.Signals) -> None:
    with started(root) as one:
        one.until("servers are ready")
        rollout(one)
        processes = one.tree()
        assert len(processes) >= 5
        one.process.send_signal(number)
        assert gone(processes)
        assert one.end() == (0 if number == signal.SIGTERM else -9)


def test_a_start_can_be_stopped_before_it_is_done(root: Path) -> None:
    with started(root) as one:
        one.until("logs: ")
        processes = until(one.tree)
        one.process.send_signal(signal.SIGTERM)
        assert one.end() == 0
        assert gone(processes)
        assert not [line for line in one.said if "are ready" in line]


def test_a_second_start_on_the_same_head_port_says_so(root: Path) -> None:
    with started(root) as one:
        one.until("servers are ready")
        with started(root, port=one.port) as other:
            assert other.end() == 2
            assert "a head server with 3 of them answers at" in other.said[-1]
            assert "+head_server.port=N" in other.said[-1]


def test_a_port_that_something_else_uses(root: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        with started(root, port=taken.getsockname()[1]) as one:
            assert one.end() == 2
            assert "the head server cannot listen at" in one.said[-1]
        with started(root, f"+echo.responses_api_models.echo_model.port={taken.getsockname()[1]}") as one:
            assert one.end() == 2
            assert "echo cannot listen at 127.0.0.1" in one.said[-1]


def test_ports_are_taken_from_the_range_and_never_a_disallowed_one(root: Path) -> None:
    low = next(port for port in range(21_000, 30_000, 5) if all(_free(port + step) for step in range(5)))
    given = [f"+port_range_low={low}", f"+port_range_high={low + 4}", f"+disallowed_ports=[{low + 1},{low + 3}]"]
    with started(root, *given) as one:
        one.until("servers are ready")
        assert {entry["port"] for entry in instances(one).values()} == {low, low + 2, low + 4}
    with started(root, *given[:2], f"+disallowed_ports=[{low},{low + 1},{low + 3}]") as one:
        assert one.end() == 2
        assert "every port of the range is in use or disallowed" in one.said[-1]


def _free(port: int) -> bool:
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


BROKEN = "import not_there_at_all\n"
SECOND_START_FAILS = """
    import pathlib
    from blade.gym.servers import ModelServer

    class Once(ModelServer):
        async def start(self):
            mark = pathlib.Path(__file__).with_name("started")
            if mark.exists():
                raise RuntimeError("the second start fails")
            mark.touch()
"""


@pytest.mark.parametrize(
    ("code", "more", "killed", "expected"),
    [
        (BROKEN, (), False, "ModuleNotFoundError: No module named 'not_there_at_all'"),
        ("x = 1\n", (), False, "an implementation defines exactly one server class, here: none"),
        (SECOND_START_FAILS, (), True, "RuntimeError: the second start fails"),
        (SECOND_START_FAILS, ("+restart_servers=false",), True, "was killed by SIGKILL"),
    ],
    ids=["import", "class", "restarts", "no-restart"],
)
def test_a_server_that_cannot_be_kept_up(root: Path, code: str, more: tuple[str, ...], killed: bool, expected: str) -> None:
    write(root / "responses_api_models" / "echo_model" / "app.py", code)
    with started(root, *more) as one:
        if killed:
            one.until("servers are ready")
            os.kill(instances(one)["echo"]["pid"], signal.SIGKILL)
        assert one.end() == 1
        assert expected in one.said[-1]
        assert "echo.log" in one.said[-1]
        restarts = [line for line in one.said if "it is started again in" in line]
        assert len(restarts) == (3 if killed and not more else 0)


def test_the_model_s_endpoint_is_waited_for(root: Path) -> None:
    port = free_port()
    given = [f"+echo.responses_api_models.echo_model.openai_base_url=http://user:word@127.0.0.1:{port}/v1"]
    with started(root, *given) as one:
        waiting = one.until("waiting for the endpoint")
        assert f"http://127.0.0.1:{port}/v1" in waiting
        assert "word" not in waiting
        with _answering(port):
            one.until("servers are ready")
    with started(root, *given, "+model_endpoint_readiness_timeout_seconds=1") as one:
        assert one.end() == 2
        assert "took no connection within 1 s" in one.said[-1]
    with started(root, *given, "+model_endpoint_readiness_timeout_seconds=0") as one:
        one.until("servers are ready")


@contextmanager
def _answering(port: int) -> Iterator[None]:
    stop: Callable[[], None]
    ready = threading.Event()

    async def serve() -> None:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
            writer.close()

        nonlocal stop
        ended, loop = asyncio.Event(), asyncio.get_running_loop()

        def end() -> None:
            loop.call_soon_threadsafe(ended.set)

        stop = end
        async with await asyncio.start_server(answer, "127.0.0.1", port):
            ready.set()
            await ended.wait()

    thread = threading.Thread(target=asyncio.run, args=[serve()])
    thread.start()
    ready.wait(10)
    try:
        yield
    finally:
        stop()
        thread.join(10)


def test_status_and_connect_without_servers(tmp_path: Path) -> None:
    port = free_port()
    for flags, expected in ((["--json"], "[]"), ([], "No servers found")):
        done = subprocess.run(
            [*GYM, "env", "status", *flags, f"+head_server.port={port}"], capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode == 0
        assert expected in done.stdout

    async def run() -> None:
        async with running_servers({"head_server": {"port": port}}):
            pass

    with pytest.raises(UsageError, match=r"no servers are running: nothing answers at .*; start the servers with gym env start"):
        asyncio.run(run())


def test_one_server_started_by_hand(root: Path) -> None:
    """The two environment variables of the reference are enough."""
    port = free_port()
    text = write(
        root / "by_hand.yaml", f"echo: {{responses_api_models: {{echo_model: {{entrypoint: app.py, port: {port}}}}}}}"
    ).read_text()
    environment = os.environ | {"NEMO_GYM_CONFIG_DICT": text, "NEMO_GYM_CONFIG_PATH": "echo"}
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "blade.gym.servers.process"], env=environment, cwd=root, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == f"echo answers at http://127.0.0.1:{port}\n"
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
        assert time.monotonic() - begun < 5
    finally:
        process.kill()
        process.wait()
