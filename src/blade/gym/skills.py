"""Skills as a variable of a run: a folder of skill folders, each with a SKILL.md.

A run with skills differs from one without in two things only: the system message names each skill with its description, and one tool,
`read_skill`, opens their files. The hash over all files is what a comparison calls the skills. Files are read once, into memory: what an
agent shows is what was hashed, whatever happens to the folder while a run is under way.
"""

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from blade.errors import UsageError

READ_SKILL: dict[str, Any] = {
    "type": "function",
    "name": "read_skill",
    "description": "Open a file of a skill. Read a skill's SKILL.md before the first use of the skill.",
    "parameters": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "The skill's name."},
            "file": {"type": "string", "description": "A file of the skill, SKILL.md by default."},
        },
        "required": ["name"],
        "additionalProperties": False,
    },
    "strict": False,
}
LARGEST_FILE = 256 << 10
"""Bytes of a file that a model can read."""
LARGEST_FOLDER = 64 << 20
"""Bytes of all files together: more is hardly a folder of skills."""
LONGEST_SAID, MOST_NAMED = 200, 50


@dataclass(frozen=True)
class Skill:
    name: str
    description: str
    version: str | None
    files: dict[str, bytes] = field(repr=False)
    """What a model can read: the beginning of each file, by its path within the skill."""


@dataclass(frozen=True)
class Skills:
    path: str
    hash: str
    skills: tuple[Skill, ...]

    def reference(self) -> dict[str, Any]:
        """What stands in the rows as `skills_ref`."""
        listed = []
        for skill in self.skills:
            entry = {"name": skill.name, "description": skill.description, "version": skill.version}
            listed.append({key: value for key, value in entry.items() if value})
        return {"path": self.path, "hash": self.hash, "skills": listed}

    def introduction(self) -> str:
        """The part of the system message that tells of them."""
        lines = [f"- {skill.name}: {skill.description}" for skill in self.skills]
        return "\n".join(["You have skills. Read one with the tool read_skill when it fits the task:", *lines])

    def read(self, name: Any, file: Any = "SKILL.md") -> str:
        """A file of a skill as text; whatever else a model may write is an error in words for it."""
        skill = next((skill for skill in self.skills if isinstance(name, str) and skill.name == name), None)
        if skill is None:
            return f"Error: no skill is called {_said(name)}; the skills are {_listed(skill.name for skill in self.skills)}"
        content = skill.files.get(posixpath.normpath(file)) if isinstance(file, str) else None
        if content is None:
            return f"Error: skill {skill.name} has no file {_said(file)}; its files are {_listed(skill.files)}"
        return content.decode("utf-8", "replace")


def load_skills(path: str) -> Skills:
    """The skills under a folder: every folder in it that has a SKILL.md."""
    digest, files = _snapshot(Path(path))
    folders = sorted({name.partition("/")[0] for name in files if name.count("/") == 1 and name.endswith("/SKILL.md")})
    if not folders:
        raise UsageError(f"{path} holds no skills", hint="give a folder of folders, each with a SKILL.md")
    return Skills(path, digest, tuple(_skill(Path(path), folder, files) for folder in folders))


def skills_hash(root: Path) -> str:
    """The first 12 hex digits of SHA-256 over every file's relative path and bytes, each ended by NUL, sorted by path."""
    return _snapshot(root)[0]


def _snapshot(root: Path) -> tuple[str, dict[str, bytes]]:
    """The hash of a folder, and what of its files can be shown, from one reading of them."""
    digest, total, shown = sha256(), 0, {}
    for name in sorted(_files(root)):
        try:
            with (root / name).open("rb") as file:
                content = file.read(LARGEST_FOLDER - total + 1)
        except OSError as error:
            raise UsageError(f"a file of the skills cannot be read ({error.strerror})", path=root / name) from None
        total += len(content)
        if total > LARGEST_FOLDER:
            raise UsageError(
                f"the files under {root} are larger than {LARGEST_FOLDER >> 20} MB together", hint="give a folder of skills only"
            )
        digest.update(name.encode("utf-8", "surrogateescape") + b"\0" + content + b"\0")
        within = root / name.partition("/")[0]
        if (root / name).resolve().is_relative_to(within.resolve()):  # a link may point anywhere
            shown[name.encode("utf-8", "backslashreplace").decode()] = content[:LARGEST_FILE]
    return digest.hexdigest()[:12], shown


def _files(root: Path) -> Iterator[str]:
    """The files below a folder, those of linked skills included."""
    for entry in root.iterdir() if root.is_dir() else ():
        inner = entry.rglob("*") if entry.is_dir() else [entry]
        yield from (path.relative_to(root).as_posix() for path in inner if path.is_file())


def _skill(root: Path, folder: str, files: dict[str, bytes]) -> Skill:
    own = {name.removeprefix(f"{folder}/"): content for name, content in files.items() if name.startswith(f"{folder}/")}
    path = root / folder / "SKILL.md"
    parts = own["SKILL.md"].decode("utf-8", "replace").split("---", 2)
    try:
        front = yaml.safe_load(parts[1]) if len(parts) == 3 and not parts[0].strip() else None
    except yaml.YAMLError as error:
        raise UsageError(f"the front matter is not YAML ({str(error).splitlines()[0]})", path=path) from None
    if not isinstance(front, dict) or not isinstance(front.get("name"), str):
        raise UsageError(
            "a skill's front matter has a name", path=path, hint="start the file with ---, name: …, description: …, ---"
        )
    version = front.get("version")
    return Skill(front["name"], str(front.get("description") or ""), None if version is None else str(version), own)


def _said(value: Any) -> str:
    """What a model wrote, short and printable, whatever it is."""
    if isinstance(value, str):
        return repr(value if len(value) <= LONGEST_SAID else f"{value[:LONGEST_SAID]}…")
    return "None" if value is None else f"of type {type(value).__name__}"


def _listed(names: Iterable[str]) -> str:
    known = list(names)
    return ", ".join(known[:MOST_NAMED]) + (f" and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else "")
