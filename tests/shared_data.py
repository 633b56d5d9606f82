"""Where the real rollouts lie that tests may read and the project does not hold: the one place that knows.

`../shared/data` beside the project, or the folder that BLADE_SHARED_DATA names. Mark a test with `@needs_shared_data` to skip
it where there is none.
"""

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def shared_data() -> Path | None:
    """The folder of shared real runs, or None where it is missing."""
    named = os.environ.get("BLADE_SHARED_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    return folder if folder.is_dir() else None


needs_shared_data = pytest.mark.skipif(
    shared_data() is None,
    reason="real rollouts not found at ../shared/data (set BLADE_SHARED_DATA to the folder that holds them)",
)


@pytest.fixture(scope="session")
def real_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index for the shared runs, the same for all workers of a session: whoever asks first reads a run, and the others find it."""
    own = tmp_path_factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "index-of-real-runs"


SEEDS = Path(__file__).resolve().parents[2] / "shared" / "seeds"
"""The documents whose command lines must run word for word; they are not part of the project."""
needs_seeds = pytest.mark.skipif(not SEEDS.is_dir(), reason="the seed documents are not beside this clone (../shared/seeds)")


def shared_rows(run: str) -> Iterator[dict[str, Any]]:
    """The rows of a shared run, named by folder and stem as in reference_numbers.json; plain or gzipped."""
    folder = shared_data()
    assert folder is not None, "mark the test with @needs_shared_data"
    plain = folder / f"{run}.jsonl"
    text = plain.read_bytes() if plain.exists() else gzip.decompress(plain.with_suffix(".jsonl.gz").read_bytes())
    return map(json.loads, text.splitlines())


def reference_numbers() -> dict[str, Any]:
    """Figures for the shared runs that somebody else computed."""
    folder = shared_data()
    assert folder is not None, "mark the test with @needs_shared_data"
    numbers: dict[str, Any] = json.loads((folder / "reference_numbers.json").read_text(encoding="utf-8"))
    return numbers
