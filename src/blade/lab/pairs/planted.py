"""The reasons for a difference, one function each: a bench goes in, a pair of runs with its truth comes out, or nothing where the world gives no occasion for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from blade.lab.environments.environment import function
from blade.lab.pairs.bench import VERIFIER, Bench
from blade.lab.pairs.files import RunFiles, failure_row, input_row
from blade.lab.pairs.limits import cut_off, limited_row, percentile_limit
from blade.lab.pairs.truth import NOT_TOLD_APART, Pair, Truth
from blade.lab.pairs.world import ODD_OUTAGES, OUTAGES, REPEATS, Rollout, booked, stands_out, task_means
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Task

STRICTER: Final = "checks:2"
REPLACED: Final = 8
LOST: Final = 8
_HINTS: Final = ("Work step by step and check each result.", "Answer briefly. Do not repeat what is known.", "Take your time.")


Plant = Callable[[Bench], Pair | None]

PLANTS: Final[dict[str, Plant]] = {}
HARD: Final[dict[str, Plant]] = {}
"""Reasons that a comparison cannot be expected to find, for what it takes for granted does not hold; shown, not held to a bound."""


def _plants(plant: Plant) -> Plant:
    PLANTS[plant.__name__] = plant
    return plant


def _hard(plant: Plant) -> Plant:
    HARD[plant.__name__] = plant
    return plant


@_plants
def itself(bench: Bench) -> Pair:
    """A run against itself."""
    return Pair("itself", bench.a, bench.a, Truth(None, single=bench.single(0)))


@_plants
def duplicated_rows(bench: Bench) -> Pair:
    """Some rows of B stand in its file twice or three times."""
    rng = bench.world.dice("duplicated")
    rows = [*bench.rows, *rng.choices(bench.rows, k=len(bench.rows) // 3)]
    rng.shuffle(rows)
    truth = Truth(None, single=bench.single(0), problem="duplicate")
    return Pair("duplicated_rows", bench.a, RunFiles(rows, bench.manifest()), truth)


@_plants
def same_system(bench: Bench) -> Pair:
    """Another run of the very same system: whatever differs is chance."""
    rollouts = bench.world.run(bench.world.plan("b"), "b")
    files = RunFiles(bench.world.rows(rollouts, "b"), bench.manifest())
    size = booked(rollouts) - booked(bench.rollouts)
    return Pair("same_system", bench.a, files, Truth(None, size, quiet=False, single=bench.single(0)))


@_plants
def verifier(bench: Bench) -> Pair:
    """The same rollouts under a verifier that also wants a short ending."""
    graded = _stricter(bench)
    files = RunFiles(bench.world.rows(graded, "a"), bench.manifest(verifier=STRICTER))
    return Pair("verifier", bench.a, files, _verifier_truth(bench, graded))


@_plants
def reverified(bench: Bench) -> Pair:
    """The rows of A, graded again by a stricter verifier; each says what it got before."""
    graded = _stricter(bench)
    again = {"previous_verifier": VERIFIER, "verifier": STRICTER}
    before = {rollout.key: rollout.reward for rollout in bench.rollouts}
    rows = [
        {**row, "reverified": {"previous_reward": before[row["_ng_task_index"], row["_ng_rollout_index"]], **again}}
        for row in bench.world.rows(graded, "a")
    ]
    return Pair("reverified", bench.a, RunFiles(rows, bench.manifest(verifier=STRICTER)), _verifier_truth(bench, graded))


def _stricter(bench: Bench) -> list[Rollout]:
    """Endings longer than most fail: what is asked of a rollout lies in its output alone, so equal outputs have equal grades."""
    passing = sorted(len(rollout.episode.final) for rollout in bench.rollouts if rollout.reward == 1.0)
    longest = passing[len(passing) // 2]
    return [
        replace(rollout, verdict={**rollout.verdict, "reward": 0.0}) if len(rollout.episode.final) > longest else rollout
        for rollout in bench.rollouts
    ]


def _verifier_truth(bench: Bench, graded: Sequence[Rollout]) -> Truth:
    named = frozenset({"verifier"}) if bench.told else frozenset[str]()
    size = booked(graded) - booked(bench.rollouts)
    return Truth("verifier", size, changed=named, single=bench.single(1), verdicts=NOT_TOLD_APART | {"regressed"})


@_plants
def outage(bench: Bench) -> Pair | None:
    """The same plan in bad weather."""
    return _in_bad_weather(bench, "outage", OUTAGES)


@_hard
def odd_outage(bench: Bench) -> Pair | None:
    """Names that are not resolved and sessions that are gone; where no tools are called, an outage like any other."""
    return _in_bad_weather(bench, "odd_outage", ODD_OUTAGES if bench.setting.tools else OUTAGES)


def _in_bad_weather(bench: Bench, kind: str, among: Sequence[str]) -> Pair | None:
    world = bench.world
    trouble = world.outage(bench.rollouts, world.dice(kind), among)
    if trouble is None:
        return None
    struck = world.run(bench.plan, "a", outage=trouble)
    truth = Truth(
        "infrastructure",
        booked(struck) - booked(bench.rollouts),
        exact=False,
        single=bench.single(0),
        verdicts=NOT_TOLD_APART | {"regressed"},
        set_aside=True,
    )
    return Pair(kind, bench.a, RunFiles(world.rows(struck, "a"), bench.manifest()), truth)


@_plants
def token_limit(bench: Bench) -> Pair:
    """The same rollouts under a lower limit on tokens, reached by whoever thought for long."""
    return _limited(bench, "token_limit")


@_hard
def limit_on_long_ways(bench: Bench) -> Pair:
    """Agents do not think, so the limit strikes long ways of working, which may be the right or the wrong ones."""
    return _limited(Bench(replace(bench.world, thinks=False)), "limit_on_long_ways")


def _limited(bench: Bench, kind: str) -> Pair:
    """A limit that a third of the rollouts reach, or a lower one, until the loss stands out."""
    world = bench.world
    for percent in range(35, 80, 5):
        limit = percentile_limit(bench.rollouts, percent / 100)
        cut = cut_off(world, bench.rollouts, limit)
        if stands_out(bench.rollouts, cut):
            break
    rows = [limited_row(row, limit) for row in world.rows(cut, "a")]
    truth = Truth(
        "truncation",
        booked(cut) - booked(bench.rollouts),
        exact=False,
        changed=frozenset({"limits"}),
        single=bench.single(1),
        verdicts=NOT_TOLD_APART | {"regressed"},
        set_aside=True,
    )
    return Pair(kind, bench.a, RunFiles(rows, bench.manifest(tokens=limit)), truth)


@_plants
def tasks_replaced(bench: Bench) -> Pair:
    """Some tasks of B are others, easier or harder; under ids of their own, or under those of the tasks that they replace."""
    world, rng = bench.world, bench.world.dice("replaced")
    easier, in_place = rng.random() < 0.5, rng.random() < 0.5
    means = task_means(bench.rollouts)
    gone = sorted(means, key=lambda task: means[task] if easier else -means[task])[:REPLACED]
    ids = gone if in_place else range(1_000, 1_000 + REPLACED)
    others = [replace(task, index=index) for index, task in zip(ids, world.spare, strict=False)]
    plan = {
        (task.index, repeat): rng.choice(task.sound) if easier else world.wrong(task, rng)
        for task in others
        for repeat in range(REPEATS)
    }
    rollouts = [rollout for rollout in bench.rollouts if rollout.key[0] not in gone] + world.run(plan, "new", others)
    truth = Truth(
        "task_set",
        booked(rollouts) - booked(bench.rollouts),
        changed=frozenset({"dataset"}),
        single=bench.single(1),
        redefined=REPLACED if in_place else 0,
    )
    files = RunFiles(world.rows(rollouts, "a"), bench.manifest(dataset="d2"))
    return Pair("tasks_replaced", bench.a, files, truth)


@_plants
def rows_lost(bench: Bench) -> Pair:
    """All rows of some tasks are gone from B, hard ones or easy ones; its inputs or its failed attempts tell that they were planned."""
    world, rng = bench.world, bench.world.dice("lost")
    means = task_means(bench.rollouts)
    hard = rng.random() < 0.5
    lost = sorted(means, key=lambda task: means[task] if hard else -means[task])[:LOST]
    left = [rollout for rollout in bench.rollouts if rollout.key[0] not in lost]
    planned = [(task, repeat) for task in world.tasks for repeat in range(REPEATS)]
    if rng.random() < 0.5:
        inputs, failures = [input_row(bench.setting, *one) for one in planned], list[Row]()
    else:
        inputs, failures = [], [failure_row(bench.setting, *one) for one in planned if one[0].index in lost]
    truth = Truth("missing", booked(left) - booked(bench.rollouts), single=bench.single(0))
    files = RunFiles(world.rows(left, "a"), bench.manifest(), inputs, failures)
    return Pair("rows_lost", bench.a, files, truth)


@_plants
def prompt(bench: Bench) -> Pair:
    """Another system prompt, or another wording around the request where there is none."""
    hint = bench.world.dice("hint").choice(_HINTS)

    def worded(task: Task) -> Task:
        if task.system or bench.world.seed % 4 < 2:
            return replace(task, system=f"{task.system} {hint}".strip())
        return replace(task, request=f"{task.request}\n\n{hint}")

    return _changed(bench, "prompt", "prompt", reword=worded, prompt="v2")


@_plants
def skill(bench: Bench) -> Pair:
    """B's agent was given skills."""
    reference = {"path": "skills/desk", "hash": "5d41402abc4b2a76"}
    return _changed(bench, "skill", "skills", fields={"skills_ref": reference})


@_plants
def tool(bench: Bench) -> Pair:
    """A tool is described otherwise; where there are no tools, there is one now."""
    tools = list(bench.setting.tools)
    if tools:
        at = bench.world.dice("tool").randrange(len(tools))
        tools[at] = {**tools[at], "description": f"{tools[at]['description']} Use it sparingly."}
    else:
        tools = [function("calculate", "Evaluate an arithmetic expression.", expression="string")]
    return _changed(bench, "tool", "agent", setting=replace(bench.setting, tools=tuple(tools)))


@_plants
def model(bench: Bench) -> Pair:
    return _changed(bench, "model", "model", setting=replace(bench.setting, model=f"{bench.setting.model}-next"))


def _changed(
    bench: Bench,
    kind: str,
    what: str,
    *,
    setting: Setting | None = None,
    reword: Callable[[Task], Task] = lambda task: task,
    prompt: str = "v1",
    fields: Row | None = None,
) -> Pair:
    """B does better or worse because of one change; rollouts that it leaves alone are those of A."""
    better = bench.world.dice("better", kind).random() < 0.5
    tasks = [reword(task) for task in bench.world.tasks]
    rollouts = _moved(bench, kind, tasks, better)
    rows = [{**row, **(fields or {})} for row in bench.world.rows(rollouts, "a", setting)]
    stated = bench.manifest(setting, prompt=prompt)
    if stated is not None and fields:
        stated["skills"] = fields["skills_ref"]
    truth = Truth(
        "change",
        booked(rollouts) - booked(bench.rollouts),
        changed=frozenset({what}),
        single=bench.single(1),
        verdicts=frozenset({"improved" if better else "regressed", "inconclusive"}),
    )
    return Pair(kind, bench.a, RunFiles(rows, stated), truth)


def _moved(bench: Bench, kind: str, tasks: Sequence[Task], better: bool) -> list[Rollout]:
    """Task after task goes better (or worse) in nearly all repeats, until the change stands out from what varies between tasks."""
    world, rng = bench.world, bench.world.dice("moved", kind)
    before = {rollout.key: rollout for rollout in bench.rollouts}
    plan = dict(bench.plan)
    rollouts = bench.rollouts
    for count, task in enumerate(rng.sample(world.tasks, len(world.tasks)), 1):
        index = task.index
        for repeat in range(REPEATS):
            if (before[index, repeat].reward < 1.0) is better and rng.random() < 0.9:
                plan[index, repeat] = rng.choice(task.sound) if better else world.wrong(task, rng)
        if count >= len(tasks) // 2:
            rollouts = world.run(plan, "a", tasks)
            if stands_out(bench.rollouts, rollouts):
                break
    return rollouts
