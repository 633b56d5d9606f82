"""Names of users that the material gives away itself: whoever owns a home directory is likely to be named elsewhere too.

A first pass over the bytes, before anything is decoded, so that a name that is learnt on the last line is known on the first.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from blade.runs.sources import text_chunks
from blade.runs.spool import DamagedArchive
from blade.untrusted.detection.known_names import MOST_LEARNED, SHORTEST_LEARNED
from blade.untrusted.detection.places import ANYBODY
from blade.untrusted.detection.randomness import wordiness

_HOME: Final = re.compile(
    rb"(?:/home/|/Users/|[A-Za-z]:(?:\\{1,8}|/)Users(?:\\{1,8}|/))([A-Za-z0-9_][A-Za-z0-9_.-]{2,40})(?=[/\\\"'\s:])"
)
_OVERLAP: Final = 200
_DISTINCT: Final = re.compile(r"[._\d-]")


def learn_users(paths: Iterable[Path]) -> tuple[str, ...]:
    """Owners of home directories whose names are no ordinary words."""
    found: set[str] = set()
    for path in paths:
        try:
            rest = b""
            for chunk in text_chunks(path):
                found |= {name.decode() for name in _HOME.findall(rest + chunk)}
                rest = chunk[-_OVERLAP:]
                if len(found) > MOST_LEARNED:
                    break
        except DamagedArchive:
            continue  # said where the file is read
    return tuple(sorted(name for name in found if _is_telling(name.lower())))[:MOST_LEARNED]


def _is_telling(name: str) -> bool:
    """Long enough to be nobody else's word: short and wordlike names stay, outside of paths, what they are."""
    if name in ANYBODY or len(name) < SHORTEST_LEARNED or name.startswith("redacted"):
        return False
    wordy = wordiness(name)
    return len(name) >= 5 and (bool(_DISTINCT.search(name)) or wordy is None or len(name) >= 6)
