"""A copy of a run with faults planted in tasks that pass, and what the diagnosis makes of it.

Only rollouts that pass are spoiled, so that the truth is known; failing repeats of a task that is used are left out of the copy, and
tasks of the run that fail by themselves stay as they are and are not scored. Each copy plants in a part of the tasks, a
different draw each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from blade.engines import Engine
from blade.errors import NotDecidable
from blade.lab.cases import Case, Fault
from blade.lab.desk import dice
from blade.lab.judging import Judged, judge
from blade.lab.scoring import score
from blade.lab.selftest import Diagnose, diagnose_file
from blade.lab.stage.script import Row
from blade.lab.transplant.mutations import MUTATIONS, Mutation
from blade.lab.transplant.rollout import Rollout
from blade.lab.transplant.twin import fixed_fields, swapped_gold
from blade.lab.transplant.values import Stock, stock_of
from blade.lab.transplant.verdict import Verdict, learn_verdict, recheck
from blade.runs.build import Progress
from blade.runs.run import Run
from blade.runs.steps import read_row
from blade.signals.data.task import gold_answers

MOST_TASKS = 200
MOST_REPEATS = 8
PART = 2
"""One in so many usable tasks is planted in each copy."""
_BY_ROWS = ("same_prompt_other_gold", "conflicting_rows")


@dataclass(frozen=True)
class Material:
    """What a run offers for planting: its rows task by task, and how its verifier writes a failure."""

    tasks: dict[int, list[tuple[bool, Row]]]
    """By the number of the task: its scored rows in order, and whether each passes."""
    names: dict[int, str]
    verdict: Verdict
    stock: Stock
    fixed: frozenset[str]
    """The fields that the dataset gives."""

    @property
    def usable(self) -> list[int]:
        """Tasks with a passing rollout, those that always pass first."""
        passing = {number: [passed for passed, _ in rows] for number, rows in self.tasks.items()}
        return sorted(
            (number for number, passed in passing.items() if any(passed)), key=lambda number: (not all(passing[number]), number)
        )


def material(run: Run, most_tasks: int = MOST_TASKS) -> Material:
    """Read the scored rows of the run's first tasks, those with a pass before the others."""
    if not run.pass_rule.decides:
        raise NotDecidable(f"{run.artifacts.spec} has no pass rule, so no rollout can be spoiled", hint="give --pass-threshold X")
    chosen = run.query(
        f"""SELECT task FROM rollouts WHERE class = 'scored' GROUP BY task
            ORDER BY count(*) FILTER ({run.passes}) = 0, min(path), min("offset") LIMIT {int(most_tasks)}"""
    ).rows
    tasks: dict[int, list[tuple[bool, Row]]] = {}
    names: dict[int, str] = {}
    least = run.pass_rule.least
    for number, (task,) in enumerate(chosen):
        places = [place for place in run.places(task) if place.state == "scored" and place.reward is not None][:MOST_REPEATS]
        rows = []
        for place in places:
            row = read_row(run.text(place)) | {"_ng_task_index": number, "_ng_rollout_index": place.repeat}
            rows.append((place.reward is not None and place.reward >= least, row))
        tasks[number], names[number] = rows, str(task)
    flat = [entry for rows in tasks.values() for entry in rows]
    zero = 0.0 if least > 0 else least - 1
    verdict = learn_verdict([row for passed, row in flat if passed], [row for passed, row in flat if not passed], zero)
    answers = (text for rows in tasks.values() if rows for _, text in list(gold_answers(rows[0][1]))[:1])
    stock = stock_of((Rollout(_name(row), row) for passed, row in flat if passed), answers)
    fixed = fixed_fields([[row for passed, row in rows if passed] for rows in tasks.values()])
    return Material(tasks, names, verdict, stock, fixed)


def transplanted(stuff: Material, seed: int, part: int = PART) -> Case:
    """One copy: faults in a part of the usable tasks, labels in turn as far as tasks allow them."""
    rng = dice(seed, "transplant")
    usable = stuff.usable
    if not usable:
        raise NotDecidable("no rollout of this run passes, so there is nothing to spoil")
    planted: dict[str, Fault] = {}
    rows: list[Row] = []
    free = rng.sample(usable, len(usable))
    kinds = _kinds_by_label(rng)
    turns = [label for _ in usable for label in kinds]
    for label in turns:
        if len(usable) - len(free) >= max(1, len(usable) // part):
            break
        spare = len(stuff.tasks) + len(usable) - len(free)
        found = next(
            ((number, made) for number in free if (made := _plant(stuff, number, kinds[label], spare, rng)) is not None), None
        )
        if found is not None:
            free.remove(found[0])
            rows += found[1][0]
            planted |= found[1][1]
        kinds[label] = [*kinds[label][1:], kinds[label][0]]
    done = set(usable) - set(free)
    left = [row for number, entries in stuff.tasks.items() if number not in done for _, row in entries]
    noise = frozenset(
        _name(row) for number, entries in stuff.tasks.items() if number not in done for passed, row in entries if not passed
    )
    used = tuple(sorted({fault.kind for fault in planted.values()}))
    return Case("own", used, "planted", seed, left + rows, planted, noise)


def _name(row: Row) -> str:
    return f"{row['_ng_task_index']}:{row['_ng_rollout_index']}"


def _kinds_by_label(rng: Random) -> dict[str, list[str]]:
    """The kinds of each label in some order; the labels that fewest tasks allow come first, in turn, since they want the same tasks."""
    by_label: dict[str, list[str]] = {label: [] for label in (*rng.sample(("KG", "UK"), 2), "BI", "TI", "IR", "DA")}
    for mutation in MUTATIONS:
        by_label[mutation.label].append(mutation.kind)
    by_label["DA"] += _BY_ROWS
    return {label: rng.sample(kinds, len(kinds)) for label, kinds in by_label.items()}


def _plant(
    stuff: Material, number: int, kinds: Sequence[str], spare: int, rng: Random
) -> tuple[list[Row], dict[str, Fault]] | None:
    """The first of the kinds that the task allows."""
    known = {mutation.kind: mutation for mutation in MUTATIONS}
    for kind in kinds:
        copies = [Rollout(_name(row), deepcopy(row)) for passed, row in stuff.tasks[number] if passed]
        made = _by_rows(stuff, kind, copies, spare, rng) if kind in _BY_ROWS else _by_mutation(stuff, known[kind], copies, rng)
        if made is not None:
            return made
    return None


def _by_mutation(
    stuff: Material, mutation: Mutation, repeats: list[Rollout], rng: Random
) -> tuple[list[Row], dict[str, Fault]] | None:
    count = len(repeats)
    if count < mutation.least:
        return None
    if mutation.strikes == "all":
        hit = list(range(count))
    else:
        most = count if mutation.strikes == "some" else max(1, count // 2)
        hit = sorted(rng.sample(range(count), rng.randint(1, most)))
    steps = mutation.mutate(repeats, hit, stuff.stock, rng)
    if steps is None:
        return None
    for number in hit:
        stuff.verdict.fail(repeats[number].row)
        if mutation.label != "TI":
            recheck(repeats[number])
    planted = {rollout: Fault(mutation.label, mutation.kind, places) for rollout, places in steps.items()}
    return [one.row for one in repeats], planted


def _by_rows(
    stuff: Material, kind: str, repeats: list[Rollout], spare: int, rng: Random
) -> tuple[list[Row], dict[str, Fault]] | None:
    rows = [one.row for one in repeats]
    if kind == "conflicting_rows":
        hit = rng.sample(range(len(rows)), rng.randint(1, len(rows)))
        written: list[Row] = []
        for number, row in enumerate(rows):
            if number in hit:
                first = deepcopy(row)
                stuff.verdict.fail(first)
                written.append(first)
            written.append(row)
        return written, {repeats[number].rollout: Fault("DA", kind, ()) for number in hit}
    for donor in rng.sample(sorted(stuff.tasks), len(stuff.tasks)):
        given = next((row for passed, row in stuff.tasks[donor] if passed), None)
        twins = None if given is None else swapped_gold(repeats, given, spare, stuff.fixed)
        if twins is not None:
            break
    else:
        return None
    for twin in twins:
        stuff.verdict.fail(twin)
        recheck(Rollout(_name(twin), twin))
    return rows + twins, {_name(twin): Fault("DA", kind, ()) for twin in twins}


def _examine(item: tuple[Case, Diagnose]) -> list[Judged]:
    case, diagnose = item
    with TemporaryDirectory(prefix="blade-selftest-") as folder:
        return judge(case, diagnose(case.write(Path(folder))))


def recovered(
    stuff: Material,
    copies: int,
    seed: int,
    diagnose: Diagnose = diagnose_file,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """What was found of the faults planted in so many copies."""
    judged: list[Judged] = []
    watch = progress or Progress()
    watch.start("diagnosing copies", copies)
    items = ((transplanted(stuff, 1_000 * seed + copy), diagnose) for copy in range(copies))
    for found in map(_examine, items) if engine is None else engine.map(_examine, items):
        judged += found
        watch.advance(1)
    watch.finish()
    return {
        **score(judged),
        "part": "own",
        "seed": seed,
        "cases": copies,
        "tasks_read": len(stuff.tasks),
        "usable_tasks": len(stuff.usable),
    }
