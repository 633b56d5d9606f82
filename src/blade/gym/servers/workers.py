"""Killable worker processes for the code of environments.

Tools and verifiers are other people's code over a model's text: they may hang, crash or eat memory. They run in worker processes with
a deadline for each call; a worker that misses it is killed with everything it started, and only that call is lost, because the state of
a session travels with the call and comes back with the answer.

A template process loads the environment once and forks a worker whenever one is needed, so that replacing a killed worker takes
milliseconds. Template and workers end with the process that started them, however that one ends. What one worker has been given is
`lanes`, how processes are held and ended `worker_handles`, what they run `worker_process`.
"""

import asyncio
import pickle
from collections import deque
from concurrent.futures import Future
from typing import Any, Final

import msgspec

from blade.gym.servers.deadlines import has_deadline, held
from blade.gym.servers.lanes import Call, Lane, WorkFailed
from blade.gym.servers.worker_handles import NotLoaded, Template, Worker
from blade.gym.servers.worker_process import OUT_OF_MEMORY, Done, Job, Recipe

__all__ = ["LOAD_SECONDS", "NOTHING", "WorkFailed", "WorkerPool"]

LOAD_SECONDS: Final = 120.0
"""How long an environment may take to load; a hang there must not stop a run without a word."""
NOTHING: Final = pickle.dumps(None)
AHEAD_SECONDS: Final = 0.01
"""How much work a worker may have before it: a call that takes longer than this is sent when its worker is free."""
MOST_AHEAD: Final = 32


class WorkerPool:
    """At most `size` workers for one server; calls wait their turn, and a deadline counts from when a call starts."""

    def __init__(self, recipe: Recipe, size: int, *, load_seconds: float = LOAD_SECONDS) -> None:
        self._recipe = recipe
        self._size = size
        self._load_seconds = load_seconds
        self._waiting: deque[Call] = deque()
        self._lanes: list[Lane] = []
        self._starting: set[asyncio.Task[None] | None] = set()
        self._template: Template | None = None
        self._woken = False
        self._closed = False

    async def call(
        self, method: str, state: bytes | None, arguments: list[Any], timeout: float | None, *, repeatable: bool = False
    ) -> tuple[Any, bytes | None]:
        """The method's result and the state it left; raises `WorkFailed`. `repeatable`: it may be begun twice, so it may be sent ahead."""
        try:
            job = msgspec.msgpack.encode(Job(method, state, arguments))
        except (ValueError, TypeError, OverflowError) as error:  # a lone surrogate, a number beyond 64 bits
            raise WorkFailed("error", f"the arguments of {method} cannot be sent to a worker: {error}", "ValueError") from None
        done = await self._done(job, timeout, repeatable)
        if done.error is not None:
            raise WorkFailed("died" if done.error_type == OUT_OF_MEMORY else "error", self._said(done), done.error_type)
        return msgspec.msgpack.decode(done.value), done.state

    async def _done(self, job: bytes, timeout: float | None, repeatable: bool) -> Done:
        if self._closed:
            raise WorkFailed("died", "it was stopped")
        loop = asyncio.get_running_loop()
        call = Call(job, timeout, loop.create_future(), repeatable)
        self._waiting.append(call)
        self._wake()
        try:
            if has_deadline():
                call.begun = loop.create_future()
                with held():
                    await call.begun
            return await call.answer
        except asyncio.CancelledError:
            self._forget(call)
            raise

    def _forget(self, call: Call) -> None:
        """Nobody waits for a call any more, wherever it is."""
        call.answer.cancel()
        if call in self._waiting:
            self._waiting.remove(call)
        for lane in self._lanes:
            lane.drop(call)

    def _said(self, done: Done) -> str:
        if done.error_type == OUT_OF_MEMORY and self._recipe.memory_mb:
            return f"it needed more memory than worker_memory_mb ({self._recipe.memory_mb}) allows"
        return str(done.error)

    # Who gets which call.

    def _wake(self) -> None:
        """Give calls out when the event loop comes round, all that are there by then together."""
        if not self._woken and not self._closed:
            self._woken = True
            asyncio.get_running_loop().call_soon(self._give_out)

    def _give_out(self) -> None:
        self._woken = False
        self._lanes = [lane for lane in self._lanes if self._usable(lane)]
        given: dict[Lane, list[Call]] = {lane: [] for lane in sorted(self._lanes, key=lambda lane: len(lane.calls))}
        while self._waiting and (lane := _lane_for(self._waiting[0], given)) is not None:
            given[lane].append(self._waiting.popleft())
        for lane, calls in given.items():
            if calls:
                lane.give(calls)
        wanted = min(len(self._waiting), self._size - len(self._lanes)) - len(self._starting)
        for _ in range(wanted):
            self._starting.add(asyncio.create_task(self._start_worker()))

    def _usable(self, lane: Lane) -> bool:
        """Whether a lane is still there; a worker that ended while it waited (the system may kill the largest process) is not."""
        if lane.open and not lane.calls and not lane.worker.alive:
            lane.end()
        return lane.open or bool(lane.calls)

    def _take_back(self, calls: list[Call]) -> None:
        self._waiting.extendleft(call for call in reversed(calls) if not call.answer.done())
        self._wake()

    async def _start_worker(self) -> None:
        try:
            lane = await self._new_lane()
        except (NotLoaded, OSError) as error:
            self._cannot_start(f"{self._recipe.component.implementation} could not be loaded in a worker: {error}")
        else:
            self._lanes.append(lane)
        finally:
            self._starting.discard(asyncio.current_task())
            self._wake()

    async def _new_lane(self) -> Lane:
        if self._template is None or not self._template.alive:
            if self._template is not None:
                self._template.close()
            self._template = Template(self._recipe, self._load_seconds)
        forked = self._template.fork()
        try:
            lane = Lane(await asyncio.wrap_future(forked), self._wake, self._take_back)
            await lane.connect()
        except NotLoaded:
            raise
        except BaseException:
            forked.add_done_callback(_kill_forked)
            raise
        return lane

    def _cannot_start(self, reason: str) -> None:
        """Calls that wait for a worker that will not come fail, unless another one can take them."""
        if self._lanes:
            return
        while self._waiting:
            self._waiting.popleft().fail(WorkFailed("died", reason))

    async def close(self) -> None:
        self._closed = True
        for start in list(self._starting):
            if start is not None:
                start.cancel()
        for lane in self._lanes:
            lane.end()
        self._lanes.clear()
        while self._waiting:
            self._waiting.popleft().fail(WorkFailed("died", "it was stopped"))
        if self._template is not None:
            template, self._template = self._template, None
            await asyncio.to_thread(template.close)


def _lane_for(call: Call, given: dict[Lane, list[Call]]) -> Lane | None:
    """The lane that takes the next call: one that does nothing, or, for a call that may be made twice, the shortest one with room."""
    shortest = min(given, key=lambda lane: _length(lane, given) if lane.open else MOST_AHEAD, default=None)
    if shortest is None or not shortest.open:
        return None
    length = _length(shortest, given)
    return shortest if length == 0 or (call.repeatable and length < _most(shortest)) else None


def _length(lane: Lane, given: dict[Lane, list[Call]]) -> int:
    return len(lane.calls) + len(given[lane])


def _most(lane: Lane) -> int:
    """How many calls a worker may have: one where they take long, many where they are quick."""
    return 1 if lane.seconds is None else max(1, min(MOST_AHEAD, int(AHEAD_SECONDS / max(lane.seconds, 1e-9))))


def _kill_forked(forked: Future[Worker]) -> None:
    """The end of a worker that nobody waits for any more."""
    if not forked.cancelled() and forked.exception() is None:
        forked.result().connection.close()
        forked.result().kill()
