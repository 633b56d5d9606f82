"""Servers that somebody else keeps running (`gym env start`), found through their head server."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import yaml

from blade.errors import UsageError
from blade.gym.config import GymConfig
from blade.gym.config.instances import recognise
from blade.gym.config.merge import deep_merge
from blade.gym.config.roots import search_roots
from blade.gym.servers.head import NoHead, ask_head, head_url, with_health
from blade.gym.servers.http import LOOPBACK
from blade.gym.servers.http_calls import HttpCalls
from blade.gym.servers.process import addresses, allow_many_files

START_THEM = "start the servers with gym env start, or leave out --no-serve; +head_server.port=N finds another head server"


@asynccontextmanager
async def running_servers(settings: Mapping[str, Any]) -> AsyncIterator[HttpCalls]:
    """The servers behind the head server that a configuration names, as something to call."""
    _, calls = await connect(head_url(settings))
    async with calls:
        yield calls


async def configured_there(config: GymConfig) -> GymConfig:
    """The configuration of the servers that run already, with a command's own settings laid over it."""
    there, calls = await connect(head_url(config.settings))
    await calls.close()
    settings = deep_merge(there.settings, config.settings)
    return replace(config, settings=settings, instances=recognise(settings).instances)


async def connect(url: str) -> tuple[GymConfig, HttpCalls]:
    """The configuration that the servers run with (secrets masked) and a way to call them; close the calls when done."""
    try:
        text = await ask_head(url, "/global_config_dict_yaml")
        settings = yaml.safe_load(text) if isinstance(text, str) else None
    except NoHead as error:
        raise UsageError(f"no servers are running: {error}", hint=START_THEM) from None
    except yaml.YAMLError as error:
        raise UsageError(f"the configuration that {url} gives is not YAML: {error}") from None
    if not isinstance(settings, dict):
        raise UsageError(f"the configuration that {url} gives is not a mapping", hint=START_THEM)
    instances = recognise(settings).instances
    allow_many_files()
    config = GymConfig(settings, instances, search_roots(), ())
    return config, HttpCalls(addresses(instances, via=urlsplit(url).hostname or LOOPBACK))


async def status(settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What runs behind the head server, and whether each answers; raises `NoHead`."""
    listed = await ask_head(head_url(settings), "/server_instances")
    if not isinstance(listed, list):
        raise NoHead("the head server gives no list of servers")
    return await with_health([entry for entry in listed if isinstance(entry, dict)])
