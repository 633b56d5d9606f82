"""Agents, models and resources servers: the parts that configurations are put together from."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from blade.errors import BladeError
from blade.gym.catalog.entry import BROKEN, Entry
from blade.gym.catalog.reading import examined, one_text
from blade.gym.config import Instance
from blade.gym.config.documents import plain, read_document
from blade.gym.config.roots import shown
from blade.gym.config.selectors import AGENT, MODEL_TYPE, RESOURCES_SERVER, Selector, configurations

COMPOSABLE, SELF_CONTAINED = "A (composable)", "B (self-contained)"


def agents(roots: Sequence[Path]) -> list[Entry]:
    """Every folder of `responses_api_agents/` with code or a configuration."""
    return [_agent(name, folder, roots) for name, folder in _folders(AGENT, roots)]


def _agent(name: str, folder: Path, roots: Sequence[Path]) -> Entry:
    variants = sorted(path.stem for path in (folder / AGENT.configs).glob("*.yaml"))
    blocks: list[dict[str, Any]] = []
    reason = None
    for variant in variants:
        settings, fault = _settings(folder / AGENT.configs / f"{variant}.yaml", "responses_api_agents", name, roots)
        blocks += [settings] if settings is not None else []
        reason = reason or fault
    alone = bool(blocks) and all(_brings_its_own(block) for block in blocks)
    description = next((text for block in blocks if (text := one_text(block.get("description")))), None) or _docstring(folder)
    pattern = SELF_CONTAINED if alone else COMPOSABLE
    fields = {
        "pattern": pattern,
        "self_contained": alone,
        "variants": variants,
        "description": description,
    } | ({"status": BROKEN} if reason else {})
    details = {"folder": shown(folder, roots), "pattern": pattern, "configurations": ", ".join(variants)}
    usage = f"gym eval run --no-serve --agent {name} --input tasks.jsonl --output results/rollouts.jsonl"
    return Entry(name, "agent", folder, fields, details, usage, reason)


def _brings_its_own(settings: dict[str, Any]) -> bool:
    """An agent with data of its own and no resources server verifies by itself."""
    return "resources_server" not in settings and bool(settings.get("datasets"))


def models(roots: Sequence[Path]) -> list[Entry]:
    """Every configuration of a model server. `model` is null where whoever runs it names the model."""
    found = []
    for name, path in configurations(MODEL_TYPE, roots):
        folder = next(parent for parent in path.parents if parent.parent.name == MODEL_TYPE.folder)
        group = folder.name
        settings, reason = _settings(path, "responses_api_models", group, roots)
        if settings is None and reason is None:
            continue
        named = (
            next((settings[key] for key in ("model", f"{group}", "openai_model") if key in settings), None) if settings else None
        )
        model = named if isinstance(named, str) and "${" not in named and named != "???" else None
        fields = {"model": model, "model_group": group} | ({"status": BROKEN} if reason else {})
        details = {
            "config": shown(path, roots),
            "model": model or ("--model NAME" if "${policy_model_name}" in str(settings) else "its own"),
            "server": group,
            "about": _docstring(folder) or "",
        }
        usage = f"gym eval run --benchmark NAME --model-type {name} --output results/NAME.jsonl"
        found.append(Entry(name, "model", path, fields, details, usage, reason))
    return found


def resources_servers(roots: Sequence[Path]) -> list[Entry]:
    """Every folder of `resources_servers/` with a configuration."""
    found = []
    for name, folder in _folders(RESOURCES_SERVER, roots):
        paths = sorted((folder / RESOURCES_SERVER.configs).glob("*.yaml"), key=lambda path: (path.stem != name, path.stem))
        if not paths:
            continue
        config, reason = examined(paths[0], roots)
        server = _instance(config.config.instances.values() if config else (), name)
        settings = server.settings if server else {}
        domain, description = one_text(settings.get("domain")), one_text(settings.get("description")) or _docstring(folder)
        fields = {"domain": domain, "description": description} | ({"status": BROKEN} if reason else {})
        details = {
            "folder": shown(folder, roots),
            "configurations": ", ".join(path.stem for path in paths),
            "verified": str(settings.get("verified", False)).lower(),
            "value": one_text(settings.get("value")) or "",
        }
        usage = f"gym env start --resources-server {name} --model-type openai_model"
        found.append(Entry(name, "resources server", folder, fields, details, usage, reason))
    return found


def _instance(instances: Any, implementation: str) -> Instance | None:
    servers: list[Instance] = [one for one in instances if one.kind == "resources_servers"]
    return next((one for one in servers if one.implementation == implementation), servers[0] if servers else None)


def _folders(selector: Selector, roots: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    seen: set[str] = set()
    for root in roots:
        for folder in sorted((root / selector.folder).glob("*/")):
            if folder.name not in seen and ((folder / "app.py").is_file() or (folder / selector.configs).is_dir()):
                seen.add(folder.name)
                yield folder.name, folder


def _settings(path: Path, kind: str, implementation: str, roots: Sequence[Path]) -> tuple[dict[str, Any] | None, str | None]:
    """The settings under an implementation as they are written, interpolations and all; or why they cannot be read."""
    try:
        tree = plain(read_document(path, shown(path, roots)))
    except BladeError as error:
        return None, str(error)
    for block in tree.values():
        servers = block.get(kind) if isinstance(block, dict) else None
        if isinstance(servers, dict) and implementation in servers:
            settings = servers[implementation]
            return (settings if isinstance(settings, dict) else {}), None
    return None, None


def _docstring(folder: Path) -> str | None:
    """The first sentence of what the code says of itself."""
    try:
        text = ast.get_docstring(ast.parse((folder / "app.py").read_text("utf-8")))
    except (OSError, SyntaxError, ValueError):
        return None
    first = one_text((text or "").partition("\n\n")[0]) or ""
    return first.partition(". ")[0].rstrip(".") + "." if first else None
