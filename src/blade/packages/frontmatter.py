"""The frontmatter of a SKILL.md, held against the rules of the Agent Skills format (agentskills.io, specification).

The file opens with a block between two lines of `---`: `name` (small letters, digits and single hyphens, at most 64, the same as
the folder of the skill) and `description` (at most 1,024 characters) are needed; `license`, `compatibility` (at most 500),
`metadata` (names and texts) and `allowed-tools` may stand beside them, and nothing else.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from blade.diagnosis.skill.document import Node, parse_document
from blade.diagnosis.skill.problems import InvalidSkill
from blade.untrusted.escapes import one_line

LONGEST_NAME: Final = 64
LONGEST_DESCRIPTION: Final = 1024
LONGEST_COMPATIBILITY: Final = 500
FIELDS: Final = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
_FENCE: Final = "---"
_NAME: Final = re.compile(r"[^\W_]+(-[^\W_]+)*")


@dataclass(frozen=True, order=True)
class FrontmatterProblem:
    line: int
    message: str


@dataclass(frozen=True)
class Frontmatter:
    """The fields that are text, the problems of the block, and the line that the skill's own text begins on."""

    fields: dict[str, str] = field(default_factory=dict)
    problems: tuple[FrontmatterProblem, ...] = ()
    body_line: int = 1


def frontmatter_problems(text: str, folder: str | None = None) -> list[FrontmatterProblem]:
    """What the rules do not allow, each with its line. `folder` is the skill's folder, where the name must be that of it."""
    return list(read_frontmatter(text, folder).problems)


def read_frontmatter(text: str, folder: str | None = None) -> Frontmatter:
    lines = text.removeprefix("\ufeff").splitlines()
    if not lines or lines[0].rstrip() != _FENCE:
        return Frontmatter(problems=(FrontmatterProblem(1, "no YAML frontmatter: the first line must be ---"),))
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), None)
    if end is None:
        return Frontmatter(problems=(FrontmatterProblem(1, "the frontmatter has no end: a second line of --- is missing"),))
    body_line = end + 2
    try:
        root = parse_document("\n".join(lines[1:end]) + "\n", Path("SKILL.md"))
    except InvalidSkill as error:
        told = tuple(FrontmatterProblem(problem.line + 1, problem.message) for problem in error.mistakes)
        return Frontmatter(problems=told, body_line=body_line)
    if root.kind != "mapping":
        return Frontmatter(problems=(FrontmatterProblem(2, "the frontmatter has no fields"),), body_line=body_line)
    problems = [*_unknown(root), *_name(root, folder), *_description(root), *_optional(root)]
    fields = {key: node.value for key, node in root.entries.items() if isinstance(node.value, str)}
    return Frontmatter(fields, tuple(sorted(problems)), body_line)


def blank_frontmatter(text: str) -> str:
    """The text with empty lines in place of its frontmatter, which Markdown would take for a heading."""
    lines = text.splitlines()
    before = read_frontmatter(text).body_line - 1
    return "\n".join([""] * before + lines[before:])


def _unknown(root: Node) -> list[FrontmatterProblem]:
    known = ", ".join(FIELDS)
    return [
        _problem(root, key, f"{one_line(key, 60)!r} is no field of a skill's frontmatter (known: {known}); put it under metadata")
        for key in root.entries
        if key not in FIELDS
    ]


def _name(root: Node, folder: str | None) -> list[FrontmatterProblem]:
    name, problems = _text(root, "name", LONGEST_NAME)
    if name is None:
        return problems
    if name != name.lower() or not _NAME.fullmatch(name):
        said = "must be small letters, digits and single hyphens, none at either end"
        problems.append(_problem(root, "name", f"the name {one_line(name, 80)!r} {said}"))
    if folder is not None and name != folder:
        problems.append(
            _problem(root, "name", f"the name {one_line(name, 80)!r} is not that of its folder, {one_line(folder, 80)!r}")
        )
    return problems


def _description(root: Node) -> list[FrontmatterProblem]:
    return _text(root, "description", LONGEST_DESCRIPTION)[1]


def _optional(root: Node) -> list[FrontmatterProblem]:
    problems = _text(root, "compatibility", LONGEST_COMPATIBILITY)[1] if "compatibility" in root.entries else []
    for key in ("license", "allowed-tools"):
        if key in root.entries and not isinstance(root.entries[key].value, str):
            problems.append(_problem(root, key, f"{key} must be text"))
    metadata = root.entries.get("metadata")
    if metadata is not None and (
        metadata.kind != "mapping" or any(node.kind != "scalar" or node.value is None for node in metadata.entries.values())
    ):
        problems.append(_problem(root, "metadata", "metadata must be names with a text each"))
    return problems


def _text(root: Node, key: str, longest: int) -> tuple[str | None, list[FrontmatterProblem]]:
    """A field that must be text within bounds; None where it is not even text."""
    if key not in root.entries:
        return None, [FrontmatterProblem(1, f"the frontmatter has no {key}")]
    value = root.entries[key].value
    if not isinstance(value, str):
        return None, [_problem(root, key, f"{key} must be text, in quotes where it looks like something else")]
    if not value.strip():
        return None, [_problem(root, key, f"{key} is empty")]
    if len(value) > longest:
        return value, [_problem(root, key, f"{key} has {len(value):,} characters; at most {longest:,} are allowed")]
    return value, []


def _problem(root: Node, key: str, message: str) -> FrontmatterProblem:
    return FrontmatterProblem(root.key_lines.get(key, root.line) + 1, message)
