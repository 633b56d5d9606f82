"""The files of a configuration, in the order in which they are laid over each other.

`config_paths` of a file are read before the file itself, so the includer overrides what it includes and later siblings override
earlier ones. A file is read once, where it is first asked for, so circles do no harm.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from filecmp import cmp as same_file
from itertools import combinations
from pathlib import Path
from typing import Any

from blade.errors import UsageError
from blade.gym.config.documents import UnreadableConfig, place_of, read_document
from blade.gym.config.merge import deep_merge
from blade.gym.config.problems import Place, did_you_mean
from blade.gym.config.roots import holders, shown

CONFIG_PATHS = "config_paths"
ENV_FILE = "env.yaml"


@dataclass(frozen=True)
class Document:
    """One file: what it holds itself, and every file it includes, near or far."""

    path: Path
    tree: dict[str, Any]
    includes: set[Path] = field(default_factory=set)


@dataclass
class Chain:
    roots: Sequence[Path]
    documents: list[Document] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _by_path: dict[Path, Document] = field(default_factory=dict)

    def load(self, given: str, asker: Document | None = None, place: Place | None = None) -> None:
        """Read a file and what it includes, if that has not happened yet."""
        path = self._find(given, asker, place)
        known = self._by_path.get(path.resolve())
        if known is None:
            known = Document(path, read_document(path, shown(path, self.roots)))
            self._by_path[path.resolve()] = known
            for inner in included(known.tree, shown(path, self.roots)):
                self.load(inner, known, place_of(inner))
            self.documents.append(known)
        if asker is not None:
            asker.includes.update({known.path}, known.includes)

    def merged(self) -> dict[str, Any]:
        tree: dict[str, Any] = {}
        for document in self.documents:
            tree = deep_merge(tree, document.tree)
        return tree

    def unrelated(self, key: str) -> list[tuple[Document, Document]]:
        """Pairs of files that both define a key differently although neither includes the other."""
        defining = [document for document in self.documents if isinstance(document.tree.get(key), dict)]
        return [
            (first, second)
            for first, second in combinations(defining, 2)
            if second.path not in first.includes and first.path not in second.includes and first.tree[key] != second.tree[key]
        ]

    def _find(self, given: str, asker: Document | None, place: Place | None) -> Path:
        found = [path for path in holders(given, self.roots) if path.is_file()]
        if not found and asker is not None and (asker.path.parent / given).is_file():
            found = [asker.path.parent / given]
        if not found:
            raise UnreadableConfig(
                f"there is no configuration {given}{self._near(given)}",
                path=place.path if place else None,
                line=place.line if place else None,
                hint="paths are looked for under the working directory, --search-dir and what is installed",
            )
        other = next((path for path in found[1:] if not same_file(path, found[0])), None)
        if other is not None:
            self.notes.append(f"{given} is in several places: {found[0]} is used, {other} is not")
        return found[0]

    def _near(self, given: str) -> str:
        parent = Path(given).parent
        siblings = [str(parent / path.name) for root in self.roots for path in (root / parent).glob("*.y*ml")]
        return did_you_mean(given, siblings)


def included(tree: dict[str, Any], shown_path: str) -> list[str]:
    """The `config_paths` of a mapping, checked."""
    paths = tree.get(CONFIG_PATHS) or []
    if isinstance(paths, str):
        return [paths]
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise UsageError(f"{CONFIG_PATHS} must be a list of paths", path=shown_path)
    return paths


def environment_file(roots: Sequence[Path]) -> Document | None:
    """`env.yaml`: what belongs to this machine or user and to no configuration (addresses, keys)."""
    for root in roots:
        if (path := root / ENV_FILE).is_file():
            return Document(path, read_document(path, shown(path, roots)))
    return None
