"""What a configuration needs on disk, and whether it is there: implementations and data."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blade.gym.config.instances import DUMMY_MODEL, KIND_NOUNS, Instance
from blade.gym.config.problems import Problem, did_you_mean, problem
from blade.gym.config.resolve import GymConfig
from blade.gym.config.roots import holders

BLOCK = 1 << 20


@dataclass(frozen=True)
class Data:
    """One dataset of an agent. `rows` is None where the file is not there."""

    agent: str
    name: str
    type: str
    path: str
    rows: int | None
    num_repeats: int
    prompt_config: str | None
    prepare_script: str | None


def datasets(config: GymConfig) -> list[Data]:
    """Every dataset of the configuration, with its rows counted."""
    return [_data(instance, item, config) for instance in config.instances.values() for item in _items(instance)]


def _items(instance: Instance) -> list[dict[str, Any]]:
    return instance.settings.get("datasets") or []


def _data(instance: Instance, item: dict[str, Any], config: GymConfig) -> Data:
    found = [path for path in holders(item["jsonl_fpath"], config.roots) if path.is_file()]
    rows = count_rows(found[0]) if found else None
    return Data(
        instance.name,
        item["name"],
        item["type"],
        item["jsonl_fpath"],
        rows,
        item["num_repeats"],
        item.get("prompt_config"),
        item.get("prepare_script"),
    )


def count_rows(path: Path) -> int:
    """Lines that are not blank."""
    rows, pending = 0, False
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            *whole, rest = block.split(b"\n")
            for line in whole:
                rows += pending or bool(line.strip())
                pending = False
            pending = pending or bool(rest.strip())
    return rows + pending


def missing_files(config: GymConfig) -> list[Problem]:
    """Implementations, prompts and prepare scripts that are not there. Data that can be prepared is not missing."""
    problems = [fault for instance in config.instances.values() if (fault := _implementation(instance, config))]
    for instance in config.instances.values():
        for item in _items(instance):
            for setting in ("prompt_config", "prepare_script"):
                path = item.get(setting)
                if path and not holders(path, config.roots):
                    key = f"{instance.name}.datasets.{item['name']}.{setting}"
                    problems.append(problem("dataset", key, f"{setting} {path} of dataset {item['name']} is not there"))
            if not _can_be_had(item) and not holders(item["jsonl_fpath"], config.roots):
                key = f"{instance.name}.datasets.{item['name']}.jsonl_fpath"
                problems.append(problem("dataset", key, f"{item['jsonl_fpath']} of dataset {item['name']} is not there"))
    return problems


def _can_be_had(item: dict[str, Any]) -> bool:
    """Whether the configuration says where the data comes from."""
    return any(item.get(key) for key in ("prepare_script", "source", "gitlab_identifier", "huggingface_identifier"))


def _implementation(instance: Instance, config: GymConfig) -> Problem | None:
    if instance.implementation == DUMMY_MODEL:
        return None
    folder = f"{instance.kind}/{instance.implementation}"
    if holders(f"{folder}/{instance.settings.get('entrypoint') or 'app.py'}", config.roots):
        return None
    known = {path.parent.name for root in config.roots for path in (root / instance.kind).glob("*/app.py")}
    known.discard(instance.implementation)
    near = did_you_mean(instance.implementation, known)
    what = f"there is no {KIND_NOUNS[instance.kind]} {instance.implementation} ({folder}/{instance.settings.get('entrypoint') or 'app.py'}){near}"
    return problem("implementation", instance.name, f"{instance.name}: {what}")
