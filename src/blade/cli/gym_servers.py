"""`gym env start` and `gym env status`: servers in processes of their own."""

import asyncio
import signal
import sys
from typing import TYPE_CHECKING, Any

import click

from blade.cli.gym_config import config_options, resolve_from, search_dir_option
from blade.cli.options import json_option

if TYPE_CHECKING:
    from blade.gym.config import GymConfig

COLUMNS = ("status", "server_type", "process_name", "name", "url", "pid", "uptime_seconds")


@click.command(epilog="Example: gym env start --resources-server workplace_assistant --model-type openai_model")
@config_options
def start(**given: Any) -> None:
    """Run all servers of a configuration, each in a process of its own, until Ctrl-C.

    `gym eval run --no-serve` uses them. A server that dies is started again, up to 3 times in a row. The head server, by which the
    others are found, listens at 127.0.0.1:11000; +head_server.port=N moves it.
    """
    from blade.cli.terminal import warn

    config = resolve_from(given)
    for note in config.notes:
        warn(note)
    if config.settings.get("dry_run"):
        _tell(f"dry run: {len(config.instances)} servers could be started; nothing has to be installed for them")
        return
    asyncio.run(_run(config))


async def _run(config: "GymConfig") -> None:
    from blade.gym.servers.processes import run_servers

    stop = asyncio.Event()

    def ask_to_stop() -> None:
        told = stop.is_set()
        stop.set()
        if not told:
            _tell("stopping the servers")

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, ask_to_stop)
    await run_servers(config, _tell, stop)


def _tell(line: str) -> None:
    from blade.cli.terminal import clean

    click.echo(clean(line))
    sys.stdout.flush()  # whoever waits for a server to be ready reads a pipe


@click.command(epilog="Example: gym env status --json")
@search_dir_option
@json_option
@click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
def status(search_dirs: tuple[str, ...], as_json: bool, overrides: tuple[str, ...]) -> None:
    """List the servers that `gym env start` runs on this machine. With none the exit code is 0 all the same."""
    from blade.cli.terminal import console, print_json, rows_table, warn
    from blade.gym.config import examine_config
    from blade.gym.servers.connect import status as running
    from blade.gym.servers.head import NoHead

    settings = examine_config([], overrides, search_dirs=search_dirs).config.settings
    try:
        found = asyncio.run(running(settings))
    except NoHead as error:
        warn(str(error))
        found = []
    if as_json:
        print_json(found)
    elif not found:
        click.echo("No servers found; gym env start runs those of a configuration.")
    else:
        console().print(rows_table(COLUMNS, [[entry.get(column) for column in COLUMNS] for entry in found]))
