"""What a published figure was computed from: its sources by hash, so that a figure older than its code can be found."""

import hashlib
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PUBLISHED = ROOT / "docs" / "evidence"


def fingerprint(sources: Iterable[str]) -> dict[str, str]:
    """sha256 of each source, by its path below the project root."""
    return {source: _sha256(ROOT / source) for source in sorted(sources)}


def changed_since(recorded: Mapping[str, str]) -> list[str]:
    """The recorded sources that read otherwise today, or are gone."""
    return [source for source, then in recorded.items() if not (ROOT / source).is_file() or _sha256(ROOT / source) != then]


def git_commit() -> str | None:
    """The commit checked out, where there is one to ask; the hashes are what counts."""
    try:
        asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return asked.stdout.strip()


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
