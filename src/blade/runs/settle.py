"""Which rollout a row is, where more than one row claims the same key.

Within a file, equal rows are duplicates and other scored rows under a taken key are conflicting: the first counts. A file that
repeats the keys of an earlier one holds further repeats of the same tasks (renumbered), unless its tasks are defined
differently: then the ids collide, and both are kept under distinct ids. Every row ends in exactly one class.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

SHARED_PARTS = frozenset({"system", "tools"})
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
    by_task = {task: sorted(rows, key=lambda claim: (claim.file, claim.row)) for task, rows in by_task.items()}
    kinship = Kinship(by_task)
    for task in dict.fromkeys([*by_task, *planned_by_task]):
        rows = by_task.get(task, [])
        keys = planned_by_task.get(task, [])
        groups = _groups_by_definition(rows, kinship, outcome.differing) or [set()]
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


@dataclass
class _Defined:
    """What the rows of one or more files say a task is."""

    parts: dict[str, str]
    dialogue: bool
    files: set[int]

    def takes_in(self, other: "_Defined") -> None:
        self.parts = other.parts | self.parts
        self.dialogue = self.dialogue or other.dialogue
        self.files |= other.files


class Kinship:
    """Which files define the tasks they share alike. A row that says nothing of its task (a failed start) goes with its file."""

    def __init__(self, by_task: Mapping[str, Sequence[Claim]]) -> None:
        self._alike: dict[tuple[int, int], int] = {}
        for rows in by_task.values():
            files = _by_file(rows)
            for position, first in enumerate(files):
                for second in files[position + 1 :]:
                    if first.parts.keys() & second.parts.keys() - SHARED_PARTS - {"user"}:
                        pair = (min(first.files), min(second.files))
                        same = not differing_parts(first.parts, second.parts, dialogue=first.dialogue or second.dialogue)
                        self._alike[pair] = self._alike.get(pair, 0) + (1 if same else -1)

    def differ(self, a: _Defined, b: _Defined) -> list[str]:
        """The parts on which two files disagree about a task; where one says too little, the other tasks of these files decide."""
        fixed_a, fixed_b = (side.parts.keys() - SHARED_PARTS - {"user"} for side in (a, b))
        if not fixed_a & fixed_b and (fixed_a or fixed_b):
            pairs = [self._alike.get((min(one, other), max(one, other)), 0) for one in a.files for other in b.files]
            return [] if sum(pairs) >= 0 else sorted(fixed_a | fixed_b)
        return differing_parts(a.parts, b.parts, dialogue=a.dialogue or b.dialogue)


def _groups_by_definition(rows: Sequence[Claim], kinship: Kinship, differing: dict[str, list[str]]) -> list[set[int]]:
    """The files of a task, in groups that define it alike; the first group keeps the id."""
    groups: list[_Defined] = []
    for file in _by_file(rows):
        for group in groups:
            differs = kinship.differ(group, file)
            if not differs:
                group.takes_in(file)
                break
            differing.setdefault(rows[0].task, differs)
        else:
            groups.append(file)
    return [group.files for group in groups]


def _by_file(rows: Sequence[Claim]) -> list[_Defined]:
    files: dict[int, list[Claim]] = {}
    for claim in rows:
        files.setdefault(claim.file, []).append(claim)
    return [
        _Defined(constant_parts(claim.definition for claim in here), any(claim.dialogue for claim in here), {file})
        for file, here in files.items()
    ]


def constant_parts(definitions: Iterable[str]) -> dict[str, str]:
    """The parts of a definition on which all rows that hold them agree."""
    values: dict[str, set[str]] = {}
    for definition in dict.fromkeys(definitions):
        for name, value in json.loads(definition).items():
            values.setdefault(name, set()).add(value)
    return {name: found.pop() for name, found in values.items() if len(found) == 1}


def differing_parts(a: dict[str, str], b: dict[str, str], *, dialogue: bool) -> list[str]:
    """The parts both definitions have and disagree on.

    A simulated user opens the same task with different words, so these count only outside dialogues, or where nothing else
    defines the task; what all tasks share (system prompt, tools) does not.
    """
    common = a.keys() & b.keys()
    defined = common - SHARED_PARTS - {"user"}
    counted = common - {"user"} if dialogue and defined else common
    return sorted(name for name in counted if a[name] != b[name])
