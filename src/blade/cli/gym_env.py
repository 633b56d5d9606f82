"""`gym env …`: what a configuration amounts to, and the servers it describes."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from blade.cli.gym_config import config_options, examine_from, resolve_from
from blade.cli.main import SETTINGS, LazyGroup
from blade.cli.options import json_option
from blade.errors import Exit, UsageError
from blade.sentences import plural

if TYPE_CHECKING:
    from rich.console import Console

    from blade.gym.config import Examined

LABEL = 18
MOST_LINE = 2_000
ENV_COMMANDS = {
    "validate": ("blade.cli.gym_env:validate", "Can this configuration run? Servers, data, and what is missing."),
    "resolve": ("blade.cli.gym_env:resolve", "The configuration with everything filled in, secrets masked."),
    "start": ("blade.cli.gym_servers:start", "Run the servers of a configuration, each in a process of its own."),
    "status": ("blade.cli.gym_servers:status", "Which servers run, where, and whether they answer."),
}


@click.group(name="env", cls=LazyGroup, table=ENV_COMMANDS, context_settings=SETTINGS)
def env_group() -> None:
    """Configurations and the servers they describe."""


@click.command(epilog="Example: gym env validate --benchmark gsm8k --model-type openai_model")
@config_options
@click.option("--probe", is_flag=True, help="Ask the model's endpoint for a tool call, a structured output and a long prompt.")
@json_option
def validate(probe: bool, as_json: bool, **given: Any) -> None:
    """Check a configuration without a model: servers, references, data.

    Instead of options a NAME may be given: a benchmark, an environment or a resources server. Exit code 1 where something is
    wrong, 2 where a file cannot be read.
    """
    from blade.cli.terminal import print_json

    name, kind = _named(given)
    examined = examine_from(given, stand_in_model=True)
    document = {"name": name, "kind": kind} | _document(examined, _still_needed(given, examined))
    if probe and not document["problems"]:
        document["probe"] = _probed(given)
    if as_json:
        print_json(document)
    else:
        _print(document)
    if document["problems"] or any(finding["lacking"] for finding in document.get("probe", ())):
        raise SystemExit(Exit.FELL_SHORT)


@click.command(epilog="Example: gym env resolve --benchmark gsm8k --model-type openai_model")
@config_options
@json_option
def resolve(as_json: bool, **given: Any) -> None:
    """Print the configuration as one YAML document, with everything filled in and secrets masked.

    Where something is missing it stands there as ???, and the exit code is 1.
    """
    import yaml

    from blade.cli.terminal import print_json, warn
    from blade.gym.config import ConfigError

    examined = examine_from(given)
    for note in examined.config.notes:
        warn(note)
    if not as_json:
        click.echo(yaml.safe_dump(examined.config.masked(), sort_keys=False, allow_unicode=True, width=120), nl=False)
    elif not examined.problems:
        print_json(examined.config.masked())
    if examined.problems:
        raise ConfigError(examined.problems)


def _probed(given: dict[str, Any]) -> list[dict[str, Any]]:
    """What each model's endpoint showed, and whether the data needs what it lacks."""
    import asyncio

    from blade.gym.collect.needs import probe_models

    found = asyncio.run(probe_models(resolve_from(given)))
    return [
        {"model": name} | asdict(finding) | {"lacking": finding.lacking}
        for name, findings in found.items()
        for finding in findings
    ]


def _named(given: dict[str, Any]) -> tuple[str | None, str | None]:
    """Take a NAME out of the overrides and put it where its option would have."""
    from blade.gym.config import selectors
    from blade.gym.config.roots import search_roots

    names = [token for token in given["overrides"] if "=" not in token and not token.startswith("~")]
    if not names:
        return None, None
    if len(names) > 1:
        raise UsageError(f"one name at a time, not {' and '.join(names)}")
    given["overrides"] = tuple(token for token in given["overrides"] if token != names[0])
    roots = search_roots(given["search_dirs"])
    options = {
        "benchmark": selectors.BENCHMARK,
        "environment": selectors.ENVIRONMENT,
        "resources_server": selectors.RESOURCES_SERVER,
    }
    for option, selector in options.items():
        if names[0] in selectors.names(selector, roots):
            given[option] = (*given[option], names[0])
            return names[0], option
    from blade.gym.config.problems import did_you_mean

    known = {name for selector in options.values() for name in selectors.names(selector, roots)}
    raise UsageError(f"there is no benchmark, environment or resources server {names[0]}{did_you_mean(names[0], known)}")


def _still_needed(given: dict[str, Any], examined: "Examined") -> list[str]:
    """What a run needs beyond a valid configuration: the model, mostly."""
    known = {one.sentence() for one in examined.problems}
    return [one.message for one in examine_from(given).problems if one.sentence() not in known]


def _document(examined: "Examined", needed: list[str]) -> dict[str, Any]:
    from blade.gym.collect.checks import faults, misspelt
    from blade.gym.config.inventory import datasets, missing_files
    from blade.gym.config.problems import problem

    config = examined.config
    problems = [*examined.problems, *missing_files(config)]
    if not problems:
        problems = [problem("code", name, message) for name, message in faults(config)]
    return {
        "valid": not problems,
        "files": [str(path) for path in config.files],
        "components": [
            {
                "role": one.kind,
                "name": one.name,
                "implementation": one.implementation,
                "entrypoint": one.settings.get("entrypoint", "app.py"),
            }
            for one in config.instances.values()
        ],
        "datasets": [asdict(one) | {"exists": one.rows is not None} for one in datasets(config)],
        "problems": [asdict(one) for one in problems],
        "needed_for_a_run": needed,
        "warnings": [*config.notes, *misspelt(config)],
    }


def _probe_line(finding: dict[str, Any]) -> str:
    needed = "" if finding["needed"] else " (the data does not need it)"
    return f"{finding['model']}: {finding['capability']} {finding['verdict']}{needed}: {finding['sentence']}"


def _print(document: dict[str, Any]) -> None:
    from blade.cli.terminal import console, warn
    from blade.gym.config import Problem
    from blade.gym.config.instances import DUMMY_MODEL, KIND_NOUNS

    out = console()
    for one in document["components"]:
        what = "a stand-in" if one["implementation"] == DUMMY_MODEL else one["implementation"]
        _print_lines(out, KIND_NOUNS[one["role"]], [one["name"] + (f" ({what})" if what != one["name"] else "")])
    _print_lines(out, "data", [_data_line(one) for one in document["datasets"]])
    _print_lines(out, "problem", [Problem(**one).sentence() for one in document["problems"]])
    _print_lines(out, "needed for a run", document["needed_for_a_run"])
    _print_lines(out, "endpoint", [_probe_line(one) for one in document.get("probe", ())])
    for note in document["warnings"]:
        warn(note)
    out.print(_verdict(document))


def _verdict(document: dict[str, Any]) -> str:
    if count := len(document["problems"]):
        return f"{count} problem{'s' if count > 1 else ''}."
    probed = [finding for finding in document.get("probe", ()) if finding["lacking"]]
    if failed := [finding["capability"] for finding in probed if finding["verdict"] == "failed"]:
        return f"The endpoint failed when it was asked for: {', '.join(failed)}."
    if lacking := [finding["capability"] for finding in probed]:
        return f"The data needs what the endpoint lacks: {', '.join(lacking)}."
    return "This configuration is valid." if document["needed_for_a_run"] else "This configuration can run."


def _data_line(one: dict[str, Any]) -> str:
    made = "not there yet: gym eval prepare makes it" if one["prepare_script"] else "not there"
    rows = plural(one["rows"], "row") if one["exists"] else made
    repeats = f", {one['num_repeats']} repeats" if one["num_repeats"] > 1 else ""
    return f"{one['name']} ({one['type']}, {rows}{repeats}): {one['path']}"


def _print_lines(out: "Console", label: str, lines: list[str]) -> None:
    from rich.text import Text

    from blade.cli.terminal import clean_line, print_entry
    from blade.untrusted.redaction import redact

    for line in lines:
        print_entry(out, Text(f"{label:<{LABEL}}", "dim"), clean_line(redact(line), MOST_LINE))
