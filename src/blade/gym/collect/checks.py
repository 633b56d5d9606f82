"""What can be known to fail before a run begins: code that does not load, settings that do not fit, prompts that cannot be read."""

from collections.abc import Iterator

from blade.errors import BladeError, UsageError
from blade.gym.collect.prompts import load_prompt
from blade.gym.config import GymConfig
from blade.gym.config.instances import DUMMY_MODEL
from blade.gym.servers.components import Component, check, component_of, slips


def check_components(config: GymConfig) -> list[str]:
    """Load the code of every server and check its settings; raises at the first that fails, and gives what looks misspelt."""
    found: list[str] = []
    for name, component in _here(config):
        check(component, name, config.instances[name].settings)
        found += slips(component, name, config.instances[name].settings)
    return found


def faults(config: GymConfig) -> Iterator[tuple[str, str]]:
    """Everything of that kind, as (which instance, what is wrong)."""
    for name, component in _here(config):
        try:
            check(component, name, config.instances[name].settings)
        except BladeError as error:
            yield name, str(error)
    for name, instance in config.instances.items():
        for dataset in instance.settings.get("datasets") or []:
            try:
                if dataset.get("prompt_config"):
                    load_prompt(config.find(str(dataset["prompt_config"])))
            except BladeError as error:
                yield name, str(error)


def _here(config: GymConfig) -> Iterator[tuple[str, Component]]:
    """The servers whose code is on this machine; others may run elsewhere, and starting one here says what is missing."""
    for name, instance in config.instances.items():
        if instance.implementation == DUMMY_MODEL:
            continue
        try:
            yield name, component_of(instance, config.roots)
        except UsageError:
            continue
