"""Figures that only a server's own code can compute: named, so that nobody takes their absence for an oversight.

A server may add whatever it likes to its metrics (`compute_metrics`, `get_key_metrics`). Where an aggregate or agent metrics file
already lies beside the rollouts (or where ours will go), the keys in it that the rows alone do not give are listed with the file
that holds them. Of these, the pass@k of another field than the reward and everything about answers can be had by naming the fields.
"""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class ServerKeys:
    path: str
    agent: str | None
    keys: list[str]


def server_keys(paths: Iterable[Path], ours: Collection[str]) -> list[ServerKeys]:
    """The keys of existing metrics files that are not among `ours`; an unreadable file has none."""
    listed = []
    for path in dict.fromkeys(paths):
        for entry in _entries(path):
            stated = entry.get("agent_metrics", entry)
            names = [*stated, *entry.get("key_metrics", {})] if isinstance(stated, dict) else []
            keys = [name for name in dict.fromkeys(names) if name != "agent_ref" and name not in ours]
            if keys:
                agent = entry.get("agent_ref")
                listed.append(ServerKeys(str(path), agent.get("name") if isinstance(agent, dict) else None, keys))
    return listed


def _entries(path: Path) -> list[dict[str, Any]]:
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return []
    return [entry for entry in content if isinstance(entry, dict)] if isinstance(content, list) else []
