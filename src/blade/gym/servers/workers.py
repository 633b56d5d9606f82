"""Killable worker processes for the code of environments.

Tools and verifiers are other people's code over a model's text: they may hang, crash or eat memory. They run in worker processes, one
call at a time each, with a deadline; a worker that misses it is killed, and only that call is lost, because the state of a session
travels with the call and comes back with the answer.

A template process loads the environment once and forks a worker whenever one is needed, so that replacing a killed worker takes
milliseconds. Template and workers end with the process that started them, however that one ends.
"""

import asyncio
import ctypes
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec

from blade.gym.servers.components import Component

HEADER = struct.Struct(">Q")
LARGEST_MESSAGE = 1 << 30
PR_SET_PDEATHSIG = 1
NOTHING = pickle.dumps(None)


class WorkFailed(Exception):
    """A call that gave no result: `kind` is error (the code raised), timeout (it was killed) or died (its process ended)."""

    def __init__(self, kind: str, message: str, error_type: str = "") -> None:
        super().__init__(kind, message, error_type)
        self.kind, self.message, self.error_type = kind, message, error_type

    def __str__(self) -> str:
        return self.message


class Job(msgspec.Struct, array_like=True):
    method: str
    state: bytes | None
    arguments: list[Any]


class Done(msgspec.Struct, array_like=True):
    value: msgspec.Raw
    state: bytes | None
    error: str | None = None
    error_type: str = ""


@dataclass(frozen=True)
class Recipe:
    """What a template process loads: an implementation, the instance's name, and its settings."""

    component: Component
    name: str
    settings: dict[str, Any]


class WorkerPool:
    """At most `size` workers for one server; calls wait their turn, and a deadline counts from when a call starts."""

    def __init__(self, recipe: Recipe, size: int) -> None:
        self._recipe = recipe
        self._free = asyncio.Semaphore(size)
        self._idle: list[_Worker] = []
        self._template: _Template | None = None

    async def call(
        self, method: str, state: bytes | None, arguments: list[Any], timeout: float | None
    ) -> tuple[Any, bytes | None]:
        """The method's result and the state it left; raises `WorkFailed`."""
        try:
            job = msgspec.msgpack.encode(Job(method, state, arguments))
        except (ValueError, TypeError, OverflowError) as error:  # a lone surrogate, a number beyond 64 bits
            raise WorkFailed("error", f"the arguments of {method} cannot be sent to a worker: {error}", "ValueError") from None
        async with self._free:
            worker = self._idle.pop() if self._idle else await self._new_worker()
            try:
                async with asyncio.timeout(timeout):
                    answer = await worker.ask(job)
            except TimeoutError:
                worker.kill()
                raise WorkFailed("timeout", f"no result within {timeout:g} s: it was killed") from None
            except (OSError, EOFError) as error:
                worker.kill()
                raise WorkFailed("died", f"its process ended ({str(error) or 'killed or crashed'})") from None
            except BaseException:
                worker.kill()
                raise
            self._idle.append(worker)
        done = msgspec.msgpack.decode(answer, type=Done)
        if done.error is not None:
            raise WorkFailed("error", done.error, done.error_type)
        return msgspec.msgpack.decode(done.value), done.state

    async def _new_worker(self) -> "_Worker":
        if self._template is None or not self._template.alive:
            self._template = _Template(self._recipe)
        template = self._template
        try:
            return await asyncio.to_thread(template.fork)
        except (OSError, EOFError):
            template.close()
            said = await asyncio.to_thread(template.last_words)
            raise WorkFailed("died", f"{self._recipe.component.implementation} could not be loaded in a worker: {said}") from None

    def close(self) -> None:
        for worker in self._idle:
            worker.kill()
        self._idle.clear()
        if self._template is not None:
            self._template.close()
            self._template = None


class _Conversation(asyncio.Protocol):
    """One question at a time over a connection; the answer is whole when as many bytes came as its header says."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._wanted = HEADER.size
        self.answer: asyncio.Future[bytes] | None = None

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if self._wanted == HEADER.size and len(self._buffer) >= HEADER.size:
            (size,) = HEADER.unpack_from(self._buffer)
            if size > LARGEST_MESSAGE:
                self._fail(EOFError(f"its answer of {size:,} bytes is too large"))
                return
            self._wanted += size
        if len(self._buffer) >= self._wanted > HEADER.size and self.answer is not None and not self.answer.done():
            self.answer.set_result(bytes(self._buffer[HEADER.size :]))
            self._buffer, self._wanted = bytearray(), HEADER.size

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(EOFError(str(exc) if exc else ""))

    def _fail(self, error: Exception) -> None:
        if self.answer is not None and not self.answer.done():
            self.answer.set_exception(error)


class _Worker:
    def __init__(self, connection: socket.socket, pid: int) -> None:
        self._connection = connection
        self._pid = pid
        self._handle = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None  # a number may be given to another process
        self._talk: tuple[asyncio.Transport, _Conversation] | None = None

    async def ask(self, message: bytes) -> bytes:
        loop = asyncio.get_running_loop()
        if self._talk is None:
            transport, protocol = await loop.connect_accepted_socket(_Conversation, self._connection)
            self._talk = transport, protocol
        transport, protocol = self._talk
        if transport.is_closing():
            raise EOFError
        protocol.answer = loop.create_future()
        transport.write(HEADER.pack(len(message)) + message)
        return await protocol.answer

    def kill(self) -> None:
        if self._talk is not None:
            self._talk[0].abort()
        else:
            self._connection.close()
        with suppress(ProcessLookupError):
            if self._handle is None:
                os.kill(self._pid, signal.SIGKILL)
            else:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


class _Template:
    """The process that has the environment loaded and forks workers; commands go over one socket, descriptors with them."""

    def __init__(self, recipe: Recipe) -> None:
        self._control, theirs = socket.socketpair()
        self._turn = threading.Lock()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  # a pipe that nobody reads would fill and block
        with theirs:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    "from blade.gym.servers.workers import serve_template; serve_template()",
                    str(theirs.fileno()),
                ],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._said,
                start_new_session=True,
            )
        _send(self._control, pickle.dumps((recipe, os.getpid())))

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def fork(self) -> _Worker:
        ours, theirs = socket.socketpair()
        try:
            with theirs, self._turn:
                socket.send_fds(self._control, [b"f"], [theirs.fileno()])
                (pid,) = HEADER.unpack(_exactly(self._control, HEADER.size))
        except BaseException:
            ours.close()
            raise
        return _Worker(ours, pid)

    def last_words(self) -> str:
        """The last line of its traceback."""
        self._process.wait(timeout=10)
        self._said.seek(0)
        lines = [line for line in self._said.read().decode("utf-8", "replace").splitlines() if line.strip()]
        return lines[-1] if lines else f"exit code {self._process.returncode}"

    def close(self) -> None:
        self._control.close()
        if self.alive:
            self._process.terminate()


def serve_template() -> None:
    """The main function of a template process."""
    control = socket.socket(fileno=int(sys.argv[1]))
    recipe, parent = pickle.loads(_receive(control))  # noqa: S301  # written by the process that started this one
    end_with(parent)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for workers: the system buries them
    from blade.gym.servers.calls import NoCalls
    from blade.gym.servers.components import build

    server = build(recipe.component, recipe.name, recipe.settings, NoCalls())
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            os._exit(0)
        pid = os.fork()
        if pid == 0:
            control.close()
            end_with(os.getppid())
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # verifiers may start processes of their own and wait for them
            _serve(socket.socket(fileno=descriptors[0]), server)
            os._exit(0)
        os.close(descriptors[0])
        control.sendall(HEADER.pack(pid))


def _serve(connection: socket.socket, server: Any) -> None:
    """A worker's life: calls, one after the other, until nobody asks any more."""
    while True:
        try:
            job = msgspec.msgpack.decode(_receive(connection), type=Job)
        except (EOFError, OSError):
            return
        _send(connection, msgspec.msgpack.encode(_done(server, job)))


def _done(server: Any, job: Job) -> Done:
    method = getattr(server, job.method)
    try:
        if job.state is None:
            return Done(_raw(method(*job.arguments)), None)
        state = pickle.loads(job.state)  # noqa: S301  # made by a worker of the same server
        value = _raw(method(state, *job.arguments))
        return Done(value, pickle.dumps(state, pickle.HIGHEST_PROTOCOL))
    except Exception as error:  # noqa: BLE001  # whatever an environment raises is an answer
        return Done(_raw(None), job.state, str(error) or type(error).__name__, type(error).__name__)


def _raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.msgpack.encode(value))


def end_with(parent: int) -> None:
    """Be killed when the parent ends, even in the middle of a computation (Linux; elsewhere the closed connection ends it)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)


def _send(connection: socket.socket, message: bytes) -> None:
    connection.sendall(HEADER.pack(len(message)) + message)


def _receive(connection: socket.socket) -> bytes:
    (size,) = HEADER.unpack(_exactly(connection, HEADER.size))
    return _exactly(connection, size)


def _exactly(connection: socket.socket, size: int) -> bytes:
    buffer = bytearray(size)
    view = memoryview(buffer)
    while view:
        read = connection.recv_into(view)
        if not read:
            raise EOFError
        view = view[read:]
    return bytes(buffer)
