"""The paths that the server was given: what lies below them can be read, and nothing else.

A name that an agent gives is resolved first, links and `..` included, and only then held against the paths; the files that a run is
made of are resolved and held against them too, because a folder may hold a link that leads out of it.
"""

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from blade.errors import BladeError, UsageError
from blade.runs.artifacts import Artifacts, is_jsonl, locate, sidecar_kind
from blade.untrusted.escapes import one_line

MOST_FILES: Final = 5_000
"""Files that are looked at to list the runs of a folder."""


@dataclass(frozen=True)
class Found:
    """A rollout file that can be opened: the name to open it by, and its size."""

    name: str
    size: int


class Roots:
    def __init__(self, given: Sequence[str]) -> None:
        if not given:
            raise UsageError("no path was given", hint="blade mcp results/ serves the runs below results/")
        self.given = tuple(given)
        self.folders: dict[str, Path] = {}
        self.files: set[Path] = set()
        for one in given:
            path = Path(one).expanduser()
            if path.is_dir():
                self.folders[one] = path.resolve()
            else:
                self.files |= {file.resolve() for file in _files(locate(one))}

    def holds(self, path: Path) -> bool:
        resolved = path.resolve()
        return resolved in self.files or any(resolved.is_relative_to(folder) for folder in self.folders.values())

    def path(self, name: str) -> Path:
        """The file or folder that a name stands for: as it is, or below one of the given folders."""
        if not name or "\0" in name:
            raise UsageError("the name is empty" if not name else "the name holds a zero byte", hint="list_runs() has the names")
        candidates = [Path(name), *(folder / name for folder in self.folders.values())]
        inside = [path.resolve() for path in candidates if self.holds(path)]
        if not inside:
            raise self._outside(name)
        return next((path for path in inside if path.exists()), inside[0])

    def run(self, name: str) -> str:
        """What to open for a run that an agent names; refused where any file of it lies elsewhere."""
        if name in self.given and name not in self.folders:
            return name
        spec = self.path(name)
        for file in _looked_at(spec):
            self._refuse_outside(file)
        for file in _files(locate(str(spec))):
            self._refuse_outside(file)
        return str(spec)

    def _refuse_outside(self, file: Path) -> None:
        if not self.holds(file):
            raise self._outside(str(file))

    def _outside(self, name: str) -> BladeError:
        given = ", ".join(one_line(one, 200) for one in self.given[:5])
        return UsageError(
            f"{one_line(name, 200)} is outside the paths that this server was given ({given})",
            hint="list_runs() has what can be opened; the user can start blade mcp with more paths",
        )

    def runs(self) -> Iterator[Found]:
        """Every rollout file that can be opened, in the order of the paths; a file that is none is passed over."""
        for one in self.given:
            if one not in self.folders:
                yield Found(one, sum(file.stat().st_size for file in locate(one).facts_paths()))
                continue
            for path in _rollout_files(self.folders[one]):
                below = path.relative_to(self.folders[one])
                name = str(below) if len(self.given) == 1 else str(Path(one) / below)
                try:
                    self.run(name)
                except BladeError:
                    continue
                yield Found(name, path.stat().st_size)


def _looked_at(spec: Path) -> Iterator[Path]:
    """The files that are opened to find out whether they are rollouts."""
    if spec.is_dir():
        yield from (Path(parent) / name for parent, _, names in os.walk(spec) for name in names if is_jsonl(Path(name)))
    elif not spec.exists():
        yield from map(Path, glob.iglob(str(spec), recursive=True))


def _files(artifacts: Artifacts) -> list[Path]:
    beside = [path for paths in artifacts.sidecars.values() for path in paths]
    return [*artifacts.rollouts, *beside, *(Path(other.path) for other in artifacts.others)]


def _rollout_files(folder: Path) -> Iterator[Path]:
    """Files named like rollouts, folder by folder; links to folders are not followed, and hidden folders are left out."""
    seen = 0
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            seen += 1
            if seen > MOST_FILES:
                return
            path = Path(parent) / name
            if is_jsonl(path) and sidecar_kind(path) is None and path.is_file():
                yield path
