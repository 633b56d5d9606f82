"""The entry points `blade` and `gym`: lazy command groups, and the one place where errors become exit codes."""

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from importlib import import_module
from typing import Any

import click

from blade import __version__
from blade.cli.interrupts import end_at_once, ended_when_interrupted, interrupt_between_imports, wait_for_the_end
from blade.cli.streams import abandon, flush_stdout, prepare_streams
from blade.engines.garbage import look_rarely
from blade.errors import BladeError, Exit

BLADE_COMMANDS = {
    "inspect": ("blade.cli.inspect:inspect", "What a run is made of, where every row went, and its headline numbers."),
    "show": ("blade.cli.show:show", "One rollout, step by step."),
    "sql": ("blade.cli.sql:sql", "Query a run's facts with SQL."),
    "health": ("blade.cli.health:health", "Can this score be trusted?"),
    "diagnose": ("blade.cli.diagnose:diagnose", "Which tasks failed, why, and what to fix next."),
    "compare": ("blade.cli.compare:compare", "Why did the score change, and is it real?"),
    "verify": ("blade.cli.verify:verify", "Does a report say what the artifacts say, and what it says itself?"),
    "plan": ("blade.cli.plan:plan", "How many tasks and repeats would find a change, and which to run next."),
    "selftest": ("blade.cli.selftest:selftest", "How good is the diagnosis? Known faults are planted and must be found."),
    "package": ("blade.cli.package:package", "BLADE-ready packages: draft, validate, calibrate, sanitize."),
    "skill": ("blade.cli.skill:skill", "The Agent Skill: install it for your agent, check one that you wrote."),
    "mcp": ("blade.cli.mcp:mcp", "Tools for an agent over the Model Context Protocol."),
    "gym": ("blade.cli.main:gym", "The evaluation loop (the same as the command gym)."),
}
GYM_COMMANDS = {
    "env": ("blade.cli.gym_env:env_group", "Configurations and the servers they describe."),
    "eval": ("blade.cli.gym_eval:eval_group", "Run evaluations, grade them again, and measure what they gave."),
    "list": ("blade.cli.gym_list:list_group", "What there is: benchmarks, environments, agents, models, resources servers."),
    "search": ("blade.cli.gym_list:search", "Find one of them by a word."),
}


QUERY_INTERRUPTED = "Query interrupted"
"""What the database says of Ctrl-C during a query, as a RuntimeError."""
NOT_WRITTEN = frozenset([errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO])
"""Errors of a write, where no file is named."""


class ReaderGone(Exception):
    """Nobody reads what is printed any more; that is no error (`blade sql … | head`)."""


class LazyGroup(click.Group):
    """A group that imports a command only when it is called, so that --help answers at once."""

    def __init__(self, *args: Any, table: dict[str, tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.table:
            return None
        module, _, name = self.table[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:  # click would leave with 1, which says that something was found wanting
            raise ReaderGone from error

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        from difflib import get_close_matches

        if args and args[0] not in self.table and not args[0].startswith("-"):
            close = get_close_matches(args[0], self.table, n=1)
            ctx.fail(f"No such command {args[0]!r}." + (f" Did you mean {close[0]!r}?" if close else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_line) for name, (_, help_line) in self.table.items()])


SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


@click.group(
    cls=LazyGroup,
    table=BLADE_COMMANDS,
    context_settings=SETTINGS,
    epilog="A RUN is a rollout file, a directory, a quoted glob, or @list.txt.  Start with: blade inspect results/",
)
@click.version_option(__version__, prog_name="blade")
def blade() -> None:
    """Which tasks failed, why, is the change real, and what to fix next."""


def _gym_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from blade.cli.gym_version import print_version

        print_version(as_json=context.params["as_json"])
        context.exit()


@click.group(cls=LazyGroup, table=GYM_COMMANDS, context_settings=SETTINGS)
@click.option("--version", is_flag=True, expose_value=False, callback=_gym_version, help="Show the version and exit.")
@click.option("--json", "as_json", is_flag=True, is_eager=True, help="With --version: as JSON, with what it runs on.")
def gym(as_json: bool) -> None:
    """The evaluation loop: datasets, environments, models and agents to rollouts and metrics."""
    if as_json:
        raise click.UsageError("--json goes with --version, or after a command")


def main(arguments: Sequence[str] | None = None) -> None:
    _run(blade, "blade", arguments)


def gym_main(arguments: Sequence[str] | None = None) -> None:
    _run(gym, "gym", arguments)


def _run(command: click.Command, name: str, arguments: Sequence[str] | None) -> None:
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given or bool(os.environ.get("BLADE_DEBUG"))
    given = [argument for argument in given if argument != "--debug"]
    as_json = "--json" in given
    prepare_streams()
    look_rarely()
    interrupt_between_imports()
    try:
        # An evaluation has work of its own to do when it is interrupted: what was collected is made durable.
        ending = nullcontext() if "gym" in (name, *given[:1]) else ended_when_interrupted(partial(end_at_once, name))
        with ending:
            code = _verdict(command, name, given)
        flush_stdout()
        sys.exit(code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        sys.exit(Exit.FINE)
    except click.ClickException as error:
        error.show()
        if as_json:
            _print_error_object(error.format_message())
        sys.exit(Exit.BAD_INPUT)
    except (click.Abort, KeyboardInterrupt):
        wait_for_the_end()
        click.echo(f"\n{name}: interrupted", err=True)
        sys.exit(Exit.INTERRUPTED)
    except (ReaderGone, BrokenPipeError):
        abandon(sys.stdout)
        sys.exit(Exit.FINE)
    except BladeError as error:
        if debug:
            raise
        _report(name, error, as_json)
        sys.exit(error.exit_code)
    except (MemoryError, OSError) as error:
        if debug:
            raise
        unprinted = isinstance(error, OSError) and error.filename is None  # writing failed: a disk that is full
        if unprinted:
            abandon(sys.stdout)
        _report(name, BladeError(_said_of(error)), as_json and not unprinted)
        sys.exit(Exit.BAD_INPUT)
    except Exception as error:
        wait_for_the_end()
        if isinstance(error, RuntimeError) and str(error) == QUERY_INTERRUPTED:
            click.echo(f"\n{name}: interrupted", err=True)
            sys.exit(Exit.INTERRUPTED)
        if debug:
            raise
        what = f"this is a bug in BLADE ({type(error).__name__}: {error})"
        _report(name, BladeError(what, hint="run it again with --debug for the details"), as_json)
        sys.exit(Exit.BAD_INPUT)


def _verdict(command: click.Command, name: str, given: list[str]) -> int:
    try:
        code = command.main(given, prog_name=name, standalone_mode=False)
    except SystemExit as left:
        code = left.code
    return code if isinstance(code, int) else Exit.FINE


def _said_of(error: MemoryError | OSError) -> str:
    if isinstance(error, MemoryError):
        return "not enough memory"
    if error.errno in NOT_WRITTEN and error.filename is None:
        return f"the output could not be written: {error.strerror or error}"
    return f"{error.filename or 'the system'}: {error.strerror or error}"


def _report(name: str, error: BladeError, as_json: bool) -> None:
    """The sentence on stderr; with --json an object on stdout too, so that a script has something to read."""
    from blade.cli.terminal import print_error

    print_error(name, error, as_json)


def _print_error_object(message: str) -> None:
    from blade.cli.terminal import print_error_object

    print_error_object(message, Exit.BAD_INPUT)
