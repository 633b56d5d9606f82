"""The calls that one worker has been given: answered one after the other, each with a clock of its own.

Quick calls are sent ahead, so that a worker need not wait for the next one; which and how many is the pool's decision. The clock of a call
runs from when it is the first in its lane. A call that takes long holds up nobody: those behind it go back to the pool, and so they do when
it hangs and its worker is killed, or when the worker ends by itself. Only the first call of a lane is lost. One behind it may have begun
at the very moment when it was taken back, and then begins again elsewhere, so only calls that may be made twice are sent ahead.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import msgspec

from blade.gym.servers.worker_handles import Worker
from blade.gym.servers.worker_process import HEADER, LONG_SECONDS, Done

LARGEST_MESSAGE: Final = 1 << 30


class WorkFailed(Exception):
    """A call that gave no result: `kind` is error (the code raised), timeout (it was killed) or died (its process ended)."""

    def __init__(self, kind: str, message: str, error_type: str = "") -> None:
        super().__init__(kind, message, error_type)
        self.kind, self.message, self.error_type = kind, message, error_type

    def __str__(self) -> str:
        return self.message


@dataclass(eq=False, slots=True)
class Call:
    """A job on its way: how long it may take, where its answer goes, whether it may be made twice, and who wants to know that it has begun."""

    job: bytes
    seconds: float | None
    answer: asyncio.Future[Done]
    repeatable: bool = False
    begun: asyncio.Future[None] | None = None

    def begin(self) -> None:
        if self.begun is not None and not self.begun.done():
            self.begun.set_result(None)

    def fail(self, error: WorkFailed) -> None:
        self.begin()
        if not self.answer.done():
            self.answer.set_exception(error)


class Lane(asyncio.Protocol):
    """One worker and its calls. `on_change` is told when it has room or has ended, `on_return` gets the calls it gives back."""

    def __init__(self, worker: Worker, on_change: Callable[[], None], on_return: Callable[[list[Call]], None]) -> None:
        self.worker = worker
        self.calls: deque[Call] = deque()
        self.open = True
        """Whether it takes further calls."""
        self.seconds: float | None = None
        """How long its calls take: up at once with a long one, down slowly with short ones."""
        self._on_change, self._on_return = on_change, on_return
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._since = 0.0
        self._clock: asyncio.TimerHandle | None = None

    async def connect(self) -> None:
        self._transport, _ = await self._loop.connect_accepted_socket(lambda: self, self.worker.connection)

    def give(self, calls: list[Call]) -> None:
        """Send calls to the worker, in one write."""
        assert self._transport is not None
        idle = not self.calls
        self.calls.extend(calls)
        self._transport.write(b"".join(part for call in calls for part in (HEADER.pack(len(call.job)), call.job)))
        if idle:
            self._begin()

    def drop(self, call: Call) -> None:
        """A call that nobody waits for any more: its worker is ended when it is at it, else its answer will be thrown away."""
        if self.calls and self.calls[0] is call:
            self.end()

    def end(self, error: WorkFailed | None = None, *, lost: int = 1) -> None:
        """Kill the worker. The call that it was at is lost and fails with `error`; the others are given back."""
        self.open = False
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
        self.worker.kill()
        if self._transport is not None:
            self._transport.abort()
        calls, self.calls = list(self.calls), deque()
        for call in calls[:lost]:
            call.fail(error or WorkFailed("died", "it was stopped"))
        self._on_return(calls[lost:])
        self._on_change()

    # What the connection says.

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        at = 0
        while self.calls and len(self._buffer) >= at + HEADER.size:
            (size,) = HEADER.unpack_from(self._buffer, at)
            if size > LARGEST_MESSAGE:
                self.end(WorkFailed("died", f"its process ended (its answer of {size:,} bytes is too large)"))
                return
            end = at + HEADER.size + size
            if len(self._buffer) < end:
                break
            self._answered(msgspec.msgpack.decode(bytes(self._buffer[at + HEADER.size : end]), type=Done))
            at = end
        del self._buffer[:at]

    def connection_lost(self, exc: Exception | None) -> None:
        if self.calls:
            self._take_what_came()
        if self.open or self.calls:
            limit = f"; worker_memory_mb is {self.worker.memory_mb}" if self.worker.memory_mb else ""
            self.end(WorkFailed("died", f"its process ended ({exc or 'killed or crashed'}{limit})"))

    def _take_what_came(self) -> None:
        """Answers that were sent before the worker ended: a write that fails is noticed before they are read."""
        with suppress(OSError):
            while self.calls and (data := self.worker.connection.recv(1 << 16)):
                self.data_received(data)

    def _answered(self, done: Done) -> None:
        call = self.calls.popleft()
        if not call.answer.done():
            call.answer.set_result(done)
        if done.last or not self.open:
            self.end(lost=0)
            return
        self.seconds = done.seconds if self.seconds is None else max(done.seconds, 0.9 * self.seconds + 0.1 * done.seconds)
        if self.calls:
            self._begin()
        self._on_change()

    # The clock of the first call.

    def _begin(self) -> None:
        self._since = self._loop.time()
        if self.calls[0].answer.done():  # nobody waits for it any more, and it may take long
            self.end()
            return
        self.calls[0].begin()
        self._wind(self._since + min(self.calls[0].seconds or LONG_SECONDS, LONG_SECONDS))

    def _wind(self, when: float) -> None:
        if self._clock is not None:
            if self._clock.when() <= when:
                return
            self._clock.cancel()
        self._clock = self._loop.call_at(when, self._look)

    def _look(self) -> None:
        """Called now and then while calls are under way: is the first one late, or taking long?"""
        self._clock = None
        if not self.calls:
            return
        now, limit = self._loop.time(), self.calls[0].seconds
        if limit is not None and now >= self._since + limit:
            self.end(WorkFailed("timeout", f"no result within {limit:g} s: it was killed"))
            return
        if now >= self._since + LONG_SECONDS and len(self.calls) > 1:
            self._wait_for_the_first_alone()
        self._wind(now + LONG_SECONDS if limit is None else min(now + LONG_SECONDS, self._since + limit))

    def _wait_for_the_first_alone(self) -> None:
        """Give back the calls that cannot have begun. They lie with the worker too, so it is ended after the one that it is at."""
        self.open = False
        first, *behind = self.calls
        self.calls = deque([first])
        self._on_return(behind)
