"""`gym eval reverify`: stored rollouts graded again."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blade.cli.gym_config import config_options, resolve_from
from blade.cli.options import json_option
from blade.errors import Exit, UsageError

if TYPE_CHECKING:
    from blade.gym.collect.reverify import Regrading
    from blade.gym.collect.run import Outcome

KEYS = {
    "inputs": "materialized_inputs_jsonl_fpath",
    "rollouts": "rollouts_jsonl_fpath",
    "output": "output_jsonl_fpath",
    "concurrency": "num_samples_in_parallel",
    "limit": "limit",
}


@click.command(
    name="reverify",
    epilog="Example: gym eval reverify --resources-server math_with_judge --rollouts results/a.jsonl --output results/a_again.jsonl",
)
@config_options
@click.option("--inputs", metavar="FILE", help="The run's materialized inputs (default: those beside the rollouts).")
@click.option("--rollouts", metavar="FILE", help="The stored rollouts.")
@click.option("--output", "-o", metavar="FILE", help="Where the rows with their new grades go.")
@click.option("--concurrency", type=int, metavar="N", help="Verifications at a time (default: 16).")
@click.option("--limit", type=int, metavar="N", help="Only the first N.")
@click.option(
    "--force", is_flag=True, help="Also where the verifier may need more than row and response; the output is called unsafe_…."
)
@click.option("--overwrite", is_flag=True, help="Replace an output that is there.")
@click.option("--resume", is_flag=True, help="Go on with an output that is there.")
@click.option(
    "--judge-failed-only", is_flag=True, help="Keep all grades; grade only rollouts that judge or verifier failed to grade."
)
@click.option("--append", is_flag=True, help="With --judge-failed-only: add what is graded now to the output.")
@click.option("--disable-aggregation", is_flag=True, help="Write no metrics file.")
@json_option
def reverify_command(as_json: bool, **given: Any) -> None:
    """Grade stored rollouts again with today's verifier, without any inference.

    Each row says what it was graded before; `blade compare` of the two files shows the verifier's exact part of the difference.
    """
    from blade.cli.gym_run import as_json_document, print_outcome
    from blade.cli.terminal import print_json
    from blade.gym.collect.manifest import command_line
    from blade.gym.collect.reverify import Reverification, prepare_reverification

    flags = {
        name: given.pop(name) for name in ("force", "overwrite", "resume", "judge_failed_only", "append", "disable_aggregation")
    }
    values = {name: given.pop(name) for name in KEYS}
    config = resolve_from(given, stand_in_model=True)
    for name, key in KEYS.items():
        values[name] = config.settings.get(key) if values[name] is None else values[name]
    if not values["rollouts"] or not values["output"]:
        raise UsageError("--rollouts and --output are needed", hint="see --help for an example")
    asked = Reverification(
        rollouts=Path(values["rollouts"]),
        inputs=Path(values["inputs"]) if values["inputs"] else None,
        output=Path(values["output"]),
        concurrency=values["concurrency"] or Reverification.concurrency,
        limit=values["limit"],
        **flags,
    )
    outcome = _graded(prepare_reverification(asked, config, command_line()))
    if as_json:
        print_json(as_json_document(outcome) | {"schema": "gym.eval.reverify/1"})
    else:
        print_outcome(outcome)
    if outcome.stopped:
        raise SystemExit(Exit.INTERRUPTED)
    if outcome.missing:
        raise SystemExit(Exit.FELL_SHORT)


def _graded(regrading: "Regrading") -> "Outcome":
    from blade.cli.collection_screen import CollectionScreen
    from blade.gym.collect.reverify import reverify
    from blade.gym.servers.local import local_servers

    screen = CollectionScreen()

    async def work() -> "Outcome":
        async with local_servers(regrading.config, kinds=("resources_servers", "responses_api_models")) as here:
            return await reverify(
                regrading, here, screen.watch, on_stop=lambda: screen.say("stopping: a second Ctrl-C ends it at once")
            )

    try:
        return asyncio.run(work())
    finally:
        screen.close()
