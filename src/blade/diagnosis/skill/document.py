"""YAML as a tree of nodes that know their lines, read without trust.

A package's `blade.yaml` comes from somebody else. Only plain data is taken: no tags, no anchors and aliases (so nothing can
multiply), no second document, no key twice, and bounds on size, depth and number of nodes. The tree is built from the parser's
events, without recursion. Plain scalars follow YAML 1.2: `true`, `false`, `null`, numbers, and text for everything else, `yes` and
`no` included.
"""

import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import yaml

from blade.diagnosis.skill.problems import InvalidSkill, Problem, shown
from blade.untrusted.escapes import one_line
from blade.untrusted.files import read_at_most

MAX_BYTES: Final = 200_000
MAX_NODES: Final = 20_000
MAX_DEPTH: Final = 40
_INT: Final = re.compile(r"[-+]?\d{1,18}")
_FLOAT: Final = re.compile(r"[-+]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][-+]?\d{1,3})?")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_WORDS: Final[dict[str, bool | None]] = {"": None, "~": None, "null": None, "true": True, "false": False}

Scalar = str | int | float | bool | None


@dataclass
class Node:
    """A value with the line it starts on: a scalar, a list (`items`) or a mapping (`entries`, in order)."""

    line: int
    kind: str  # scalar, list, mapping
    value: Scalar = None
    items: list["Node"] = field(default_factory=list)
    entries: dict[str, "Node"] = field(default_factory=dict)
    key_lines: dict[str, int] = field(default_factory=dict)

    @property
    def what(self) -> str:
        """What it is, for people."""
        if self.kind != "scalar":
            return f"a {self.kind}"
        names = {str: "text", bool: "true or false", int: "a number", float: "a number", type(None): "nothing"}
        return names[type(self.value)]


def read_document(path: Path) -> Node:
    """The tree of a YAML file; raises InvalidSkill with every duplicate key, or with the first thing that is no plain YAML."""
    data = read_at_most(path, MAX_BYTES)
    if len(data) > MAX_BYTES:
        raise InvalidSkill(str(path), [Problem(1, "", f"larger than {MAX_BYTES:,} bytes, which no set of rules needs")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidSkill(str(path), [Problem(line, "", "not UTF-8 text")]) from None
    return parse_document(text, path)


def parse_document(text: str, path: Path) -> Node:
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            builder.take(event)
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        raise InvalidSkill(str(path), [Problem(line, "", "a control character, which YAML does not allow")]) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = ", ".join(one_line(part, 120) for part in (error.problem, error.context) if part)
        tab = "; indent with spaces, not tabs" if "\\t" in said else ""
        raise InvalidSkill(str(path), [Problem(mark.line + 1 if mark else 1, "", f"not YAML: {said}{tab}")]) from None
    except _Refused as refused:
        raise InvalidSkill(str(path), [*builder.problems, refused.problem]) from None
    if builder.problems:
        raise InvalidSkill(str(path), builder.problems)
    return builder.root or Node(1, "scalar")


class _Refused(Exception):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.problem = Problem(line, "", message)


class _Builder:
    """Nodes from events, with a stack of the collections that are open."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.problems: list[Problem] = []
        self._open: list[Node] = []
        self._keys: list[tuple[str, int] | None] = []
        self._nodes = 0
        self._documents = 0

    def take(self, event: yaml.Event) -> None:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise _Refused(line, "a second document (`---`); one file holds one")
        elif isinstance(event, yaml.AliasEvent):
            raise _Refused(line, f"an alias (*{one_line(str(event.anchor), 40)}); write the value out")
        elif isinstance(event, yaml.ScalarEvent | yaml.SequenceStartEvent | yaml.MappingStartEvent):
            self._refuse_decoration(event, line)
            self._add(event, line)
        elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            self._open.pop()
            self._keys.pop()

    def _refuse_decoration(self, event: yaml.NodeEvent, line: int) -> None:
        if event.anchor is not None:
            raise _Refused(line, f"an anchor (&{one_line(str(event.anchor), 40)}); anchors and aliases are not read")
        tag = getattr(event, "tag", None)
        if tag is not None:
            raise _Refused(line, f"a tag ({one_line(str(tag), 60)}); only plain values are read")
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _Refused(line, f"more than {MAX_NODES:,} values")
        if len(self._open) >= MAX_DEPTH:
            raise _Refused(line, f"nested deeper than {MAX_DEPTH} levels")

    def _add(self, event: yaml.Event, line: int) -> None:
        parent = self._open[-1] if self._open else None
        if parent is not None and parent.kind == "mapping" and self._keys[-1] is None:
            self._take_key(event, parent, line)
            return
        if isinstance(event, yaml.ScalarEvent):
            node = Node(line, "scalar", _scalar(event, line))
        else:
            node = Node(line, "list" if isinstance(event, yaml.SequenceStartEvent) else "mapping")
        self._place(node, parent)
        if node.kind != "scalar":
            self._open.append(node)
            self._keys.append(None)

    def _take_key(self, event: yaml.Event, parent: Node, line: int) -> None:
        if not isinstance(event, yaml.ScalarEvent):
            raise _Refused(line, "a key that is a collection; keys are words")
        key = event.value
        if _CONTROL.search(key):
            raise _Refused(line, "a key with a control character")
        if key in parent.entries:
            first = parent.key_lines[key]
            self.problems.append(Problem(line, "", f"the key {shown(key)} stands here a second time (first in line {first})"))
        self._keys[-1] = (key, line)

    def _place(self, node: Node, parent: Node | None) -> None:
        if parent is None:
            self.root = node
        elif parent.kind == "list":
            parent.items.append(node)
        else:
            named = self._keys[-1]
            assert named is not None
            key, line = named
            parent.entries.setdefault(key, node)
            parent.key_lines.setdefault(key, line)
            self._keys[-1] = None


def _scalar(event: yaml.ScalarEvent, line: int) -> Scalar:
    text: str = event.value
    if _CONTROL.search(text):
        raise _Refused(line, "a text with a control character")
    if event.style is not None:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text) and math.isfinite(number := float(text)):
        return number
    return text
