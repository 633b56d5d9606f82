"""The files of the skill that comes with BLADE."""

from pathlib import Path
from typing import Final

NAME: Final = "nemo-gym-blade-analysis"


def shipped_folder() -> Path:
    return Path(__file__).resolve().parent / NAME


def shipped_files() -> dict[str, bytes]:
    """By their place in the skill. The script stands in the repository's own skill folder, and beside the others in an installation."""
    folder = shipped_folder()
    clone = folder.parents[3] / ".codex" / "skills" / NAME
    scripts = folder / "scripts" if (folder / "scripts").is_dir() else clone / "scripts"
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.md"))}
    found |= {f"scripts/{path.name}": path for path in sorted(scripts.glob("*.py"))}
    return {name: path.read_bytes() for name, path in found.items()}
