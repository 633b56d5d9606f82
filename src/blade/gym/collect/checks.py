"""What can be known to fail before a run begins: code that does not load, settings that do not fit, prompts that cannot be read."""

import inspect
from collections.abc import Iterator
from contextlib import suppress

from blade.errors import BladeError, UsageError
from blade.gym.collect.prompts import load_prompt
from blade.gym.config import GymConfig
from blade.gym.config.datasets import dataset_slips
from blade.gym.config.instances import DUMMY_MODEL
from blade.gym.servers.calls import NoCalls
from blade.gym.servers.components import Component, build, component_of, slips
from blade.gym.servers.gymnasium import GymnasiumServer
from blade.gym.servers.resources import ResourcesServer

VERIFY_TAKES = 3


def check_components(config: GymConfig) -> list[str]:
    """Load the code of every server and check its settings; raises at the first that fails, and gives what looks misspelt."""
    for name, component in _here(config):
        _built(component, name, config)
    return misspelt(config)


def misspelt(config: GymConfig) -> list[str]:
    """Settings of servers and of datasets that nobody knows and that look like known ones; of code that loads."""
    found: list[str] = []
    for name, component in _here(config):
        with suppress(BladeError):
            found += slips(component, name, config.instances[name].settings)
    for name, instance in config.instances.items():
        for dataset in instance.settings.get("datasets") or []:
            found += [f"{name}: a dataset {slip}" for slip in dataset_slips(dataset)]
    return found


def faults(config: GymConfig) -> Iterator[tuple[str, str]]:
    """Everything of that kind, as (which instance, what is wrong)."""
    for name, component in _here(config):
        try:
            _built(component, name, config)
        except BladeError as error:
            yield name, str(error)
    for name, instance in config.instances.items():
        for dataset in instance.settings.get("datasets") or []:
            try:
                if dataset.get("prompt_config"):
                    load_prompt(config.find(str(dataset["prompt_config"])))
            except BladeError as error:
                yield name, str(error)


def _built(component: Component, name: str, config: GymConfig) -> None:
    """An instance, to see that it can be made and has what its kind must have."""
    try:
        server = build(component, name, config.instances[name].settings, NoCalls())
    except BladeError:
        raise
    except Exception as error:
        raise UsageError(f"{name} cannot be made: {type(error).__name__}: {error}", path=component.folder) from error
    if isinstance(server, ResourcesServer) and not isinstance(server, GymnasiumServer):
        given = list(inspect.signature(server.verify).parameters)
        if type(server).verify is ResourcesServer.verify:
            raise UsageError(
                f"{type(server).__name__} has no verify", path=component.folder, hint="write verify(self, state, row, response)"
            )
        if len(given) != VERIFY_TAKES:
            raise UsageError(
                f"verify takes state, row and response, here: {', '.join(given) or 'nothing'}", path=component.folder
            )


def _here(config: GymConfig) -> Iterator[tuple[str, Component]]:
    """The servers whose code is on this machine; others may run elsewhere, and starting one here says what is missing."""
    for name, instance in config.instances.items():
        if instance.implementation == DUMMY_MODEL:
            continue
        try:
            yield name, component_of(instance, config.roots)
        except UsageError:
            continue
