"""Which field holds the records that a task expects, where no calls are expected: from what passing rollouts did.

A field is believed where, in (nearly) all tasks, passing rollouts make the calls that its records stand for (`state_rules`) and no other
change, and where it tells more than the prompt does: a list of what the request names would be made true by any rollout that does as it is told.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from blade.signals.calls.mutation import CHANGE
from blade.signals.calls.sameness import same
from blade.signals.layout.assertions import RECORDS
from blade.signals.layout.columns import by_task, columns, constant, of_judge
from blade.signals.layout.paths import records
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import Path, StateField, StateRule
from blade.signals.layout.state import entries, leaves, state_calls
from blade.signals.layout.state_completed import completed
from blade.signals.layout.state_rules import Made, Record, calls_made, records_of, rules_of
from blade.signals.layout.support import hopeless, supported
from blade.signals.layout.texts import folded
from blade.signals.wanted.expectation import ExpectedCall

MOST_TASKS: Final = 60
MADE: Final = 0.8
"""Share of the records of passing rollouts of which a call holds anything."""
UNREAD: Final = 0.25
"""Share of the tasks with records up to which some may be of collections that no rule is known for."""
BEYOND_PROMPT: Final = 0.3
"""Share of the tasks in which a record holds a value that the prompt does not."""


def learn_state(rows: Sequence[Sampled], taught: Sequence[StateRule] = ()) -> tuple[StateField, ...]:
    """The field that holds the expected records of rows in which no calls are expected; at most one.

    `taught` are the rules of records that rollouts made, where rows hold these too (`state_made`).
    """
    free = {number for number, row in enumerate(rows) if row.rollout.expectation is None or not row.rollout.expectation.calls}
    made: dict[int, list[Made]] = {}
    wholes: set[Path] = set()
    best: tuple[bool, float, int, int, Path, StateField] | None = None
    for path, column in columns(rows, _holds_records).items():
        if any(key.isdigit() for key in path) or RECORDS in path[:-1] or records(path):
            continue  # one record of several says nothing of the others, and what was seen nothing of what should have been
        if any(path[:depth] in wholes for depth in range(1, len(path))):
            continue  # nor do those of one kind, where all of them are understood
        mine = {number: value for number, value in column.items() if number in free}
        tasks = {task: numbers for task, numbers in by_task(rows, mine).items() if any(rows[n].passed for n in numbers)}
        chosen = [next(number for number in numbers if rows[number].passed) for numbers in tasks.values()][:MOST_TASKS]
        if not any(entries(mine[number]) for number in chosen) or not constant(rows, mine):
            continue
        for number in chosen:
            if number not in made:
                made[number] = calls_made(rows[number])
        found = _field(rows, path, {number: mine[number] for number in chosen}, made, taught)
        found = None if found is None else completed(found, mine, rows)
        if found is not None:
            wholes.add(path)
            judged = any(of_judge(rows, path[:depth], mine) for depth in range(2, len(path) + 1))
            goes = _goes(rows, found, mine)
            if judged and not goes:
                continue  # what all did, failing rollouts too, beside what varies from one to the next: a record of it
            key = (judged, -goes, -found.agreeing, len(path), path, found)
            best = key if best is None or key[:5] < best[:5] else best
    return () if best is None else (best[5],)


def _goes(rows: Sequence[Sampled], field: StateField, column: dict[int, Any]) -> float:
    """Share of the failing rollouts that did not do what the records stand for: a record of what was done stands for just that."""
    failing = [number for number in column if not rows[number].passed and rows[number].calls][:MOST_TASKS]
    other = 0
    for number in failing:
        calls = state_calls(column[number], field.rules)
        other += calls is None or not _are_made(calls, calls_made(rows[number]), rows[number])
    return round(other / len(failing), 1) if failing else 0.0


def _holds_records(value: Any) -> bool:
    return isinstance(value, list | dict)


def _field(
    rows: Sequence[Sampled], path: Path, values: dict[int, Any], made: dict[int, list[Made]], taught: Sequence[StateRule]
) -> StateField | None:
    records: dict[Path, list[Record]] = defaultdict(list)
    for number, value in values.items():
        for context, record in records_of(entries(value), made[number]):
            records[context].append(record)
    told_of = [bool(record.makers or record.follows) for mine in records.values() for record in mine]
    if sum(told_of) < MADE * len(told_of):
        return None
    own = [rule for context, mine in sorted(records.items()) for rule in rules_of(context, mine)]
    with_taught = _believed(rows, path, values, made, [*taught, *own]) if taught else None
    return with_taught or _believed(rows, path, values, made, own)


def _believed(
    rows: Sequence[Sampled], path: Path, values: dict[int, Any], made: dict[int, list[Made]], rules: Sequence[StateRule]
) -> StateField | None:
    """The field by these rules, where passing rollouts make what they read out of it."""
    told = agreeing = beyond = unread = 0
    different: set[str] = set()
    for number, value in values.items():
        calls = state_calls(value, rules)
        if calls is None:
            unread += 1
            continue
        if not calls:
            continue
        told += 1
        agreeing += _are_made(calls, made[number], rows[number])
        beyond += any(not _in_prompt(rows[number], leaf) for call in calls for leaf in leaves(call.arguments).values())
        different.add(repr([(call.name, call.arguments) for call in calls]))
        if hopeless(told - agreeing, len(values)):
            return None
    if unread > UNREAD * (told + unread):
        return None
    enough = supported(agreeing, told, specific=len(different) == told) and beyond >= BEYOND_PROMPT * told
    return StateField(path, told, agreeing, tuple(rules)) if enough else None


def _are_made(calls: Sequence[ExpectedCall], made: Sequence[Made], row: Sampled) -> bool:
    """Whether a rollout made just these calls, and no other change; the same one twice may be a rehearsal."""
    left = list(made)
    for call in calls:
        mine = next((one for one in left if _gives(one, call)), None)
        if mine is None:
            return False
        left.remove(mine)
    names = {call.name for call in calls}
    others = [one for one in left if one.tool in names and not any(_gives(one, call) for call in calls)]
    return not any(row.rollout.mutation_of(one.tool).kind == CHANGE for one in others)


def _gives(one: Made, call: ExpectedCall) -> bool:
    return one.tool == call.name and all(same(call.arguments.get(key), one.arguments.get(key)) for key in call.compared or ())


def _in_prompt(row: Sampled, value: Any) -> bool:
    return folded(str(value)) in row.prompt
