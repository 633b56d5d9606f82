"""`blade skill check`."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blade.cli.options import json_option
from blade.errors import Exit

if TYPE_CHECKING:
    from blade.agent_skill import SkillReport


@click.command(epilog="Example: blade skill check benchmarks/mine/skill")
@click.argument("place", metavar="[DIR]", type=click.Path(path_type=Path), default=".")
@json_option
def check(place: Path, as_json: bool) -> int:
    """Is a skill by the rules, and does what it names exist?

    DIR is a skill's folder, or one with skills below it. Looks at the frontmatter (the rules of Agent Skills), links and files, the commands of
    blade and gym with their options, and text that is still to be written. Exit code 1 when something is wrong.
    """
    from blade.agent_skill import check_skill, find_skills
    from blade.cli.terminal import print_json

    reports = [check_skill(folder, complaint) for folder in find_skills(place)]
    wrong = sum(report.errors for report in reports)
    if as_json:
        print_json(
            {
                "schema": "blade.skill_check/1",
                "ok": not wrong,
                "skills": [
                    {"path": str(report.folder), "name": report.name, "findings": [vars(one) for one in report.findings]}
                    for report in reports
                ],
            }
        )
    else:
        for report in reports:
            _print(report)
    return Exit.FELL_SHORT if wrong else Exit.FINE


def _print(report: "SkillReport") -> None:
    from rich.text import Text

    from blade.cli.terminal import clean_line, console, print_entry

    out = console()
    state = (
        "no problem found" if not report.findings else f"{report.errors} errors, {len(report.findings) - report.errors} warnings"
    )
    print_entry(out, Text(), clean_line(f"{report.folder}: {state}", 400), "bold")
    for finding in report.findings:
        mark, style = ("✗", "red") if finding.severity == "error" else ("!", "yellow")
        where = clean_line(f"{finding.file}:{finding.line}", 80)
        print_entry(out, Text.assemble((f"  {mark} ", style), (f"{where}  ", "dim")), clean_line(finding.message, 400))


def complaint(words: Sequence[str]) -> str | None:
    """What is wrong with a call of blade or gym; None where such a command and its options exist."""
    from blade.cli.main import blade, gym

    command: click.Command = blade if words[0] == "blade" else gym
    said, rest = words[0], list(words[1:])
    while isinstance(command, click.Group):
        if not rest or rest[0].startswith("-") or not rest[0].replace("-", "_").isidentifier():
            break  # `blade --help`, or a sentence with `blade …`
        name = rest.pop(0)
        found = command.get_command(click.Context(command), name)
        if found is None:
            close = get_close_matches(name, command.list_commands(click.Context(command)), n=1)
            return f"there is no command {said} {name}" + (f"; did you mean {said} {close[0]}?" if close else "")
        command, said = found, f"{said} {name}"
    known = _options(command)
    for word in rest:
        option = word.split("=", 1)[0]
        if option.startswith("--") and len(option) > 2 and option not in known:
            close = get_close_matches(option, known, n=1)
            return f"{said} has no option {option}" + (f"; did you mean {close[0]}?" if close else "")
    return None


def _options(command: Any) -> set[str]:
    told = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    return told | {"--help", "--debug"}
