"""The process side of `workers`: a template that loads an environment and forks, and the workers that it forks.

Every worker leads a process group of its own, so that whatever a verifier starts (a compiler, a shell) is killed together with it.
"""

import ctypes
import io
import os
import pickle
import resource
import select
import signal
import socket
import struct
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from blade.gym.servers.components import Component
from blade.gym.servers.values import packed

HEADER: Final = struct.Struct(">Q")
OUT_OF_MEMORY: Final = "out of memory"
"""The type of an error that says so: the worker is not used again."""
LONG_SECONDS: Final = 0.5
"""A call that takes longer is not waited for by others: whoever gave it further ones takes them back (see `lanes`)."""
_PR_SET_PDEATHSIG: Final = 1


class Job(msgspec.Struct, array_like=True):
    method: str
    state: bytes | None
    arguments: list[Any]


class Done(msgspec.Struct, array_like=True):
    value: msgspec.Raw
    state: bytes | None
    error: str | None = None
    error_type: str = ""
    seconds: float = 0.0
    """How long it took, from the job's bytes to the answer's."""
    last: bool = False
    """Whether the worker ends after it."""


@dataclass(frozen=True)
class Recipe:
    """What a template process loads: an implementation, the instance's name, its settings, the memory that each worker may use, and whether
    what it prints is shown."""

    component: Component
    name: str
    settings: dict[str, Any]
    memory_mb: int | None = None
    verbose: bool = False


def serve_template() -> None:
    """The main function of a template process."""
    control = socket.socket(fileno=int(sys.argv[1]))
    recipe, parent = pickle.loads(receive(control))  # noqa: S301  # written by the process that started this one
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
            os.setpgid(0, 0)
            end_with(os.getppid())
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # verifiers may start processes of their own and wait for them
            _limit_memory(recipe.memory_mb)
            if recipe.verbose:
                _speak(int(sys.argv[2]))
            _serve(socket.socket(fileno=descriptors[0]), server)
            os.killpg(0, signal.SIGKILL)  # this worker and whatever its calls left running
        with suppress(OSError):  # it did so itself, or has ended
            os.setpgid(pid, pid)  # before anybody is told of it: a kill must find the group
        os.close(descriptors[0])
        control.sendall(HEADER.pack(pid))


def _speak(descriptor: int) -> None:
    """What this process prints goes there, line by line; until now it went nowhere."""
    for stream in (sys.stdout, sys.stderr):
        os.dup2(descriptor, stream.fileno())
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)


def _limit_memory(megabytes: int | None) -> None:
    if megabytes is not None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def _serve(connection: socket.socket, server: Any) -> None:
    """A worker's life: calls, one after the other, until nobody asks any more or it is not to be used again.

    It ends after a call that ran out of memory, and after a long one that others lie behind: those are done elsewhere by then.
    """
    me = os.getpid()
    given = _Calls(connection)
    last = False
    while not last:
        try:
            job = given.next()
            began = time.perf_counter()
            answer = _done(server, msgspec.msgpack.decode(job, type=Job))
            answer.seconds = time.perf_counter() - began
            last = answer.last = answer.error_type == OUT_OF_MEMORY or (answer.seconds > LONG_SECONDS and given.waiting())
            done = msgspec.msgpack.encode(answer)
            if os.getpid() != me:  # code that forked and came back twice: only the worker itself answers
                os._exit(0)
            send(connection, done)
        except (EOFError, OSError, MemoryError):
            return


class _Calls:
    """The calls that come over a connection, often several at once."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = bytearray()

    def next(self) -> bytes:
        self._read(HEADER.size)
        (size,) = HEADER.unpack_from(self._buffer)
        self._read(HEADER.size + size)
        job = bytes(memoryview(self._buffer)[HEADER.size : HEADER.size + size])
        del self._buffer[: HEADER.size + size]
        return job

    def waiting(self) -> bool:
        """Whether a further call has come already."""
        return bool(self._buffer) or bool(select.select([self._connection], [], [], 0)[0])

    def _read(self, size: int) -> None:
        while len(self._buffer) < size:
            part = self._connection.recv(max(1 << 16, size - len(self._buffer)))
            if not part:
                raise EOFError
            self._buffer += part


def _done(server: Any, job: Job) -> Done:
    method = getattr(server, job.method)
    try:
        if job.state is None:
            return Done(msgspec.Raw(packed(method(*job.arguments))), None)
        state = pickle.loads(job.state)  # noqa: S301  # made by a worker of the same server
        value = msgspec.Raw(packed(method(state, *job.arguments)))
        return Done(value, pickle.dumps(state, pickle.HIGHEST_PROTOCOL))
    except MemoryError:
        return Done(_NONE, job.state, "it ran out of memory", OUT_OF_MEMORY)
    except Exception as error:  # noqa: BLE001  # whatever an environment raises is an answer
        return Done(_NONE, job.state, str(error) or type(error).__name__, type(error).__name__)


_NONE: Final = msgspec.Raw(packed(None))


def end_with(parent: int) -> None:
    """Be killed when the parent ends, even in the middle of a computation (Linux; elsewhere the closed connection ends it)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)


def send(connection: socket.socket, message: bytes) -> None:
    connection.sendall(HEADER.pack(len(message)) + message)


def receive(connection: socket.socket) -> bytes:
    (size,) = HEADER.unpack(exactly(connection, HEADER.size))
    return exactly(connection, size)


def exactly(connection: socket.socket, size: int) -> bytes:
    buffer = bytearray(size)
    view = memoryview(buffer)
    while view:
        read = connection.recv_into(view)
        if not read:
            raise EOFError
        view = view[read:]
    return bytes(buffer)
