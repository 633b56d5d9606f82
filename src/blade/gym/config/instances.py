"""Server instances: which blocks of a configuration are servers, and whether they can be started as they are.

An instance is a top-level key that holds one kind of server, which holds one implementation, which holds the settings. A block
that looks like one and is not (two implementations, a kind spelt wrong, a resources server without a domain, data without a
license) is an *almost server*: a problem, or with `error_on_almost_servers: false` a note and no server.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Literal, get_args

from blade.gym.config.datasets import check_dataset
from blade.gym.config.interpolation import MISSING
from blade.gym.config.keys import is_reserved
from blade.gym.config.merge import Path, dotted
from blade.gym.config.problems import Problem, did_you_mean, problem

Kind = Literal["resources_servers", "responses_api_agents", "responses_api_models"]
KINDS: tuple[Kind, ...] = get_args(Kind)
KIND_NOUNS = {"resources_servers": "resources server", "responses_api_agents": "agent", "responses_api_models": "model"}
DOMAINS = (
    "math",
    "coding",
    "agent",
    "knowledge",
    "instruction_following",
    "long_context",
    "safety",
    "games",
    "translation",
    "e2e",
    "rlhf",
    "other",
)
DUMMY_MODEL = "dummy_model"
FOR_ALL: dict[Kind, tuple[str, ...]] = {
    "responses_api_agents": ("skip_verification", "skip_verification_reward"),
    "resources_servers": ("verbose",),
}
"""Top-level keys that are settings of every server of a kind, unless it says otherwise."""


@dataclass(frozen=True)
class Instance:
    """A server of the configuration: its name, its kind, the folder it is implemented in, and its settings."""

    name: str
    kind: Kind
    implementation: str
    settings: dict[str, Any]


@dataclass
class Recognised:
    instances: dict[str, Instance] = field(default_factory=dict)
    almost: dict[str, list[Problem]] = field(default_factory=dict)
    """Blocks that look like servers, and why they are none."""


def without_dummies(tree: dict[str, Any]) -> dict[str, Any]:
    """The tree without each `dummy_model` that stands beside a real model of the same instance."""
    cleaned = dict(tree)
    for name, block in tree.items():
        models = block.get("responses_api_models") if isinstance(block, dict) else None
        if isinstance(models, dict) and DUMMY_MODEL in models and len(models) > 1:
            cleaned[name] = block | {"responses_api_models": {key: value for key, value in models.items() if key != DUMMY_MODEL}}
    return cleaned


def recognise(tree: dict[str, Any]) -> Recognised:
    """The servers of a resolved tree. Defaults of datasets are filled in, in the tree as well."""
    found = Recognised()
    for name, block in tree.items():
        if is_reserved(name) or not isinstance(block, dict) or not looks_like_a_server(block):
            continue
        problems = list(_structure(name, block))
        if not problems:
            kind = next(kind for kind in KINDS if kind in block)
            implementation, settings = next(iter(block[kind].items()))
            if settings is None:
                settings = block[kind][implementation] = {}
            problems = list(_settings(kind, settings, (name, kind, implementation)))
            if not problems:
                general = {key: tree[key] for key in FOR_ALL.get(kind, ()) if key in tree}
                found.instances[name] = Instance(name, kind, implementation, general | settings)
        if problems:
            found.almost[name] = problems
    return found


def looks_like_a_server(block: dict[str, Any]) -> bool:
    """Whether a block names a kind of server, or nearly does."""
    return any(
        key in KINDS or (isinstance(value, dict) and get_close_matches(key, KINDS, n=1, cutoff=0.85))
        for key, value in block.items()
    )


def _structure(name: str, block: dict[str, Any]) -> Iterator[Problem]:
    kinds = [kind for kind in KINDS if kind in block]
    if not kinds:
        wrong = next(key for key in block if get_close_matches(key, KINDS, n=1, cutoff=0.85))
        yield problem("server", name, f"{name}: {wrong} is not a kind of server{did_you_mean(wrong, KINDS)}")
        return
    if len(kinds) > 1:
        yield problem("server", name, f"{name} is {' and '.join(kinds)} at once; a server has one kind")
        return
    others = [key for key in block if key not in KINDS]
    if others:
        yield problem(
            "server", name, f"{name}: {', '.join(others)} stands beside {kinds[0]}; settings belong under the implementation"
        )
    implementations = block[kinds[0]]
    if not isinstance(implementations, dict) or not implementations:
        yield problem("server", name, f"{name}.{kinds[0]} must hold the name of an implementation with its settings under it")
    elif len(implementations) > 1:
        yield problem(
            "server",
            name,
            f"{name} has {len(implementations)} implementations ({', '.join(implementations)}), and a server has one",
        )
    else:
        implementation, settings = next(iter(implementations.items()))
        if settings is not None and not isinstance(settings, dict):
            yield problem("server", name, f"{name}.{kinds[0]}.{implementation} must hold settings as keys and values")


def _settings(kind: Kind, settings: dict[str, Any], path: Path) -> Iterator[Problem]:
    key, name = dotted(path), str(path[0])
    entrypoint = settings.get("entrypoint", "app.py")
    if not isinstance(entrypoint, str) or not entrypoint:
        yield problem("server", key, f"{key}.entrypoint must name a file")
    if kind == "resources_servers":
        domain = settings.get("domain")
        if domain is None:
            yield problem("server", key, f"{name} has no domain; set {key}.domain to one of: {', '.join(DOMAINS)}")
        elif domain not in (*DOMAINS, MISSING):
            near = did_you_mean(str(domain), DOMAINS) or f"; one of: {', '.join(DOMAINS)}"
            yield problem("server", key, f"{domain} is not a domain ({key}.domain){near}")
    if "datasets" in settings and settings["datasets"] is not None:
        yield from _datasets(settings, path)


def _datasets(settings: dict[str, Any], path: Path) -> Iterator[Problem]:
    items = settings["datasets"]
    if not isinstance(items, list):
        yield problem("dataset", dotted(path), f"{dotted(path)}.datasets must be a list")
        return
    for index, item in enumerate(items):
        checked, faults = check_dataset(item)
        if checked is not None:
            items[index] = checked
        label = str(item["name"]) if isinstance(item, dict) and item.get("name") else str(index)
        for fault in faults:
            place = dotted((*path, "datasets", index))
            yield problem("dataset", place, f"dataset {label} of {path[0]}: {fault}")


def references_to_servers(value: Any, path: Path) -> Iterator[tuple[Path, str, str]]:
    """Every `{type: …, name: …}` in the settings that means a server: the way to it, its kind and its name."""
    if isinstance(value, dict):
        kind, name = value.get("type"), value.get("name")
        if isinstance(kind, str) and isinstance(name, str) and (kind in KINDS or _named_server(path)):
            yield path, kind, name
            return
        for key, inner in value.items():
            if key != "datasets":
                yield from references_to_servers(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from references_to_servers(inner, (*path, index))


def _named_server(path: Path) -> bool:
    return isinstance(path[-1], str) and path[-1].endswith("_server")


def check_references(found: Recognised, removed: dict[str, str]) -> Iterator[Problem]:
    """References to servers that are not there. `removed`: sources of `_inherit_from`, and who inherited."""
    for instance in found.instances.values():
        base: Path = (instance.name, instance.kind, instance.implementation)
        for path, kind, name in references_to_servers(instance.settings, base):
            key = dotted(path)
            target = found.instances.get(name)
            if name == MISSING or kind == MISSING:
                continue
            if kind not in KINDS:
                yield problem("reference", key, f"{key}: {kind} is not a kind of server{did_you_mean(kind, KINDS)}")
            elif target is None:
                yield problem("reference", key, f"{key} refers to {_undefined(name, kind, found, removed)}")
            elif target.kind != kind:
                said, real = KIND_NOUNS[kind], KIND_NOUNS[target.kind]
                yield problem("reference", key, f"{key} refers to {name} as a {said}, and it is a {real}")


def _undefined(name: str, kind: str, found: Recognised, removed: dict[str, str]) -> str:
    if name in removed:
        return f"{name}, which is gone because {removed[name]} inherits from it; did you mean {removed[name]}?"
    if name in found.almost:
        return f"{name}, which is not a valid server"
    known = [other.name for other in found.instances.values() if other.kind == kind]
    if name == "policy_model" and not known:
        return "policy_model, and no configuration defines a model; choose one with --model-type NAME"
    return f"{name}, which no configuration defines{did_you_mean(name, known)}"
