"""`blade mcp`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blade.cli.knowledge import open_for_diagnosis, refuse_unexplained, skill_option
from blade.cli.options import json_option, reading_options
from blade.errors import UsageError

if TYPE_CHECKING:
    from blade.diagnosis.skill import Skill
    from blade.runs.run import Run


@click.command(epilog="Example: claude mcp add blade -- blade mcp results/")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--query-seconds",
    type=click.FloatRange(1, 3_600),
    default=30.0,
    show_default=True,
    help="How long a query of an agent may run.",
)
@skill_option
@json_option
@reading_options
def mcp(paths: tuple[str, ...], query_seconds: float, skill: Path | None, as_json: bool, **reading: Any) -> None:
    """Tools for an agent over the Model Context Protocol, on stdin and stdout.

    Only what lies below the PATHs can be read, and nothing is written but the index. With --json, the tools and their arguments are
    printed instead of being served. Needs the extra `mcp`: pip install 'blade-eval[mcp]'.
    """
    try:
        import mcp.server.mcpserver  # noqa: F401
    except ImportError:
        raise UsageError("the MCP SDK is not installed", hint="pip install 'blade-eval[mcp]'") from None
    from blade.mcp.desk import Desk
    from blade.mcp.roots import Roots
    from blade.mcp.server import serve

    def opener(run: str) -> "tuple[Run, Skill | None]":
        opened, knowledge = open_for_diagnosis(run, skill, reading)
        try:
            refuse_unexplained(opened, run)
        except BaseException:
            opened.close()
            raise
        return opened, knowledge

    desk = Desk(Roots(paths), opener, reading["workers"])
    if as_json:
        _print_tools(desk)
    else:
        serve(desk, query_seconds)


def _print_tools(desk: Any) -> None:
    import asyncio

    from blade.cli.terminal import print_json
    from blade.mcp.server import build_server

    tools = asyncio.run(build_server(desk).list_tools())
    listed = [{"name": tool.name, "description": tool.description, "arguments": tool.input_schema} for tool in tools]
    print_json({"schema": "blade.mcp/1", "paths": list(desk.roots.given), "tools": listed})
