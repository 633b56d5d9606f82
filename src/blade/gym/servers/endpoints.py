"""Waiting for the endpoints behind model servers: a large model takes minutes to load, and rollouts before that would all fail."""

import asyncio
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final
from urllib.parse import urlsplit

import aiohttp

from blade.errors import UsageError
from blade.gym.config import Instance

WAIT_SECONDS: Final = 600.0
POLL_SECONDS: Final = 1.0
TELL_SECONDS: Final = 10.0
_ONE_TRY: Final = 5.0


def endpoints(instances: Iterable[Instance]) -> dict[str, list[str]]:
    """The addresses that the model servers of a configuration ask, each with the servers that ask it."""
    found: dict[str, list[str]] = {}
    for instance in instances:
        for url in _base_urls(instance) if instance.kind == "responses_api_models" else ():
            found.setdefault(url, []).append(instance.name)
    return found


def _base_urls(instance: Instance) -> Iterator[str]:
    for key, value in instance.settings.items():
        if key.endswith("base_url"):
            yield from (url for url in (value if isinstance(value, list) else [value]) if isinstance(url, str) and url)


async def wait_for_endpoints(found: dict[str, list[str]], seconds: float, tell: Callable[[str], None]) -> None:
    """Return when every endpoint takes connections; whatever it answers, it is there. Raises UsageError after `seconds`."""
    if seconds > 0:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_ONE_TRY), trust_env=True) as session:
            await asyncio.gather(*(_wait(session, url, names, seconds, tell) for url, names in found.items()))


async def _wait(session: aiohttp.ClientSession, url: str, names: list[str], seconds: float, tell: Callable[[str], None]) -> None:
    begun = time.monotonic()
    told = begun
    who, shown = ", ".join(names), _shown(url)
    while (fault := await _fault(session, url)) is not None:
        lasting, said = fault
        waited = time.monotonic() - begun
        if lasting:
            tell(f"{who}: the endpoint {shown} cannot be reached ({said}); its requests will fail")
            return
        if waited > seconds:
            raise UsageError(
                f"{who}: the endpoint {shown} took no connection within {seconds:g} s ({said})",
                hint="start it, or wait longer with +model_endpoint_readiness_timeout_seconds=N (0: do not wait)",
            )
        if waited < POLL_SECONDS or time.monotonic() - told > TELL_SECONDS:
            tell(f"{who}: waiting for the endpoint {shown} ({waited:.0f} of {seconds:g} s; {said})")
            told = time.monotonic()
        await asyncio.sleep(min(POLL_SECONDS, seconds))


async def _fault(session: aiohttp.ClientSession, url: str) -> tuple[bool, str] | None:
    """What stands in the way of a connection, and whether waiting is useless; nothing when there is an answer."""
    try:
        async with session.get(url, allow_redirects=False):
            return None
    except aiohttp.ClientConnectorError as error:
        if isinstance(error.os_error, socket.gaierror):
            return True, "its name is not known"
        return False, error.os_error.strerror or str(error.os_error)
    except TimeoutError:
        return False, "no answer"
    except aiohttp.InvalidURL:
        return True, "this is not a URL"
    except aiohttp.ClientConnectionError as error:
        return False, str(error) or type(error).__name__
    except aiohttp.ClientError:
        return None


def _shown(url: str) -> str:
    """Without a user's name and password."""
    try:
        place = urlsplit(url)
        return place._replace(netloc=place.netloc.rpartition("@")[2], query="").geturl()
    except ValueError:
        return url
