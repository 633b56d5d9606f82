"""A worker and its template as the process that uses them holds them: a connection to ask over, and a sure way to end them."""

import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Final

from blade.gym.servers.worker_process import HEADER, Recipe, exactly, send
from blade.untrusted.redaction import is_secret_key

END_SECONDS: Final = 2.0


class Worker:
    def __init__(self, connection: socket.socket, pid: int, memory_mb: int | None) -> None:
        self.connection = connection
        self.memory_mb = memory_mb
        self._pid = pid
        self._killed = False
        self._handle: int | None = None  # a number may be given to another process; a handle may not
        with suppress(OSError, AttributeError):
            self._handle = os.pidfd_open(pid)

    @property
    def alive(self) -> bool:
        if self._handle is None:
            return not hasattr(os, "pidfd_open")
        ended = select.poll()
        ended.register(self._handle, select.POLLIN)
        return not ended.poll(0)

    def kill(self) -> None:
        """End it with all that it started. Its group is named by its number, which stays taken while anybody is left in the group."""
        if self._killed:
            return
        self._killed = True
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


class NotLoaded(Exception):
    """The environment does not load: says why."""


class Template:
    """The process that has the environment loaded and forks workers; commands go over one socket, descriptors with them.

    Forks take turns in one thread of the template's own: the first one waits until the environment is loaded.
    """

    def __init__(self, recipe: Recipe, load_seconds: float) -> None:
        self._control, theirs = socket.socketpair()
        self._load_seconds = load_seconds
        self._memory_mb = recipe.memory_mb
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="fork")
        self._fault: str | None = None
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  # a pipe that nobody reads would fill and block
        shown = os.dup(2)  # where workers print, when they are to be heard
        with theirs:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    "from blade.gym.servers.worker_process import serve_template; serve_template()",
                    str(theirs.fileno()),
                    str(shown),
                ],
                pass_fds=[theirs.fileno(), shown],
                env={name: value for name, value in os.environ.items() if not is_secret_key(name)},  # code of others reads it
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._said,
                start_new_session=True,
            )
        os.close(shown)
        send(self._control, pickle.dumps((recipe, os.getpid())))
        self._control.settimeout(load_seconds)

    @property
    def alive(self) -> bool:
        return self._fault is None and self._process.poll() is None

    def fork(self) -> Future[Worker]:
        return self._thread.submit(self._forked)

    def _forked(self) -> Worker:
        if self._fault is not None:
            raise NotLoaded(self._fault)
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self._control, [b"f"], [theirs.fileno()])
                (pid,) = HEADER.unpack(exactly(self._control, HEADER.size))
        except (OSError, EOFError) as error:
            ours.close()
            self._fault = self._reason(error)
            raise NotLoaded(self._fault) from None
        return Worker(ours, pid, self._memory_mb)

    def _reason(self, error: Exception) -> str:
        """Why it forks no more: the last line of its traceback."""
        if isinstance(error, TimeoutError):
            self._process.kill()
            return f"it was not done within {self._load_seconds:g} s, and was ended"
        self._end()
        self._said.seek(0)
        lines = [line for line in self._said.read().decode("utf-8", "replace").splitlines() if line.strip()]
        return lines[-1] if lines else f"exit code {self._process.returncode}"

    def close(self) -> None:
        """End the process and wait until it has; forks that are still asked for fail."""
        self._fault = self._fault or "it was stopped"
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)  # wakes a fork that waits
        self._process.terminate()
        self._end()
        self._thread.shutdown()
        self._control.close()
        self._said.close()

    def _end(self) -> None:
        """Wait for its end, and bring it about when it does not come."""
        try:
            self._process.wait(timeout=END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
