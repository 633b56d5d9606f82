"""Benchmarks and environments: configurations that can be evaluated as they are."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from blade.errors import BladeError
from blade.gym.catalog.entry import BROKEN, EXPERIMENTAL, WITHOUT_MANIFEST, Entry
from blade.gym.catalog.reading import data_of, examined, is_configuration, one_text, resources_server_of
from blade.gym.config import GymConfig, Instance
from blade.gym.config.documents import plain, read_document
from blade.gym.config.roots import shown
from blade.gym.config.selectors import BENCHMARK, ENVIRONMENT, RESOURCES_SERVER, configurations

MANIFEST = "manifest.yaml"
FROM_MANIFEST = ("version", "integration_profile", "modality", "licensing", "lifecycle")


def benchmarks(roots: Sequence[Path]) -> list[Entry]:
    """Every configuration below `benchmarks/` with one benchmark dataset. One with several is a suite, which is no benchmark itself."""
    found = []
    for name, path in configurations(BENCHMARK, roots):
        if path.name == MANIFEST or not is_configuration(path, roots):
            continue
        config, reason = _config(path, roots)
        datasets = data_of(config, "benchmark") if config else []
        if len(datasets) > 1 or (not datasets and not reason and path.stem != "config"):
            continue
        if not datasets and not reason:
            reason = "it has no dataset of type benchmark"
        agent, dataset = datasets[0] if datasets else (None, {})
        found.append(_benchmark(name, path, roots, config, reason, agent, dataset))
    return found


def _benchmark(
    name: str,
    path: Path,
    roots: Sequence[Path],
    config: GymConfig | None,
    reason: str | None,
    agent: Instance | None,
    dataset: dict[str, Any],
) -> Entry:
    server = resources_server_of(config, agent) if config else None
    fields = _fields("benchmark", path, reason, [dataset, agent.settings if agent else {}, server.settings if server else {}])
    fields |= {"num_repeats": dataset.get("num_repeats"), "agent_name": agent.name if agent else None}
    details = {
        "config": shown(path, roots),
        "resources server": server.name if server else "",
        "agent": agent.name if agent else "",
        "repeats": str(dataset.get("num_repeats", "")),
        "data": str(dataset.get("jsonl_fpath", "")),
        "prepared by": str(dataset.get("prepare_script", "")),
        "prompt": str(dataset.get("prompt_config") or ""),
    }
    usage = f"gym eval run --benchmark {name} --model-type openai_model --split benchmark --output results/{name.replace('/', '_')}.jsonl"
    return Entry(name, "benchmark", path, fields, details, usage, reason)


def environments(roots: Sequence[Path]) -> list[Entry]:
    """`environments/` and the configurations of resources servers; of the same name, the former."""
    found: dict[str, Entry] = {}
    for selector in (ENVIRONMENT, RESOURCES_SERVER):
        for name, path in configurations(selector, roots):
            if name in found or path.name == MANIFEST or not is_configuration(path, roots):
                continue
            config, reason = _config(path, roots)
            server = resources_server_of(config) if config else None
            if server is None and selector is RESOURCES_SERVER and not reason:
                continue
            found[name] = _environment(
                name, path, roots, config, reason, f"gym env start {selector.flag} {name} --model-type openai_model"
            )
    return list(found.values())


def _environment(name: str, path: Path, roots: Sequence[Path], config: GymConfig | None, reason: str | None, usage: str) -> Entry:
    server = resources_server_of(config) if config else None
    agents = [one.name for one in config.instances.values() if one.kind == "responses_api_agents"] if config else []
    data = [
        f"{item['name']} ({item['type']})"
        for kind in ("train", "validation", "example")
        for _, item in (data_of(config, kind) if config else ())
    ]
    fields = _fields("environment", path, reason, [server.settings if server else {}]) | {
        "num_repeats": None,
        "agent_name": agents[0] if agents else None,
    }
    details = {
        "config": shown(path, roots),
        "resources server": server.name if server else "",
        "agents": ", ".join(agents),
        "data": ", ".join(data),
        "value": one_text(server.settings.get("value")) or "" if server else "",
    }
    return Entry(name, "environment", path, fields, details, usage, reason)


def _config(path: Path, roots: Sequence[Path]) -> tuple[GymConfig | None, str | None]:
    found, reason = examined(path, roots)
    return (found.config if found else None), reason


def _fields(kind: str, path: Path, reason: str | None, blocks: list[dict[str, Any]]) -> dict[str, Any]:
    """What the manifest says, else the first of the blocks that says it: a benchmark's own words before its server's."""
    manifest, fault = _manifest(path)

    def said(key: str) -> str | None:
        return next((text for block in (manifest, *blocks) if (text := one_text(block.get(key)))), None)

    status = EXPERIMENTAL if manifest else WITHOUT_MANIFEST
    return {
        "kind": kind,
        "status": BROKEN if reason or fault else status,
        "domain": said("domain"),
        "description": said("description"),
        **{key: manifest.get(key) for key in FROM_MANIFEST},
        "lifecycle": manifest.get("lifecycle", "active"),
    }


def _manifest(config: Path) -> tuple[dict[str, Any], bool]:
    """The manifest of a configuration, and whether it cannot be read. That of `flavor.yaml` lies in the folder `flavor`."""
    folder = config.parent if config.stem == "config" else config.parent / config.stem
    path = folder / MANIFEST
    if not path.is_file():
        return {}, False
    try:
        return plain(read_document(path, str(path))), False
    except BladeError:
        return {}, True
