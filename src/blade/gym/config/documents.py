"""One YAML file as plain data that remembers where each text was written.

Strings come back as `Text`, a `str` with the file and line it stands at, so that a complaint about a value can point at it after
any number of merges. A key that is written twice in one mapping is an error: YAML itself would keep the last one silently.
"""

import re
from pathlib import Path
from typing import Any

import yaml

from blade.errors import BladeError
from blade.gym.config.override_values import DEEPEST
from blade.gym.config.problems import Place

MOST_BYTES = 16 * 1024 * 1024
MOST_VALUES = 200_000
_FLOAT = re.compile(
    r"""^(?: [-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)? | [-+]?[0-9][0-9_]*[eE][-+]?[0-9]+
          | [-+]?\.[0-9_]+(?:[eE][-+]?[0-9]+)? | [-+]?\.(?:inf|Inf|INF) | \.(?:nan|NaN|NAN) )$""",
    re.VERBOSE,
)


class Text(str):
    """A string of a configuration, and where it was written."""

    __slots__ = ("place",)
    place: Place | None

    def __new__(cls, value: str, place: Place | None = None) -> "Text":
        made = super().__new__(cls, value)
        made.place = place
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Text, (str(self), self.place)


class UnreadableConfig(BladeError):
    """A file that is not there, cannot be decoded or is not YAML."""


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """Safe YAML with `1e-3` as a number and dates as text."""

    file = ""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: dict[Any, int] = {}
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            line = key_node.start_mark.line + 1
            if isinstance(key, list | dict):
                raise UnreadableConfig("a key must be a word, not a list or a mapping", path=self.file, line=line)
            if key in seen:
                raise UnreadableConfig(
                    f"the key {key!s} is written twice (first on line {seen[key]})", path=self.file, line=line, hint="keep one"
                )
            seen[key] = line
        made: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        return made

    def text(self, node: yaml.ScalarNode) -> Text:
        return Text(str(self.construct_scalar(node)), Place(self.file, node.start_mark.line + 1))


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if not tag.endswith((":float", ":timestamp"))]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:float", _FLOAT, list("-+0123456789."))
_Loader.add_constructor("tag:yaml.org,2002:str", _Loader.text)


def read_document(path: Path, shown: str) -> dict[str, Any]:
    """The mapping that a YAML file holds; an empty file is an empty mapping. `shown` is how messages name the file."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UnreadableConfig(f"cannot be read: {error.strerror or error}", path=shown) from error
    if len(content) > MOST_BYTES:
        raise UnreadableConfig("is too large for a configuration", path=shown, hint="is this a data file?")
    try:
        return parse_document(content.decode("utf-8-sig"), shown)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise UnreadableConfig("is not UTF-8 text", path=shown, line=line) from error


def parse_document(text: str, shown: str) -> dict[str, Any]:
    """The same from text."""
    loader = type("_Named", (_Loader,), {"file": shown})
    try:
        found = yaml.load(text, loader)  # noqa: S506  (a safe loader's child)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(part for part in (error.context, error.problem) if part)
        raise UnreadableConfig(f"not valid YAML: {what}", path=shown, line=mark.line + 1 if mark else None) from error
    except yaml.YAMLError as error:
        raise UnreadableConfig(f"not valid YAML: {' '.join(str(error).split())}", path=shown) from error
    except (ValueError, RecursionError) as error:
        raise UnreadableConfig(f"not valid YAML: {error}", path=shown) from error
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise UnreadableConfig(
            f"holds a {'list' if isinstance(found, list) else 'single value'} instead of keys and values", path=shown
        )
    tree: dict[str, Any] = _Naming(shown).copied(found)
    return tree


class _Naming:
    """A copy of a tree with every key as a plain string: `1:` and `"1":` are the same setting.

    Aliases can make a short file stand for a tree without end, or for more values than fit into memory.
    """

    def __init__(self, shown: str) -> None:
        self.shown, self.values = shown, 0

    def copied(self, value: Any, depth: int = 0) -> Any:
        self.values += 1
        if depth > DEEPEST or self.values > MOST_VALUES:
            what = f"nested more than {DEEPEST} levels deep" if depth > DEEPEST else "holds too many values for a configuration"
            raise UnreadableConfig(what, path=self.shown, hint="aliases that repeat each other do this")
        if isinstance(value, dict):
            return {str(key): self.copied(inner, depth + 1) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self.copied(inner, depth + 1) for inner in value]
        return value


def plain(value: Any) -> Any:
    """The tree with `Text` as ordinary strings."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return str(value) if isinstance(value, str) else value


def place_of(value: Any) -> Place | None:
    """Where a value was written: its own place, or that of the first text inside it."""
    if isinstance(value, Text):
        return value.place
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((place for item in inner if (place := place_of(item)) is not None), None)
