"""The head server: where the other servers are found.

It answers `GET /`, `GET /global_config_dict_yaml` (the resolved configuration with every server's host and port) and
`GET /server_instances` (what runs, and whether it answers). Any process on the machine can ask it, so secrets are masked: a server gets
its own from the process that starts it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, Literal

import aiohttp
import yaml
from aiohttp import web

from blade.errors import UsageError
from blade.gym.config import GymConfig
from blade.gym.config.masking import masked
from blade.gym.config.merge import copied
from blade.gym.servers.http import LOOPBACK, is_loopback, known_host, listen, listener, url_of

HEAD_PORT: Final = 11_000
HEALTH_SECONDS: Final = 2.0
ASK_SECONDS: Final = 5.0
Health = Literal["success", "connection_error", "timeout", "unknown_error"]
Instances = Callable[[], list[dict[str, Any]]]
"""What runs now: the keys of an entry of `/server_instances`, `status` set only where it is known without asking."""


class NoHead(Exception):
    """Nothing that answers like a head server is at this address; says what is."""


def head_address(settings: Mapping[str, Any]) -> tuple[str, int]:
    """Host and port of the head server in a configuration."""
    block = settings.get("head_server") or {}
    if not isinstance(block, Mapping):
        raise UsageError("head_server must hold host and port", hint=f"write +head_server.port={HEAD_PORT}")
    host, port = block.get("host") or settings.get("default_host") or LOOPBACK, block.get("port") or HEAD_PORT
    if not isinstance(port, int) or not 0 < port < 65_536:
        raise UsageError(f"head_server.port is {port!r}, not a port", hint="ports are numbers from 1 to 65535")
    return str(host), port


def head_url(settings: Mapping[str, Any]) -> str:
    host, port = head_address(settings)
    return reachable(host, port)


def reachable(host: str, port: int, via: str = LOOPBACK) -> str:
    """The URL of an address; one that means every interface is reached through `via`."""
    name = via if host in ("0.0.0.0", "::") else host  # noqa: S104  # read, not bound
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def with_addresses(config: GymConfig, places: Mapping[str, tuple[str, int]]) -> dict[str, Any]:
    """The settings of a configuration with the host and port of the head server and of every instance."""
    settings: dict[str, Any] = copied(config.settings)
    host, port = head_address(settings)
    settings["head_server"] = {**(settings.get("head_server") or {}), "host": host, "port": port}
    for name, (where, number) in places.items():
        instance = config.instances[name]
        settings[name][instance.kind][instance.implementation] |= {"host": where, "port": number}
    return settings


def as_yaml(settings: Mapping[str, Any]) -> str:
    """Settings as they may be shown to any process."""
    text: str = yaml.safe_dump(masked(dict(settings)), allow_unicode=True, sort_keys=False)
    return text


@asynccontextmanager
async def head_server(settings: Mapping[str, Any], instances: Instances) -> AsyncIterator[str]:
    """A head server that answers until the block ends; gives its URL."""
    host, port = head_address(settings)
    try:
        bound = listen(host, port)
    except OSError as error:
        raise await _taken(reachable(host, port), error) from None
    async with listener(_application(as_yaml(settings), instances, only_here=is_loopback(host)), bound):
        yield url_of(bound)


async def _taken(url: str, error: OSError) -> UsageError:
    """Why the head server's address cannot be had."""
    other = "give another with +head_server.port=N"
    try:
        running = await ask_head(url, "/server_instances")
    except NoHead:
        return UsageError(f"the head server cannot listen at {url} ({error.strerror})", hint=other)
    return UsageError(
        f"servers are running already: a head server with {len(running)} of them answers at {url}", hint=f"stop them, or {other}"
    )


def _application(config_yaml: str, instances: Instances, *, only_here: bool) -> web.Application:
    application = web.Application(middlewares=[known_host] if only_here else [])

    async def alive(request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def config(request: web.Request) -> web.Response:
        return web.json_response(config_yaml)

    async def running(request: web.Request) -> web.Response:
        return web.json_response(await with_health(instances()))

    application.add_routes(
        [web.get("/", alive), web.get("/global_config_dict_yaml", config), web.get("/server_instances", running)]
    )
    return application


async def with_health(instances: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The instances with the `status` of each; all are asked at once."""
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=HEALTH_SECONDS)) as session:
        asked = (
            _known(instance["status"]) if instance.get("status") else health(session, instance["url"]) for instance in instances
        )
        return [instance | {"status": status} for instance, status in zip(instances, await asyncio.gather(*asked), strict=True)]


async def health(session: aiohttp.ClientSession, url: str) -> Health:
    """Whether a server answers; whatever it answers, it is there."""
    try:
        async with session.get(url, allow_redirects=False):
            return "success"
    except TimeoutError:
        return "timeout"
    except (aiohttp.ClientConnectionError, OSError):
        return "connection_error"
    except (aiohttp.ClientError, ValueError):
        return "unknown_error"


async def _known(status: Health) -> Health:
    return status


async def ask_head(url: str, path: str) -> Any:
    """The JSON value that a head server answers; raises `NoHead`."""
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=ASK_SECONDS)) as session,
            session.get(url + path, allow_redirects=False) as response,
        ):
            if response.status != 200:
                raise NoHead(f"{url} answers {path} with status {response.status}: it is not a head server")
            return await response.json()
    except TimeoutError:
        raise NoHead(f"{url} did not answer within {ASK_SECONDS:g} s") from None
    except (aiohttp.ContentTypeError, ValueError):
        raise NoHead(f"{url} answers {path} with something that is not JSON: it is not a head server") from None
    except (aiohttp.ClientError, OSError):
        raise NoHead(f"nothing answers at {url}") from None
