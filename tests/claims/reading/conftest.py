"""The lab's example run with its facts, read once for all tests of this folder."""

from collections.abc import Iterator

import pytest

from blade.claims.reading.facts import RunFacts
from blade.claims.reading.measured import run_facts
from blade.diagnosis.diagnose import diagnose, extractors
from blade.lab.example import build, write
from blade.runs.run import open_run


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunFacts]:
    path = write(build(), tmp_path_factory.mktemp("example"))
    with open_run(str(path), extractors=extractors(), use_index=False) as run:
        yield run_facts(run, diagnose(run))
