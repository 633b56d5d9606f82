"""Planted pairs made, compared as the command does it, and marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from blade.comparison.compare import compare
from blade.comparison.pair import Asked
from blade.diagnosis.diagnose import extractors
from blade.engines import Engine
from blade.engines.local import LocalEngine
from blade.lab.environments import ENVIRONMENTS
from blade.lab.pairs.bench import Bench
from blade.lab.pairs.files import RunFiles
from blade.lab.pairs.marking import Mark, mark
from blade.lab.pairs.planted import HARD, PLANTS
from blade.lab.pairs.world import make_world
from blade.runs.run import Run, open_run

NO_DIAGNOSIS: Mapping[str, Any] = {"tasks": [], "modes": [], "interventions": []}
"""The parts of a difference, what changed and the verdict take nothing from the diagnoses of the runs, which cost most of the time."""

WORLDS_A_HARD_ONE = 4


@dataclass(frozen=True)
class Marked:
    kind: str
    environment: str
    seed: int
    mark: Mark


def worlds(count: int, seed: int) -> list[tuple[str, int]]:
    """(environment, seed) of so many worlds, all environments in turn."""
    names = sorted(ENVIRONMENTS)
    return [(names[number % len(names)], 10_000 * (seed + 1) + number // len(names)) for number in range(count)]


def examine(world: tuple[str, int], kinds: Sequence[str] | None = None) -> list[Marked]:
    """Every kind of pair in one world, all with the same first run; hard kinds in one world of four. Runs in a worker."""
    environment, seed = world
    bench = Bench(make_world(environment, seed))
    plants = PLANTS | HARD
    wanted = kinds or [*PLANTS, *(HARD if seed % WORLDS_A_HARD_ONE == 0 else ())]
    found = []
    with TemporaryDirectory(prefix="blade-pairs-") as folder, LocalEngine(1) as engine, ExitStack() as stack:
        first = stack.enter_context(_opened(bench.a, Path(folder) / "a", engine))
        for kind in wanted:
            pair = plants[kind](bench)
            if pair is None:
                continue
            with ExitStack() as both:
                a = first if pair.a is bench.a else both.enter_context(_opened(pair.a, Path(folder) / kind / "a", engine))
                b = both.enter_context(_opened(pair.b, Path(folder) / kind / "b", engine))
                document = compare([a, b], lambda _: NO_DIAGNOSIS, metric=None, asked=Asked())
            found.append(Marked(kind, environment, seed, mark(document, pair.truth)))
    return found


def exam(wanted: Sequence[tuple[str, int]], engine: Engine | None = None) -> Iterator[Marked]:
    """All worlds over the workers of an engine; the same marks in the same order whatever their number."""
    for marks in map(examine, wanted) if engine is None else engine.map(examine, wanted):
        yield from marks


def _opened(files: RunFiles, folder: Path, engine: Engine) -> Run:
    return open_run(files.write(folder), engine=engine, use_index=False, extractors=extractors())
