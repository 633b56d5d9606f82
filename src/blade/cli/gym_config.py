"""How a configuration is given to a command: names, files, the model, and `key=value` for everything else.

@config_options
def command(as_json: bool, **given): config = resolve_from(given)
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from blade.errors import UsageError

if TYPE_CHECKING:
    from blade.gym.config import Examined, GymConfig

Command = TypeVar("Command", bound=Callable[..., Any])
MODEL_KEYS = {"model": "policy_model_name", "model_url": "policy_base_url", "model_api_key": "policy_api_key"}
"""The flags of the model that is evaluated, and the keys that they set."""


def search_dir_option(command: Command) -> Command:
    return click.option(
        "--search-dir", "search_dirs", multiple=True, metavar="DIR", help="A folder to look in first; may be given several times."
    )(command)


CHOOSING = (
    click.option("--config", multiple=True, metavar="FILE", help="A configuration file; may be given several times."),
    click.option("--benchmark", multiple=True, metavar="NAME", help="A benchmark, as `gym list benchmarks` names it."),
    click.option("--environment", multiple=True, metavar="NAME", help="An environment."),
    click.option("--resources-server", multiple=True, metavar="NAME", help="A resources server: tools and a verifier."),
    click.option("--model-type", multiple=True, metavar="NAME", help="How the model is reached, as `gym list models` names it."),
    search_dir_option,
    click.option("--model", "-m", metavar="NAME", help="The model to evaluate."),
    click.option("--model-url", metavar="URL", help="Where it answers."),
    click.option("--model-api-key", metavar="KEY", help="The key for it; better kept in env.yaml."),
    click.option("--verbose", "-v", is_flag=True, help="More in the logs."),
    click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]..."),
)


def config_options(command: Command) -> Command:
    """The options that choose a configuration, for `resolve_from` and `examine_from`."""
    for option in reversed(CHOOSING):
        command = option(command)
    return command


def resolve_from(given: dict[str, Any], *, more: Sequence[str] = (), stand_in_model: bool = False) -> "GymConfig":
    """The configuration that the options choose. `more`: overrides that a command's own flags stand for; typed ones win."""
    from blade.gym.config import resolve_config

    paths, overrides, searched = _chosen(given, more)
    return resolve_config(paths, overrides, search_dirs=searched, stand_in_model=stand_in_model)


def examine_from(given: dict[str, Any], *, more: Sequence[str] = (), stand_in_model: bool = False) -> "Examined":
    """The same with its problems as data. Nothing chosen is refused: there would be nothing to look at."""
    from blade.gym.config import examine_config

    paths, overrides, searched = _chosen(given, more)
    examined = examine_config(paths, overrides, search_dirs=searched, stand_in_model=stand_in_model)
    if not examined.config.files:
        raise UsageError("no configuration is given", hint="name one with --benchmark, --resources-server or --config FILE")
    return examined


def _chosen(given: dict[str, Any], more: Sequence[str]) -> tuple[list[str], list[str], tuple[str, ...]]:
    """Paths, overrides and folders, in the order in which they count."""
    from blade.gym.config import selectors
    from blade.gym.config.overrides import format_override
    from blade.gym.config.roots import search_roots

    searched = tuple(given["search_dirs"])
    roots = search_roots(searched)
    by_option = {
        "benchmark": selectors.BENCHMARK,
        "environment": selectors.ENVIRONMENT,
        "resources_server": selectors.RESOURCES_SERVER,
        "model_type": selectors.MODEL_TYPE,
    }
    paths = list(given["config"])
    paths += [selectors.select(selector, name, roots) for option, selector in by_option.items() for name in given[option]]
    flags = [format_override(key, given[option]) for option, key in MODEL_KEYS.items() if given[option] is not None]
    if given["verbose"]:
        flags.append("+verbose=true")
    return paths, [*flags, *more, *given["overrides"]], searched
