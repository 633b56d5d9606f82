"""`POST /aggregate_metrics`: rows that a client sends, measured as `gym eval aggregate` measures a file."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from blade.gym.metrics.aggregate import write_metrics
from blade.gym.metrics.hooks import Hook


def aggregate_metrics(hook: Hook, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The entry of all rows together, as one agent's."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        path.write_bytes(b"".join(msgspec.json.encode(row | {"agent_ref": {"name": "agent"}}) + b"\n" for row in rows))
        entries = write_metrics(path, Path(folder) / "metrics.json", {"agent": hook}, index_dir=folder)
    if not entries:
        return {"group_level_metrics": [], "agent_metrics": {}, "key_metrics": {}}
    return {name: entries[0][name] for name in ("group_level_metrics", "agent_metrics", "key_metrics")}
