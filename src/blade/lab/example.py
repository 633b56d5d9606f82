"""A realistic example run with known faults: `python -m blade.lab.example OUT_DIR [--tasks 40 --repeats 4 --seed 7] [--mend CAUSE]…`.

It stands in for a real evaluation: tasks at the desk of a tool library (`desk`, `tasks`), a scripted assistant with planted
causes (`behaviours`), rows in the Gym format (`rows`). Workers take rollouts from the plan in order, and rows land in the order
of completion. Some rollouts are killed (planned, never written), some end in the failures sidecar, and one of those succeeds on
its second attempt. With `--mend` it is the run after a fix: the same tasks without that cause; where the lookup is mended, a rule in
the system prompt did it. What was planted where is `Example.planted`, never written beside the run: a diagnosis has to find it.
"""

from __future__ import annotations

import argparse
import heapq
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random

import msgspec

from blade.lab.behaviours import CAUSES, SOUND, Episode, Outage, perform
from blade.lab.desk import World, build_world, dice
from blade.lab.rows import Row, failure_row, input_row, rollout_row, verify
from blade.lab.tasks import (
    KINDS,
    Kind,
    Task,
    check_out,
    extend_loan,
    order_by_old_count,
    order_supplies,
    reserve_bench,
    send_reminder,
    total_due,
)

Key = tuple[int, int]
"""(task, repeat)."""

FIRST_SECOND = 1_772_614_800.0
"""2026-03-04 09:00 UTC, when the run was started."""
RULE = "Find a member by name before you act for them; never work out an id from the digits on a card."
"""What the system prompt says more where the skipped lookup is mended."""
WORKERS = 8
NAME = "example_rollouts"

_TASKS_OF_FORTY = {
    "skipped_lookup": 6,
    "knowledge_gap": 4,
    "outage": 3,
    "truncated": 3,
    "strict_verifier": 3,
    "unreliable": 3,
    "unbacked_claim": 2,
}
_KINDS_FOR: dict[str, tuple[Kind, ...]] = {
    SOUND: KINDS,
    "skipped_lookup": (check_out, reserve_bench),
    "knowledge_gap": (order_by_old_count,),
    "outage": (check_out, order_supplies),
    "truncated": (extend_loan, total_due),
    "strict_verifier": (total_due,),
    "unreliable": (reserve_bench,),
    "unbacked_claim": (extend_loan, send_reminder),
}
_QUIET_AROUND_OUTAGE = 2
"""Sound tasks kept on either side of the outage where there is room, so that it covers up no other planted cause."""
_FAILED_ATTEMPTS = (("timeout_exceeded", 2, False), ("remote_agent_error", 1, True), ("timeout_exceeded", 1, False))
"""(class, failed attempts, whether the next attempt succeeded) of the rollouts that the failures sidecar speaks of."""


@dataclass(frozen=True)
class Example:
    inputs: list[Row]
    rollouts: list[Row]
    failures: list[Row]
    planted: dict[Key, str]
    """The cause of every planned rollout that has no passing row: one of `CAUSES`, `killed`, or a failure class."""
    outage: Outage | None


def causes_by_task(tasks: int, seed: int) -> list[str]:
    """Which cause each task carries. The outage takes neighbouring tasks past the middle of the run; the others are scattered."""
    counts = {cause: round(share * tasks / 40) for cause, share in _TASKS_OF_FORTY.items()}
    outage = counts.pop("outage")
    first = tasks // 2
    scattered = [cause for cause, count in counts.items() for _ in range(count)]
    quiet = min(_QUIET_AROUND_OUTAGE, (tasks - outage - len(scattered)) // 2)
    block = range(first - quiet, first + outage + quiet) if outage else range(0)
    free = [index for index in range(tasks) if index not in block]
    plan = [SOUND] * tasks
    plan[first : first + outage] = ["outage"] * outage
    for index, cause in zip(dice(seed, "plan").sample(free, len(scattered)), scattered, strict=True):
        plan[index] = cause
    return plan


def afflicted_repeats(cause: str, repeats: int, rng: Random) -> frozenset[int]:
    """The repeats of a task that its cause strikes. A gap in knowledge strikes all, an outage whoever is there, the rest some."""
    if cause in (SOUND, "outage"):
        return frozenset()
    if cause == "knowledge_gap":
        return frozenset(range(repeats))
    most = max(1, {"unbacked_claim": repeats // 4, "truncated": repeats // 2, "unreliable": repeats // 2}.get(cause, repeats - 1))
    return frozenset(rng.sample(range(repeats), rng.randint(1, most)))


@dataclass(frozen=True)
class _Plan:
    world: World
    tasks: list[Task]
    causes: dict[Key, str]
    seed: int


def _plan(tasks: int, repeats: int, seed: int, mended: Container[str]) -> tuple[_Plan, list[str]]:
    world = build_world(seed)
    by_task = causes_by_task(tasks, seed)
    made: list[Task] = []
    causes: dict[Key, str] = {}
    for index, cause in enumerate(by_task):
        rng = dice(seed, "task", index)
        person = world.members[index % len(world.members)]
        made.append(rng.choice(_KINDS_FOR[cause])(index, world, person, rng))
        struck = afflicted_repeats(cause, repeats, rng)
        left = SOUND if cause in mended else cause
        causes |= {(index, repeat): left if repeat in struck else SOUND for repeat in range(repeats)}
    return _Plan(world, made, causes, seed), [SOUND if cause in mended else cause for cause in by_task]


def _simulate(plan: _Plan, outage: Outage | None) -> dict[Key, Episode]:
    """Play the plan in order over the workers: whoever is free first takes the next rollout."""
    free = [FIRST_SECOND] * WORKERS
    episodes = {}
    for (task, repeat), cause in plan.causes.items():
        rng = dice(plan.seed, "rollout", task, repeat)
        started = heapq.heappop(free) + round(rng.uniform(0.1, 1.5), 3)
        episodes[task, repeat] = perform(plan.world, plan.tasks[task], cause, started, rng, outage)
        heapq.heappush(free, episodes[task, repeat].ended)
    return episodes


def _outage(plan: _Plan, by_task: list[str]) -> Outage | None:
    """The time in which the tasks meant for the outage would have run, and a little more for their retries."""
    undisturbed = [episode for (task, _), episode in _simulate(plan, None).items() if by_task[task] == "outage"]
    if not undisturbed:
        return None
    return Outage(min(episode.started for episode in undisturbed), max(episode.ended for episode in undisturbed) + 20.0)


def _lost(plan: _Plan, by_task: list[str]) -> tuple[set[Key], list[tuple[Key, str, int, bool]]]:
    """Rollouts that were killed, and those with failed attempts: (key, class, failed attempts, whether the next one succeeded).

    They are drawn from sound tasks, at most one of each task, so that a loss never hides a planted cause.
    """
    rng = dice(plan.seed, "lost")
    repeats = len(plan.causes) // len(plan.tasks)
    sound = [index for index, cause in enumerate(by_task) if cause == SOUND]
    drawn = iter([(index, rng.randrange(repeats)) for index in rng.sample(sound, len(sound))])
    failed = [(key, *fate) for key, fate in zip(islice(drawn, len(_FAILED_ATTEMPTS)), _FAILED_ATTEMPTS, strict=False)]
    killed = set(islice(drawn, round(len(plan.causes) / 40)))
    return killed, failed


def build(tasks: int = 40, repeats: int = 4, seed: int = 7, mended: Container[str] = ()) -> Example:
    """The whole run as rows, with what was planted in it; equal arguments give equal rows."""
    plan, by_task = _plan(tasks, repeats, seed, mended)
    outage = _outage(plan, by_task)
    episodes = _simulate(plan, outage)
    killed, failed = _lost(plan, by_task)
    planted = dict.fromkeys(killed, "killed")
    failures, attempts = [], {}
    for (task, repeat), failure_class, count, recovered in failed:
        begun = episodes[task, repeat]
        cut_short = replace(begun, turns=begun.turns[:1])
        terminal = not recovered and count == 1
        failures += [failure_row(cut_short, repeat, seed, attempt, failure_class, terminal) for attempt in range(count)]
        if recovered:
            attempts[task, repeat] = count
        else:
            planted[task, repeat] = failure_class
    finished = sorted((episode.ended, key) for key, episode in episodes.items() if key not in planted)
    rollouts = [rollout_row(episodes[key], key[1], seed, attempts.get(key, 0)) for _, key in finished]
    for _, key in finished:
        if episodes[key].met_outage and verify(episodes[key])["reward"] == 0.0:
            planted[key] = "outage"
        elif plan.causes[key] != SOUND:
            planted[key] = plan.causes[key]
    inputs = [input_row(plan.tasks[task], repeat) for task, repeat in plan.causes]
    if "skipped_lookup" in mended:
        inputs, rollouts, failures = ([_with_rule(row) for row in rows] for rows in (inputs, rollouts, failures))
    return Example(inputs, rollouts, failures, planted, outage)


def _with_rule(row: Row) -> Row:
    """The row of a run whose system prompt asks for the lookup."""
    params = row.get("responses_create_params")
    if not params:
        return row
    system, *rest = params["input"]
    ruled = system | {"content": f"{system['content']} {RULE}"}
    return row | {"responses_create_params": params | {"input": [ruled, *rest]}}


def _write_lines(path: Path, rows: Iterable[Row]) -> None:
    path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


def write(example: Example, folder: Path) -> Path:
    """Write the rollouts and their sidecars under the names of the format; returns the rollout file."""
    folder.mkdir(parents=True, exist_ok=True)
    _write_lines(folder / f"{NAME}_materialized_inputs.jsonl", example.inputs)
    _write_lines(folder / f"{NAME}_failures.jsonl", example.failures)
    _write_lines(folder / f"{NAME}.jsonl", example.rollouts)
    return folder / f"{NAME}.jsonl"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m blade.lab.example", description="Write an example run with planted faults.")
    parser.add_argument("folder", type=Path, metavar="OUT_DIR")
    parser.add_argument("--tasks", type=int, default=40)
    parser.add_argument("--repeats", type=int, default=4)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--mend", action="append", choices=CAUSES, default=[], help="leave this cause out; may be given again")
    given = parser.parse_args(arguments)
    if given.tasks < 1 or given.repeats < 1:
        parser.error("--tasks and --repeats must be at least 1")
    example = build(given.tasks, given.repeats, given.seed, given.mend)
    path = write(example, given.folder)
    passed = sum(row["reward"] == 1.0 for row in example.rollouts)
    print(f"{path}: {len(example.inputs)} planned, {len(example.rollouts)} written, {passed} passed")
    counts = Counter(example.planted.values())
    for cause in (*CAUSES, *sorted(counts.keys() - set(CAUSES))):
        print(f"  {cause:<18} {counts[cause]}")


if __name__ == "__main__":
    main()
