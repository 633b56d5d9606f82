"""While a run is under way: it is watched, its files are synced, and it can be stopped."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from blade.gym.collect.durable import RowFile
from blade.gym.collect.schedule import Schedule
from blade.gym.collect.tally import Tally

Watch = Callable[[Tally], None]
SECONDS = 0.5
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@asynccontextmanager
async def watched(tally: Tally, watch: Watch, files: Sequence[RowFile]) -> AsyncIterator[None]:
    """Every moment the watcher is told and the files go to the disk, beside the work and not in its way."""

    async def look() -> None:
        while True:
            watch(tally)
            for file in files:
                await asyncio.to_thread(file.sync)
            await asyncio.sleep(SECONDS)

    looking = asyncio.create_task(look())
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.wait([looking])
        watch(tally)


@asynccontextmanager
async def stoppable(schedule: Schedule, on_stop: Callable[[], None]) -> AsyncIterator[asyncio.Event]:
    """The first interrupt lets rollouts under way finish, the second ends them too."""
    loop, task, stopped = asyncio.get_running_loop(), asyncio.current_task(), asyncio.Event()

    def interrupt() -> None:
        if stopped.is_set() and task is not None:
            task.cancel()
        stopped.set()
        schedule.stop()
        on_stop()

    for number in STOPPING:
        loop.add_signal_handler(number, interrupt)
    try:
        yield stopped
    finally:
        for number in STOPPING:
            loop.remove_signal_handler(number)
