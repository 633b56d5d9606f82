"""The environments of a configuration as metric hooks: built from their classes, never started."""

from blade.errors import UsageError
from blade.gym.config import GymConfig
from blade.gym.metrics.hooks import Hook
from blade.gym.servers.calls import NoCalls
from blade.gym.servers.components import build, component_of
from blade.gym.servers.resources import ResourcesServer


def hooks_of(config: GymConfig) -> dict[str | None, Hook]:
    """By agent: the environment that it works in; one whose code is not on this machine has no hook here."""
    found: dict[str | None, Hook] = {}
    for agent in config.instances.values():
        reference = agent.settings.get("resources_server")
        name = reference.get("name") if isinstance(reference, dict) else None
        instance = config.instances.get(str(name))
        if agent.kind != "responses_api_agents" or instance is None:
            continue
        try:
            component = component_of(instance, config.roots)
        except UsageError:
            continue
        server = build(component, instance.name, instance.settings, NoCalls())
        if isinstance(server, ResourcesServer):
            found[agent.name] = server
    return found
