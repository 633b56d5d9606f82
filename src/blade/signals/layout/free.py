"""Arguments that nobody compares: passing rollouts give them, and no expected call of the run lists them.

A remark that a judge reads, or a key that changes with every attempt, is left out of the gold on purpose. One passing rollout could have got
away with too much, so it has to be seen in several tasks, in calls that are otherwise as expected.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from blade.signals.calls.sameness import same
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import Field, Path

MIN_TASKS: Final = 2
"""Tasks in which passing rollouts give an argument that is listed nowhere."""


def learn_free(rows: Sequence[Sampled]) -> tuple[Field, ...]:
    """The arguments, each as the path of its tool and its name, in order."""
    listed: dict[str, set[str]] = defaultdict(set)
    given: dict[Path, set[str]] = defaultdict(set)
    for row in rows:
        expected = row.rollout.expectation
        for call in expected.calls if expected is not None else ():
            listed[call.name] |= call.arguments.keys()
            for name, arguments, _ in row.calls if row.passed and call.arguments and call.accepted is None else ():
                if name == call.name and all(same(value, arguments.get(key)) for key, value in call.arguments.items()):
                    for key in arguments.keys() - call.arguments.keys():
                        given[name, key].add(row.task)
    return tuple(
        Field(path, len(tasks), len(tasks))
        for path, tasks in sorted(given.items())
        if len(tasks) >= MIN_TASKS and path[1] not in listed[path[0]]
    )
