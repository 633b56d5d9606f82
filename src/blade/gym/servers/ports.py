"""Ports for servers: each instance's listening socket is bound by the process that supervises it.

A port that is bound is free beyond doubt, and it stays bound while a server is started again: callers wait in its queue instead of
being refused.
"""

import errno
import random
import socket
from collections.abc import Iterable, Mapping
from typing import Any, Final

from blade.errors import UsageError
from blade.gym.config import GymConfig, Instance
from blade.gym.servers.head import head_address
from blade.gym.servers.http import LOOPBACK, listen

LOWEST, HIGHEST = 10_001, 20_000
_SPREAD: Final = random.SystemRandom()


def bind_instances(config: GymConfig) -> dict[str, socket.socket]:
    """A listening socket for every instance: at the port that its settings name, else at a free one of the range."""
    settings = config.settings
    asked = {name: port for name, instance in config.instances.items() if (port := instance.settings.get("port"))}
    for name, port in asked.items():
        if not isinstance(port, int):
            raise UsageError(f"the port of {name} is {port!r}, not a number")
    disallowed = settings.get("disallowed_ports") or []
    if not isinstance(disallowed, list):
        raise UsageError("disallowed_ports must be a list of ports", hint="write +disallowed_ports=[8080,8081]")
    _, head_port = head_address(settings)
    free = _candidates(settings, avoid={*asked.values(), head_port, *disallowed})
    bound: dict[str, socket.socket] = {}
    try:
        for name, instance in config.instances.items():
            bound[name] = _bind(instance, default_host(settings), free)
    except BaseException:
        for one in bound.values():
            one.close()
        raise
    return bound


def default_host(settings: Mapping[str, Any]) -> str:
    """Where servers listen that do not say: on this machine only, unless the configuration wants its address in the network."""
    if settings.get("use_absolute_ip"):
        return socket.gethostbyname(socket.gethostname())
    return str(settings.get("default_host") or LOOPBACK)


def _candidates(settings: Mapping[str, Any], avoid: Iterable[int]) -> list[int]:
    low, high = settings.get("port_range_low") or LOWEST, settings.get("port_range_high") or HIGHEST
    if not (isinstance(low, int) and isinstance(high, int) and 0 < low <= high < 65_536):
        raise UsageError(f"port_range_low and port_range_high are {low} and {high}, not a range of ports")
    ports = sorted(set(range(low, high + 1)) - set(avoid))
    _SPREAD.shuffle(ports)
    return ports


def _bind(instance: Instance, host: str, free: list[int]) -> socket.socket:
    where = str(instance.settings.get("host") or host)
    port = instance.settings.get("port")
    try:
        if port:
            return listen(where, port)
        while free:
            try:
                return listen(where, free.pop())
            except OSError as error:
                if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                    raise
    except (OSError, OverflowError) as error:
        said = f"{where}:{port}" if port else where
        raise UsageError(
            f"{instance.name} cannot listen at {said} ({getattr(error, 'strerror', None) or error})",
            hint=f"change host or port of {instance.name}",
        ) from None
    raise UsageError("every port of the range is in use or disallowed", hint="widen it with +port_range_low=N +port_range_high=N")
