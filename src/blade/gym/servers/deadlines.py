"""Deadlines of code in the event loop, which stand still while that code waits for a worker.

A verifier that gives its computing to `in_worker` may wait behind a thousand others. That wait is the machine's doing, not the verifier's,
so it must not use up the time that the verifier has: a busy evaluation would turn good verdicts into timeouts.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar


class Deadline:
    """One `asyncio.Timeout` that can be held; several waits at once hold it until the last one is over."""

    def __init__(self, limit: asyncio.Timeout) -> None:
        self._limit = limit
        self._waits = 0
        self._left: float | None = None

    def hold(self) -> None:
        self._waits += 1
        when = self._limit.when()
        if self._waits == 1 and when is not None:
            self._left = when - asyncio.get_running_loop().time()
            self._reschedule(None)

    def go_on(self) -> None:
        self._waits -= 1
        if self._waits == 0 and self._left is not None:
            self._reschedule(asyncio.get_running_loop().time() + self._left)
            self._left = None

    def _reschedule(self, when: float | None) -> None:
        with suppress(RuntimeError):  # it has struck already, or what it was for is over
            self._limit.reschedule(when)


_CURRENT: ContextVar[Deadline | None] = ContextVar("_CURRENT", default=None)


@asynccontextmanager
async def deadline(seconds: float | None) -> AsyncIterator[None]:
    """`asyncio.timeout` for the code of environments: `held` inside it stops its clock."""
    async with asyncio.timeout(seconds) as limit:
        token = _CURRENT.set(Deadline(limit))
        try:
            yield
        finally:
            _CURRENT.reset(token)


def has_deadline() -> bool:
    """Whether the code that asks runs within a `deadline`."""
    return _CURRENT.get() is not None


@contextmanager
def held() -> Iterator[None]:
    """While the block lasts, the deadline around it (if there is one) does not come nearer."""
    current = _CURRENT.get()
    if current is None:
        yield
        return
    current.hold()
    try:
        yield
    finally:
        current.go_on()
