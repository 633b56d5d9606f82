"""Does an equal id mean an equal task? The parts of two definitions side by side.

A part that both runs know and that differs makes a task *redefined*: it is no longer the same task, and its change of score is not
the system's. Not so where a part changed *run-wide*, because then it belongs to the harness and not to the task:

- the system prompt or the tools, when they changed for nearly all tasks, or for all tasks of a group that shared them;
- the user's turn, when it changed for nearly all tasks while what else defines them (gold answer, question, ...) stayed: a new
  prompt template around the same tasks;
- a field of the inputs, or a rubric, that has one value in all of A and one other in all of B: a setting written into every row.

A value that other tasks of A had already is never a new prompt: there the tasks have moved.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from blade.runs.definition import GOLD_FIELDS
from blade.runs.identity import NEARLY_ALL
from blade.runs.settle import SHARED_PARTS, differing_parts

Parts = dict[str, str]
FEWEST_IN_GROUP: Final = 5
MOST_BY_CHANCE: Final = 0.5
RUBRICS: Final = frozenset({"rubric", "rubrics", "checklist", "criteria"})
WHAT: Final = {"system": "prompt", "user": "prompt", "tools": "agent"}
NAMES: Final = {"system": "system prompt", "user": "user turn", "tools": "tools", "task": "task object"}


class Twin(NamedTuple):
    """A task of A and the task of B that is taken for the same one."""

    a: Parts
    b: Parts
    dialogue: bool
    """A simulated user speaks in it: its first words are no part of the definition where anything else is."""


@dataclass(frozen=True)
class RunWide:
    """What changed for the run and not for single tasks: the steps old → new of each part."""

    steps: dict[str, frozenset[tuple[str, str]]] = field(default_factory=dict)

    def covers(self, part: str, old: str, new: str) -> bool:
        return (old, new) in self.steps.get(part, ())

    def values(self, part: str) -> tuple[str, str]:
        """The part in A and in B: its hash, or how many there are."""
        steps = self.steps[part]
        sides = ({old for old, _ in steps}, {new for _, new in steps})
        a, b = (f"{part}:{side.pop()}" if len(side) == 1 else f"{len(side)} {part_name(part)}s" for side in sides)
        return a, b


def redefined_parts(twin: Twin, run_wide: RunWide) -> list[str]:
    """The parts by which the task of B is another one; empty where it is the same as far as is known."""
    return [
        name
        for name in differing_parts(twin.a, twin.b, dialogue=twin.dialogue)
        if not run_wide.covers(name, twin.a[name], twin.b[name])
    ]


def find_run_wide(twins: Sequence[Twin]) -> RunWide:
    """Which differences are the run's; needs all tasks that the runs share."""
    changes: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for twin in twins:
        for name in twin.a.keys() & twin.b.keys():
            changes[name].append((twin.a[name], twin.b[name]))
    steps: dict[str, frozenset[tuple[str, str]]] = {}
    for name, pairs in changes.items():
        if all(old == new for old, new in pairs):
            continue
        if name in SHARED_PARTS:
            found = _harness_steps(pairs)
        elif name == "user":
            found = _nearly_all(pairs) if _same_tasks_beside(twins) else frozenset()
        elif name in RUBRICS or name not in GOLD_FIELDS:
            found = _constant(pairs)
        else:
            found = frozenset()
        if found:
            steps[name] = found
    return RunWide(steps)


def what_changed(part: str) -> str:
    """The kind of change that a run-wide part stands for, in the words of the contract."""
    if part in RUBRICS:
        return "verifier"
    return WHAT.get(part, "prompt" if "prompt" in part.lower() else "dataset")


def part_name(part: str) -> str:
    return NAMES.get(part, part)


def _harness_steps(pairs: Sequence[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """Steps of nearly all tasks, else those of values that several tasks share."""
    if whole := _nearly_all(pairs):
        return whole
    before, after = Counter(old for old, _ in pairs), Counter(new for _, new in pairs)
    return frozenset((old, new) for old, new in _fresh(pairs) if max(before[old], after[new]) >= FEWEST_IN_GROUP)


def _nearly_all(pairs: Sequence[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    fresh = _fresh(pairs)
    return frozenset(fresh) if len(fresh) >= NEARLY_ALL * len(pairs) else frozenset()


def _fresh(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The steps from a value that B no longer has to one that A never had."""
    before, after = {old for old, _ in pairs}, {new for _, new in pairs}
    return [(old, new) for old, new in pairs if new not in before and old not in after]


def _constant(pairs: Sequence[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    steps = frozenset(pairs)
    return steps if len(pairs) > 1 and len(steps) == 1 else frozenset()


def _same_tasks_beside(twins: Sequence[Twin]) -> bool:
    """Whether nearly all tasks agree on what defines them beside the user's turn, more than chance would make them."""
    cores = [(_core(twin.a, twin.b), _core(twin.b, twin.a)) for twin in twins]
    known = [(a, b) for a, b in cores if a]
    if len(known) < NEARLY_ALL * len(cores):
        return False
    agreeing = sum(a == b for a, b in known) / len(known)
    return agreeing >= NEARLY_ALL and _chance([a for a, _ in known], [b for _, b in known]) <= MOST_BY_CHANCE


def _core(parts: Parts, other: Parts) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, parts[name]) for name in (parts.keys() & other.keys()) - SHARED_PARTS - {"user"}))


def _chance(a: Iterable[object], b: Iterable[object]) -> float:
    """How often a task of A would agree with a task of B drawn at random."""
    first, second = Counter(a), Counter(b)
    return sum(count * second[value] for value, count in first.items()) / max(first.total() * second.total(), 1)
