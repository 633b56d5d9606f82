"""Work on this machine: in this process for one worker or one item, else in a pool of worker processes.

Workers come from a fork server, a clean process that has imported the modules the work needs: starting one costs a fork, not an
import, and inherits neither our threads nor our open files. Where there is no fork server they are spawned.

Three things can end the work early, and none may leave a traceback from a worker or an orphan behind:
- the function raises: the exception is raised here as itself;
- a worker dies (out of memory, a crash in native code): the user is told so, because nothing else would say it;
- the user presses Ctrl-C: workers never see the signal, this process stops them.
If this process itself is killed, its workers notice and leave. Nothing is ever cancelled one by one: the few items under way when a
map is left early either finish unread or die with the pool, for an executor that loses its workers stumbles over cancelled work.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from blade.engines.cpus import usable_cpus
from blade.engines.garbage import look_rarely
from blade.errors import BladeError, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.context import BaseContext

Item = TypeVar("Item")
Result = TypeVar("Result")

IN_FLIGHT_PER_WORKER = 2
"""One item at work and one waiting keeps a worker busy; more would only hold more items and results in memory."""


class LocalEngine:
    """Maps work over processes of this machine. The pool starts with the first map that needs it."""

    def __init__(self, workers: int | None = None, *, preload: Sequence[str] = ()) -> None:
        if workers is not None and workers < 1:
            raise UsageError(f"{workers} workers cannot do any work", hint="give --workers a number from 1 up, or leave it out")
        self.workers = usable_cpus() if workers is None else workers
        self._preload = list(preload)
        self._pool: ProcessPoolExecutor | None = None
        self._unfinished: set[Future[object]] = set()

    def map(self, function: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[Result]:
        """The result of each item, in order; at most `2 * workers` items are under way."""
        rest = iter(items)
        first = list(islice(rest, 2))
        if self.workers == 1 or len(first) < 2:
            yield from map(function, chain(first, rest))
        else:
            yield from self._map_in_pool(function, chain(first, rest))

    def _map_in_pool(self, function: Callable[[Item], Result], items: Iterator[Item]) -> Iterator[Result]:
        from concurrent.futures.process import BrokenProcessPool

        under_way: deque[Future[Result]] = deque()
        try:
            while True:
                for item in islice(items, IN_FLIGHT_PER_WORKER * self.workers - len(under_way)):
                    under_way.append(self._submit(function, item))
                if not under_way:
                    return
                yield under_way.popleft().result()
        except BrokenProcessPool as broken:
            self._end_pool()
            raise BladeError(
                "a worker process died, most likely because the machine ran out of memory",
                hint="run again with --workers 1, or with fewer workers",
            ) from broken
        except KeyboardInterrupt:
            self._end_pool(at_once=True)
            raise

    def _submit(self, function: Callable[[Item], Result], item: Item) -> Future[Result]:
        if self._pool is None:
            _start_resource_tracker()
        with _without_main(), _interrupts_waiting():  # a worker started halfway would be missed when the pool is ended
            if self._pool is None:
                self._pool = _start_pool(self.workers, self._preload)
            future = self._pool.submit(_work, function, item)
        self._unfinished.add(future)  # type: ignore[arg-type]  # a Future is invariant only because results can be set
        future.add_done_callback(self._unfinished.discard)
        return future

    def close(self) -> None:
        """Let the workers go; stop those still at work, for nobody is left to read their results."""
        self._end_pool()

    def _end_pool(self, at_once: bool = False) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        if at_once or any(not future.done() for future in list(self._unfinished)):
            # The executor has no public way to stop running work before Python 3.14.
            for process in list((pool._processes or {}).values()):
                process.kill()
        pool.shutdown(wait=True)
        self._unfinished.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /) -> None:
        self.close()


def _start_resource_tracker() -> None:
    """Before anything else of the pool: Python unblocks Ctrl-C when it starts this process of its own."""
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()


@contextmanager
def _interrupts_waiting() -> Iterator[None]:
    """Ctrl-C takes effect when this is left; processes started within never see it.

    They inherit the blocked signal. Here blocking is not enough: a thread of some library may take the signal, and Python then
    interrupts the main thread all the same.
    """
    handler = signal.getsignal(signal.SIGINT)
    deferred = callable(handler) and threading.current_thread() is threading.main_thread()
    came: list[tuple[int, FrameType | None]] = []
    if deferred:
        signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)
        if deferred:
            signal.signal(signal.SIGINT, handler)
    if came and callable(handler):
        handler(*came[0])


@contextmanager
def _without_main() -> Iterator[None]:
    """Start workers that do not import the user's script: they need our modules only, and a script without a `__main__` guard would run again."""
    main = sys.modules["__main__"]
    path, spec = getattr(main, "__file__", None), main.__spec__
    main.__spec__ = None
    if path is not None:
        del main.__file__
    try:
        yield
    finally:
        main.__spec__ = spec
        if path is not None:
            main.__file__ = path


def _start_pool(workers: int, preload: list[str]) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(workers, mp_context=_worker_context(preload), initializer=_become_worker)


def _worker_context(preload: list[str]) -> BaseContext:
    import multiprocessing

    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["blade.engines.local", "concurrent.futures.process", *preload])
    # Started with the signal blocked, the server and every worker it forks have it blocked from their first instruction on;
    # ignoring it in the worker alone would leave a moment in which Ctrl-C prints a traceback.
    forkserver.ensure_running()
    return context


def _become_worker() -> None:
    """Run once in each worker: leave Ctrl-C to the parent, and leave with it should it vanish."""
    look_rarely()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _work(function: Callable[[Item], Result], item: Item) -> Result:
    """One item in a worker. An exception that cannot make the way back is replaced by one that can.

    The executor would take a reply it cannot read for the death of the worker.
    """
    try:
        return function(item)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301 (our own bytes)
        except Exception:  # noqa: BLE001 (any failure to pickle, of any class)
            raise RuntimeError(f"{type(error).__name__}: {error}") from None
        raise
