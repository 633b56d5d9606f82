"""The records that each rollout made, where rows keep them beside those that were wanted: a journal, a diff of the database, what the verifier saw.

What such a field holds is what the rollout's own calls were given, in passing and in failing rollouts alike. So it teaches which call makes which record even where nobody passes, and that a tool changes something whatever its name says.
A log of calls names the tools, lookups among them, and is no such field.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

from blade.signals.calls.mutation import CHANGE, PLAIN_LOOKUPS, READ, hands_over, words_of
from blade.signals.calls.sameness import same
from blade.signals.layout.columns import columns
from blade.signals.layout.paths import real
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import Path, StateRule, ToolKind
from blade.signals.layout.state import entries, state_calls
from blade.signals.layout.state_rules import MOST, Made, Record, all_calls, held_by, records_of, rules_of
from blade.signals.layout.support import MIN_TASKS

MOST_ROWS: Final = 80
MADE: Final = 0.65
"""Share of the rollouts with records whose calls they are; a verifier that lost some, or took another's, may sit in a few tasks."""
MIN_FAILED: Final = 2
"""Failing rollouts whose calls they are: what was wanted is not what these did."""
MIN_RECORDS: Final = 2
"""Records of a tool from which on it changes something."""
MIN_LOOKUPS: Final = 2
"""Tools that only look, are called and never recorded, from which on what is recorded are changes."""


def learn_made(rows: Sequence[Sampled]) -> tuple[StateRule, ...]:
    """The rules by which the records that rollouts made come of their calls; none where no field holds them."""
    best: tuple[int, Path, list[StateRule]] = (0, (), [])
    made: dict[int, list[Made]] = {}
    for path, column in columns(rows, lambda value: isinstance(value, list | dict)).items():
        if real(path) != path:
            continue
        chosen = {number: value for number, value in column.items() if rows[number].calls and entries(value)}
        chosen = dict(list(chosen.items())[:MOST_ROWS])
        if len({rows[number].task for number in chosen}) < MIN_TASKS:
            continue
        for number in chosen.keys() - made.keys():
            made[number] = [call for call in all_calls(rows[number]) if not PLAIN_LOOKUPS & set(words_of(call.tool))]
        agreeing, rules = _rules(rows, chosen, made)
        if agreeing >= MADE * len(chosen):
            best = max(best, (agreeing, path, rules), key=lambda one: one[0])
    return tuple(best[2])


def _rules(rows: Sequence[Sampled], values: dict[int, Any], made: dict[int, list[Made]]) -> tuple[int, list[StateRule]]:
    """The rules, and how many rollouts made the records that they have; none where hardly one that fails did."""
    records: dict[Path, list[Record]] = defaultdict(list)
    for number, value in values.items():
        for context, record in records_of(entries(value), made[number]):
            if any(same(leaf, call.tool) for leaf in record.entry.values() for call in record.makers.values()):
                return 0, []
            if any(held_by(record.entry, call) >= MOST * len(call.leaves) for call in record.makers.values()):
                records[context].append(record)
    rules = [rule for context, mine in sorted(records.items()) for rule in rules_of(context, mine)]
    agreeing = failed = 0
    for number, value in values.items():
        calls = state_calls(value, rules)
        left = list(made[number])
        for call in calls or ():
            mine = next((one for one in left if one.tool == call.name and _gives(one, call.arguments)), None)
            if mine is None:
                break
            left.remove(mine)
        else:
            agreeing += calls is not None
            failed += calls is not None and not rows[number].passed
    return (agreeing, rules) if failed >= MIN_FAILED else (0, [])


def _gives(one: Made, arguments: dict[str, Any]) -> bool:
    return all(same(value, one.arguments.get(key)) for key, value in arguments.items())


def recorded_tools(rows: Sequence[Sampled], rules: Sequence[StateRule]) -> Iterator[ToolKind]:
    """Tools that look by their names (`open_plan`) and make records, where those that look are called and make none."""
    makers = {rule.tool for rule in rules}
    called = Counter(name for row in rows for name, _, _ in row.calls if name)
    kinds = {name: row.rollout.mutation_of(name).kind for row in rows for name in {name for name, _, _ in row.calls if name}}
    looking = {name for name, kind in kinds.items() if kind == READ}
    if len(looking - makers) < MIN_LOOKUPS:
        return
    for name in sorted(looking & makers):
        if called[name] >= MIN_RECORDS and not hands_over(name):
            yield ToolKind(name, CHANGE, "the record of what rollouts changed has its calls")
