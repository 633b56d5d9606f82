"""Where a run's numbers come from: model, agent, verifier, dataset, prompt, sampling, skills, repeats.

Taken from the manifest where there is one, else from the rows; `source` says which for every key. What is not known is null, and
two unknowns are never equal.
"""

from typing import Any

import duckdb

from blade.runs.artifacts import Artifacts, read_manifest
from blade.runs.definition import digest
from blade.untrusted.redaction import redact_value

SAMPLING = ("temperature", "top_p", "max_output_tokens")
KEYS = ("model", "agent", "verifier", "dataset", "prompt", "sampling", "skills", "repeats")


def manifest_of(artifacts: Artifacts) -> dict[str, Any] | None:
    """What the run's manifests state; where several disagree on a key, all their values."""
    found = [manifest for path in artifacts.rollouts if (manifest := read_manifest(path.resolve())) is not None]
    if len(found) < 2:
        return found[0] if found else None
    merged: dict[str, Any] = {}
    for name in KEYS:
        values = [manifest[name] for manifest in found if manifest.get(name) is not None]
        distinct = [value for position, value in enumerate(values) if value not in values[:position]]
        merged[name] = None if not distinct else distinct[0] if len(distinct) == 1 else distinct
    return merged


def provenance(db: duckdb.DuckDBPyConnection, manifest: dict[str, Any] | None) -> dict[str, Any]:
    """The record, with `source` naming manifest, rows or inferred for every key that is known."""
    found = _from_rows(db)
    source = {
        name: "inferred" if name in ("prompt", "dataset", "repeats") else "rows"
        for name in KEYS
        if found.get(name) not in (None, {})
    }
    for name in KEYS:
        if manifest is not None and manifest.get(name) is not None:
            stated = _redacted(manifest[name], name)
            found[name] = {**found["dataset"], **stated} if name == "dataset" and isinstance(stated, dict) else stated
            source[name] = "manifest"
    return {name: found.get(name) for name in KEYS} | {"source": source}


def _redacted(value: Any, name: str) -> Any:
    if isinstance(value, str):
        return redact_value(name, value)
    if isinstance(value, dict):
        return {key: _redacted(inner, key) for key, inner in value.items()}
    return [_redacted(inner, name) for inner in value] if isinstance(value, list) else value


def _from_rows(db: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    listed = ", ".join(
        f"list(DISTINCT {name} ORDER BY {name}) FILTER ({name} IS NOT NULL)" for name in ("model", "agent", "skills", *SAMPLING)
    )
    row = db.execute(f"""
        SELECT {listed}, list(DISTINCT json_extract_string(definition, '$.system')) FILTER (definition IS NOT NULL)
        FROM rollouts WHERE class <> 'duplicate'""").fetchall()[0]
    model, agent, skills, *rest = (list(values or ()) for values in row)
    *sampling, prompts = rest
    prompts = [prompt for prompt in prompts if prompt is not None]
    tasks = db.execute("SELECT task, definition FROM tasks ORDER BY task").fetchall()
    modes = db.execute("SELECT mode(expected), min(expected), max(expected) FROM tasks").fetchall()
    return {
        "model": _single(model),
        "agent": _single(agent),
        "skills": _single(skills),
        "prompt": f"system:{prompts[0]}" if len(prompts) == 1 else f"{len(prompts)} system prompts" if prompts else None,
        "sampling": {name: _single(values) for name, values in zip(SAMPLING, sampling, strict=True) if values},
        "dataset": {
            "fingerprint": digest(*(f"{task}\0{definition}".encode() for task, definition in tasks)),
            "tasks": len(tasks),
        },
        "repeats": modes[0][0] if modes and modes[0][1] == modes[0][2] else None,
    }


def _single(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values or None
