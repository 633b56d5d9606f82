"""Blocks made from other blocks: `_inherit_from`, `_copy`, `${inherit_from:…}`, `${copy:…}` and `_delete_key`.

`_inherit_from: a.b` lays the local keys over the block at `a.b`, and removes `a.b` once everything has been followed: an
environment's agent becomes the benchmark's agent, and is not run beside it. `_copy` does the same and leaves the source.
A source may itself be made from others; a block that is made from itself is a problem.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from blade.gym.config.documents import place_of
from blade.gym.config.merge import Path, copied, deep_merge, dotted, exists, split_path, step
from blade.gym.config.overrides import delete
from blade.gym.config.problems import Problem, did_you_mean, problem

INHERIT, COPY, DELETE = "_inherit_from", "_copy", "_delete_key"
DIRECTIVES = (INHERIT, COPY, DELETE)
_VALUE_FORM = re.compile(r"\s*\$\{\s*(inherit_from|copy)\s*:\s*([^\s{}]+)\s*\}\s*")


@dataclass
class Followed:
    """The tree without directives; `removed` names each source that was inherited from, and who did."""

    tree: dict[str, Any]
    removed: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def follow_directives(root: dict[str, Any]) -> Followed:
    follower = _Follower(root)
    tree = {key: follower.made(value, (key,)) for key, value in root.items() if key not in DIRECTIVES}
    found = Followed(tree, follower.removed, follower.problems, follower.notes)
    for source in sorted(found.removed, key=lambda path: -len(split_path(path))):
        if exists(tree, split_path(source)):
            delete(tree, split_path(source))
    return found


class _Follower:
    def __init__(self, root: dict[str, Any]) -> None:
        self.root = root
        self.removed: dict[str, str] = {}
        self.problems: list[Problem] = []
        self.notes: list[str] = []
        self.ready: dict[Path, Any] = {}
        self.active: list[Path] = []

    def made(self, node: Any, path: Path) -> Any:
        """The node with everything in it followed. Made once for each path, so that nothing is reported twice."""
        if path not in self.ready:
            self.active.append(path)
            self.ready[path] = self._made(node, path)
            self.active.pop()
        return copied(self.ready[path])

    def _made(self, node: Any, path: Path) -> Any:
        if isinstance(node, dict):
            return self._made_mapping(node, path)
        if isinstance(node, list):
            return [self.made(value, (*path, index)) for index, value in enumerate(node)]
        if isinstance(node, str) and (form := _VALUE_FORM.fullmatch(node)):
            return self._source(form[2], path, removes=form[1] == "inherit_from", asked_in=node)
        return node

    def _made_mapping(self, node: dict[str, Any], path: Path) -> dict[str, Any]:
        """`_delete_key` may name directives too: a file that includes another can so call off an inheritance."""
        unwanted = _names(node.get(DELETE))
        made = {key: self.made(value, (*path, key)) for key, value in node.items() if key not in (*DIRECTIVES, *unwanted)}
        for directive in (INHERIT, COPY):
            if directive in node and directive not in unwanted:
                base = self._source(node[directive], path, removes=directive == INHERIT)
                made = deep_merge(base, made) if isinstance(base, dict) else made
        for name in unwanted:
            if name not in made and name not in node:
                self.notes.append(f"{dotted(path)}: _delete_key names {name}, which is not there{did_you_mean(name, made)}")
        return {key: value for key, value in made.items() if key not in unwanted}

    def _source(self, reference: Any, path: Path, *, removes: bool, asked_in: Any = None) -> Any:
        """What a reference leads to; a problem and None where it leads nowhere."""
        place = place_of(reference) or place_of(asked_in)
        wanted = str(reference)
        node: Any = self.root
        way: Path = ()
        for part in split_path(wanted):
            try:
                if way and way not in self.active and isinstance(node, dict) and any(name in node for name in DIRECTIVES):
                    node = self.made(node, way)
                holder, node = node, step(node, part)
            except KeyError:
                known = sorted(node) if isinstance(node, dict) else []
                message = (
                    f"{dotted(path)} is made from {wanted}, but there is no {dotted((*way, part))}{did_you_mean(part, known)}"
                )
                self.problems.append(problem("directive", dotted(path), message, place))
                return None
            way = (*way, int(part) if isinstance(holder, list) else part)
        if not way or way in self.active:
            self.problems.append(
                problem("directive", dotted(path), f"{dotted(path)} is made from itself by way of {wanted}", place)
            )
            return None
        if removes:
            self.removed.setdefault(wanted, dotted(path))
        return self.made(node, way)


def _names(given: Any) -> list[str]:
    """`"k1, k2"` or a list of names."""
    if given is None:
        return []
    return [str(name).strip() for name in (given if isinstance(given, list) else str(given).split(","))]
