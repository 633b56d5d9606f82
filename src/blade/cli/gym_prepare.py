"""`gym eval prepare`: the data of a benchmark, made by its own script and checked."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from blade.cli.gym_config import config_options, resolve_from
from blade.cli.options import json_option
from blade.errors import UsageError
from blade.sentences import plural

if TYPE_CHECKING:
    from blade.gym.config import GymConfig


@click.command(name="prepare", epilog="Example: gym eval prepare --benchmark gsm8k +prepare_script_args.source=test.parquet")
@config_options
@click.option("--use-cached", is_flag=True, help="Leave files alone that are in place and sound.")
@json_option
def prepare_command(use_cached: bool, as_json: bool, **given: Any) -> None:
    """Make the data of a benchmark: run its prepare script and check the file that it writes.

    What the script prints goes to the error stream. +prepare_script_args.NAME=VALUE is handed to the script.
    """
    from blade.cli.terminal import clean_line, print_json, warn
    from blade.gym.collect.prepare import prepare

    more = ["+use_cached_prepared_benchmarks=true"] if use_cached else []
    config = resolve_from(given, more=more, stand_in_model=True)
    for note in config.notes:
        warn(note)
    prepared = prepare(config, use_cached=_cached(config), args=_arguments(config))
    if as_json:
        print_json({"schema": "gym.eval.prepare/1", "prepared": [asdict(one) | {"path": str(one.path)} for one in prepared]})
        return
    for one in prepared:
        how = "was already prepared" if one.cached else "is prepared"
        click.echo(clean_line(f"{one.name} {how}: {plural(one.rows, 'task')} in {one.path}", 1_000))


def _cached(config: "GymConfig") -> bool:
    value = config.settings.get("use_cached_prepared_benchmarks", False)
    if not isinstance(value, bool):
        raise UsageError(f"use_cached_prepared_benchmarks is true or false, not {value!r}")
    return value


def _arguments(config: "GymConfig") -> dict[str, Any]:
    value = config.settings.get("prepare_script_args") or {}
    if not isinstance(value, dict):
        raise UsageError(
            f"prepare_script_args holds names and values, not {value!r}", hint="write +prepare_script_args.NAME=VALUE"
        )
    return value
