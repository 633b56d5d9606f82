"""The diagnosis kept beside the facts it was made from, so that the second look is quick.

An entry's key covers the facts tables, the pass rule, the skill and the source of every room that a diagnosis is computed by: a
changed threshold, weight or estimator is another diagnosis. What is kept is the document and nothing else; claims are re-computed
from the facts, never from it.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from blade.diagnosis.packed import json_bytes
from blade.diagnosis.skill import Skill
from blade.runs.build import Progress
from blade.runs.run import Run

FILE = "diagnosis.json"
ROOMS = ("answers", "claims", "diagnosis", "runs", "signals", "stats", "untrusted")
_NOT_JSON = (b"NaN", b"Infinity")
_HALF_SIGN = re.compile(rb"\xed[\xa0-\xbf]")


def diagnosis(
    run: Run, *, skill: Skill | None = None, progress: Progress | None = None, workers: int | None = None
) -> dict[str, Any]:
    """The document of a run, made or found. Both ways it has been through JSON, so both are the same."""
    return read_document(stored(run, skill=skill, progress=progress, workers=workers))


def stored(run: Run, *, skill: Skill | None = None, progress: Progress | None = None, workers: int | None = None) -> bytes:
    """The same as it is kept."""
    key = [run.directory.name, run.artifacts.spec, run.pass_threshold, run.pass_rule.sql, repr(skill), _code()]

    def build(folder: Path) -> None:
        from blade.diagnosis.diagnose import made  # who finds a diagnosis need not load what makes one

        document = made(run, skill=skill, progress=progress, workers=workers)
        with (folder / FILE).open("wb") as file:
            for piece in _pieces(document):
                file.write(piece)

    return (run.keep("diagnoses", key, build) / FILE).read_bytes()


def read_document(kept: bytes) -> dict[str, Any]:
    """A document as it was written. It can be large, so the quick reader comes first; what it refuses, halves of signs say, the other one takes."""
    try:
        return dict(msgspec.json.decode(kept))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return dict(json.loads(kept.decode("utf-8", "surrogatepass")))


def can_be_printed(kept: bytes) -> bool:
    """Whether a document can be printed as it is kept; not where it may hold what others cannot read: halves of signs, or no number."""
    return not any(word in kept for word in _NOT_JSON) and _HALF_SIGN.search(kept) is None


def _pieces(document: dict[str, Any]) -> Iterator[bytes]:
    """The document as JSON, in pieces: as a whole its text would take more memory than all that it was made from."""
    yield b"{"
    for place, (name, value) in enumerate(document.items()):
        yield (b", " if place else b"") + json_bytes(name) + b": "
        if isinstance(value, list):
            yield b"["
            for position, item in enumerate(value):
                yield (b", " if position else b"") + json_bytes(item)
            yield b"]"
        else:
            yield json_bytes(value)
    yield b"}"


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
