"""`gym eval profile` and `gym eval aggregate`: figures from rollouts on disk, without servers.

Every flag is a key of the configuration too, as in the reference: `+key=value`, `++key=value` and `key=value` mean the same here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from blade.cli.options import json_option
from blade.errors import UsageError

MOST_LISTED = 20
TRUE, FALSE = ("true", "1", "yes", "on"), ("false", "0", "no", "off")
Command = Callable[..., Any]


def as_text(value: str) -> str | None:
    bare = value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value
    return None if bare in ("null", "None", "") else bare


def as_flag(value: str) -> bool:
    if value.lower() not in TRUE + FALSE:
        raise UsageError(f"{value!r} is neither true nor false")
    return value.lower() in TRUE


def as_list(value: str) -> tuple[str, ...]:
    bare = value.removeprefix("[").removesuffix("]")
    return tuple(text for part in bare.split(",") if (text := as_text(part.strip())))


def as_number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise UsageError(f"{value!r} is not a number") from None


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
                f"no such key {key!r}", hint=f"did you mean {close[0]}?" if close else f"the keys are {', '.join(keys)}"
            )
        name, read = keys[key]
        found[name] = read(value)
    return found


def shared_options(command: Command) -> Command:
    for option in reversed(
        (
            click.option("--allow-partial", is_flag=True, hidden=True),
            click.option("--lenient", is_flag=True, help="Go on without rows that are at fault, and count them."),
            click.option("--pass-threshold", type=float, metavar="X", help="A rollout passes with a reward of at least X."),
            json_option,
            click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]..."),
        )
    ):
        command = option(command)
    return command


@click.group(name="eval", context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
def eval_group() -> None:
    """Profile and aggregate rollouts, offline."""


@eval_group.command(
    name="profile",
    epilog="Example: gym eval profile --inputs run_materialized_inputs.jsonl --rollouts run.jsonl ++allow_partial_rollouts=True",
)
@click.option("--inputs", metavar="FILE", help="The materialized inputs that the run was made from.")
@click.option("--rollouts", metavar="FILE", help="The rollouts; the results are written beside them.")
@shared_options
def profile_command(as_json: bool, overrides: tuple[str, ...], **given: Any) -> None:
    """pass@1, pass@k, variance and every numeric field, per task and per agent.

    Duplicate keys, unreadable lines, rollouts without an input and inputs without a rollout end the command with exit code 2 and
    all of them listed. ++allow_partial_rollouts=True forgives missing rollouts, --lenient all of these. Tasks without any rollout
    stay in the profile and in every denominator.
    """
    from blade.cli.terminal import Bar, print_json
    from blade.gym.collect.profile import profile

    settings = given | read_overrides(overrides, PROFILE_KEYS)
    inputs, rollouts = _needed(settings, "inputs", "--inputs"), _needed(settings, "rollouts", "--rollouts")
    found = profile(Path(inputs), Path(rollouts), progress=Bar(), **settings)
    if as_json:
        print_json({"schema": "gym.eval.profile/1"} | asdict(found))
    else:
        _print(asdict(found), found.agents)


@eval_group.command(name="aggregate", epilog="Example: gym eval aggregate -i 'results/shard_*.jsonl' -o results/merged.jsonl")
@click.option("--input-glob", "-i", metavar="GLOBS", help="Rollout files: globs, separated by commas.")
@click.option("--output", "-o", metavar="FILE", help="Where the merged rollouts go; the metrics go beside them.")
@click.option("--config", multiple=True, metavar="FILE", help="Taken and not read: no server is needed.")
@click.option("--answer-key", metavar="FIELD", help="The field that holds the answer: adds majority@k and no_answer.")
@click.option(
    "--score", "score_fields", multiple=True, metavar="FIELD", help="A further field to give pass@k for, beside the reward."
)
@shared_options
def aggregate_command(as_json: bool, overrides: tuple[str, ...], **given: Any) -> None:
    """Merge shards into one file, sorted by task and repeat, with metrics grouped by agent.

    Works offline. Sidecars that a loose glob catches are left out, and so is the output itself. Rows without indices are told
    apart by their prompt and given indices. +merge_shards=false writes the metrics only.
    """
    from blade.cli.terminal import Bar, print_json, warn
    from blade.gym.collect.aggregate import aggregate

    settings = given | read_overrides(overrides, AGGREGATE_KEYS)
    globs, output = _needed(settings, "input_glob", "--input-glob"), _needed(settings, "output", "--output")
    if settings.pop("config"):
        warn("--config is not read: the figures are computed from the rows, without servers")
    found = aggregate(globs, Path(output), progress=Bar(), **settings)
    if as_json:
        print_json({"schema": "gym.eval.aggregate/1"} | asdict(found))
    else:
        _print(asdict(found), [{"agent_ref": entry["agent_ref"]} | entry["agent_metrics"] for entry in found.agents])


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
    out.print(rows_table(*_agent_table(agents)))
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
    rows = []
    for agent in agents:
        low, high = agent.get("ci_low/pass@1"), agent.get("ci_high/pass@1")
        row = {
            "agent": agent["agent_ref"]["name"],
            "tasks": agent["num_tasks"],
            "without rollouts": agent["num_tasks_without_rollouts"],
            "pass@1": agent.get("pass@1"),
            "95 %": None if low is None or high is None else f"{low:.4f}–{high:.4f}",
        }
        if most > 1:
            row |= {f"pass@{most}": agent.get(f"pass@k/{most}"), f"tasks with {most}": agent.get(f"tasks@k/{most}")}
        rows.append(
            row | {"missing as failed": agent.get("missing_as_failed/pass@1"), "mean reward": agent.get("task_mean/reward")}
        )
    return list(rows[0]) if rows else [], [list(row.values()) for row in rows]


def _largest_k(agent: dict[str, Any]) -> int:
    return max((int(key.removeprefix("pass@k/")) for key in agent if key.startswith("pass@k/")), default=1)


def _remarks(found: dict[str, Any]) -> list[str]:
    remarks = []
    without = found["tasks_without_rollouts"]
    if without:
        shown = ", ".join(without[:MOST_LISTED]) + (
            f" and {len(without) - MOST_LISTED} more" if len(without) > MOST_LISTED else ""
        )
        remarks.append(f"{len(without)} tasks without any rollout: {shown}")
    for code, count in found["forgiven"].items():
        remarks.append(
            f"forgiven and left out: {count} × {code.replace('_', ' ')}"
            if "missing" not in code
            else f"{count} rollouts are missing"
        )
    if found.get("stamped"):
        remarks.append(f"{found['stamped']} merged rows were given the indices they count under")
    for entry in found["server_only"]:
        shown = ", ".join(entry["keys"][:MOST_LISTED]) + (" …" if len(entry["keys"]) > MOST_LISTED else "")
        remarks.append(f"only the server's own code computes these keys of {Path(entry['path']).name}: {shown}")
        if any("@" in key and "/" in key for key in entry["keys"]):
            remarks.append("  (pass@k of another field: --score FIELD; majority@k and no_answer: --answer-key FIELD)")
    return remarks + [f"note: {note}" for note in found["notes"]]
