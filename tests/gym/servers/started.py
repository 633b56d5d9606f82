"""`gym env start` as a process that a test can start, read, ask and wait for."""

import asyncio
import json
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from blade.gym.servers.calls import Reply
from blade.gym.servers.connect import running_servers

GYM = [sys.executable, "-P", "-c", "from blade.cli.main import gym_main; gym_main()"]
ROW = {
    "responses_create_params": {"input": [{"role": "user", "content": 'call shelf_add {"title": "Emma"}'}]},
    "books": [],
    "wanted": ["Emma"],
    "_ng_task_index": 0,
}
DEADLINE = 60.0


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        port: int = one.getsockname()[1]
        return port


class Started:
    """A `gym env start` and what it prints."""

    def __init__(self, root: Path, *more: str, port: int | None = None) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        command = [
            *GYM,
            "env",
            "start",
            "--search-dir",
            str(root),
            "--config",
            "shelf.yaml",
            f"+head_server.port={self.port}",
            *more,
        ]
        environment = os.environ | {"TMPDIR": str(root)}  # the logs go with the test's folder
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=root, env=environment
        )
        self.said: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def until(self, part: str) -> str:
        """The first line from now on that holds the text."""
        while True:
            line = self._lines.get(timeout=DEADLINE)
            assert line is not None, f"it ended before it said {part!r}: {self.said}"
            self.said.append(line)
            if part in line:
                return line

    def end(self) -> int:
        """Its exit code, once it has ended."""
        code = self.process.wait(DEADLINE)
        while (line := self._lines.get(timeout=DEADLINE)) is not None:
            self.said.append(line)
        return code

    def tree(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)


@contextmanager
def started(root: Path, *more: str, port: int | None = None) -> Iterator[Started]:
    one = Started(root, *more, port=port)
    try:
        yield one
    finally:
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait(DEADLINE)


def gone(processes: list[psutil.Process]) -> bool:
    _, alive = psutil.wait_procs(processes, timeout=10)
    return not [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]


def until(sign: Callable[[], Any]) -> Any:
    ending = time.monotonic() + DEADLINE
    while not (found := sign()):
        assert time.monotonic() < ending
        time.sleep(0.01)
    return found


def rollout(one: Started, row: dict[str, Any] = ROW) -> Reply:
    async def run() -> Reply:
        async with running_servers({"head_server": {"port": one.port}}) as calls:
            return await calls.post("shelf_agent", "/run", row, timeout=DEADLINE)

    return asyncio.run(run())


def instances(one: Started) -> dict[str, dict[str, Any]]:
    done = subprocess.run(
        [*GYM, "env", "status", "--json", f"+head_server.port={one.port}"], capture_output=True, text=True, check=True
    )
    return {entry["process_name"]: entry for entry in json.loads(done.stdout)}
