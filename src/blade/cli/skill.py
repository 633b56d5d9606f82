"""`blade skill …`: the Agent Skill that comes with BLADE, and those that users write."""

import click

from blade.cli.main import SETTINGS, LazyGroup

SKILL_COMMANDS = {
    "install": ("blade.cli.skill_install:install", "Put the skill where your agent finds it."),
    "check": ("blade.cli.skill_check:check", "Is a skill by the rules, and does what it names exist?"),
}


@click.group(cls=LazyGroup, table=SKILL_COMMANDS, context_settings=SETTINGS)
def skill() -> None:
    """The Agent Skill: teaches a coding agent to analyse runs with blade."""
