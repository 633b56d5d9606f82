"""`blade package …`: a group of its own. A command is a line in the table and a module that is imported when it is called."""

import click

from blade.cli.main import SETTINGS, LazyGroup

PACKAGE_COMMANDS = {
    "init": ("blade.cli.package_init:init", "A package drafted from runs, to be edited."),
    "validate": ("blade.cli.package_validate:validate", "Is a package complete, and true of its own rollouts?"),
    "ready": ("blade.cli.package_ready:ready", "The readiness checklist of a package, all of it computed."),
    "extract-anchor-facts": (
        "blade.cli.package_anchors:extract_anchor_facts",
        "Concrete facts of a golden report, each with a check.",
    ),
    "make-shallow": ("blade.cli.package_shallow:make_shallow", "Reports that must not score well, from a golden one."),
    "score": ("blade.cli.package_score:score", "How good is a report, truth first?"),
    "calibrate": ("blade.cli.package_calibrate:calibrate", "Does the score tell a golden report from its controls?"),
    "sanitize": ("blade.cli.package_sanitize:sanitize", "Copies that can be shared: no credentials, people or places in them."),
}


@click.group(cls=LazyGroup, table=PACKAGE_COMMANDS, context_settings=SETTINGS)
def package() -> None:
    """BLADE-ready packages: an analysis skill, comparable rollouts and golden reports."""
