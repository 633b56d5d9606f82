"""One instance and its process, over all its restarts: how it is started, asked whether it answers, and what it said last."""

import asyncio
import os
import re
import signal
import socket
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

import aiohttp

from blade.gym.config import Instance
from blade.gym.servers.components import Component
from blade.gym.servers.head import HEALTH_SECONDS, health
from blade.gym.servers.http import url_of
from blade.gym.servers.process import CONFIG_DICT, CONFIG_PATH, SUPERVISED, Assignment
from blade.untrusted import one_line, redact

LARGEST_VARIABLE: Final = 100_000
"""Bytes of one environment variable that every system allows."""
READY_POLL_SECONDS: Final = 0.1
LAST_WORDS_BYTES: Final = 16_384
_NOT_IN_A_FILE_NAME: Final = re.compile(r"[^\w.-]+")


class Ended(Exception):
    """The process ended: says how, with its last words."""


class Child:
    def __init__(self, instance: Instance, component: Component, listening: socket.socket, log: Path) -> None:
        self.instance, self.component, self.listening, self.log = instance, component, listening, log
        self.url = url_of(listening)
        self.started = 0.0
        self.restarts = 0
        self.process: asyncio.subprocess.Process | None = None
        self._said_before = 0

    @property
    def name(self) -> str:
        return self.instance.name

    @property
    def runs(self) -> bool:
        return self.process is not None and self.process.returncode is None

    async def start(self, urls: Mapping[str, str], config_yaml: str, *, verbose: bool = False) -> None:
        """Start its process and tell it what to be. `config_yaml` holds no secrets: an environment can be read by others."""
        environment = dict(os.environ) | {CONFIG_PATH: self.name}
        environment.pop(CONFIG_DICT, None)
        if len(config_yaml.encode()) < LARGEST_VARIABLE:
            environment[CONFIG_DICT] = config_yaml
        with open_log(self.log) as log:
            self._said_before = log.tell()
            # Not in a thread: on Linux a process is told of the end of the thread that started it, not of the whole program's.
            self.process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "blade.gym.servers.process", SUPERVISED),
                stdin=asyncio.subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=environment,
                pass_fds=[self.listening.fileno()],
                start_new_session=True,
            )
        self.started = time.time()
        assert self.process.stdin is not None
        assignment = Assignment(
            self.name,
            self.component,
            self.instance.settings,
            dict(urls),
            descriptor=self.listening.fileno(),
            parent=os.getpid(),
            verbose=verbose,
        )
        self.process.stdin.write(assignment.packed())
        with suppress(ConnectionError):
            await self.process.stdin.drain()

    async def answers(self, seconds: float) -> bool:
        """Wait until it answers; `False` when it does not in time. Raises `Ended`."""
        asking = asyncio.ensure_future(self._asked(seconds))
        ending = asyncio.ensure_future(self.ended())
        try:
            await asyncio.wait([asking, ending], return_when=asyncio.FIRST_COMPLETED)
            if ending.done():
                raise Ended(ending.result())
            return asking.result()
        finally:
            asking.cancel()
            ending.cancel()

    async def _asked(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=HEALTH_SECONDS)) as session:
            while await health(session, self.url) != "success":
                if time.monotonic() > until:
                    return False
                await asyncio.sleep(READY_POLL_SECONDS)
        return True

    async def ended(self) -> str:
        """Wait for its end; says how it ended."""
        assert self.process is not None
        code = await self.process.wait()
        how = f"was killed by {_signal_name(-code)}" if code < 0 else f"ended with exit code {code}"
        said = self.last_words()
        return f"{self.name} {how}" + (f": {said}" if said else "") + f" (log: {self.log})"

    def last_words(self) -> str:
        """The last line that this start wrote into its log: in a traceback, the one that says what was wrong."""
        try:
            with self.log.open("rb") as log:
                log.seek(max(self._said_before, self.log.stat().st_size - LAST_WORDS_BYTES))
                lines = log.read().decode("utf-8", "replace").splitlines()
        except OSError:
            return ""
        spoken = [line for line in lines if line.strip() and not line.endswith(f"answers at {self.url}")]
        return one_line(redact(spoken[-1]), 400) if spoken else ""

    def terminate(self) -> None:
        if self.runs and self.process is not None:
            with suppress(ProcessLookupError):
                self.process.terminate()

    def kill(self) -> None:
        if self.runs and self.process is not None:
            with suppress(ProcessLookupError):
                self.process.kill()

    def described(self) -> dict[str, Any]:
        """Its entry in the list of what runs."""
        host, port = self.listening.getsockname()[:2]
        return {
            "config_path": self.name,
            "dir_path": self.component.folder,
            "entrypoint": self.component.entrypoint,
            "host": host,
            "name": self.instance.implementation,
            "pid": self.process.pid if self.process is not None else None,
            "port": port,
            "process_name": self.name,
            "server_type": self.instance.kind,
            "start_time": self.started or None,
            "status": None if self.runs else "connection_error",
            "uptime_seconds": round(time.time() - self.started, 3) if self.runs else None,
            "url": self.url,
        }


def open_log(path: Path) -> IO[bytes]:
    """A log that is added to; only its owner may read it, because servers write what they like."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def log_name(instance: str) -> str:
    return (_NOT_IN_A_FILE_NAME.sub("_", instance).strip(".") or "server") + ".log"
