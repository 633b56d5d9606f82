"""The inventory of a run: each artifact with its state.

A sidecar that was written for other rows than those on disk is `stale`: its numbers are compared with the rows, not its age.
"""

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from blade.runs.artifacts import SIDECAR_SUFFIXES, Artifact, Artifacts, is_jsonl, owners
from blade.runs.sources import first_bytes, text_chunks, whole_text
from blade.runs.spool import DamagedArchive

MOST_SIDECAR_BYTES = 32 << 20
COUNTED = ("materialized_inputs", "failures")


def inventory(artifacts: Artifacts, meta: dict[str, Any], mean_rewards: Callable[[str], list[float]]) -> list[Artifact]:
    """Rollouts first, then every sidecar kind, present or missing, then what else was seen."""
    given = {str(path.resolve()): str(path) for path in artifacts.rollouts}
    listed = []
    for count in meta["files"]["rollouts"]:
        path = count["path"]
        state = _state(count)
        note = _damage(meta, path) or ("it is empty" if state == "unreadable" and not count["lines"] else "")
        listed.append(Artifact("rollouts", given.get(path, path), state, note, count["rows"]))
    for kind in SIDECAR_SUFFIXES:
        paths = artifacts.sidecars.get(kind, ())
        if kind == "attempts":
            listed += [Artifact("notes", str(path), note="the journal of attempts that were begun") for path in paths]
            continue
        if not paths:
            listed.append(Artifact(kind, artifacts.expected_sidecars(kind)[0], "missing"))
        listed += [_sidecar(kind, path, meta, mean_rewards) for path in paths]
    for kind in ("config", "notes"):
        listed += [Artifact(kind, str(path)) for path in artifacts.sidecars.get(kind, ())]
    return listed + [other for other in artifacts.others if other.path not in {item.path for item in listed}]


def _state(count: dict[str, Any]) -> str:
    """A rollout file without a line may be one that was never written: planned, and nothing came."""
    if count["rows"]:
        return "read"
    return "unreadable" if count["lines"] or Path(count["path"]).exists() else "missing"


def _sidecar(kind: str, path: Path, meta: dict[str, Any], mean_rewards: Callable[[str], list[float]]) -> Artifact:
    if kind in COUNTED:
        rows = next((count["rows"] for count in meta["files"][kind] if count["path"] == str(path.resolve())), None)
        if kind == "materialized_inputs" and meta["stale_inputs"]:
            return Artifact(kind, str(path), "stale", "no rollout has a key of these inputs", rows)
        return Artifact(kind, str(path), "read", _damage(meta, str(path.resolve())), rows)
    try:
        if is_jsonl(path):
            json.loads(first_bytes(path, MOST_SIDECAR_BYTES).split(b"\n", 1)[0] or b"null")
            return Artifact(kind, str(path), rows=sum(chunk.count(b"\n") for chunk in text_chunks(path)))
        if path.stat().st_size > MOST_SIDECAR_BYTES:
            return Artifact(kind, str(path), note="too large to be compared with the rows")
        content: Any = json.loads(whole_text(path))
    except (OSError, ValueError, RecursionError, DamagedArchive) as error:
        return Artifact(kind, str(path), "unreadable", f"cannot be read: {error}")
    rows = len(content) if isinstance(content, list) else None
    if kind in ("aggregate_metrics", "agent_metrics"):
        return _compared(kind, path, rows, list(_stated_means(content)), mean_rewards(_owner(kind, path, meta)))
    return Artifact(kind, str(path), "read", rows=rows)


def _owner(kind: str, path: Path, meta: dict[str, Any]) -> str:
    """The rollout file that a sidecar stands beside."""
    rollouts = [count["path"] for count in meta["files"]["rollouts"]]
    return str(rollouts[owners(kind, [str(path.resolve())], rollouts)[0]])


def _compared(kind: str, path: Path, rows: int | None, stated: list[float], actual: list[float]) -> Artifact:
    if len(stated) == 1 and actual and not any(math.isclose(stated[0], mean, rel_tol=1e-9, abs_tol=1e-9) for mean in actual):
        return Artifact(kind, str(path), "stale", f"it says mean reward {stated[0]:.6g}, the rows give {actual[0]:.6g}", rows)
    return Artifact(kind, str(path), "read", rows=rows)


def _stated_means(content: Any) -> Iterator[float]:
    for entry in content if isinstance(content, list) else []:
        metrics = entry.get("agent_metrics", entry) if isinstance(entry, dict) else {}
        mean = metrics.get("mean/reward") if isinstance(metrics, dict) else None
        if isinstance(mean, int | float) and abs(mean) < 1e300:
            yield float(mean)


def _damage(meta: dict[str, Any], path: str) -> str:
    return str(meta["damage"].get(path) or "")
