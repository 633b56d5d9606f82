"""Which rollout a row is, where more than one row claims the same key.

Within a file, equal rows are duplicates and other scored rows under a taken key are conflicting: the first counts. A file that
repeats the keys of an earlier one holds further repeats of the same tasks (renumbered), unless its tasks are defined
differently: then the ids collide, and both are kept under distinct ids. Every row ends in exactly one class.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

SCORED, ERRORED, DUPLICATE, CONFLICTING = "scored", "errored", "duplicate", "conflicting"


@dataclass(frozen=True, slots=True)
class Claim:
    """A row that claims a key: where it stands, what it claims, and what tells it from others at a glance."""

    row: int
    file: int
    task: str
    repeat: int | None
    scored: bool
    definition: str = "{}"
    dialogue: bool = False
    glance: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Settled:
    row: int
    task: str
    repeat: int
    state: str


@dataclass
class Settlement:
    rows: list[Settled] = field(default_factory=list)
    keys: dict[tuple[int, str, int], tuple[str, int]] = field(
        default_factory=dict
    )  # (file, task, repeat) as claimed → as settled
    collisions: dict[str, list[str]] = field(default_factory=dict)  # claimed task → the ids it was kept under
    differing: dict[str, list[str]] = field(default_factory=dict)  # claimed task → the definition parts that differ
    renumbered: int = 0


SameRow = Callable[[Claim, Claim], bool]


def settle(
    claims: Iterable[Claim],
    same_row: SameRow,
    *,
    names: Sequence[str],
    planned: Iterable[tuple[int, str, int]] = (),
) -> Settlement:
    """Settle all claims on the given tasks; `names` are the files' short names, `planned` are keys without a row."""
    outcome = Settlement()
    by_task: dict[str, list[Claim]] = {}
    for claim in claims:
        by_task.setdefault(claim.task, []).append(claim)
    planned_by_task: dict[str, list[tuple[int, str, int]]] = {}
    for key in planned:
        planned_by_task.setdefault(key[1], []).append(key)
    for task in dict.fromkeys([*by_task, *planned_by_task]):
        rows = sorted(by_task.get(task, ()), key=lambda claim: (claim.file, claim.row))
        keys = planned_by_task.get(task, [])
        groups = _groups_by_definition(rows, outcome.differing) or [set()]
        groups[0] |= {key[0] for key in keys} - {
            claim.file for claim in rows
        }  # files that planned the task and have no row of it
        ids = [task, *(f"{task}@{names[min(files)]}" for files in groups[1:])]
        if len(groups) > 1:
            outcome.collisions[task] = ids
        for name, files in zip(ids, groups, strict=True):
            here = [claim for claim in rows if claim.file in files]
            _settle_task(name, here, [key for key in keys if key[0] in files], same_row, outcome)
    return outcome


def _settle_task(
    task: str, rows: list[Claim], planned: list[tuple[int, str, int]], same_row: SameRow, outcome: Settlement
) -> None:
    first = min([claim.file for claim in rows] + [key[0] for key in planned])
    taken = {claim.repeat for claim in rows if claim.repeat is not None and claim.file == first}
    taken |= {key[2] for key in planned if key[0] == first}
    highest = max(taken, default=-1)
    seen: dict[
        tuple[int | None, tuple[object, ...]], list[tuple[Claim, int]]
    ] = {}  # rows that may be equal, with their settled repeat
    counted: set[int] = set()
    settled_in_file: dict[tuple[int, int], int] = {}

    def number(file: int, wanted: int | None) -> int:
        """The wanted repeat where it is the file's own or free, else the next that no one has."""
        nonlocal highest
        repeat = wanted if wanted is not None and (file == first or wanted not in taken) else highest + 1
        taken.add(repeat)
        highest = max(highest, repeat)
        return repeat

    for claim in rows:
        alike = seen.setdefault((claim.repeat, claim.glance), [])
        twin = next((repeat for other, repeat in alike if same_row(other, claim)), None)
        if twin is not None:
            outcome.rows.append(Settled(claim.row, task, twin, DUPLICATE))
            if claim.repeat is not None:
                outcome.keys.setdefault((claim.file, claim.task, claim.repeat), (task, twin))
            continue
        repeat = settled_in_file.get((claim.file, claim.repeat)) if claim.repeat is not None else None
        if repeat is None:
            repeat = number(claim.file, claim.repeat)
            if claim.repeat is not None:
                outcome.renumbered += repeat != claim.repeat
                settled_in_file[claim.file, claim.repeat] = repeat
                outcome.keys[claim.file, claim.task, claim.repeat] = (task, repeat)
        alike.append((claim, repeat))
        if not claim.scored:
            state = ERRORED
        elif repeat in counted:
            state = CONFLICTING
        else:
            state = SCORED
            counted.add(repeat)
        outcome.rows.append(Settled(claim.row, task, repeat, state))
    for key in planned:
        if key not in outcome.keys:
            outcome.keys[key] = (task, number(key[0], key[2]))


def _groups_by_definition(rows: list[Claim], differing: dict[str, list[str]]) -> list[set[int]]:
    """The files of a task, in groups that define it alike; the first group keeps the id."""
    groups: list[tuple[dict[str, str], set[int]]] = []
    for file in dict.fromkeys(claim.file for claim in rows):
        here = [claim for claim in rows if claim.file == file]
        parts = constant_parts([claim.definition for claim in here])
        dialogue = any(claim.dialogue for claim in here)
        for known, files in groups:
            differs = differing_parts(known, parts, dialogue=dialogue)
            if not differs:
                files.add(file)
                break
            differing.setdefault(here[0].task, differs)
        else:
            groups.append((parts, {file}))
    return [files for _, files in groups]


def constant_parts(definitions: Iterable[str]) -> dict[str, str]:
    """The parts of a definition on which all rows agree."""
    distinct = [json.loads(definition) for definition in set(definitions)]
    first, *others = distinct or [{}]
    return {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}


def differing_parts(a: dict[str, str], b: dict[str, str], *, dialogue: bool) -> list[str]:
    """The parts both definitions have and disagree on. A user's words count only outside simulated dialogues, or where nothing else defines the task."""
    common = a.keys() & b.keys()
    fixed = common - {"user"}
    counted = common if not dialogue or not fixed else fixed
    return sorted(name for name in counted if a[name] != b[name])
