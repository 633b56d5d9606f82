"""Killable worker processes for the code of environments.

Tools and verifiers are other people's code over a model's text: they may hang, crash or eat memory. They run in worker processes, one
call at a time each, with a deadline; a worker that misses it is killed with everything it started, and only that call is lost, because
the state of a session travels with the call and comes back with the answer.

A template process loads the environment once and forks a worker whenever one is needed, so that replacing a killed worker takes
milliseconds. Template and workers end with the process that started them, however that one ends. How they are held and
ended is `worker_handles`, what they run `worker_process`.
"""

import asyncio
import pickle
from concurrent.futures import Future
from typing import Any, Final

import msgspec

from blade.gym.servers.deadlines import held
from blade.gym.servers.worker_handles import NotLoaded, Template, Worker
from blade.gym.servers.worker_process import OUT_OF_MEMORY, Done, Job, Recipe

LOAD_SECONDS: Final = 120.0
"""How long an environment may take to load; a hang there must not stop a run without a word."""
NOTHING: Final = pickle.dumps(None)


class WorkFailed(Exception):
    """A call that gave no result: `kind` is error (the code raised), timeout (it was killed) or died (its process ended)."""

    def __init__(self, kind: str, message: str, error_type: str = "") -> None:
        super().__init__(kind, message, error_type)
        self.kind, self.message, self.error_type = kind, message, error_type

    def __str__(self) -> str:
        return self.message


class WorkerPool:
    """At most `size` workers for one server; calls wait their turn, and a deadline counts from when a call starts."""

    def __init__(self, recipe: Recipe, size: int, *, load_seconds: float = LOAD_SECONDS) -> None:
        self._recipe = recipe
        self._load_seconds = load_seconds
        self._free = asyncio.Semaphore(size)
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._template: Template | None = None

    async def call(
        self, method: str, state: bytes | None, arguments: list[Any], timeout: float | None
    ) -> tuple[Any, bytes | None]:
        """The method's result and the state it left; raises `WorkFailed`."""
        try:
            job = msgspec.msgpack.encode(Job(method, state, arguments))
        except (ValueError, TypeError, OverflowError) as error:  # a lone surrogate, a number beyond 64 bits
            raise WorkFailed("error", f"the arguments of {method} cannot be sent to a worker: {error}", "ValueError") from None
        with held():
            await self._free.acquire()
            try:
                worker = self._idle_worker() or await self._new_worker()
            except BaseException:
                self._free.release()
                raise
        try:
            done = await self._done(worker, job, timeout)
        finally:
            self._free.release()
        if done.error is not None:
            raise WorkFailed("died" if done.error_type == OUT_OF_MEMORY else "error", self._said(done), done.error_type)
        return msgspec.msgpack.decode(done.value), done.state

    async def _done(self, worker: Worker, job: bytes, timeout: float | None) -> Done:
        """What a worker says to a job. It is free again afterwards, or killed."""
        self._busy.add(worker)
        kept = False
        try:
            async with asyncio.timeout(timeout):
                answer = await worker.ask(job)
            done = msgspec.msgpack.decode(answer, type=Done)
            kept = done.error_type != OUT_OF_MEMORY
            return done
        except TimeoutError:
            raise WorkFailed("timeout", f"no result within {timeout:g} s: it was killed") from None
        except (OSError, EOFError) as error:
            limit = f"; worker_memory_mb is {self._recipe.memory_mb}" if self._recipe.memory_mb else ""
            raise WorkFailed("died", f"its process ended ({str(error) or 'killed or crashed'}{limit})") from None
        finally:
            self._busy.discard(worker)
            if kept:
                self._idle.append(worker)
            else:
                worker.kill()

    def _said(self, done: Done) -> str:
        if done.error_type == OUT_OF_MEMORY and self._recipe.memory_mb:
            return f"it needed more memory than worker_memory_mb ({self._recipe.memory_mb}) allows"
        return str(done.error)

    def _idle_worker(self) -> Worker | None:
        """A worker that waits; those that ended meanwhile (the system may kill the largest process) are passed over."""
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            worker.kill()
        return None

    async def _new_worker(self) -> Worker:
        if self._template is None or not self._template.alive:
            if self._template is not None:
                self._template.close()
            self._template = Template(self._recipe, self._load_seconds)
        forked = self._template.fork()
        try:
            return await asyncio.wrap_future(forked)
        except NotLoaded as error:
            name = self._recipe.component.implementation
            raise WorkFailed("died", f"{name} could not be loaded in a worker: {error}") from None
        except BaseException:
            forked.add_done_callback(_kill_forked)
            raise

    async def close(self) -> None:
        for worker in [*self._idle, *self._busy]:
            worker.kill()
        self._idle.clear()
        if self._template is not None:
            template, self._template = self._template, None
            await asyncio.to_thread(template.close)


def _kill_forked(forked: Future[Worker]) -> None:
    """The end of a worker that nobody waits for any more."""
    if not forked.cancelled() and forked.exception() is None:
        forked.result().kill()
