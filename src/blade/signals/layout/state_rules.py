"""Which tool makes which records, and which of its arguments hold what: from the calls that were made beside the records that were wanted.

For each record of a passing rollout, the call that holds most of its values is the one that made it. Records of one collection that one
tool makes are one rule; where several tools do, one or two further values (`op`, `status`) tell them apart, or else the columns that only
the records of one of them have (`_told_by_columns`).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final, NamedTuple

import msgspec

from blade.signals.calls.matcher import find_errors
from blade.signals.calls.mutation import READ, words_of
from blade.signals.calls.sameness import normal, same
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import Path, StateRule
from blade.signals.layout.state import Leaves, is_id, leaves
from blade.signals.layout.support import AGREEING

MAX_READ: Final = 2_000
_FIGURE: Final = re.compile(r"(?<![\w.])-?\d{1,15}(?:\.\d{1,15})?(?![\w.]*\d)")
PLACED: Final = 0.8
"""Share of a rule's records in which a value has to stand in the same argument for that to be its place."""
MOST: Final = 0.6
"""Share of what is given to a call, or of what a record holds, that has to be the same in both."""
MOST_MARKS: Final = 24
"""Values by which records of one collection are told apart."""
MOST_PLACES: Final = 2
MOST_WORDS: Final = 5
"""Places of such values that are taken together, and that are looked at."""
MOST_PAIRS: Final = 30
"""Records with their calls that a rule is read off."""
Marks = tuple[tuple[Path, str], ...]


class Made(NamedTuple):
    """A call of a passing rollout that was not refused, and may have changed something."""

    tool: str
    arguments: dict[str, Any]
    leaves: Leaves
    places: dict[str, list[Path]]
    """Where each value stands, by its one spelling."""
    figures: frozenset[float]
    """What the call answered, as far as these are numbers."""


@dataclass(eq=False)
class Record:
    """A record of one task, and of each tool the call that holds most of its values.

    It `shares` the call of another record that holds all of its values, and `follows` from one (the tools) that holds some.
    """

    entry: Leaves
    makers: dict[str, Made] = field(default_factory=dict)
    shares: bool = False
    follows: frozenset[str] = frozenset()


def calls_made(row: Sampled) -> list[Made]:
    return [call for call in all_calls(row) if row.rollout.mutation_of(call.tool).kind != READ]


def all_calls(row: Sampled) -> list[Made]:
    """The calls that were not refused, lookups too."""
    made = []
    for name, given, output in row.calls:
        text = "" if output is None else output.text[:MAX_READ]
        if not name or any(error.decides for error in find_errors(text)):
            continue
        found = leaves(given)
        made.append(Made(name, given, found, _by_value(found), frozenset(float(figure) for figure in _FIGURE.findall(text))))
    return made


def records_of(found: Sequence[tuple[Path, Leaves]], made: Sequence[Made]) -> Iterator[tuple[Path, Record]]:
    """The records of one task with the calls that may have made them, each call for one record: those of which most is held choose first."""
    held = [_held_by_each(entry, made) for _, entry in found]
    free = set(range(len(made)))
    for number in sorted(range(len(found)), key=lambda number: -max(held[number], default=0)):
        context, entry = found[number]
        most = max((held[number][call] for call in free), default=0)
        record = Record(entry)
        if most:
            best = sorted(call for call in free if held[number][call] == most)
            for call in best:
                record.makers.setdefault(made[call].tool, made[call])
            said = words_in(*context, *(value for value in entry.values() if isinstance(value, str)))
            free.remove(max(best, key=lambda call: (len(said & words_in(made[call].tool)), -call)))
        _beside(record, held[number], made)
        yield context, record


def _beside(record: Record, held: Sequence[int], made: Sequence[Made]) -> None:
    """What a record has to do with the calls that make other records, where none of its own makes it."""
    if record.makers or not any(held):
        return
    whole = [call for call in range(len(made)) if held[call] == len(record.entry) > 1]
    record.shares = bool(whole)
    record.follows = frozenset() if whole else frozenset(made[call].tool for call, count in enumerate(held) if count)
    for call in whole:
        record.makers.setdefault(made[call].tool, made[call])


def _spelled(value: Any) -> str:
    return repr(normal(value))


def _by_value(given: Leaves) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = defaultdict(list)
    for path, value in given.items():
        found[_spelled(value)].append(path)
    return dict(found)


def _held_by_each(entry: Leaves, made: Sequence[Made]) -> list[int]:
    values = [_spelled(value) for value in entry.values()]
    return [sum(value in call.places for value in values) for call in made]


def held_by(entry: Leaves, call: Made) -> int:
    """How many of a record's values are given to a call."""
    return _held_by_each(entry, [call])[0]


def words_in(*texts: str) -> set[str]:
    return {word.removesuffix("s") for text in texts for word in words_of(text)}


def rules_of(context: Path, records: Sequence[Record]) -> list[StateRule]:
    """The rules for the records of a collection, some of which may come of the calls that make others."""
    own = [record for record in records if not record.follows]
    follows = tuple(sorted({tool for record in records for tool in record.follows}))
    shares = any(record.shares for record in own)
    if not own:
        return [StateRule(context, "", (), follows=follows)]
    rules = _rules_of(context, own)
    return [msgspec.structs.replace(rule, follows=follows, shares=shares) for rule in rules] if follows or shares else rules


def _rules_of(context: Path, records: Sequence[Record]) -> list[StateRule]:
    """One rule for all records of a collection, or one for each value of the place, or of the two places, that tell best which tool makes them."""
    words = [
        place
        for place in sorted({path for record in records for path in record.entry})
        if all(mark_of(record.entry.get(place)) for record in records)
        and len({record.entry[place] for record in records}) <= MOST_MARKS
    ][:MOST_WORDS]
    best: tuple[int, int, list[StateRule]] = (0, 0, [])
    unread: list[tuple[Marks, Sequence[Record]]] = [((), records)]
    for number in range(MOST_PLACES + 1):
        for places in combinations(words, number):
            groups: dict[Marks, list[Record]] = defaultdict(list)
            for record in records:
                groups[tuple((place, str(record.entry[place])) for place in places)].append(record)
            if len(groups) > MOST_MARKS:
                continue
            made = [(_rule(context, marks, mine), marks, mine) for marks, mine in sorted(groups.items())]
            rules = [rule for rule, _, _ in made if rule is not None]
            reached = sum(len(mine) for rule, _, mine in made if rule is not None)
            if (reached, -len(groups)) > best[:2] and not any(place in dict(rule.places) for rule in rules for place in places):
                best = reached, -len(groups), rules
                unread = [(marks, mine) for rule, marks, mine in made if rule is None]
        if best[0] == len(records) or len({tool for record in records for tool in record.makers}) < 2:
            break
    return [*best[2], *(rule for marks, mine in unread for rule in _told_by_columns(context, marks, mine))]


def _told_by_columns(context: Path, marks: Marks, records: Sequence[Record]) -> list[StateRule]:
    """One rule for each tool whose records have columns that those of no other tool have; at most one tool may do without, and comes last."""
    by_tool: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        if len(record.makers) == 1:
            by_tool[next(iter(record.makers))].append(record)
    columns = Counter(path for mine in by_tool.values() for record in mine for path in record.entry)
    found: list[StateRule] = []
    plain = 0
    for _, mine in sorted(by_tool.items()) if len(by_tool) > 1 else ():
        own = Counter(path for record in mine for path in record.entry)
        telling = [path for path in sorted(own) if own[path] >= AGREEING * max(len(mine), columns[path])]
        plain += not telling
        rule = _rule(context, marks, mine)
        if rule is not None:
            found.append(msgspec.structs.replace(rule, holds=tuple(telling)))
    return sorted(found, key=lambda rule: not rule.holds) if plain < 2 else []


def mark_of(value: Any) -> str:
    """A value by which records can be told apart: a word, and not what names a single one."""
    return value if isinstance(value, str) and not is_id(value) else ""


def _rule(context: Path, marks: Marks, records: Sequence[Record]) -> StateRule | None:
    votes = Counter(tool for record in records for tool in record.makers)
    said = words_in(*context, *(value for _, value in marks))
    tool = min(votes, key=lambda name: (-votes[name], -len(said & words_in(name)), name), default=None)
    if tool is None or votes[tool] < AGREEING * len(records):
        return None
    pairs = [(record.entry, record.makers[tool]) for record in records if tool in record.makers][:MOST_PAIRS]
    places = places_of(pairs)
    known = dict(places)
    if places and _accounts(pairs, known) and not _denied(pairs, known):
        return StateRule(context, tool, places, marks)
    names = tuple(place for place in places if all(is_id(str(entry.get(place[0], ""))) for entry, _ in pairs))
    return StateRule(context, tool, names, marks, named=True) if names and _comes_of(pairs, dict(names)) else None


def _comes_of(pairs: Sequence[tuple[Leaves, Made]], names: Mapping[Path, Path]) -> bool:
    """Whether all that records hold besides their names are figures that the calls answered and were not given: what is left after a sale, a sum."""
    others = [(value, call) for entry, call in pairs for path, value in entry.items() if path not in names]
    return bool(others) and all(
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and _spelled(value) not in call.places
        and float(value) in call.figures
        for value, call in others
    )


def _accounts(pairs: Sequence[tuple[Leaves, Made]], places: Mapping[Path, Path]) -> bool:
    """Whether the places account for most of what is given to the calls, or of what the records hold."""
    targets = set(places.values())
    given = sum(len(call.leaves) for _, call in pairs)
    held = sum(len(entry) for entry, _ in pairs)
    return (
        sum(len(targets & call.leaves.keys()) for _, call in pairs) >= MOST * given
        or sum(len(places.keys() & entry.keys()) for entry, _ in pairs) >= MOST * held
    )


def _denied(pairs: Sequence[tuple[Leaves, Made]], places: Mapping[Path, Path]) -> bool:
    """Whether a value of the records has an argument of its own name that (mostly) says something else."""
    for source in {source for entry, _ in pairs for source in entry} - places.keys():
        mine = [
            same(entry[source], given)
            for entry, call in pairs
            if source in entry
            for path, given in call.leaves.items()
            if path[-1] == source[-1]
        ]
        if len(mine) > 1 and sum(mine) < PLACED * len(mine):
            return True
    return False


def places_of(pairs: Sequence[tuple[Leaves, Made]]) -> tuple[tuple[Path, Path], ...]:
    """Which value of a record is which argument of its call: where the values are the same in (nearly) all records."""
    held: Counter[Path] = Counter()
    agreeing: Counter[tuple[Path, Path]] = Counter()
    for entry, call in pairs:
        for source, value in entry.items():
            held[source] += 1
            agreeing.update((source, target) for target in call.places.get(_spelled(value), ()))
    found: dict[Path, Path] = {}
    taken: set[Path] = set()
    for source, target in sorted(agreeing, key=lambda pair: (-agreeing[pair] / held[pair[0]], pair[0][-1] != pair[1][-1], pair)):
        if agreeing[source, target] >= PLACED * held[source] and source not in found and target not in taken:
            found[source] = target
            taken.add(target)
    return tuple(sorted(found.items()))
