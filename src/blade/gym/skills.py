"""Skills as a variable of a run: a folder of skill folders, each with a SKILL.md.

A run with skills differs from one without in two things only: the system message names each skill with its description, and one tool,
`read_skill`, opens their files. The hash over all files is what a comparison calls the skills; an agent refuses files that changed
under a run.
"""

from dataclasses import dataclass
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


@dataclass(frozen=True)
class Skill:
    name: str
    description: str
    version: str | None
    folder: Path


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
        """A file of a skill as text; anything else than a file within its folder is an error in words for the model."""
        skill = next((skill for skill in self.skills if skill.name == name), None)
        if skill is None:
            return f"Error: no skill is called {name!r}; the skills are {', '.join(skill.name for skill in self.skills)}"
        path = (skill.folder / str(file)).resolve()
        if not path.is_relative_to(skill.folder.resolve()) or not path.is_file():
            return f"Error: skill {skill.name} has no file {file!r}; its files are {', '.join(_files(skill.folder))}"
        return path.read_bytes()[:LARGEST_FILE].decode("utf-8", "replace")


def load_skills(path: str) -> Skills:
    """The skills under a folder: every folder in it that has a SKILL.md."""
    root = Path(path)
    found = sorted(entry.parent for entry in root.glob("*/SKILL.md"))
    if not found:
        raise UsageError(f"{path} holds no skills", hint="give a folder of folders, each with a SKILL.md")
    return Skills(path, skills_hash(root), tuple(_skill(folder) for folder in found))


def skills_hash(root: Path) -> str:
    """The first 12 hex digits of SHA-256 over every file's relative path and bytes, each ended by NUL, sorted by path."""
    digest = sha256()
    for name in _files(root):
        digest.update(name.encode() + b"\0" + (root / name).read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def _files(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def _skill(folder: Path) -> Skill:
    path = folder / "SKILL.md"
    text = path.read_text(encoding="utf-8")
    parts = text.split("---", 2)
    try:
        front = yaml.safe_load(parts[1]) if len(parts) == 3 and not parts[0].strip() else None
    except yaml.YAMLError as error:
        raise UsageError(f"the front matter is not YAML ({str(error).splitlines()[0]})", path=path) from None
    if not isinstance(front, dict) or not isinstance(front.get("name"), str):
        raise UsageError(
            "a skill's front matter has a name", path=path, hint="start the file with ---, name: …, description: …, ---"
        )
    version = front.get("version")
    return Skill(front["name"], str(front.get("description") or ""), None if version is None else str(version), folder)
