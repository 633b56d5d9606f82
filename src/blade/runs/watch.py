"""Queries that take too long are interrupted, whoever wrote them.

One thread watches over all queries of a connection. It looks when the earliest of them could be due, not when one begins: hundreds of
quick queries need not wait for hundreds of threads to start.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Thread
from time import monotonic


class Watch:
    def __init__(self, interrupt: Callable[[], object], seconds: float) -> None:
        self._interrupt = interrupt
        self._seconds = seconds
        self._changed = Condition()
        self._due: float | None = None
        """When the query that is running now has to be done."""
        self._watching = False
        self._closed = False

    @contextmanager
    def over(self) -> Iterator[None]:
        """Interrupt what runs within, should it take too long."""
        with self._changed:
            self._due = monotonic() + self._seconds
            if not self._watching:
                self._watching = True
                Thread(target=self._watch, daemon=True).start()
        try:
            yield
        finally:
            with self._changed:
                self._due = None

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _watch(self) -> None:
        """Until nothing runs any more; a query that begins while this sleeps is due after it wakes."""
        with self._changed:
            left = self._seconds
            while not self._closed:
                self._changed.wait(left)
                if self._due is None:
                    break
                left = self._due - monotonic()
                if left <= 0:
                    self._interrupt()
                    self._due, left = None, self._seconds
            self._watching = False
