"""`blade package …`: a group of its own. A command is a line in the table and a module that is imported when it is called."""

import click

from blade.cli.main import SETTINGS, LazyGroup

PACKAGE_COMMANDS = {
    "sanitize": ("blade.cli.package_sanitize:sanitize", "Copies that can be shared: no credentials, people or places in them."),
}


@click.group(cls=LazyGroup, table=PACKAGE_COMMANDS, context_settings=SETTINGS)
def package() -> None:
    """BLADE-ready packages: an analysis skill, comparable rollouts and golden reports."""
