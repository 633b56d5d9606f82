"""All servers of a configuration in one process, without ports: the default of `gym eval run` on one machine."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from blade.gym.config import GymConfig
from blade.gym.config.instances import DUMMY_MODEL, KINDS
from blade.gym.servers.calls import LocalCalls
from blade.gym.servers.components import build, component_of


@asynccontextmanager
async def local_servers(config: GymConfig, kinds: Sequence[str] = KINDS) -> AsyncIterator[LocalCalls]:
    """The servers of these kinds, started, as something to call; they are stopped at the end, those started last first."""
    calls = LocalCalls()
    for instance in config.instances.values():
        if instance.kind not in kinds or instance.implementation == DUMMY_MODEL:
            continue
        component = component_of(instance, config.roots)
        calls.servers[instance.name] = build(component, instance.name, instance.settings, calls)
    async with AsyncExitStack() as stack:
        for server in calls.servers.values():
            stack.push_async_callback(server.stop)
            await server.start()
        yield calls
