"""All checks of a package, or those of one deliverable, in the order in which a package is built."""

from collections.abc import Iterable, Sequence

from blade.packages.check import PHASES, Check, Phase
from blade.packages.runs import PackageRuns
from blade.packages.validate.golden import check_golden
from blade.packages.validate.rollouts import check_rollouts
from blade.packages.validate.skill import check_skill

PARTS = {"skill": check_skill, "rollouts": check_rollouts, "golden": check_golden}


def validate(runs: PackageRuns, phases: Sequence[Phase] = PHASES) -> list[Check]:
    found: list[Iterable[Check]] = [PARTS[phase](runs) for phase in PHASES if phase in phases]
    return [check for part in found for check in part]
