"""`gym list` and `gym search`: what there is to evaluate, and with what."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from blade.cli.gym_config import search_dir_option
from blade.cli.main import SETTINGS
from blade.cli.options import json_option
from blade.errors import UsageError

if TYPE_CHECKING:
    from rich.text import Text

    from blade.gym.catalog import Entry

KINDS = ("environment", "benchmark")
TYPES = ("benchmarks", "environments", "agents", "models", "resources-servers")
LABEL = 18
MOST_WIDTH = 40
NOTHING = "–"
Columns = dict[str, Callable[["Entry"], Any]]


def _catalog_columns(kind: bool) -> Columns:
    between: Columns = {"kind": lambda entry: entry.type} if kind else {}
    return {
        "name": lambda entry: entry.name,
        **between,
        "domain": lambda entry: entry.domain,
        "repeats": lambda entry: entry.fields["num_repeats"],
        "description": _text,
    }


def _text(entry: "Entry") -> str | None:
    return f"broken: {entry.reason}" if entry.reason else entry.description


COLUMNS: dict[str, Columns] = {
    "benchmarks": _catalog_columns(kind=False),
    "environments": _catalog_columns(kind=True),
    "agents": {"name": lambda entry: entry.name, "pattern": lambda entry: entry.fields["pattern"], "description": _text},
    "models": {
        "name": lambda entry: entry.name,
        "model": lambda entry: entry.details["model"],
        "description": lambda entry: _text(entry) or entry.details["about"],
    },
    "resources-servers": {"name": lambda entry: entry.name, "domain": lambda entry: entry.domain, "description": _text},
}


@click.group(name="list", context_settings=SETTINGS)
def list_group() -> None:
    """What there is: benchmarks, environments, agents, models, resources servers."""


def listing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (json_option, search_dir_option, click.argument("name", required=False)):
        command = option(command)
    return command


def filter_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--lifecycle", type=click.Choice(["active", "deprecated"]), help="Only those in this state."),
        click.option(
            "--status",
            type=click.Choice(["experimental", "no-manifest", "broken"]),
            help="With a manifest, without one, or broken.",
        ),
        click.option("--licensing", metavar="TEXT", help="Only those with this licence."),
        click.option("--modality", metavar="TEXT", help="Only those of this modality."),
        click.option("--domain", metavar="NAME", help="Only those of this domain: math, coding, agent, …"),
    ):
        command = option(command)
    return command


@list_group.command(name="benchmarks", epilog="Example: gym list benchmarks --domain math")
@filter_options
@listing_options
def benchmarks(**given: Any) -> None:
    """Benchmarks with domain and repeat count; with NAME, one of them in detail."""
    _list("benchmarks", **given)


@list_group.command(name="environments", epilog="Example: gym list environments --kind environment")
@click.option("--kind", type=click.Choice(KINDS), help="Only benchmarks, or only what is none.")
@filter_options
@listing_options
def environments(**given: Any) -> None:
    """Environments and the benchmarks built on them; with NAME, one of them in detail."""
    _list("environments", **given)


@list_group.command(name="agents", epilog="Example: gym list agents --json")
@listing_options
def agents(**given: Any) -> None:
    """Agents: the loops between model and tools."""
    _list("agents", **given)


@list_group.command(name="models", epilog="Example: gym list models local_model")
@listing_options
def models(**given: Any) -> None:
    """Model types: the ways to reach a model, for --model-type."""
    _list("models", **given)


@list_group.command(name="resources-servers", epilog="Example: gym list resources-servers --domain math")
@click.option("--domain", metavar="NAME", help="Only those of this domain: math, coding, agent, …")
@listing_options
def resources_servers(**given: Any) -> None:
    """Resources servers: tools and verifiers."""
    _list("resources-servers", **given)


@click.command(context_settings=SETTINGS, epilog="Example: gym search math; gym search resources-servers calendar")
@click.argument("words", nargs=-1, required=True, metavar=f"[{'|'.join(TYPES)}] QUERY")
@search_dir_option
@json_option
def search(words: tuple[str, ...], search_dirs: tuple[str, ...], as_json: bool) -> None:
    """Find benchmarks and environments (or one of the other types) by name, domain or description.

    Capitals do not matter, and a word that is nearly right is enough.
    """
    from blade.gym.catalog import entries, matches

    chosen = words[0] if len(words) > 1 and words[0] in TYPES else None
    query = " ".join(words[1:] if chosen else words)
    found = [entry for entry in entries(chosen, search_dirs) if matches(entry, query)]  # type: ignore[arg-type]
    _show(
        found,
        chosen or "environments",
        as_json,
        f"Nothing matches {query!r}; gym list {chosen or 'environments'} shows everything.",
    )


def _list(what: str, *, name: str | None, search_dirs: tuple[str, ...], as_json: bool, **filters: str | None) -> None:
    from blade.gym.catalog import entries

    found = entries(what, search_dirs)  # type: ignore[arg-type]
    if name is not None:
        _show_one(_named(name, found, what), as_json)
        return
    wanted = {key: value for key, value in filters.items() if value}
    if "domain" in wanted:
        _check_domain(wanted["domain"], found)
    found = [entry for entry in found if all(_fits(entry.fields.get(key), value) for key, value in wanted.items())]
    nothing = f"No {what.replace('-', ' ')} {'fit' if wanted else 'were found'}; --search-dir DIR looks in further folders."
    _show(found, what, as_json, nothing)


def _check_domain(domain: str, found: list["Entry"]) -> None:
    from blade.gym.config.instances import DOMAINS
    from blade.gym.config.problems import did_you_mean

    known = sorted({*DOMAINS, *(entry.domain for entry in found if entry.domain)})
    if domain.casefold() not in known:
        near = did_you_mean(domain, known) or f"; there are {', '.join(known)}"
        raise UsageError(f"{domain} is not a domain{near}")


def _fits(value: Any, wanted: str) -> bool:
    values = value if isinstance(value, list) else [value]
    return wanted.casefold() in {str(one).casefold() for one in values}


def _named(name: str, found: list["Entry"], what: str) -> "Entry":
    from blade.gym.config.problems import did_you_mean

    for entry in found:
        if entry.name == name:
            return entry
    near = did_you_mean(name, [entry.name for entry in found]) or f"; gym list {what} shows what there is"
    raise UsageError(f"there is no {name} among the {what.replace('-', ' ')}{near}")


def _show(found: list["Entry"], what: str, as_json: bool, nothing: str) -> None:
    from blade.cli.terminal import console, print_json

    if as_json:
        print_json([entry.listed() for entry in found])
    elif not found:
        click.echo(nothing)
    else:
        out = console()
        for line in _table(found, COLUMNS[what], out.width):
            out.print(line, no_wrap=True)


def _table(found: list["Entry"], columns: Columns, width: int) -> "Iterator[Text]":
    """As wide as the window: names and figures whole, the description as far as it fits."""
    from rich.text import Text

    from blade.cli.terminal import clean_line

    rows = [
        [clean_line(NOTHING if (value := read(entry)) in (None, "") else value, 400) for read in columns.values()]
        for entry in found
    ]
    *short, _ = zip(columns, *rows, strict=True)
    widths = [min(max(map(len, cells)), MOST_WIDTH) for cells in short]
    for row, style in zip([[*columns], *rows], ["bold", *("red" if entry.reason else "" for entry in found)], strict=True):
        cells = [
            clean_line(cell, size).rjust(size) if title == "repeats" else clean_line(cell, size).ljust(size)
            for cell, title, size in zip(row, columns, widths, strict=False)
        ]
        line = Text("  ".join([*cells, row[-1]]), style)
        line.truncate(width, overflow="ellipsis")
        yield line


def _show_one(entry: "Entry", as_json: bool) -> None:
    from rich.text import Text

    from blade.cli.terminal import clean_line, console, print_entry, print_json

    shown = entry.inspected()
    if as_json:
        print_json(shown)
        return
    out = console()
    out.print(Text.assemble((clean_line(entry.name), "bold"), f"  {entry.type}", f", {entry.domain}" if entry.domain else ""))
    if entry.description:
        print_entry(out, Text(""), clean_line(entry.description, 2_000))
    out.print()
    for label, text in shown["details"].items():
        print_entry(out, Text(f"{label:<{LABEL}}", "dim"), clean_line(text, 2_000))
    out.print()
    out.print(Text(entry.usage), soft_wrap=True)
