"""Configurations as the catalog reads them: without the user's settings, and without taking a missing value for a fault."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from blade.errors import BladeError
from blade.gym.config import Examined, GymConfig, Instance, Problem, examine_config
from blade.gym.config.documents import UnreadableConfig, read_document
from blade.gym.config.instances import looks_like_a_server
from blade.gym.config.roots import shown


def examined(path: Path, roots: Sequence[Path]) -> tuple[Examined | None, str | None]:
    """The configuration and no reason, or as much as there is of it and the reason why it cannot run."""
    try:
        found = examine_config(
            [str(path)],
            search_dirs=[str(root) for root in roots if root.is_dir()],
            stand_in_model=True,
            use_environment_file=False,
        )
    except BladeError as error:
        return None, str(error)
    faults = [one.sentence() for one in found.problems if not _for_the_user(one)]
    return found, faults[0] if faults else None


def _for_the_user(problem: Problem) -> bool:
    """Whoever runs it gives addresses and names; that they are not known here says nothing of the configuration."""
    return problem.code == "missing_value"


def is_configuration(path: Path, roots: Sequence[Path]) -> bool:
    """Whether a YAML file is meant as a configuration, and not as a prompt or data. An unreadable one may be."""
    try:
        tree = read_document(path, shown(path, roots))
    except UnreadableConfig:
        return True
    return "config_paths" in tree or any(isinstance(value, dict) and looks_like_a_server(value) for value in tree.values())


def data_of(config: GymConfig, kind: str) -> list[tuple[Instance, dict[str, Any]]]:
    """The datasets of a type, each with the agent that runs it."""
    return [
        (instance, item)
        for instance in config.instances.values()
        for item in instance.settings.get("datasets") or ()
        if item["type"] == kind
    ]


def resources_server_of(config: GymConfig, agent: Instance | None = None) -> Instance | None:
    """The server that an agent refers to, else the first one."""
    reference = agent.settings.get("resources_server") if agent else None
    if isinstance(reference, dict) and reference.get("name") in config.instances:
        return config.instances[reference["name"]]
    return next((one for one in config.instances.values() if one.kind == "resources_servers"), None)


def one_text(value: Any) -> str | None:
    """A text on one line, or nothing."""
    return " ".join(value.split()) or None if isinstance(value, str) else None
