"""`gym env start`: one process per server, a head server, and somebody who watches them.

The supervising process binds every port, starts every server, waits until all answer and until the endpoints behind the model servers
take connections, and then watches. A server that ends is reported at once with its last words and started again on the same port, after
a pause that grows, a few times in a row (`max_server_restarts`, 3; `restart_servers: false` for never): a killed server costs the rollouts that
were in it and no others. When one cannot be kept up, all are ended and the command fails. Servers end with their supervisor, however it ends.
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from blade.errors import BladeError, Exit, UsageError
from blade.gym.config import GymConfig
from blade.gym.servers.child import Child, Ended, log_name
from blade.gym.servers.components import find
from blade.gym.servers.endpoints import WAIT_SECONDS, endpoints, wait_for_endpoints
from blade.gym.servers.head import as_yaml, head_server, with_addresses
from blade.gym.servers.http import is_loopback
from blade.gym.servers.ports import bind_instances
from blade.gym.servers.process import allow_many_files

START_SECONDS: Final = 300.0
MOST_RESTARTS: Final = 3
STEADY_SECONDS: Final = 60.0
"""A server that ran this long is sound: what ends it then has nothing to do with how it was started."""
FIRST_PAUSE: Final = 0.5
GRACE_SECONDS: Final = 5.0
Tell = Callable[[str], None]


class ServersFailed(BladeError):
    """A server could not be started or kept up."""

    exit_code = Exit.FELL_SHORT


class Servers:
    """The processes of a configuration."""

    def __init__(self, children: list[Child], settings: dict[str, Any], tell: Tell) -> None:
        self.children = children
        self.head = ""
        self._urls = {child.name: child.url for child in children}
        self._yaml = as_yaml(settings)
        self._verbose = bool(settings.get("verbose"))
        self._tell = tell
        self._start_seconds = _number(settings, "server_start_timeout_seconds", START_SECONDS)
        wanted = settings.get("restart_servers", True)
        self._most_restarts = int(_number(settings, "max_server_restarts", MOST_RESTARTS)) if wanted else 0

    async def start(self) -> None:
        """Start all and wait until each answers; one that ends instead ends the whole start."""
        for child in self.children:
            await child.start(self._urls, self._yaml, verbose=self._verbose)
        await _all(self._first_answer(child) for child in self.children)

    async def _first_answer(self, child: Child) -> None:
        try:
            if not await child.answers(self._start_seconds):
                raise ServersFailed(
                    f"{child.name} did not answer within {self._start_seconds:g} s",
                    hint=f"see its log {child.log}, or wait longer with +server_start_timeout_seconds=N",
                )
        except Ended as ended:
            raise ServersFailed(str(ended)) from None
        self._tell(f"{child.name}: {child.url} ready")

    async def watch(self) -> None:
        """Keep all of them up; raises `ServersFailed` when one cannot be."""
        await _all(self._keep(child) for child in self.children)

    async def _keep(self, child: Child) -> None:
        while True:
            how = await child.ended()
            if time.time() - child.started > STEADY_SECONDS:
                child.restarts = 0
            if child.restarts >= self._most_restarts:
                times = f" after {child.restarts} restarts" if child.restarts else ""
                raise ServersFailed(f"{how}{times}", hint="all servers were stopped")
            child.restarts += 1
            pause = FIRST_PAUSE * 2 ** (child.restarts - 1)
            self._tell(f"{how}; it is started again in {pause:g} s ({child.restarts} of {self._most_restarts})")
            await asyncio.sleep(pause)
            await child.start(self._urls, self._yaml, verbose=self._verbose)
            with suppress(Ended):  # its end is told, and counted, at the beginning of the next round
                if await child.answers(self._start_seconds):
                    self._tell(f"{child.name}: {child.url} ready again")
                else:
                    child.kill()

    async def stop(self) -> None:
        """End all: asked first, killed when they do not listen."""
        for child in self.children:
            child.terminate()
        running = [child.process.wait() for child in self.children if child.process is not None]
        try:
            async with asyncio.timeout(GRACE_SECONDS):
                await asyncio.gather(*running)
        except TimeoutError:
            for child in self.children:
                child.kill()
        for child in self.children:
            child.listening.close()


@asynccontextmanager
async def started_servers(config: GymConfig, tell: Tell) -> AsyncIterator[Servers]:
    """All servers of a configuration, answering, and a head server that knows them; they are ended with the block."""
    if not config.instances:
        raise UsageError("the configuration has no servers", hint="name some with --config, --benchmark or --resources-server")
    components = {
        name: find(one.kind, one.implementation, config.roots, str(one.settings.get("entrypoint") or "app.py"))
        for name, one in config.instances.items()
    }
    allow_many_files()
    folder = log_folder(config.settings)
    bound = bind_instances(config)
    children = [Child(one, components[name], bound[name], folder / log_name(name)) for name, one in config.instances.items()]
    settings = with_addresses(config, {child.name: child.listening.getsockname()[:2] for child in children})
    servers = Servers(children, settings, tell)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(servers.stop)
        servers.head = await stack.enter_async_context(head_server(settings, lambda: [child.described() for child in children]))
        tell(f"logs: {folder}")
        for child in children:
            if not is_loopback(host := child.listening.getsockname()[0]):
                tell(f"{child.name} listens on {host}: whoever can reach this machine can use it")
        await servers.start()
        yield servers


async def run_servers(config: GymConfig, tell: Tell, stop: asyncio.Event) -> None:
    """Start all servers and keep them up until `stop` is set."""
    await _unless(stop, _run(config, tell))


async def _run(config: GymConfig, tell: Tell) -> None:
    async with started_servers(config, tell) as servers:
        seconds = _number(config.settings, "model_endpoint_readiness_timeout_seconds", WAIT_SECONDS)
        watching = asyncio.ensure_future(servers.watch())
        waiting = asyncio.ensure_future(wait_for_endpoints(endpoints(config.instances.values()), seconds, tell))
        try:
            await asyncio.wait([watching, waiting], return_when=asyncio.FIRST_COMPLETED)
            if waiting.done():
                await waiting
                tell(f"head server: {servers.head}; all {len(servers.children)} servers are ready (Ctrl-C stops them)")
            await watching
        finally:
            await _cancelled(watching, waiting)


async def _unless(stop: asyncio.Event, work: Awaitable[None]) -> None:
    """The work, ended early and cleanly when `stop` is set."""
    working = asyncio.ensure_future(work)
    stopping = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait([working, stopping], return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            await working
    finally:
        await _cancelled(working, stopping)


async def _cancelled(*tasks: "asyncio.Future[Any]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _all(work: Any) -> None:
    """Everything at once; the first failure ends the rest and is raised as it is."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        await _cancelled(*tasks)


def log_folder(settings: dict[str, Any]) -> Path:
    """Where each server's log lies: as configured, else beside the results, else in a new folder of the system's temporary one."""
    if configured := settings.get("nemo_gym_log_dir"):
        folder = Path(str(configured))
    elif results := settings.get("results_dir"):
        folder = Path(str(results)) / "logs"
    else:
        return Path(tempfile.mkdtemp(prefix="gym-logs-"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"the folder for logs cannot be made ({error.strerror})", path=folder) from None
    return folder.resolve()


def _number(settings: dict[str, Any], key: str, default: float) -> float:
    value = settings.get(key)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise UsageError(f"{key} is {value!r}, not a number of 0 or more")
    return float(value)
