"""The options that commands share: how a RUN is given, read and printed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from blade.runs.run import OUT_OF_REACH, Run, open_run
from blade.runs.scan import Extractor

MOST_REPEATS = 100_000
Command = TypeVar("Command", bound=Callable[..., Any])
READING = (
    click.option("--pass-threshold", type=float, metavar="X", help="A rollout passes with a reward of at least X."),
    click.option("--task-field", metavar="FIELD", help="Take the task id from this field ('prompt': the prompt's hash)."),
    click.option(
        "--repeats",
        type=click.IntRange(1, MOST_REPEATS),
        metavar="K",
        help="The repeats that were planned, where no inputs say so.",
    ),
    click.option(
        "--inputs", type=click.Path(path_type=Path), help="The materialized inputs, where they do not lie beside the rollouts."
    ),
    click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes to read with (default: the CPUs)."),
    click.option(
        "--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True, help="Where the work runs."
    ),
    click.option("--ray-address", metavar="ADDRESS", help="The Ray cluster to use, with --engine ray."),
    click.option("--index-dir", type=click.Path(path_type=Path), help="Where to keep the index (default: the user's cache)."),
    click.option("--no-index", is_flag=True, help="Keep no index."),
)


class NamedPath(click.Path):
    """A path to write to that was given: an empty one, as of a variable that is not set, would be the current directory."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value).strip():
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


def run_argument(command: Command) -> Command:
    return click.argument("run", metavar="RUN")(command)


def json_option(command: Command) -> Command:
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(command)


def reading_options(command: Command) -> Command:
    """How the run is read. `--debug` (a traceback on errors) is taken by every command."""
    for option in reversed(READING):
        command = option(command)
    return command


def open_given(
    run: str,
    *,
    pass_threshold: float | None = None,
    task_field: str | None = None,
    repeats: int | None = None,
    inputs: Path | None = None,
    workers: int | None = None,
    engine: str = "local",
    ray_address: str | None = None,
    index_dir: Path | None = None,
    no_index: bool = False,
    extractors: tuple[Extractor, ...] = (),
    preload: tuple[str, ...] = (),
) -> Run:
    """Open the RUN a command was given, with a progress bar, and a warning where the index could not be kept."""
    from blade.cli.progress import Bar
    from blade.cli.terminal import warn
    from blade.engines import open_engine
    from blade.runs.build import PRELOAD

    chosen = None
    if engine == "ray" or workers is not None:
        chosen = open_engine(
            "ray" if engine == "ray" else "local", workers=workers, ray_address=ray_address, preload=(*PRELOAD, *preload)
        )
    try:
        opened = open_run(
            run,
            engine=chosen,
            index_dir=index_dir,
            use_index=not no_index,
            task_field=task_field,
            repeats=repeats,
            inputs=inputs,
            pass_threshold=pass_threshold,
            extractors=extractors,
            progress=Bar(),
            preload=preload,
        )
    finally:
        if chosen is not None:
            chosen.close()
    if opened.cache_note:
        warn(f"{opened.cache_note}; the run will be read again next time")
    for problem in opened.problems if pass_threshold is not None else ():
        if problem.code == OUT_OF_REACH:
            warn(problem.message)
    return opened
