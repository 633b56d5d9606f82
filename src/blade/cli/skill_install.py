"""`blade skill install`."""

from pathlib import Path

import click

from blade.cli.options import json_option
from blade.errors import Exit

WORDS = {
    "written": "written",
    "updated": "brought up to date",
    "unchanged": "unchanged",
    "overwritten": "overwritten",
    "kept": "changed by somebody, kept",
}


@click.command(epilog="Example: blade skill install --target claude --dir ~/my-benchmarks")
@click.option(
    "--target",
    "targets",
    multiple=True,
    type=click.Choice(["claude", "codex", "agents"]),
    help="Which agent's folder (.claude, .codex or .agents); may be given again. Default: those the project has, else claude.",
)
@click.option(
    "--dir", "root", type=click.Path(path_type=Path), default=".", show_default=True, help="The repository to install it in."
)
@click.option("--force", is_flag=True, help="Overwrite files that somebody changed.")
@json_option
def install(targets: tuple[str, ...], root: Path, force: bool, as_json: bool) -> int:
    """Put the skill where your agent finds it.

    The same call again changes nothing. A file that somebody changed is kept (exit code 1) unless --force is given.
    """
    from blade.agent_skill.install import chosen_targets
    from blade.agent_skill.install import install as install_skill
    from blade.cli.terminal import clean, print_json

    done = [install_skill(root, target, force=force) for target in chosen_targets(root, targets)]
    if as_json:
        print_json(
            {
                "schema": "blade.skill_install/1",
                "installed": [{"target": one.target, "path": str(one.folder), "files": one.files} for one in done],
            }
        )
    else:
        for one in done:
            click.echo(clean(str(one.folder)))
            for name, state in one.files.items():
                click.echo(f"  {name}: {WORDS[state]}")
        if any(one.kept for one in done):
            click.echo("some files were changed since they were installed; --force overwrites them", err=True)
    return Exit.FELL_SHORT if any(one.kept for one in done) else Exit.FINE
