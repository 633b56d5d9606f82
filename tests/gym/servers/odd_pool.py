"""A pool of workers over an environment whose methods do odd things, and looks at the processes that it leaves."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from blade.gym.servers.components import find
from blade.gym.servers.worker_process import Recipe
from blade.gym.servers.workers import WorkerPool
from tests.gym.servers.on_disk import write

ODD = """
    import os, subprocess, time
    from pathlib import Path
    from blade.gym.servers import ResourcesServer

    HERE = Path(__file__).parent
    while (HERE / "closed").exists():
        time.sleep(0.02)

    class Odd(ResourcesServer):
        def number(self):
            return os.getpid()

        def count(self, name):
            with (HERE / "counted").open("a") as file:
                file.write(f"{name}\\n")
            return name

        def crash(self):
            os._exit(3)

        def sleep(self, seconds):
            time.sleep(seconds)
            return "slept"

        def wait_for_a_child(self):
            child = subprocess.Popen(["sleep", "300"])
            (HERE / "child.new").write_text(str(child.pid))
            (HERE / "child.new").rename(HERE / "child")
            child.wait()

        def grab(self, megabytes):
            return len(bytearray(megabytes << 20))

        def compute(self):
            import numpy
            return {"reward": numpy.float64(1.5), "n": numpy.int64(3), "ok": numpy.bool_(True), "all": numpy.arange(2), 1: 2}

        def refuse(self):
            return {"reward": 1.0, "why": object()}
"""
Talk = Callable[[WorkerPool], Awaitable[Any]]
DEADLINE = 30.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "resources_servers" / "odd" / "app.py", ODD).parent


def talk(folder: Path, what: Talk, *, memory_mb: int | None = None, load_seconds: float = DEADLINE) -> Any:
    async def run() -> Any:
        component = find("resources_servers", "odd", [folder.parents[1]])
        pool = WorkerPool(Recipe(component, "odd", {}, memory_mb), 2, load_seconds=load_seconds)
        try:
            return await asyncio.wait_for(what(pool), 2 * DEADLINE)
        finally:
            await pool.close()

    return asyncio.run(run())


def until(sign: Callable[[], Any]) -> Any:
    """Wait for a sign without letting the event loop see anything."""
    ending = time.monotonic() + DEADLINE
    while not (found := sign()):
        assert time.monotonic() < ending
        time.sleep(0.01)
    return found


def runs(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def handles() -> list[str]:
    """The handles of processes that this process holds."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        try:
            found.append(os.readlink(f"/proc/self/fd/{name}"))
        except FileNotFoundError:
            continue
    return [link for link in found if "pidfd" in link]


async def number(pool: WorkerPool) -> int:
    found: int = (await pool.call("number", None, [], DEADLINE, repeatable=True))[0]
    return found
