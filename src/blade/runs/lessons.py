"""What extractors learn of a run before they scan it: from the first rows of its files, once, and kept in the index.

The scan knows no detector, and a detector sees one row. What a field means may show only over many rows, and has to be known before the
first is read: so a learner is given a sample, and what it learned (a text) is handed to the extractors that asked for it. The sample is
bounded, so that a large run costs no more than a small one; it depends on the files alone, never on how the work is split.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from blade.runs.artifacts import Artifacts
from blade.runs.index import Index, make_key
from blade.runs.lines import BOM
from blade.runs.scan import Extractor
from blade.runs.sources import first_bytes

MAX_ROWS: Final = 800
MAX_BYTES: Final = 6 << 20
MAX_FILES: Final = 12
"""Files of a run of many that are sampled, the first ones."""
FILE: Final = "learned.json"


class Learner(Protocol):
    """Makes a text of what some rows show; `version` covers its code and settings."""

    @property
    def version(self) -> str: ...

    def learn(self, rows: Sequence[bytes], threshold: float | None) -> str: ...


@runtime_checkable
class Teachable(Protocol):
    """An extractor that can do with what a learner learned."""

    @property
    def learner(self) -> Any: ...

    def taught(self, learned: str) -> Any: ...


def sample(paths: Sequence[Path]) -> list[bytes]:
    """The first whole rows of the first files."""
    rows: list[bytes] = []
    files = list(paths)[:MAX_FILES]
    for path in files:
        text = first_bytes(path, MAX_BYTES // len(files)).removeprefix(BOM)
        lines = text.split(b"\n")
        whole = lines if len(text) < MAX_BYTES // len(files) else lines[:-1]
        rows += [line for line in whole if line.strip()][: MAX_ROWS // len(files)]
    return rows


def teach(
    extractors: tuple[Extractor, ...], artifacts: Artifacts, index: Index, threshold: float | None
) -> tuple[tuple[Extractor, ...], str]:
    """The extractors, those that learn with what there was to learn; and that as text, empty where nobody learns."""
    learned: dict[str, str] = {}
    taught: list[Extractor] = []
    for extractor in extractors:
        if not isinstance(extractor, Teachable):
            taught.append(extractor)
            continue
        learner: Learner = extractor.learner
        if learner.version not in learned:
            learned[learner.version] = _learned(learner, artifacts, index, threshold)
        taught.append(extractor.taught(learned[learner.version]))
    return tuple(taught), next(iter(learned.values()), "")


def _learned(learner: Learner, artifacts: Artifacts, index: Index, threshold: float | None) -> str:
    def build(folder: Path) -> None:
        (folder / FILE).write_text(learner.learn(sample(artifacts.rollouts), threshold), encoding="utf-8")

    written = [path for path in artifacts.rollouts if path.is_file()]
    key = make_key(written, learner.version, threshold)
    return (index.entry("lessons", key, build) / FILE).read_text(encoding="utf-8")
