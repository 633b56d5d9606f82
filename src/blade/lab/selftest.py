"""The self-test: many cases with known faults, diagnosed as any run would be, and scored.

Cases come in two parts. The *tuning* part has kinds and environments that detectors, weights and the confidence curve may be tried on;
the *held-out* part has the kinds and the environments that nothing was tuned on, and its figures are the published ones.
Seeds of the two parts never meet. A held-out part serves once: when its misses have been looked at, it becomes tuning and a new one is
written, as happened to `warehouse`, `observatory`, `museum`, `payments`, `harbour`, `clinic`, `garage`, `railway`,
`cloud`, `insurer`, `radio`, `market`, `conservatory`, `rescue`, `brewery`, `assay`, `publisher` and `arboretum`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from blade.engines import Engine
from blade.lab.cases import Case, clean, plant
from blade.lab.desk import dice
from blade.lab.environments import ENVIRONMENTS
from blade.lab.faults.catalogue import KIND, KINDS, SEVERITIES
from blade.lab.judging import FalseFindings, Judged, false_findings, judge
from blade.lab.scoring import score
from blade.runs.build import Progress
from blade.signals.labels import LABELS

Part = Literal["tuning", "held_out", "all"]
Diagnose = Callable[[Path], dict[str, Any]]
CLEAN_SHARE = 8
"""One clean run for so many planted ones."""
_SEED_OF_PART = {"tuning": 1_000_000, "held_out": 2_000_000, "all": 3_000_000}


@dataclass(frozen=True)
class Spec:
    """A case before it is made; `kind` is empty for a clean run."""

    environment: str
    kind: str
    severity: str
    seed: int
    also: str | None = None

    def make(self) -> Case:
        return (
            plant(self.environment, self.kind, self.severity, self.seed, self.also)
            if self.kind
            else clean(self.environment, self.seed)
        )


def diagnose_file(path: Path, pass_threshold: float | None = None) -> dict[str, Any]:
    """The diagnosis of a rollout file, as the command makes it, without an index."""
    from blade.diagnosis.diagnose import diagnose, extractors
    from blade.engines.local import LocalEngine
    from blade.runs.run import open_run

    with (
        LocalEngine(1) as engine,
        open_run(path, engine=engine, use_index=False, extractors=extractors(), pass_threshold=pass_threshold) as run,
    ):
        return diagnose(run)


def combinations(part: Part) -> list[tuple[str, str]]:
    """The (environment, kind) pairs of a part."""
    pairs = [(environment, kind.name) for kind in KINDS for environment in kind.environments]
    if part == "all":
        return pairs
    wanted = part == "held_out"
    return [(place, kind) for place, kind in pairs if (ENVIRONMENTS[place].held_out or KIND[kind].held_out) is wanted]


def specs(part: Part, cases: int, seed: int) -> list[Spec]:
    """So many planted cases, evenly over labels, kinds, environments and severities, and clean runs beside them.

    Every third case carries a second kind of another label in other tasks, as runs do.
    """
    turns = {label: _turns([pair for pair in combinations(part) if KIND[pair[1]].label == label], seed) for label in LABELS}
    made: list[Spec] = []
    first = _SEED_OF_PART[part] + 10_000 * seed
    for number in range(cases):
        label = LABELS[number % len(LABELS)]
        environment, kind = next(turns[label])
        severity = SEVERITIES[(number // len(LABELS)) % 2]
        also = _second(part, environment, kind, dice(seed, part, number)) if number % 3 == 2 else None
        made.append(Spec(environment, kind, severity, first + number, also))
    places = sorted({place for place, _ in combinations(part)})
    quiet = [
        Spec(places[number % len(places)], "", "clean", first + cases + number) for number in range(max(1, cases // CLEAN_SHARE))
    ]
    return made + quiet


def _turns(pairs: Sequence[tuple[str, str]], seed: int) -> Iterator[tuple[str, str]]:
    """The pairs again and again, kinds in turn and each time in another environment."""
    by_kind: dict[str, list[str]] = {}
    for place, kind in pairs:
        by_kind.setdefault(kind, []).append(place)
    rng = dice(seed, "turns")
    order = rng.sample(sorted(by_kind), len(by_kind))
    shuffled = {kind: rng.sample(places, len(places)) for kind, places in by_kind.items()}
    lap = 0
    while True:
        for kind in order:
            yield shuffled[kind][lap % len(shuffled[kind])], kind
        lap += 1


def _second(part: Part, environment: str, kind: str, rng: Any) -> str | None:
    """A kind of another label for the same run; trouble with the machinery comes alone."""
    if KIND[kind].means == "weather":
        return None
    others = [
        name
        for place, name in combinations(part)
        if place == environment and KIND[name].label != KIND[kind].label and KIND[name].means != "weather"
    ]
    return str(rng.choice(others)) if others else None


@dataclass(frozen=True)
class Outcome:
    judged: tuple[Judged, ...]
    quiet: FalseFindings | None


def examine(item: tuple[Spec, Diagnose]) -> Outcome:
    """Make one case, diagnose it, judge it. Runs in a worker."""
    spec, diagnose = item
    case = spec.make()
    with TemporaryDirectory(prefix="blade-selftest-") as folder:
        document = diagnose(case.write(Path(folder)))
    return Outcome(tuple(judge(case, document)), None if spec.kind else false_findings(document))


def examine_all(
    wanted: Sequence[Spec], diagnose: Diagnose = diagnose_file, engine: Engine | None = None, progress: Progress | None = None
) -> tuple[list[Judged], list[FalseFindings]]:
    """All cases over the workers of an engine; the same results in the same order whatever their number."""
    judged: list[Judged] = []
    quiet: list[FalseFindings] = []
    watch = progress or Progress()
    items = [(spec, diagnose) for spec in wanted]
    watch.start("diagnosing cases", len(items))
    for outcome in map(examine, items) if engine is None else engine.map(examine, items):
        judged += outcome.judged
        if outcome.quiet is not None:
            quiet.append(outcome.quiet)
        watch.advance(1)
    watch.finish()
    return judged, quiet


def selftest(
    cases: int, seed: int = 0, part: Part = "held_out", diagnose: Diagnose = diagnose_file, engine: Engine | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The scored document of so many cases."""
    wanted = specs(part, cases, seed)
    judged, quiet = examine_all(wanted, diagnose, engine, progress)
    return {**score(judged, quiet), "part": part, "seed": seed, "cases": cases, "clean_runs": len(quiet)}


def tuning_cases(cases: int, seed: int = 0) -> Iterator[Case]:
    """Cases of the tuning part, one after the other, for trying things out."""
    return (spec.make() for spec in islice(specs("tuning", cases, seed), cases))
