"""From names, files and overrides to one configuration that can run: the order of the steps is decided here.

Files (each over what it includes) < env.yaml < command line; then `_inherit_from` and its kin; then `${…}`; then the servers are
recognised and checked. `examine_config` goes through to the end and lists what is wrong; `resolve_config` wants nothing wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from blade.gym.config.chain import CONFIG_PATHS, Chain, environment_file, included
from blade.gym.config.directives import follow_directives
from blade.gym.config.documents import place_of
from blade.gym.config.instances import (
    DUMMY_MODEL,
    KINDS,
    Instance,
    Recognised,
    check_references,
    recognise,
    references_to_servers,
    without_dummies,
)
from blade.gym.config.interpolation import references, resolve_interpolations
from blade.gym.config.masking import masked
from blade.gym.config.merge import copied, deep_merge, exists, reach, split_path
from blade.gym.config.overrides import COMMAND_LINE, Override, apply_overrides, parse_override
from blade.gym.config.problems import ConfigError, Problem, did_you_mean, problem
from blade.gym.config.roots import find_below, search_roots, shown
from blade.gym.config.spelling import check_spelling, known_keys

POLICY_MODEL = "policy_model"
STAND_INS = {"policy_base_url": "http://127.0.0.1:9/v1", "policy_api_key": "stand-in", "policy_model_name": "stand-in"}
"""What the policy's settings are where a configuration is checked without a model. Nothing listens on the discard port."""


@dataclass(frozen=True)
class GymConfig:
    """A resolved configuration."""

    settings: dict[str, Any]
    """All of it as plain data, without interpolations; the servers too."""
    instances: dict[str, Instance]
    roots: tuple[Path, ...]
    """Where components and relative paths are looked for; the first that has one wins."""
    files: tuple[Path, ...]
    """The YAML files that were read, in the order in which they were laid over each other."""
    notes: tuple[str, ...] = ()
    """What is worth a warning and no error."""

    def masked(self) -> dict[str, Any]:
        """`settings` as they may be shown: secrets replaced by `****`."""
        shown_settings: dict[str, Any] = masked(self.settings)
        return shown_settings

    def find(self, relative: str) -> Path:
        """The file or folder of this path under the first root that holds it; a UsageError where none does."""
        return find_below(relative, self.roots)


@dataclass(frozen=True)
class Examined:
    """A configuration as far as it could be resolved (`???` where a value is missing), and everything that is wrong with it."""

    config: GymConfig
    problems: tuple[Problem, ...]


def resolve_config(
    config_paths: Sequence[str],
    overrides: Sequence[str] = (),
    *,
    search_dirs: Sequence[str] = (),
    stand_in_model: bool = False,
) -> GymConfig:
    """The configuration that files and overrides make together; a `ConfigError` lists everything that is wrong with it.

    With `stand_in_model` the policy's address, key and name need not be known, nor its model type chosen.
    """
    examined = examine_config(config_paths, overrides, search_dirs=search_dirs, stand_in_model=stand_in_model)
    if examined.problems:
        raise ConfigError(examined.problems)
    return examined.config


def examine_config(
    config_paths: Sequence[str],
    overrides: Sequence[str] = (),
    *,
    search_dirs: Sequence[str] = (),
    stand_in_model: bool = False,
    use_environment_file: bool = True,
) -> Examined:
    """The same without the refusal. Unreadable files and words that make no sense still end it: there is nothing to examine."""
    roots = search_roots(search_dirs)
    asked = [parse_override(token) for token in overrides]
    chain, tree, files = _files(config_paths, asked, roots, use_environment_file)
    for key, value in STAND_INS.items() if stand_in_model else ():
        tree.setdefault(key, value)
    before = copied(tree)
    waiting = apply_overrides(tree, asked)
    followed = follow_directives(tree)
    homeless = apply_overrides(followed.tree, waiting)
    unapplied = [_unapplied(one, followed.tree) for one in homeless]
    misspelt, slips = check_spelling([one for one in asked if one not in homeless], before, references(tree))
    settings, gaps = resolve_interpolations(without_dummies(followed.tree))
    found, faults, left_out = _servers(settings, followed.removed, stand_in_model=stand_in_model)
    notes = [*chain.notes, *_merged_by_accident(chain, roots), *followed.notes, *slips, *left_out]
    config = GymConfig(settings, found.instances, roots, tuple(files), tuple(dict.fromkeys(notes)))
    located = [_located(fault, followed.tree) for fault in faults]
    return Examined(config, (*misspelt, *unapplied, *followed.problems, *gaps, *located))


def _files(
    config_paths: Sequence[str], asked: list[Override], roots: tuple[Path, ...], use_environment_file: bool
) -> tuple[Chain, dict[str, Any], list[Path]]:
    """The files merged, env.yaml last. `config_paths` on the command line add to those given; those of env.yaml serve where there are none."""
    chain = Chain(roots)
    environment = environment_file(roots) if use_environment_file else None
    listed = [path for one in asked if one.key == CONFIG_PATHS for path in included({CONFIG_PATHS: one.value}, str(COMMAND_LINE))]
    given = [*config_paths, *listed]
    if not given and environment is not None:
        given = included(environment.tree, shown(environment.path, roots))
    for path in given:
        chain.load(path)
    tree = chain.merged()
    files = [document.path for document in chain.documents]
    if environment is not None:
        tree = deep_merge(tree, environment.tree)
        files.append(environment.path)
    tree[CONFIG_PATHS] = [str(path) for path in given]
    asked[:] = [one for one in asked if one.key != CONFIG_PATHS]
    return chain, tree, files


def _merged_by_accident(chain: Chain, roots: Sequence[Path]) -> list[str]:
    """Servers of one name from files that know nothing of each other: the later one quietly changes the earlier one."""
    notes = []
    for name, block in chain.merged().items():
        if not isinstance(block, dict) or not any(kind in block for kind in KINDS):
            continue
        for first, second in chain.unrelated(name):
            if _dummy(first.tree[name]) or _dummy(second.tree[name]):
                continue
            one, other = shown(first.path, roots), shown(second.path, roots)
            notes.append(
                f"{name} is defined in {one} and in {other}, neither of which includes the other; {other} was laid over it"
            )
    return notes


def _dummy(block: dict[str, Any]) -> bool:
    models = block.get("responses_api_models")
    return isinstance(models, dict) and DUMMY_MODEL in models


def _unapplied(override: Override, tree: dict[str, Any]) -> Problem:
    near = did_you_mean(override.key, known_keys(tree))
    if override.action == "delete":
        return problem("override", override.key, f"~{override.key} removes nothing: there is no such key{near}")
    message = f"{override.key} cannot be set: on the way there is a plain value, or a list that is too short{near}"
    return problem("override", override.key, message)


def _located(fault: Problem, tree: dict[str, Any]) -> Problem:
    """The problem with the place where its subject, or the nearest thing around it, was written."""
    parts = split_path(fault.key)
    while parts and not exists(tree, parts):
        parts = parts[:-1]
    place = place_of(reach(tree, parts)) if parts else None
    return replace(fault, place=None if place is None else str(place))


def _servers(
    settings: dict[str, Any], removed: dict[str, str], *, stand_in_model: bool
) -> tuple[Recognised, list[Problem], list[str]]:
    found = recognise(settings)
    if stand_in_model and POLICY_MODEL not in settings:
        wants = any(
            name == POLICY_MODEL
            for instance in found.instances.values()
            for _, _, name in references_to_servers(instance.settings, (instance.name,))
        )
        if wants:
            settings[POLICY_MODEL] = {"responses_api_models": {DUMMY_MODEL: {"entrypoint": "app.py"}}}
            found = recognise(settings)
    problems = [one for faults in found.almost.values() for one in faults]
    notes: list[str] = []
    if settings.get("error_on_almost_servers") is False:
        notes = [f"left out, almost a server: {one.message}" for one in problems]
        problems = []
    problems += check_references(found, removed)
    return found, problems, notes
