"""What a configuration says of a run: the servers of the evaluation loop, in the YAML beside the rollouts or in the manifest.

A configuration is what was asked for. It speaks where the rows are silent (verifier, limits) and never against them.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from blade.runs.definition import digest
from blade.runs.settings import LIMIT

SERVERS: Final = {"resources_servers": "verifier", "responses_api_agents": "agent", "responses_api_models": "model"}
WIRING: Final = frozenset({"host", "port", "num_workers", "entrypoint", "datasets", "resources_server", "model_server"})
SAMPLING: Final = frozenset({"temperature", "top_p", "top_k", "max_output_tokens", "seed", "reasoning_effort", "reasoning"})
MODEL_NAMES: Final = ("openai_model", "model", "model_name")
MOST_BYTES: Final = 4 << 20


def read_configs(paths: Iterable[Path]) -> dict[str, Any]:
    """The provenance that the configuration files beside the rollouts hold; what cannot be read says nothing."""
    found: dict[str, Any] = {}
    for path in paths:
        import yaml

        try:
            if path.stat().st_size > MOST_BYTES:
                continue
            config = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError, ValueError):
            continue
        if isinstance(config, dict):
            found = configured(config) | found
    return found


def configured(config: Mapping[Any, Any]) -> dict[str, Any]:
    """The provenance that one resolved configuration holds."""
    verifiers: list[str] = []
    agents: list[str] = []
    models: list[str] = []
    limits: dict[str, Any] = {}
    for instance, block in config.items():
        for kind, name, server in _servers(block):
            if kind == "verifier":
                verifiers.append(f"{name}:{_fingerprint(server)}")
                limits |= _limits(server)
            elif kind == "agent":
                agents.append(str(instance))
                limits |= _limits(server)
            else:
                models += [str(server[key]) for key in MODEL_NAMES if _settled(server.get(key))][:1]
    asked = config.get("responses_create_params")
    skills = config.get("skills")
    found = {
        "model": config.get("policy_model_name") if _settled(config.get("policy_model_name")) else _one(models),
        "agent": config.get("agent_name") if _settled(config.get("agent_name")) else _one(agents),
        "verifier": _one(verifiers),
        "limits": limits | _limits(config),
        "prompt": config.get("prompt_config") if _settled(config.get("prompt_config")) else None,
        "sampling": {name: value for name, value in asked.items() if name in SAMPLING} if isinstance(asked, dict) else {},
        "skills": skills.get("path") if isinstance(skills, dict) and _settled(skills.get("path")) else None,
        "repeats": config.get("num_repeats") if isinstance(config.get("num_repeats"), int) else None,
    }
    return {name: value for name, value in found.items() if value not in (None, {})}


def _servers(block: Any) -> Iterable[tuple[str, str, dict[str, Any]]]:
    if isinstance(block, dict):
        for group, kind in SERVERS.items():
            inside = block.get(group)
            for name, server in inside.items() if isinstance(inside, dict) else ():
                if isinstance(server, dict):
                    yield kind, str(name), server


def _fingerprint(server: dict[str, Any]) -> str:
    """What a server is set to, whatever port it listens on."""
    kept = {str(name): value for name, value in server.items() if name not in WIRING}
    return digest(msgspec.json.encode(kept, order="deterministic", enc_hook=str))


def _limits(server: Mapping[Any, Any]) -> dict[str, Any]:
    return {
        str(name): value
        for name, value in server.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and LIMIT.fullmatch(str(name))
    }


def _settled(value: Any) -> bool:
    """A text that is no reference still to be resolved."""
    return isinstance(value, str) and bool(value) and "${" not in value and value != "???"


def _one(values: list[str]) -> str | list[str] | None:
    distinct = sorted(set(values))
    return None if not distinct else distinct[0] if len(distinct) == 1 else distinct
