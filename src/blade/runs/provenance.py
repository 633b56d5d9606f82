"""Where a run's numbers come from: model, agent, verifier, dataset, prompt, sampling, skills, repeats, limits, tools, environment.

Taken from the manifest where there is one, else from the rows, and where these are silent from the configuration; `source` says which
for every key. What is not known is null, and two unknowns are never equal.
"""

from collections.abc import Sequence
from typing import Any

import duckdb

from blade.runs.artifacts import Artifacts, read_manifest
from blade.runs.definition import digest
from blade.runs.run_config import configured, read_configs
from blade.runs.settings import settings
from blade.untrusted.redaction import redact_value

SAMPLING = ("temperature", "top_p", "max_output_tokens", "reasoning_effort")
KEYS = (
    "model",
    "agent",
    "verifier",
    "dataset",
    "prompt",
    "sampling",
    "skills",
    "repeats",
    "limits",
    "tools",
    "environment",
)
INFERRED = ("prompt", "dataset", "repeats", "tools")
NO_SYSTEM_PROMPT = "no system prompt"
PARTS = """
    SELECT list(DISTINCT json_extract_string(definition, '$.system') ORDER BY 1), list(DISTINCT json_extract_string(definition, '$.tools') ORDER BY 1)
    FROM (SELECT DISTINCT definition FROM rollouts WHERE class <> 'duplicate' AND definition IS NOT NULL)"""


def manifest_of(artifacts: Artifacts) -> dict[str, Any] | None:
    """What the run's manifests state; where several disagree on a key, all their values."""
    found = [_whole(manifest) for path in artifacts.rollouts if (manifest := read_manifest(path.resolve())) is not None]
    if len(found) < 2:
        return found[0] if found else None
    merged: dict[str, Any] = {}
    for name in KEYS:
        values = [manifest[name] for manifest in found if manifest.get(name) is not None]
        distinct = [value for position, value in enumerate(values) if value not in values[:position]]
        merged[name] = None if not distinct else distinct[0] if len(distinct) == 1 else distinct
    return merged


def _whole(manifest: dict[str, Any]) -> dict[str, Any]:
    """A manifest with what its resolved configuration says beside what it states."""
    config = manifest.get("config")
    stated = {name: value for name, value in manifest.items() if value is not None}
    return (configured(config) if isinstance(config, dict) else {}) | stated


def config_of(artifacts: Artifacts) -> dict[str, Any]:
    """What the configuration files beside the rollouts say."""
    return read_configs(artifacts.sidecars.get("config", ()))


def provenance(
    db: duckdb.DuckDBPyConnection,
    manifest: dict[str, Any] | None,
    config: dict[str, Any] | None = None,
    own_fields: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """The record, with `source` naming manifest, config, rows or inferred for every key that is known."""
    found = _from_rows(db, own_fields)
    source = {name: "inferred" if name in INFERRED else "rows" for name in KEYS if found.get(name) not in (None, {})}
    for name in KEYS:
        if manifest is not None and manifest.get(name) is not None:
            stated = _redacted(manifest[name], name)
            found[name] = {**found["dataset"], **stated} if name == "dataset" and isinstance(stated, dict) else stated
            source[name] = "manifest"
        elif name not in source and config and config.get(name) is not None:
            found[name] = _redacted(config[name], name)
            source[name] = "config"
    return {name: found.get(name) for name in KEYS} | {"source": source}


def _redacted(value: Any, name: str) -> Any:
    if isinstance(value, str):
        return redact_value(name, value)
    if isinstance(value, dict):
        return {key: _redacted(inner, key) for key, inner in value.items()}
    return [_redacted(inner, name) for inner in value] if isinstance(value, list) else value


def _from_rows(db: duckdb.DuckDBPyConnection, own_fields: Sequence[dict[str, Any]]) -> dict[str, Any]:
    names = ("model", "agent", "skills", "max_tool_calls", *SAMPLING)
    # one DISTINCT over all columns: a list of distinct values for each costs ten times as much, on small runs most of all
    seen = db.execute(
        f"SELECT DISTINCT {', '.join(names)}, prompt_hash IS NOT NULL FROM rollouts WHERE class <> 'duplicate'"
    ).fetchall()
    columns = [sorted({row[place] for row in seen if row[place] is not None}) for place in range(len(names))]
    model, agent, skills, most_calls, *sampling = columns
    asked = any(row[-1] for row in seen)
    prompts, tools = (list(values or ()) for values in db.execute(PARTS).fetchall()[0])
    prompt = _hashed("system", prompts, "system prompts")
    tasks = db.execute("SELECT task, definition FROM tasks ORDER BY task").fetchall()
    modes = db.execute("SELECT mode(expected), min(expected), max(expected) FROM tasks").fetchall()
    carried = settings(db, own_fields)
    return {
        "model": _single(model),
        "agent": _single(agent),
        "verifier": next(iter(carried["verifier"].values())) if len(carried["verifier"]) == 1 else carried["verifier"] or None,
        "skills": _single(skills),
        "prompt": NO_SYSTEM_PROMPT if prompt is None and asked else prompt,
        "tools": _hashed("tools", tools, "sets of tools"),
        "sampling": {name: _single(values) for name, values in zip(SAMPLING, sampling, strict=True) if values},
        "dataset": {
            "fingerprint": digest(*(f"{task}\0{definition}".encode() for task, definition in tasks)),
            "tasks": len(tasks),
        },
        "repeats": modes[0][0] if modes and modes[0][1] == modes[0][2] else None,
        "limits": ({"max_tool_calls": _single(most_calls)} if most_calls else {}) | carried["limits"],
        "environment": carried["environment"],
    }


def _hashed(part: str, hashes: list[str | None], many: str) -> str | None:
    """A part of the prompt that is the same for all tasks, or how many there are of it."""
    known = [value for value in hashes if value is not None]
    return f"{part}:{known[0]}" if len(known) == 1 else f"{len(known)} {many}" if known else None


def _single(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values or None
