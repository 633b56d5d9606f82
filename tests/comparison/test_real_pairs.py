"""All pairs of real runs that share a task: the terms sum to the difference of the booked scores, and turn with the runs."""

from contextlib import ExitStack
from itertools import combinations
from pathlib import Path

import pytest

from blade.comparison.pairing import pair
from blade.comparison.rows import booked_rows
from blade.comparison.waterfall import Waterfall, waterfall
from blade.diagnosis.diagnose import extractors
from blade.engines.local import LocalEngine
from blade.errors import UnreadableRun
from blade.runs.run import Run, open_run
from tests.shared_data import needs_shared_data, shared_data


def folders() -> list[Path]:
    """The folders with several rollout files: runs that lie together are those of one benchmark."""
    found: dict[Path, int] = {}
    for path in (shared_data() or Path("/nowhere")).rglob("*.jsonl*"):
        if not path.stem.endswith(("labels", "_materialized_inputs", "_reward_profiling")) and "raw" not in path.parts:
            found[path.parent] = found.get(path.parent, 0) + 1
    return sorted(folder for folder, files in found.items() if files > 1)


def runs_of(folder: Path, index: Path, stack: ExitStack) -> list[Run]:
    opened = []
    engine = stack.enter_context(LocalEngine(1))
    for path in sorted(folder.glob("*.jsonl*")):
        try:
            opened.append(stack.enter_context(open_run(path, engine=engine, index_dir=index, extractors=extractors())))
        except UnreadableRun:  # sidecars, labels, an empty file
            continue
        opened[-1].hold()
    return opened


def compared(a: Run, b: Run) -> Waterfall | None:
    """The waterfall of a pair that shares a task; its sum is checked against the scores that the pairing books."""
    pairing = pair(a, b)
    if not pairing.paired.any():
        return None
    found = waterfall(*booked_rows(a, b, pairing), pairing.a.present, pairing.b.present, draws=10)
    assert found.total is not None
    assert pairing.a.value is not None
    assert pairing.b.value is not None
    assert sum(term.delta for term in found.terms) == pytest.approx(pairing.b.value - pairing.a.value, abs=1e-9)
    return found


@needs_shared_data
@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_terms_sum_to_the_booked_difference(folder: Path, real_index: Path) -> None:
    with ExitStack() as stack:
        runs = runs_of(folder, real_index, stack)
        for a, b in combinations(runs, 2):
            found, turned = compared(a, b), compared(b, a)
            assert (found is None) == (turned is None)
            if found is not None and turned is not None:
                assert [-term.delta for term in turned.terms] == pytest.approx([term.delta for term in found.terms], abs=1e-12)
        for run in runs:
            itself = compared(run, run)
            assert itself is None or not any(term.delta or term.ci not in (None, (0.0, 0.0)) for term in itself.terms)


@needs_shared_data
def test_there_are_real_pairs() -> None:
    named = {folder.name for folder in folders()}
    assert {"taubench", "tau2", "tau2_sft_pair"} <= named
