"""Does `blade package calibrate` meet its targets on reports over other environments? `python -m evidence.controls [--tasks 16] [--seed 3]`.

For every environment of the lab a run with two planted kinds of fault is made and diagnosed, and the report is taken as a golden one:
anchors are drafted from it, controls are made of it, and all of them are scored, with the run at hand and without. The kinds are drawn
by the seed from those of the tuning part.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from blade.packages.calibration import Calibration


def kinds(seed: int) -> dict[str, tuple[str, str]]:
    """Two kinds of fault for each environment."""
    from blade.lab.selftest import combinations

    known: dict[str, list[str]] = defaultdict(list)
    for environment, kind in combinations("tuning"):
        known[environment].append(kind)
    rng = Random(seed)
    return {environment: (one, other) for environment, several in known.items() for one, other in [rng.sample(several, 2)]}


def study(tasks: int, seed: int) -> Iterator[tuple[str, bool, Calibration]]:
    """The calibration of each environment's report, with the run at hand and without."""
    from blade.claims.reading.measured import run_facts
    from blade.diagnosis.diagnose import diagnose, extractors
    from blade.lab.cases import plant
    from blade.packages.anchors.ranking import anchors
    from blade.packages.calibration import calibrate
    from blade.packages.controls.shallow import shallow
    from blade.reports.markdown import report
    from blade.runs.run import open_run

    for environment, (one, other) in kinds(seed).items():
        with tempfile.TemporaryDirectory() as folder:
            path = plant(environment, one, "severe", seed, also=other, tasks=tasks).write(Path(folder))
            with open_run(str(path), extractors=extractors(), use_index=False) as run:
                document = diagnose(run)
                text = report(json.loads(json.dumps(document | {"against": []})))
                facts = run_facts(run, document)
                for at_hand in ([facts], []):
                    drafted, _ = anchors(text, facts if at_hand else None, 12)
                    yield environment, bool(at_hand), calibrate(text, drafted, shallow(text), at_hand, seed=seed)


def page(found: Iterator[tuple[str, bool, Calibration]]) -> Iterator[str]:
    """A row for each, with the greatest score that a tampered copy got."""
    yield "| environment | run | golden | shallow | reordered | flipped | highest of the other copies | targets met |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | --- | --- |"
    for environment, at_hand, calibration in found:
        scores = {case.name: case.score for case in calibration.cases}
        rest = {
            name: score
            for name, score in scores.items()
            if name not in ("golden", "shallow", "spread", "anchors", "reordered", "flipped")
        }
        worst = max(rest, key=lambda name: rest[name])
        shown = " | ".join(f"{scores[name]:.3f}" for name in ("golden", "shallow", "reordered", "flipped"))
        met = f"{sum(case.ok for case in calibration.cases)} of {len(calibration.cases)}"
        yield f"| {environment} | {'yes' if at_hand else 'no'} | {shown} | {rest[worst]:.3f} ({worst}) | {met} |"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m evidence.controls", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tasks", type=int, default=16)
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args(arguments)
    for line in page(study(given.tasks, given.seed)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
