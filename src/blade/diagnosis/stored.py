"""The diagnosis kept beside the facts it was made from, so that the second look is quick.

An entry's key covers the facts tables, the pass rule, the skill and the source of every room that a diagnosis is computed by: a
changed threshold, weight or estimator is another diagnosis. What is kept is the document and nothing else; claims are re-computed
from the facts, never from it.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from blade.diagnosis.diagnose import diagnose
from blade.diagnosis.skill import Skill
from blade.runs.build import Progress
from blade.runs.run import Run

FILE = "diagnosis.json"
ROOMS = ("answers", "claims", "diagnosis", "runs", "signals", "stats", "untrusted")


def diagnosis(
    run: Run, *, skill: Skill | None = None, progress: Progress | None = None, workers: int | None = None
) -> dict[str, Any]:
    """The document of a run, made or found. Both ways it has been through JSON, so both are the same."""
    key = [run.directory.name, run.artifacts.spec, run.pass_threshold, run.pass_rule.sql, repr(skill), _code()]

    def build(folder: Path) -> None:
        document = diagnose(run, skill=skill, progress=progress, workers=workers)
        (folder / FILE).write_text(json.dumps(document), encoding="ascii")

    return _read((run.keep("diagnoses", key, build) / FILE).read_bytes())


def _read(text: bytes) -> dict[str, Any]:
    """A document as it was written. It can be large, so the quick reader comes first; what it refuses, halves of signs say, the other one takes."""
    try:
        return dict(msgspec.json.decode(text))
    except msgspec.DecodeError:
        return dict(json.loads(text))


@cache
def _code() -> str:
    """A hash of the source that a diagnosis is computed by."""
    hasher = hashlib.blake2b(digest_size=16)
    house = Path(__file__).parents[1]
    for room in ROOMS:
        for path in sorted((house / room).rglob("*.py")):
            hasher.update(str(path.relative_to(house)).encode())
            hasher.update(path.read_bytes())
    return hasher.hexdigest()
