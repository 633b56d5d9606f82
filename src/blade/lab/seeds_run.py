"""The two findings of the seeds as a run: a name that was never resolved, and a borderline record dropped by filtering in the head.

One task of the records environment never passes, because in every repeat the agent reassigns records without looking up the address
of the colleague whose records they are; another passes in three of four repeats, and the fourth asks for all records, filters their
dates in its own reasoning and drops the one on the border. All other tasks are clean and quiet.
"""

from __future__ import annotations

from dataclasses import replace

from blade.lab.cases import Case, perform
from blade.lab.desk import dice
from blade.lab.environments import ENVIRONMENTS
from blade.lab.faults.catalogue import KIND
from blade.lab.plan import REPEATS, Planned, rollouts_of

NEVER, SOMETIMES = "unresolved_name", "dropped_record"


def seeds_findings(seed: int = 0, tasks: int = 12) -> Case:
    """The run; its planted tasks are the two findings, whose kinds are `unresolved_name` and `dropped_record`."""
    place = ENVIRONMENTS["records"]
    rng = dice(seed, "seeds")
    pool = place.tasks(seed, 6 * tasks)
    never = next(task for task in pool if task.faulty.get(NEVER))
    sometimes = next(task for task in pool if task.faulty.get(SOMETIMES))
    others = [task for task in pool if task is not never and task is not sometimes][: tasks - 2]
    chosen = [replace(task, index=index) for index, task in enumerate((*others[:3], never, *others[3:6], sometimes, *others[6:]))]
    fourth = rng.randrange(REPEATS)
    struck = {3: (NEVER, frozenset(range(REPEATS))), 7: (SOMETIMES, frozenset([fourth]))}
    plan: list[Planned] = []
    for task in chosen:
        kind, repeats = struck.get(task.index, ("", frozenset()))
        plan += rollouts_of(task, KIND[kind] if kind else None, repeats, rng)
    return perform(place, seed, plan, (NEVER, SOMETIMES), "severe")
