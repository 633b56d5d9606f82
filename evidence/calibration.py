"""The coefficients of the confidence curve, fitted again: `python -m evidence.calibration`.

Planted faults of two sorts go in: tasks of the lab's tuning part, on which detectors were tuned, and tasks of copies of the example
run with faults planted into them, on which they were not. What comes out belongs into `blade.diagnosis.confidence`; the held-out part
of the lab takes no part in it.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from blade.diagnosis.confidence import COEFFICIENTS
from blade.engines.local import LocalEngine
from blade.lab.calibration import fit_calibration
from blade.lab.cases import Case
from blade.lab.example import main as write_example
from blade.lab.judging import Judged, judge
from blade.lab.selftest import diagnose_file, examine_all, specs
from blade.lab.transplant.plan import material, transplanted
from blade.runs.run import open_run

CASES, SEED = 150, 51
EXAMPLES, COPIES = (3, 4, 5, 6), 4


def main() -> int:
    with LocalEngine(preload=["blade.lab.selftest"]) as engine:
        tuned, _ = examine_all([spec for spec in specs("tuning", CASES, SEED) if spec.kind], engine=engine)
        own = [one for found in map(judged, _copies()) for one in found]
    for name, members in (("tuning part", tuned), ("copies of the example run", own)):
        planted = [one for one in members if one.truth not in ("", "noise")]
        print(f"{name}: {sum(one.right for one in planted)} of {len(planted)} labels right")
    fitted = fit_calibration([*tuned, *own])
    print({name: round(value, 3) for name, value in fitted.items()})
    print(f"in the source: {COEFFICIENTS}")
    return 0


def _copies() -> Any:
    for seed in EXAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            write_example([folder, "--seed", str(seed)])
            with open_run(folder, use_index=False) as run:
                stuff = material(run)
        yield from (transplanted(stuff, 100 * seed + copy) for copy in range(COPIES))


def judged(case: Case) -> list[Judged]:
    with tempfile.TemporaryDirectory() as folder:
        return judge(case, diagnose_file(case.write(Path(folder))))


if __name__ == "__main__":
    sys.exit(main())
