"""Is every kind of fault still recognised? What `python -m evidence.diagnosis --quick` asks, and CI with it.

A change of one word in a detector can lose one kind of fault, and the figures of its label hardly move. So every kind of the catalogue
is planted here into two tasks or more at fixed seeds, those kept from tuning included, and diagnosed as the command does it.

The rule: a kind is recognised when at least half of its tasks get its label. A kind that detectors know has nearly all of them right
(the worst of the published ones 86 %), one that was lost has none or what chance leaves it, and half tells the two apart with few tasks;
nothing of today's results has to be written down for it. To be cheap, several kinds share a run, in tasks of their own, since most of
the time goes into a run and not into its tasks; trouble with the machinery strikes whole stretches of a run and has one to itself.
A kind that falls short there is planted again, alone and in runs of the usual size: neither its company nor two unlucky tasks make a
loss. A kind that no detector ever knew is named in `UNKNOWN`; once it is recognised it has to leave that list. A kind that finds no
occasion counts as lost: a lab that plants nothing proves nothing.

Of a kind kept from tuning only the name is told, and its seeds are not the published ones: who has lost it looks at what was changed,
not at the kind.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from blade.engines import Engine
from blade.lab.cases import Case, perform, plant
from blade.lab.desk import dice
from blade.lab.environments import ENVIRONMENTS
from blade.lab.faults.catalogue import KIND, KINDS, SEVERITIES, Kind
from blade.lab.judging import Judged, judge
from blade.lab.plan import REPEATS, Plan, Planned, draw, lay_out, strike
from blade.lab.selftest import Spec, diagnose_file
from blade.lab.stage.script import Task

UNKNOWN: Final = {
    "series_for_one": "a word of the schema (once) stands for what the request says in others (that day only); 1 of 35 in its blind measurement",
}
"""Kinds that are not recognised, and why."""
TOGETHER: Final = 4
"""Kinds that share a run."""
TASKS: Final = 20
STORMY_TASKS: Final = 12
"""Of a run with trouble, enough for what a mild one strikes and as much beside it."""
LEAST: Final = 2
"""Tasks of each kind in a run."""
SEED: Final = 4_000_000
TRIES: Final = 20
"""Seeds of which the first is taken that gives all kinds of a run their tasks."""
AGAIN: Final = 2
"""Runs of each severity for a kind that fell short."""


@dataclass(frozen=True)
class Shared:
    """A run that a few kinds share."""

    environment: str
    kinds: tuple[str, ...]

    def make(self) -> Case:
        for seed in range(SEED, SEED + TRIES):
            case = self._at(seed)
            struck = [case.kind_of(task) for task in case.tasks]
            if all(struck.count(kind) >= LEAST for kind in self.kinds):
                break
        return case

    def _at(self, seed: int) -> Case:
        """Mild: where most repeats pass, what is made of a failure hangs least on luck."""
        if KIND[self.kinds[0]].means == "weather":
            return plant(self.environment, self.kinds[0], "mild", seed, tasks=STORMY_TASKS)
        place, rng = ENVIRONMENTS[self.environment], dice(seed, self.environment, *self.kinds)
        # A task drawn for one kind may take the place of another's; asked for again, each kind gets what it lacks.
        drawn = draw(place, TASKS, seed, self.kinds * 3, rng)
        taken: dict[int, list[Planned]] = {}
        added: list[Task] = []
        for kind in rng.sample(self.kinds, len(self.kinds)):
            strike(KIND[kind], "mild", drawn, taken, added, REPEATS, rng)
        plan = Plan(place, seed)
        lay_out(plan, [*drawn, *added], taken, REPEATS)
        return perform(place, seed, plan.rollouts, self.kinds, "mild")


def shared() -> list[Shared]:
    """Runs for all kinds; those with the least choice of environments choose first."""
    runs: list[tuple[str, list[Kind]]] = []
    for kind in sorted(KINDS, key=lambda kind: len(kind.environments)):
        places = _open_to(kind)
        company = next((kinds for place, kinds in runs if place in places and _room_for(kind, kinds)), None)
        if company is None:
            runs.append((places[0], [kind]))
        else:
            company.append(kind)
    return [Shared(place, tuple(kind.name for kind in kinds)) for place, kinds in runs]


def _room_for(kind: Kind, company: Sequence[Kind]) -> bool:
    return len(company) < TOGETHER and "weather" not in (kind.means, company[0].means)


def _open_to(kind: Kind) -> list[str]:
    """Where a kind may play: in environments kept from tuning only if it is kept from it as well."""
    return [place for place in kind.environments if kind.held_out or not ENVIRONMENTS[place].held_out]


def alone(kind: Kind, runs: Sequence[Shared]) -> list[Spec]:
    """Runs of the usual size for a kind without its company, in the same environment."""
    place = next(run.environment for run in runs if kind.name in run.kinds)
    return [Spec(place, kind.name, severity, SEED + TRIES + turn) for turn in range(AGAIN) for severity in SEVERITIES]


def examine(runs: Sequence[Shared | Spec], engine: Engine) -> list[Judged]:
    """Every task of the runs, with what was planted in it and what was said."""
    return [one for judged in engine.map(_examine, runs) for one in judged]


def _examine(run: Shared | Spec) -> list[Judged]:
    case = run.make()
    with TemporaryDirectory(prefix="blade-kinds-") as folder:
        return judge(case, diagnose_file(case.write(Path(folder))))


def every_kind(engine: Engine) -> tuple[list[Judged], list[str]]:
    """The tasks of the shared runs, and what is wrong with the kinds, in a sentence each."""
    runs = shared()
    judged = examine(runs, engine)
    doubtful = unrecognised(judged, [kind for kind in KINDS if kind.name not in UNKNOWN])
    again = examine([spec for kind in doubtful for spec in alone(kind, runs)], engine)
    lost = [told(kind, again) for kind in unrecognised(again, doubtful)]
    unknown = [KIND[name] for name in UNKNOWN]
    found = [kind for kind in unknown if kind not in unrecognised(judged, unknown)]
    return judged, lost + [f"{kind.name} is recognised, and leaves the list of unknown kinds" for kind in found]


def unrecognised(judged: Sequence[Judged], kinds: Sequence[Kind]) -> list[Kind]:
    """The kinds of which fewer than half of the tasks got their label, or of which there are too few tasks."""
    right = Counter(one.kind for one in judged if one.right)
    planted = Counter(one.kind for one in judged)
    return [kind for kind in kinds if planted[kind.name] < LEAST or 2 * right[kind.name] < planted[kind.name]]


def told(kind: Kind, judged: Sequence[Judged]) -> str:
    tasks = [one for one in judged if one.kind == kind.name]
    if len(tasks) < LEAST:
        return f"{kind.name} finds no occasion: planted in {len(tasks)} tasks"
    words = f"{kind.name} is not recognised: {kind.label} in {sum(one.right for one in tasks)} of {len(tasks)} tasks"
    if kind.held_out:
        return words
    said = sorted({f"{one.predicted} {one.code}" if one.predicted else "no cause" for one in tasks if not one.right})
    return f"{words} of {tasks[0].environment}, otherwise {', '.join(said)}"
