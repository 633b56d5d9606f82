"""A skill that somebody wrote, held against the rules of Agent Skills and against what it promises.

An *error* is what an agent would stumble over: a frontmatter that the rules do not allow, a link that leads nowhere, a command or option that does
not exist, a text that nobody has written yet. A *warning* is advice.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from blade.agent_skill.references import commands, headings, references
from blade.errors import UsageError
from blade.packages.frontmatter import blank_frontmatter, read_frontmatter
from blade.packages.placeholders import placeholders
from blade.packages.texts import read_markdown
from blade.untrusted.escapes import one_line

FILE: Final = "SKILL.md"
LONGEST_BODY: Final = 500
LEAST_WORDS: Final = 30
PACKAGED: Final = "skill"
"""The folder of a benchmark package, where the skill is named after the benchmark."""
SKIPPED: Final = frozenset({".git", ".venv", "node_modules", "__pycache__"})
MOST_FOLDERS: Final = 20_000

Complaint = Callable[[Sequence[str]], str | None]
"""What is wrong with a call of ours, given as words; None where such a command and its options exist."""


@dataclass(frozen=True, order=True)
class Finding:
    file: str
    line: int
    code: str
    message: str
    severity: Literal["error", "warning"] = "error"


@dataclass(frozen=True)
class SkillReport:
    folder: Path
    name: str
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> int:
        return sum(finding.severity == "error" for finding in self.findings)


def find_skills(place: Path) -> list[Path]:
    """The folders below a place that hold a SKILL.md; the place itself may be one, or the file."""
    if place.name == FILE and place.is_file():
        return [place.parent]
    if not place.is_dir():
        raise UsageError("is neither a folder nor a SKILL.md", path=place)
    if (place / FILE).is_file():
        return [place]
    found: list[Path] = []
    waiting, seen, resolved = [place], 0, set()
    while waiting:
        folder = waiting.pop()
        seen += 1
        if seen > MOST_FOLDERS:
            raise UsageError(f"holds more than {MOST_FOLDERS:,} folders", path=place, hint="name the skill's own folder")
        real = folder.resolve()
        if real in resolved:
            continue
        resolved.add(real)
        if (folder / FILE).is_file():
            found.append(folder)
            continue
        try:
            waiting += [one for one in folder.iterdir() if one.is_dir() and one.name not in SKIPPED]
        except OSError as error:
            raise UsageError(f"cannot be read: {error.strerror or error}", path=folder) from None
    if not found:
        raise UsageError(f"no {FILE} was found", path=place, hint="name the folder of a skill")
    return sorted(found)


def check_skill(folder: Path, complaint: Complaint) -> SkillReport:
    text = read_markdown(folder / FILE)
    named = None if folder.resolve().name == PACKAGED else folder.resolve().name
    read = read_frontmatter(text, named)
    findings = [Finding(FILE, problem.line, "frontmatter", problem.message) for problem in read.problems]
    findings += _size(text, read.body_line)
    for path in (folder / FILE, *sorted(one for one in folder.rglob("*.md") if one.name != FILE and one.is_file())):
        findings += _contents(folder, path, complaint)
    return SkillReport(folder, read.fields.get("name", ""), tuple(sorted(findings)))


def _size(text: str, body_line: int) -> Iterator[Finding]:
    lines = text.splitlines()[body_line - 1 :]
    if sum(len(line.split()) for line in lines) < LEAST_WORDS:
        yield Finding(FILE, body_line, "body", f"the skill says hardly anything: fewer than {LEAST_WORDS} words")
    if len(lines) > LONGEST_BODY:
        said = f"{len(lines):,} lines are read whenever the skill is used; keep it below {LONGEST_BODY} and move details to references/"
        yield Finding(FILE, body_line, "length", said, "warning")


def _contents(folder: Path, path: Path, complaint: Complaint) -> Iterator[Finding]:
    text, name = blank_frontmatter(read_markdown(path)), path.relative_to(folder).as_posix()
    for placeholder in placeholders(text):
        yield Finding(name, placeholder.line, "placeholder", f"unfinished: {placeholder.text}")
    for reference in references(text):
        told = _link(folder, path, reference.path, reference.heading, text)
        if told is not None:
            yield Finding(name, reference.line, "link", told[0], told[1])
    for command in commands(text):
        if message := complaint(command.words):
            yield Finding(name, command.line, "command", message)


def _link(folder: Path, path: Path, target: str, heading: str, text: str) -> tuple[str, Literal["error", "warning"]] | None:
    shown = one_line(f"{target}{'#' + heading if heading else ''}", 120)
    place = (path.parent / target) if target else path
    if target.startswith("/"):
        return f"{shown} is a place on one machine; write it relative to the skill", "error"
    within = folder / target
    if not place.exists() and not within.exists():
        return f"{shown} leads nowhere", "error"
    place = place if place.exists() else within
    if not Path(os.path.normpath(place)).is_relative_to(os.path.normpath(folder)):
        return f"{shown} lies outside the skill, which may be copied alone", "warning"
    if heading and place.suffix == ".md":
        there = text if place == path else read_markdown(place)
        if heading.lower() not in headings(there):
            return f"{shown} names a heading that is not there", "error"
    return None
