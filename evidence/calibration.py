"""The coefficients of the confidence curve, fitted again: `python -m evidence.calibration`.

Planted faults of two sorts go in. Tasks of the lab's tuning part, on which detectors were tuned, so that nearly every label is right. And
tasks of environments that detectors had not seen when they judged them, for which a cause was claimed (`unseen_kinds.json`: environment, kind, true label,
claimed label, leading code, margin, symptom): 609 of the environment clinic (commit 7ad9916, 85 % right) and 618 of garage (commit 54366f1,
83 % right), each with kinds of its own. What an unseen fault looks like is not to be had from seen ones.
What comes out belongs into `blade.diagnosis.confidence`; the held-out part of the lab takes no part in it.
"""

import json
import sys
from pathlib import Path

from blade.diagnosis.confidence import COEFFICIENTS, features
from blade.engines.local import LocalEngine
from blade.lab.calibration import fit_calibration, left_out_error
from blade.lab.judging import Judged
from blade.lab.selftest import examine_all, specs

CASES, SEED = 168, 2
UNSEEN = Path(__file__).with_name("unseen_kinds.json")


def main() -> int:
    with LocalEngine(preload=["blade.lab.selftest"]) as engine:
        tuned, _ = examine_all([spec for spec in specs("tuning", CASES, SEED) if spec.kind], engine=engine)
    unseen = unseen_kinds()
    for name, members in (("tuning part", tuned), ("kinds unseen when judged", unseen)):
        planted = [one for one in members if one.truth not in ("", "noise")]
        print(f"{name}: {sum(one.right for one in planted)} of {len(planted)} labels right")
    together = [*unseen, *tuned]
    print({name: round(value, 3) for name, value in fit_calibration(together).items()})
    print(f"in the source: {COEFFICIENTS}")
    print(f"calibration error with each kind left out: {left_out_error(together, lambda one: one.kind)}")
    print(f"calibration error with each environment left out: {left_out_error(together, lambda one: one.environment)}")
    return 0


def unseen_kinds() -> list[Judged]:
    """What was claimed of faults that detectors had not seen."""
    return [
        Judged(
            environment,
            kind,
            "",
            0,
            "",
            truth,
            predicted,
            "",
            code=code,
            features=features(margin, bool(symptom), predicted, code),
        )
        for environment, kind, truth, predicted, code, margin, symptom in json.loads(UNSEEN.read_text(encoding="utf-8"))
    ]


if __name__ == "__main__":
    sys.exit(main())
