"""The process of one server: `python -m blade.gym.servers.process`.

Started by `processes`, it reads what it is from its standard input (a message with its code, its settings and where the others are)
and answers on a socket that was bound for it. The message, unlike an environment variable, is not seen by other programs of the user,
and it holds this server's own secrets only. Standard input stays open: when it closes, whoever started this process has gone.

Started by hand, it takes the reference's two environment variables: `NEMO_GYM_CONFIG_DICT` (the resolved configuration as YAML) and
`NEMO_GYM_CONFIG_PATH` (the name of the instance to be).
"""

import asyncio
import logging
import os
import resource
import signal
import socket
import struct
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec

from blade.errors import BladeError, UsageError
from blade.gym.servers.components import Component, build, find
from blade.gym.servers.head import reachable
from blade.gym.servers.http import LOOPBACK, serve
from blade.gym.servers.http_calls import HttpCalls
from blade.gym.servers.worker_process import end_with

CONFIG_DICT: Final = "NEMO_GYM_CONFIG_DICT"
CONFIG_PATH: Final = "NEMO_GYM_CONFIG_PATH"
SUPERVISED: Final = "--supervised"
SIZE: Final = struct.Struct(">Q")


class Assignment(msgspec.Struct):
    """What a process is to be: an instance, its code, and where the others listen. `descriptor` is its own listening socket."""

    name: str
    component: Component
    settings: dict[str, Any]
    urls: dict[str, str]
    host: str = LOOPBACK
    port: int = 0
    descriptor: int | None = None
    parent: int | None = None
    verbose: bool = False

    def packed(self) -> bytes:
        message = msgspec.json.encode(self)
        return SIZE.pack(len(message)) + message


def main() -> None:
    supervised = SUPERVISED in sys.argv
    try:
        assignment = _received() if supervised else _from_environment(os.environ)
        if assignment.parent is not None:
            end_with(assignment.parent)
        allow_many_files()
        logging.basicConfig(level=logging.DEBUG if assignment.verbose else logging.WARNING)
        asyncio.run(_serve(assignment, supervised=supervised))
    except BladeError as error:
        print(error, file=sys.stderr)
        sys.exit(int(error.exit_code))


def allow_many_files() -> None:
    """Every connection is an open file; systems allow few at first, and more on request."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed != most:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


async def _serve(assignment: Assignment, *, supervised: bool) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if supervised:
        loop.add_reader(0, _stop_at_end, stop)
    listening = None if assignment.descriptor is None else socket.socket(fileno=assignment.descriptor)
    async with HttpCalls(assignment.urls) as calls:
        server = build(assignment.component, assignment.name, assignment.settings, calls)
        async with serve(server, assignment.host, assignment.port, listening=listening) as url:
            print(f"{assignment.name} answers at {url}", flush=True)
            await stop.wait()


def _stop_at_end(stop: asyncio.Event) -> None:
    if not os.read(0, 4_096):
        asyncio.get_running_loop().remove_reader(0)
        stop.set()


def _received() -> Assignment:
    (size,) = SIZE.unpack(_exactly(SIZE.size))
    return msgspec.json.decode(_exactly(size), type=Assignment)


def _exactly(size: int) -> bytes:
    """So many bytes of standard input, without reading ahead."""
    parts: list[bytes] = []
    while size and (part := os.read(0, size)):
        parts.append(part)
        size -= len(part)
    if size:
        sys.exit("whoever started this process ended before it said what to be")
    return b"".join(parts)


def _from_environment(environment: Mapping[str, str]) -> Assignment:
    import yaml

    from blade.gym.config.instances import recognise
    from blade.gym.config.roots import search_roots

    if CONFIG_DICT not in environment or CONFIG_PATH not in environment:
        raise UsageError(
            f"{CONFIG_DICT} and {CONFIG_PATH} are not set", hint="gym env start starts all servers of a configuration"
        )
    try:
        settings = yaml.safe_load(environment[CONFIG_DICT])
    except yaml.YAMLError as error:
        raise UsageError(f"{CONFIG_DICT} is not YAML: {error}") from None
    instances = recognise(settings if isinstance(settings, dict) else {}).instances
    name = environment[CONFIG_PATH]
    if name not in instances:
        raise UsageError(f"no server in {CONFIG_DICT} is called {name!r}", hint=f"it has {', '.join(instances) or 'none'}")
    own = instances[name]
    entrypoint = str(own.settings.get("entrypoint") or "app.py")
    return Assignment(
        name=name,
        component=find(own.kind, own.implementation, search_roots(), entrypoint),
        settings=own.settings,
        urls=addresses(instances),
        host=str(own.settings.get("host") or LOOPBACK),
        port=int(own.settings.get("port") or 0),
        verbose=bool(settings.get("verbose")),
    )


def addresses(instances: Mapping[str, Any], via: str = LOOPBACK) -> dict[str, str]:
    """Where instances listen, as far as their settings say."""
    placed = {name: instance.settings for name, instance in instances.items() if instance.settings.get("port")}
    return {
        name: reachable(str(settings.get("host") or LOOPBACK), int(settings["port"]), via) for name, settings in placed.items()
    }


if __name__ == "__main__":
    main()
