"""`${…}` and `???`: what stands for another value, and what somebody still has to give.

OmegaConf does the resolving. Nothing stops at the first gap: each one is traced to the key at its root, and a key that several
settings ask for is one problem that names them all, with the way to give it.
"""

import os
import re
from collections.abc import Mapping
from typing import Any

from omegaconf import DictConfig, ListConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from blade.gym.config.documents import plain
from blade.gym.config.keys import how_to_give
from blade.gym.config.merge import Path, dotted, leaves, reach, split_path
from blade.gym.config.problems import Place, Problem, problem

MISSING = "???"
DEEPEST = 64
MOST_ASKERS = 3
_REFERENCE = re.compile(r"\$\{\s*([\w][\w.\[\]-]*)\s*\}")
_ENVIRONMENT = re.compile(r"\$\{\s*oc\.env\s*:\s*([^,{}\s]+)\s*\}")


def references(tree: Mapping[str, Any]) -> set[str]:
    """Every key that some value asks for as `${key}`."""
    return {key for _, value in leaves(dict(tree)) if isinstance(value, str) for key in _REFERENCE.findall(value)}


def resolve_interpolations(tree: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """The tree with every interpolation resolved; what could not be stands there as `???`, with a problem for each cause."""
    gaps = _Gaps(tree)
    try:
        config = OmegaConf.create(plain(tree))
    except OmegaConfBaseException as error:
        return plain(tree), [problem("interpolation", "", f"the configuration cannot be read: {_first_line(error)}")]
    resolved = {key: _resolved(config, key, (key,), gaps) for key in tree}
    return resolved, gaps.problems()


def _resolved(holder: DictConfig | ListConfig, key: Any, path: Path, gaps: "_Gaps") -> Any:
    if len(path) > DEEPEST:
        gaps.add(path, "nested too deeply, or made of itself")
        return MISSING
    try:
        value = holder[key]
    except (OmegaConfBaseException, RecursionError) as error:
        gaps.add(path, _first_line(error))
        return MISSING
    if isinstance(value, DictConfig):
        if value._is_none():
            return None
        return {str(inner): _resolved(value, inner, (*path, str(inner)), gaps) for inner in value}
    if isinstance(value, ListConfig):
        return None if value._is_none() else [_resolved(value, index, (*path, index), gaps) for index in range(len(value))]
    return value


def _first_line(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "it is made of itself"
    line = str(error).partition("\n")[0].strip()
    return line.partition("interpolation: ")[2].strip('"') or line


class _Gaps:
    """The values that are not there, gathered by their cause."""

    def __init__(self, tree: dict[str, Any]) -> None:
        self.tree = tree
        self.asked: dict[tuple[str, str], list[tuple[str, Place | None]]] = {}
        """(`missing`, key) or (`environment`, variable) or (`other`, sentence) → who asks."""

    def add(self, path: Path, sentence: str) -> None:
        raw = self._raw(path)
        causes = self._causes(raw, dotted(path), set()) or {("other", sentence)}
        for cause in causes:
            self.asked.setdefault(cause, []).append((dotted(path), getattr(raw, "place", None)))

    def _raw(self, path: Path) -> Any:
        try:
            return reach(self.tree, tuple(str(part) for part in path))
        except KeyError:
            return None

    def _causes(self, raw: Any, key: str, seen: set[str]) -> set[tuple[str, str]]:
        """Follow what a text asks for down to the keys that nobody set."""
        if raw == MISSING:
            return {("missing", key)}
        if not isinstance(raw, str) or key in seen:
            return set()
        found = {("environment", name) for name in _ENVIRONMENT.findall(raw) if name not in os.environ}
        for wanted in _REFERENCE.findall(raw):
            try:
                inner = reach(self.tree, split_path(wanted))
            except KeyError:
                found.add(("missing", wanted))
                continue
            found |= self._causes(inner, wanted, seen | {key})
        return found

    def problems(self) -> list[Problem]:
        return [self._problem(kind, what, askers) for (kind, what), askers in self.asked.items()]

    def _problem(self, kind: str, what: str, askers: list[tuple[str, Place | None]]) -> Problem:
        others = [(key, place) for key, place in askers if key != what] or askers
        listed = ", ".join(f"{key} ({place})" if place else key for key, place in others[:MOST_ASKERS])
        more = f" and {len(others) - MOST_ASKERS} more" if len(others) > MOST_ASKERS else ""
        if kind == "missing":
            by = f"set to ??? in {others[0][1]}" if others[0][0] == what else f"asked for by {listed}{more}"
            return problem("missing_value", what, f"{what} has no value: {how_to_give(what)} ({by})")
        if kind == "environment":
            message = f"the environment variable {what} is not set: export {what}=… (asked for by {listed}{more})"
            return problem("missing_value", what, message)
        return problem("interpolation", others[0][0], f"{listed}{more}: {what}")
