"""Reading `skill/blade.yaml`: the whole file is checked against the schema of `docs/blade-yaml.md`, and all problems are told at once."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from blade.diagnosis.skill.document import Node, read_document
from blade.diagnosis.skill.problems import Notes
from blade.diagnosis.skill.rule_reader import RuleReader
from blade.diagnosis.skill.rules import FieldRule, Rule, conditions
from blade.diagnosis.skill.skill import Label, Skill, Stage
from blade.errors import UsageError
from blade.signals.labels import LABELS
from blade.signals.plugins import installed

FILES: Final = ("skill/blade.yaml", "blade.yaml")
FAMILIES: Final = ("data", "verifier", "prompt", "harness", "training", "infrastructure")
KEYS: Final = (
    "version",
    "benchmark",
    "description",
    "pass",
    "stages",
    "labels",
    "slices",
    "expected_actions",
    "answer",
    "tools",
    "share",
)
SYNONYMS: Final = {"signals": "labels", "taxonomy": "labels", "funnel": "stages", "pass_rule": "pass", "name": "benchmark"}
MOST: Final = 200
"""Stages, labels, slices and tools, each."""
_CODE: Final = re.compile(r"[a-z][a-z0-9_]{1,59}")


def load_skill(path: str | Path) -> Skill:
    """The skill in a directory (`skill/blade.yaml` or `blade.yaml` in it) or in a file; raises InvalidSkill with all its problems."""
    return _Reader(_file(Path(path))).read()


def _file(path: Path) -> Path:
    if not path.is_dir():
        if not path.exists():
            raise UsageError(
                f"{path} does not exist", hint="--skill takes a directory with skill/blade.yaml in it, or the file itself"
            )
        return path
    for name in FILES:
        if (found := path / name).is_file():
            return found
    raise UsageError(f"{path} holds neither {FILES[0]} nor {FILES[1]}", hint="docs/blade-yaml.md shows what one looks like")


def _lines(entries: Mapping[str, Node]) -> Iterator[tuple[str, int]]:
    for name, line in entries["tools"].key_lines.items() if "tools" in entries else ():
        yield f"tools.{name}", line
    answer = entries.get("answer", Node(0, "mapping")).entries
    for part, holder in (("slices", entries), ("expected_actions", entries), ("expected", answer), ("extracted", answer)):
        named = holder.get(part, Node(0, "list"))
        for node in named.items if named.kind == "list" else [named]:
            yield f"{part}.{node.value}", node.line


@dataclass
class _Reader:
    path: Path

    def read(self) -> Skill:
        root = read_document(self.path)
        self.notes = Notes(self.path)
        self.built_in = frozenset(detector.code for detector in installed().detectors)
        self.codes = set(self.built_in)
        self.rules = RuleReader(self.notes, self.codes)
        self.label_rules = RuleReader(self.notes, self.built_in, reward_blind=True)
        if root.kind != "mapping":
            self.notes.add(root.line, "", f"a mapping with benchmark, stages, labels … is needed, not {root.what}")
            self.notes.raise_if_any()
        self._only(root, "", KEYS, SYNONYMS)
        entries = root.entries
        labels = tuple(self._labels(entries.get("labels")))
        threshold, when = self._pass(entries.get("pass"))
        expected, extracted = self._answer(entries.get("answer"))
        if "benchmark" not in entries:
            self.notes.add(root.line, "", "the key 'benchmark' is missing: the name of what this is about")
        if "version" in entries and entries["version"].value != 1:
            self.notes.add(entries["version"].line, "version", "this program reads version 1")
        skill = Skill(
            path=str(self.path),
            benchmark=self.rules.text(entries.get("benchmark"), "benchmark", 200) or "",
            description=self.rules.text(entries.get("description"), "description") or "",
            stages=tuple(self._stages(entries.get("stages"))),
            labels=labels,
            slices=self._paths(entries.get("slices"), "slices"),
            pass_threshold=threshold,
            pass_when=when,
            expected_actions=self._paths(entries.get("expected_actions"), "expected_actions"),
            expected_answer=expected,
            extracted_answer=extracted,
            tools=self._tools(entries.get("tools")),
            share=self._paths(entries.get("share"), "share"),
            lines=tuple(_lines(entries)),
        )
        self.notes.raise_if_any()
        return skill

    def _stages(self, node: Node | None) -> Iterator[Stage]:
        names: set[str] = set()
        for item, place in self._mappings(node, "stages", ("name", "when", "meaning"), ("name", "when")):
            name = self.rules.text(item.entries.get("name"), f"{place}.name", 80)
            when = self.rules.read(item.entries["when"], f"{place}.when") if "when" in item.entries else None
            meaning = self.rules.text(item.entries.get("meaning"), f"{place}.meaning")
            if name in names or name in ("planned", "passed"):
                self.notes.add(item.line, f"{place}.name", f"the stage {name!r} exists already")
            if name is not None and when is not None:
                names.add(name)
                yield Stage(name, when, meaning or "")

    def _labels(self, node: Node | None) -> Iterator[Label]:
        known = ("code", "label", "meaning", "when", "subject", "fix", "family")
        for item, place in self._mappings(node, "labels", known, ("code", "label", "meaning", "when")):
            entries = item.entries
            code = self._code(entries.get("code"), f"{place}.code")
            label = self._word(entries.get("label"), f"{place}.label", LABELS, "label")
            when = self.label_rules.read(entries["when"], f"{place}.when") if "when" in entries else None
            family = self._word(entries.get("family"), f"{place}.family", FAMILIES, "family")
            texts = {
                name: self.rules.text(entries.get(name), f"{place}.{name}", 500) or "" for name in ("meaning", "subject", "fix")
            }
            if family and not texts["fix"]:
                self.notes.add(entries["family"].line, f"{place}.family", "a family without a fix; say what to do in `fix`")
            if code is not None and when is not None:
                self.codes.add(code)
                if label is not None:
                    yield Label(code, label, texts["meaning"], when, texts["subject"], texts["fix"], family or "")

    def _code(self, node: Node | None, place: str) -> str | None:
        code = self.rules.text(node, place, 60)
        if node is None or code is None:
            return None
        if not _CODE.fullmatch(code):
            self.notes.add(node.line, place, "a code is written like skipped_check: small letters, digits and _, at least two")
        elif code in self.built_in:
            self.notes.add(node.line, place, f"{code!r} is a built-in signal; choose another code")
        elif code in self.codes:
            self.notes.add(node.line, place, f"the code {code!r} exists already")
        else:
            return code
        return None

    def _pass(self, node: Node | None) -> tuple[float | None, Rule | None]:
        if node is None:
            return None, None
        if node.kind == "scalar" and node.value is not None:
            return self.rules.number(node, "pass"), None
        if node.kind != "mapping" or len(node.entries) != 1 or not node.entries.keys() <= {"threshold", "when"}:
            self.notes.add(node.line, "pass", "either `threshold: 0.5` or `when:` with a rule over fields is needed")
            return None, None
        if "threshold" in node.entries:
            return self.rules.number(node.entries["threshold"], "pass.threshold"), None
        when = self.rules.read(node.entries["when"], "pass.when")
        if when is not None and not all(isinstance(condition, FieldRule) for condition in conditions(when)):
            self.notes.add(node.line, "pass.when", "only fields decide a pass: what the verifier wrote, not how the rollout went")
            return None, None
        return None, when

    def _answer(self, node: Node | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if node is None:
            return (), ()
        if node.kind != "mapping":
            self.notes.add(node.line, "answer", "a mapping with expected and extracted is needed")
            return (), ()
        self._only(node, "answer", ("expected", "extracted"))
        expected, extracted = (self._paths(node.entries.get(name), f"answer.{name}") for name in ("expected", "extracted"))
        return expected, extracted

    def _tools(self, node: Node | None) -> tuple[tuple[str, str], ...]:
        if node is None:
            return ()
        if node.kind != "mapping":
            self.notes.add(node.line, "tools", "a mapping from a tool's name to read or change is needed")
            return ()
        self._bounded(node, "tools", len(node.entries))
        kinds = ((name, self._word(given, f"tools.{name}", ("read", "change"), "kind")) for name, given in node.entries.items())
        return tuple((name, kind) for name, kind in kinds if kind is not None)

    def _paths(self, node: Node | None, place: str) -> tuple[str, ...]:
        """One path of a field or a list of them."""
        if node is None:
            return ()
        given = node.items if node.kind == "list" else [node]
        self._bounded(node, place, len(given))
        found: list[str] = []
        for number, item in enumerate(given):
            path = self.rules.text(item, f"{place}[{number}]" if node.kind == "list" else place, 200)
            if path in found:
                self.notes.add(item.line, f"{place}[{number}]", f"{path!r} stands here twice")
            elif path is not None:
                found.append(path)
        return tuple(found)

    def _mappings(
        self, node: Node | None, place: str, known: tuple[str, ...], needed: tuple[str, ...]
    ) -> Iterator[tuple[Node, str]]:
        if node is None:
            return
        if node.kind != "list":
            self.notes.add(node.line, place, f"a list is needed (lines that begin with -), not {node.what}")
            return
        self._bounded(node, place, len(node.items))
        for number, item in enumerate(node.items):
            where = f"{place}[{number}]"
            if item.kind != "mapping":
                self.notes.add(item.line, where, f"a mapping with {', '.join(needed)} is needed, not {item.what}")
                continue
            self._only(item, where, known, {"rule": "when", "title": "name"})
            for name in needed:
                if name not in item.entries:
                    self.notes.add(item.line, where, f"the key {name!r} is missing")
            yield item, where

    def _word(self, node: Node | None, place: str, known: tuple[str, ...], what: str) -> str | None:
        return None if node is None else self.rules.word(node, place, known, what)

    def _only(self, node: Node, place: str, known: tuple[str, ...], synonyms: dict[str, str] | None = None) -> None:
        for name in node.entries:
            if name not in known:
                self.notes.unknown(node.key_lines[name], place, "key", name, known, synonyms)

    def _bounded(self, node: Node, place: str, count: int) -> None:
        if count > MOST:
            self.notes.add(node.line, place, f"{count:,} entries; at most {MOST} are read")
