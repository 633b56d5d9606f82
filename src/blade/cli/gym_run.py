"""`gym eval run`: rollouts of a benchmark, from the configuration to the metrics."""

import asyncio
from typing import TYPE_CHECKING, Any

import click

from blade.cli.gym_config import config_options, resolve_from
from blade.cli.options import json_option
from blade.errors import Exit
from blade.sentences import plural

if TYPE_CHECKING:
    from blade.gym.collect.preparation import Prepared
    from blade.gym.collect.run import Outcome

FLAGS = {
    "agent": "agent_name",
    "input": "input_jsonl_fpath",
    "output": "output_jsonl_fpath",
    "limit": "limit",
    "num_repeats": "num_repeats",
    "prompt_config": "prompt_config",
    "concurrency": "num_samples_in_parallel",
    "split": "split",
    "temperature": "responses_create_params.temperature",
    "top_p": "responses_create_params.top_p",
    "max_output_tokens": "responses_create_params.max_output_tokens",
    "shard": "shard",
    "max_attempts": "max_rollout_attempts",
    "disable_aggregation": "disable_aggregation",
    "resume": "resume_from_cache",
    "overwrite": "overwrite",
    "force": "force",
}
"""Flags and the keys that they are short for."""


@click.command(
    name="run",
    epilog="Example: gym eval run --benchmark arithmetic --model-type local_model --num-repeats 4 --output results/arithmetic.jsonl",
)
@config_options
@click.option("--no-serve", is_flag=True, help="Use the servers that `gym env start` runs instead of servers in this process.")
@click.option("--agent", "-a", metavar="NAME", help="The agent that answers rows which name none.")
@click.option("--input", "-i", metavar="FILE", help="Input rows; without it the datasets of the configuration are run.")
@click.option("--output", "-o", metavar="FILE", help="Where the rollouts go; all other files go beside them.")
@click.option(
    "--split", type=click.Choice(["train", "validation", "example", "benchmark"]), help="Which datasets (default: benchmark)."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N tasks.")
@click.option("--num-repeats", type=int, metavar="N", help="Rollouts per task (default: what the dataset says, else 1).")
@click.option("--prompt-config", metavar="FILE", help="A prompt that is put around the rows' fields.")
@click.option("--concurrency", type=int, metavar="N", help="Rollouts at a time (default: 100).")
@click.option("--temperature", type=click.FloatRange(min=0), metavar="X")
@click.option("--top-p", type=float, metavar="X")
@click.option("--max-output-tokens", type=click.IntRange(min=1), metavar="N")
@click.option("--shard", metavar="I/N", help="Every N-th task, starting with task I: one part of a run on N machines.")
@click.option("--max-attempts", type=int, metavar="N", help="Attempts per rollout, earlier ones included (default: 3).")
@click.option("--disable-aggregation", is_flag=True, help="Write no metrics file.")
@click.option("--resume", is_flag=True, help="Go on with the run that lies at the output.")
@click.option("--overwrite", is_flag=True, help="Start anew where a run lies already: its files are removed.")
@click.option("--force", is_flag=True, help="Resume although something changed; the manifest says so.")
@json_option
def run_command(no_serve: bool, as_json: bool, **given: Any) -> None:
    """Run tasks through an agent and a model, and verify every attempt.

    Rollouts are appended as they finish, with materialized inputs, failures, a journal of attempts, metrics and a manifest beside
    them. A run that was stopped or killed goes on with --resume. Every flag is a key too: `+num_repeats=4` is `--num-repeats 4`.
    """
    from blade.cli.terminal import print_json, warn
    from blade.gym.collect.manifest import command_line
    from blade.gym.collect.preparation import prepare_run
    from blade.gym.collect.request import read_request
    from blade.gym.config.overrides import format_override

    flags = {FLAGS[name]: given.pop(name) for name in FLAGS}
    config = resolve_from(
        given, more=[format_override(key, value) for key, value in flags.items() if value is not None and value is not False]
    )
    if no_serve:
        config = asyncio.run(_configured_there(config))
    for note in config.notes:
        warn(note)
    prepared = prepare_run(read_request(config.settings), config, command_line())
    for note in prepared.notes:
        warn(note)
    outcome = _collected(prepared, no_serve)
    if as_json:
        print_json(as_json_document(outcome))
    else:
        print_outcome(outcome)
    if outcome.stopped:
        raise SystemExit(Exit.INTERRUPTED)
    if outcome.missing:
        raise SystemExit(Exit.FELL_SHORT)


async def _configured_there(config: Any) -> Any:
    """The configuration of the servers that run already, with this command's own settings over it."""
    from blade.gym.servers.connect import configured_there

    return await configured_there(config)


def _collected(prepared: "Prepared", no_serve: bool) -> "Outcome":
    from blade.cli.collection_screen import CollectionScreen

    screen = CollectionScreen()

    def stopping() -> None:
        screen.say("stopping: rollouts under way may finish; a second Ctrl-C ends them too")

    async def work() -> "Outcome":
        from blade.gym.collect.run import collect

        if no_serve:
            from blade.gym.servers.connect import running_servers

            async with running_servers(prepared.config.settings) as there:
                return await collect(prepared, there, screen.watch, on_stop=stopping)
        from blade.gym.servers.local import local_servers

        async with local_servers(prepared.config) as here:
            return await collect(prepared, here, screen.watch, on_stop=stopping)

    try:
        return asyncio.run(work())
    finally:
        screen.close()


def as_json_document(outcome: "Outcome") -> dict[str, Any]:
    tally = outcome.tally
    score = tally.score()
    return {
        "schema": "gym.eval.run/1",
        "planned": tally.total,
        "scored": tally.before + tally.done,
        "given_up": tally.given_up,
        "missing": outcome.missing,
        "failures": dict(tally.failures),
        "failure_messages": dict(tally.messages),
        "stopped": outcome.stopped,
        "score_of_this_part": None if score is None else score[0],
        "key_metrics": {str(entry["agent_ref"]["name"]): entry["key_metrics"] for entry in outcome.metrics},
        "files": {kind: str(path) for kind, path in _files(outcome)},
    }


def _files(outcome: "Outcome") -> list[tuple[str, Any]]:
    files = outcome.files
    listed = [("rollouts", files.rollouts), ("materialized_inputs", files.inputs), ("failures", files.failures)]
    listed += [("aggregate_metrics", files.metrics), ("manifest", files.manifest)]
    return [(kind, path) for kind, path in listed if path.exists()]


def print_outcome(outcome: "Outcome") -> None:
    import json

    from rich.text import Text

    from blade.cli.collection_screen import MOST_CLASSES, progress_line
    from blade.cli.terminal import clean, clean_line, console
    from blade.untrusted.redaction import redact

    out = console()
    out.print(Text(clean_line(progress_line(outcome.tally), 400)), soft_wrap=True)
    for name, count in outcome.tally.failures.most_common(MOST_CLASSES):
        message = clean_line(redact(outcome.tally.messages[name]), 300)
        out.print(Text(f"{count:,} × {clean_line(name)}: {message}"), soft_wrap=True)
    for entry in outcome.metrics:
        out.print(Text(f"Key metrics for {clean_line(entry['agent_ref']['name'])}:"))
        out.print(Text(clean(json.dumps(entry["key_metrics"], indent=4))), soft_wrap=True)
    for kind, path in _files(outcome):
        out.print(Text(f"{kind.replace('_', ' ')}: {clean_line(path, 400)}"), soft_wrap=True)
    if outcome.stopped:
        out.print(Text("The run was stopped; the same command with --resume goes on with it."))
    elif outcome.missing:
        out.print(
            Text(f"{plural(outcome.missing, 'rollout has', 'rollouts have')} no score. {_what_next(outcome)}"), soft_wrap=True
        )


def _what_next(outcome: "Outcome") -> str:
    """The command that fits what failed most."""
    from blade.gym.collect.standing import SETUP_FAILURES, UNGRADED

    worst = outcome.tally.failures.most_common(1)
    if worst and worst[0][0] in UNGRADED:
        return "Answers that nobody graded are not asked for again: gym eval reverify --judge-failed-only --append grades them."
    if worst and worst[0][0] in SETUP_FAILURES:
        return "Mend the set-up, then run the same command with --resume."
    return "--resume --max-attempts N tries them again."
