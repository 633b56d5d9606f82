"""The skill put where an agent finds it.

Each file that is written is recorded with its hash beside the skill. A file that still is what was written is brought up to date; one that
somebody changed, or wrote before us, stays as it is unless it is forced. Nothing is written through a link.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from blade.agent_skill.shipped import NAME, shipped_files
from blade.errors import UsageError

TARGETS: Final = {"claude": ".claude/skills", "codex": ".codex/skills", "agents": ".agents/skills"}
RECORD: Final = ".installed.json"
State = Literal["written", "updated", "unchanged", "kept", "overwritten"]


@dataclass(frozen=True)
class Installed:
    """What became of each file of one target; `kept` ones were changed by somebody, and stay."""

    target: str
    folder: Path
    files: dict[str, State]

    @property
    def kept(self) -> list[str]:
        return [name for name, state in self.files.items() if state == "kept"]


def chosen_targets(root: Path, asked: tuple[str, ...]) -> tuple[str, ...]:
    """Those asked for; else those whose folder the project has; else Claude's."""
    there = tuple(name for name, place in TARGETS.items() if (root / place.split("/")[0]).is_dir())
    return asked or there or ("claude",)


def install(root: Path, target: str, *, force: bool = False) -> Installed:
    """The skill in `root`, for one kind of agent. The same call again changes nothing."""
    if not root.is_dir():
        raise UsageError("is not a folder", path=root, hint="give --dir the root of the repository that your agent works in")
    folder = root / TARGETS[target] / NAME
    shipped = shipped_files()
    recorded = _recorded(folder)
    states = {name: _state(folder / name, content, recorded.get(name), force) for name, content in shipped.items()}
    changing = [name for name, state in states.items() if state in ("written", "updated", "overwritten")]
    for name in changing:
        _refuse_links(root, folder / name)
    for name in changing:
        _write(folder / name, shipped[name])
    ours = {name: _hash(content) for name, content in shipped.items() if states[name] != "kept"}
    if changing or ours != {name: recorded.get(name) for name in ours}:
        _refuse_links(root, folder / RECORD)
        _write(folder / RECORD, (json.dumps({"files": {**recorded, **ours}}, indent=1, sort_keys=True) + "\n").encode())
    return Installed(target, folder, states)


def _state(path: Path, content: bytes, recorded: str | None, force: bool) -> State:
    try:
        there = path.read_bytes()
    except FileNotFoundError:
        return "written"
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}", path=path) from None
    if there == content:
        return "unchanged"
    if _hash(there) == recorded:
        return "updated"
    return "overwritten" if force else "kept"


def _recorded(folder: Path) -> Mapping[str, str]:
    try:
        files = json.loads((folder / RECORD).read_text(encoding="utf-8"))["files"]
        return {str(name): str(value) for name, value in files.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _refuse_links(root: Path, path: Path) -> None:
    """A link on the way would let us write somewhere else."""
    below = path.relative_to(root)
    for part in (*reversed(below.parents), below):
        if (root / part).is_symlink() and part != Path():
            raise UsageError(
                "is a link, and nothing is written through links",
                path=root / part,
                hint="install into the folder that it leads to",
            )


def _write(path: Path, content: bytes) -> None:
    """The whole file, or what stood there before."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(content)
        beside.replace(path)
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror or error}", path=path) from None
    finally:
        beside.unlink(missing_ok=True)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
