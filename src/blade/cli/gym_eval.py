"""`gym eval profile` and `gym eval aggregate`: figures from rollouts on disk, without servers.

Every flag is a key of the configuration too, as in the reference: `+key=value`, `++key=value` and `key=value` mean the same here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from blade.cli.main import SETTINGS, LazyGroup
from blade.cli.options import json_option
from blade.errors import Exit, UsageError
from blade.sentences import plural

if TYPE_CHECKING:
    from blade.gym.metrics.strict import NotStrict

MOST_LISTED = 20
MOST_FAULTS = 100
ANY_WIDTH = 10_000
WHAT_BECAME_OF_THEM = {
    "missing_rollout": "",
    "key_in_two_files": " and counted, as further repeats or as tasks of their own",
}
TRUE, FALSE = ("true", "1", "yes", "on"), ("false", "0", "no", "off")
Command = Callable[..., Any]


def as_text(value: str) -> str | None:
    bare = value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value
    return None if bare in ("null", "None", "") else bare


def as_flag(value: str) -> bool:
    if value.lower() not in TRUE + FALSE:
        raise ValueError(f"{value!r} is neither true nor false")
    return value.lower() in TRUE


def as_list(value: str) -> tuple[str, ...]:
    bare = value.removeprefix("[").removesuffix("]")
    return tuple(text for part in bare.split(",") if (text := as_text(part.strip())))


def as_number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise ValueError(f"{value!r} is not a number") from None


PROFILE_KEYS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "materialized_inputs_jsonl_fpath": ("inputs", as_text),
    "rollouts_jsonl_fpath": ("rollouts", as_text),
    "allow_partial_rollouts": ("allow_partial", as_flag),
    "lenient": ("lenient", as_flag),
    "pass_threshold": ("pass_threshold", as_number),
}
AGGREGATE_KEYS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "input_glob": ("input_glob", lambda value: ",".join(as_list(value))),
    "output_jsonl_fpath": ("output", as_text),
    "merge_shards": ("merge_shards", as_flag),
    "allow_partial_rollouts": ("allow_partial", as_flag),
    "lenient": ("lenient", as_flag),
    "pass_threshold": ("pass_threshold", as_number),
    "answer_key": ("answer_key", as_text),
    "score_fields": ("score_fields", as_list),
    "config_paths": ("config", as_list),
}


def read_overrides(tokens: Sequence[str], keys: Mapping[str, tuple[str, Callable[[str], Any]]]) -> dict[str, Any]:
    """`+key=value` tokens as the settings they stand for."""
    found: dict[str, Any] = {}
    for token in tokens:
        key, equals, value = token.lstrip("+").partition("=")
        if not equals:
            raise UsageError(f"{token!r} is not of the form key=value", hint=f"the keys are {', '.join(keys)}")
        if key not in keys:
            close = get_close_matches(key, keys, n=1)
            raise UsageError(
                f"no such key {key!r}", hint=f"the nearest key is {close[0]}" if close else f"the keys are {', '.join(keys)}"
            )
        name, read = keys[key]
        try:
            found[name] = read(value)
        except ValueError as error:
            raise UsageError(f"{key}: {error}") from None
    return found


class FaultsListed(click.ClickException):
    """A strict failure on the terminal: the sentence, and every fault up to `MOST_FAULTS`."""

    exit_code = Exit.BAD_INPUT

    def __init__(self, error: "NotStrict") -> None:
        super().__init__(str(error))
        self.faults = error.problems

    def show(self, file: IO[Any] | None = None) -> None:
        from blade.cli.terminal import clean, clean_line
        from blade.untrusted.redaction import redact

        click.echo(f"gym: {clean(redact(self.message))}", file=file, err=True)
        for fault in self.faults[:MOST_FAULTS]:
            place = f"line {fault.line}: " if fault.line else ""
            click.echo(f"  {place}{clean_line(redact(fault.message), 200)}", file=file, err=True)
        if len(self.faults) > MOST_FAULTS:
            click.echo(f"  and {len(self.faults) - MOST_FAULTS:,} more: --json lists them all", file=file, err=True)


@contextmanager
def faults_listed(as_json: bool) -> Iterator[None]:
    """With --json the error goes on as it is: the object that scripts read holds all of its problems."""
    from blade.gym.metrics.strict import NotStrict

    try:
        yield
    except NotStrict as error:
        if as_json:
            raise
        raise FaultsListed(error) from error


def shared_options(command: Command) -> Command:
    for option in reversed(
        (
            click.option("--allow-partial", is_flag=True, hidden=True),
            click.option("--lenient", is_flag=True, help="Go on in spite of faults, and count them."),
            click.option("--pass-threshold", type=float, metavar="X", help="A rollout passes with a reward of at least X."),
            json_option,
            click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]..."),
        )
    ):
        command = option(command)
    return command


EVAL_COMMANDS = {
    "prepare": ("blade.cli.gym_prepare:prepare_command", "Make the data of a benchmark."),
    "run": ("blade.cli.gym_run:run_command", "Run tasks through an agent and a model, and verify every attempt."),
    "reverify": ("blade.cli.gym_reverify:reverify_command", "Grade stored rollouts again, without inference."),
    "profile": ("blade.cli.gym_eval:profile_command", "pass@1, pass@k and variance of one run, per task."),
    "aggregate": ("blade.cli.gym_eval:aggregate_command", "Merge shards and measure them."),
}


@click.group(name="eval", cls=LazyGroup, table=EVAL_COMMANDS, context_settings=SETTINGS)
def eval_group() -> None:
    """Run evaluations, grade them again, and measure what they gave."""


@click.command(
    name="profile",
    epilog="Example: gym eval profile --inputs run_materialized_inputs.jsonl --rollouts run.jsonl ++allow_partial_rollouts=True",
)
@click.option("--inputs", metavar="FILE", help="The materialized inputs that the run was made from.")
@click.option("--rollouts", metavar="FILE", help="The rollouts; the results are written beside them.")
@shared_options
def profile_command(as_json: bool, overrides: tuple[str, ...], **given: Any) -> None:
    """pass@1, pass@k, variance and every numeric field, per task and per agent.

    Duplicate keys, unreadable lines, rollouts without an input and inputs without a rollout end the command with exit code 2 and
    are listed: the first 100 on the terminal, all of them with --json. ++allow_partial_rollouts=True forgives missing rollouts, --lenient all of these. Tasks without any rollout
    stay in the profile and in every denominator.
    """
    from blade.cli.progress import Bar
    from blade.cli.terminal import print_json
    from blade.gym.metrics.profile import profile

    settings = given | read_overrides(overrides, PROFILE_KEYS)
    inputs, rollouts = _needed(settings, "inputs", "--inputs"), _needed(settings, "rollouts", "--rollouts")
    with faults_listed(as_json):
        found = profile(Path(inputs), Path(rollouts), progress=Bar(), **settings)
    if as_json:
        print_json({"schema": "gym.eval.profile/1"} | asdict(found))
    else:
        _print(asdict(found), found.agents)


@click.command(name="aggregate", epilog="Example: gym eval aggregate -i 'results/shard_*.jsonl' -o results/merged.jsonl")
@click.option(
    "--input-glob", "-i", multiple=True, metavar="GLOBS", help="Rollout files: globs, separated by commas or given several times."
)
@click.option("--output", "-o", metavar="FILE", help="Where the merged rollouts go; the metrics go beside them.")
@click.option(
    "--config",
    multiple=True,
    metavar="FILE",
    help="A configuration: its environments' own metrics are computed too; no server is started.",
)
@click.option("--answer-key", metavar="FIELD", help="The field that holds the answer: adds majority@k and no_answer.")
@click.option(
    "--score", "score_fields", multiple=True, metavar="FIELD", help="A further field to give pass@k for, beside the reward."
)
@shared_options
def aggregate_command(as_json: bool, overrides: tuple[str, ...], **given: Any) -> None:
    """Merge shards into one file, sorted by task and repeat, with metrics grouped by agent.

    Works offline. Sidecars that a loose glob catches are left out, and so is the output itself: an earlier merge may be
    written anew, but a file with rows that no other input holds is not overwritten. Rows without indices are told apart by their
    prompt and given indices. +merge_shards=false writes the metrics only.
    """
    from blade.cli.progress import Bar
    from blade.cli.terminal import print_json
    from blade.gym.metrics.aggregate import aggregate

    settings = given | read_overrides(overrides, AGGREGATE_KEYS)
    if isinstance(settings["input_glob"], tuple):
        settings["input_glob"] = ",".join(settings["input_glob"])
    globs, output = _needed(settings, "input_glob", "--input-glob"), _needed(settings, "output", "--output")
    hooks = _hooks(settings.pop("config"))
    with faults_listed(as_json):
        found = aggregate(globs, Path(output), hooks=hooks, progress=Bar(), **settings)
    if as_json:
        print_json({"schema": "gym.eval.aggregate/1"} | asdict(found))
    else:
        _print(asdict(found), [{"agent_ref": entry["agent_ref"]} | entry["agent_metrics"] for entry in found.agents])


def _hooks(paths: Sequence[str]) -> Any:
    """The environments of a configuration, as far as the configuration is read without a model."""
    if not paths:
        return None
    from blade.gym.collect.hooks import hooks_of
    from blade.gym.config import resolve_config

    return hooks_of(resolve_config(paths, stand_in_model=True))


def _needed(settings: dict[str, Any], name: str, flag: str) -> str:
    value = settings.pop(name)
    if not value:
        raise UsageError(f"{flag} is missing", hint="see --help for an example")
    return str(value)


def _print(found: dict[str, Any], agents: list[dict[str, Any]]) -> None:
    """The completion summary, a line per agent, and what a reader must not miss."""
    from rich.text import Text

    from blade.cli.terminal import clean_line, console, rows_table

    out = console()
    for name, value in found["summary"].items():
        out.print(Text(f"{name}: {value:.6g}" if isinstance(value, float) else f"{name}: {value:,}"))
    table = rows_table(*_agent_table(agents))
    if len(agents) > 1 and out.measure(table, options=out.options.update(max_width=ANY_WIDTH)).maximum <= out.width:
        out.print(table)
    else:
        for agent in agents:
            out.print()
            for label, text in _agent_lines(agent):
                out.print(Text.assemble((f"  {label:<18} ", "dim"), clean_line(text, 400)))
        out.print()
    rule = found["pass_rule"]
    if rule["kind"] == "none":
        out.print(Text("No pass rule fits these rewards: give --pass-threshold X for pass rates."))
    else:
        out.print(Text(f"A rollout passes with a reward of at least {rule['threshold']:g} ({rule['kind']})."))
    for line in _remarks(found):
        out.print(Text(clean_line(line, 1_000)))
    for path in found["files"].values():
        out.print(Text(f"wrote {clean_line(path, 400)}"), soft_wrap=True)


def _agent_table(agents: list[dict[str, Any]]) -> tuple[list[str], list[list[Any]]]:
    most = max((_largest_k(agent) for agent in agents), default=1)
    rows: list[dict[str, Any]] = []
    for agent in agents:
        row = {
            "agent": agent["agent_ref"]["name"],
            "tasks": agent["num_tasks"],
            "no rollouts": agent["num_tasks_without_rollouts"],
            "pass@1": _rate(agent, "pass@1"),
            "95 %": _bounds(agent, "pass@1", _percent) or None,
        }
        if most > 1:
            row |= {f"pass@{most}": _rate(agent, f"pass@k/{most}"), f"tasks@{most}": agent.get(f"tasks@k/{most}")}
        mean = agent.get("task_mean/reward")
        row |= {
            "missing as failed": _rate(agent, "missing_as_failed/pass@1"),
            "mean reward": None if mean is None else _short(mean),
        }
        rows.append(row)
    return list(rows[0]) if rows else [], [list(row.values()) for row in rows]


def _agent_lines(agent: dict[str, Any]) -> list[tuple[str, str]]:
    """One agent's figures as labels and values, in the style of `blade inspect`."""
    without, k, mean = agent["num_tasks_without_rollouts"], _largest_k(agent), agent.get("task_mean/reward")
    lines = [
        ("agent", "–" if agent["agent_ref"]["name"] is None else agent["agent_ref"]["name"]),
        ("tasks", f"{agent['num_tasks']:,}" + (f" ({without:,} without rollouts)" if without else "")),
    ]
    if rate := _rate(agent, "pass@1"):
        bounds = _bounds(agent, "pass@1", _percent)
        lines.append(("pass@1", f"{rate}  {f'{bounds} 95 %' if bounds else 'no interval from one task'}"))
        if k > 1:
            scored = f"({plural(agent[f'tasks@k/{k}'], 'task')} with {k} scored rollouts)"
            lines.append((f"pass@{k}", f"{_rate(agent, f'pass@k/{k}')}  {scored}"))
        lines.append(("missing as failed", _rate(agent, "missing_as_failed/pass@1") or "–"))
    if mean is not None:
        bounds = _bounds(agent, "task_mean/reward", _short)
        lines.append(("mean reward", _short(mean) + (f"  {bounds} 95 %" if bounds else "")))
    return lines


def _rate(agent: dict[str, Any], key: str) -> str | None:
    return None if agent.get(key) is None else _percent(agent[key])


def _bounds(agent: dict[str, Any], key: str, shown: Callable[[float], str]) -> str:
    low, high = agent.get(f"ci_low/{key}"), agent.get(f"ci_high/{key}")
    return "" if low is None or high is None else f"[{shown(low)}, {shown(high)}]"


def _percent(rate: float) -> str:
    from blade.cli.terminal import percent

    return percent(rate)


def _short(value: float) -> str:
    return f"{value:.4g}"


def _largest_k(agent: dict[str, Any]) -> int:
    return max((int(key.removeprefix("pass@k/")) for key in agent if key.startswith("pass@k/")), default=1)


def _remarks(found: dict[str, Any]) -> list[str]:
    from blade.gym.metrics.strict import number_of

    remarks = []
    without = found["tasks_without_rollouts"]
    if without:
        shown = ", ".join(without[:MOST_LISTED]) + (
            f" and {len(without) - MOST_LISTED} more" if len(without) > MOST_LISTED else ""
        )
        remarks.append(f"{len(without)} {'task' if len(without) == 1 else 'tasks'} without any rollout: {shown}")
    for code, count in found["forgiven"].items():
        remarks.append(f"forgiven{WHAT_BECAME_OF_THEM.get(code, ' and left out')}: {number_of(code, count)}")
    if found.get("stamped"):
        remarks.append(f"{plural(found['stamped'], 'merged row was', 'merged rows were')} given the indices they count under")
    for entry in found["server_only"]:
        shown = ", ".join(entry["keys"][:MOST_LISTED]) + (" …" if len(entry["keys"]) > MOST_LISTED else "")
        remarks.append(f"only the server's own code computes these keys of {Path(entry['path']).name}: {shown}")
        if any("@" in key and "/" in key for key in entry["keys"]):
            remarks.append("  (pass@k of another field: --score FIELD; majority@k and no_answer: --answer-key FIELD)")
    return remarks + [f"note: {note}" for note in found["notes"]]
