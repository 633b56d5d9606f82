"""Rules for records that no passing rollout makes: by the calls of failing ones that come nearest, or by the names of tools, whichever places more."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from blade.signals.calls.mutation import READ, words_of
from blade.signals.calls.sameness import same
from blade.signals.calls.tools import Tool
from blade.signals.layout.sampled import Sampled
from blade.signals.layout.shape import Path, StateField, StateRule
from blade.signals.layout.state import KEY, Leaves, entries, fits, is_id
from blade.signals.layout.state_rules import Made, Marks, calls_made, held_by, mark_of, places_of, words_in
from blade.signals.layout.support import AGREEING

MOST_RECORDS: Final = 60
"""Records of one kind that are looked at."""


def completed(known: StateField, values: dict[int, Any], rows: Sequence[Sampled]) -> StateField:
    """With rules for records that no passing rollout makes: by failing ones' calls that come nearest; by the names of tools where that places more of a record."""
    marks = sorted({place for rule in known.rules for place, _ in rule.marks})
    more = [place for place in _told_by_tools(values, rows) if place not in marks]
    if more:
        marks += more
        kinds = [one for value in values.values() for one in entries(value)]
        known = msgspec.structs.replace(known, rules=tuple(one for rule in known.rules for one in _narrowed(rule, more, kinds)))
    rules = list(known.rules)
    groups: dict[tuple[Path, Marks], list[tuple[int, Leaves]]] = defaultdict(list)
    for number, value in values.items():
        for context, entry in entries(value):
            if not any(fits(rule, context, entry) for rule in rules):
                told = tuple((place, str(entry[place])) for place in marks if isinstance(entry.get(place), str))
                groups[context, told].append((number, entry))
    rules = [
        _by_name(rule, known.rules, values, rows) if not rule.tool else rule if rule.named else _extended(rule, values, rows)
        for rule in rules
    ]
    for (context, told), mine in groups.items():
        made = {number: _left(values[number], known.rules, rows[number]) for number, _ in mine[:MOST_RECORDS]}
        tried, named = _tried(context, told, mine[:MOST_RECORDS], made), _named(context, told, mine, known.rules, rows)
        told_more = named is not None and (tried is None or len(named.places) > len(tried.places))
        rule = named if told_more else tried
        if rule is not None:
            rules.append(rule)
    return StateField(known.path, known.tasks, known.agreeing, tuple(rules))


def _told_by_tools(values: dict[int, Any], rows: Sequence[Sampled]) -> list[Path]:
    """The places of words that are in the names of tools, in all records: `update` and `freeze_calendar`."""
    names = [words_in(name) for name in {name for number in values for name in rows[number].rollout.tools}]
    found: Counter[Path] = Counter()
    records = [entry for value in values.values() for _, entry in entries(value)]
    for entry in records:
        found.update(
            path for path, value in entry.items() if (said := words_in(mark_of(value))) and any(said <= name for name in names)
        )
    return sorted(path for path, count in found.items() if count == len(records))


def _narrowed(rule: StateRule, marks: Sequence[Path], records: Sequence[tuple[Path, Leaves]]) -> list[StateRule]:
    """The rule for those records alone whose words its tool has in its name, where others of its collection have the words of other tools."""
    told = {tuple((place, str(entry[place])) for place in marks) for context, entry in records if fits(rule, context, entry)}
    own = [words for words in sorted(told) if words_in(*(value for _, value in words)) <= words_in(rule.tool)]
    return [msgspec.structs.replace(rule, marks=(*rule.marks, *words)) for words in own] if 0 < len(own) < len(told) else [rule]


def _extended(rule: StateRule, values: dict[int, Any], rows: Sequence[Sampled]) -> StateRule:
    """With the places of values that no passing rollout's record has, beside those that they stand beside."""
    places = dict(rule.places)
    for number, value in values.items():
        tool = rows[number].rollout.tools.get(rule.tool)
        for context, entry in entries(value) if tool is not None else ():
            if fits(rule, context, entry) and not entry.keys() <= places.keys():
                assert tool is not None
                places = {**dict(_alike(entry, [rule], tool)), **places}
    return msgspec.structs.replace(rule, places=tuple(sorted(places.items())))


def _by_name(rule: StateRule, rules: Sequence[StateRule], values: dict[int, Any], rows: Sequence[Sampled]) -> StateRule:
    """With the tool that makes a record that elsewhere only follows: the one that (nearly) all who are to make it call with its name, and no other record is for."""
    votes: Counter[tuple[str, Path, Path]] = Counter()
    told: Counter[tuple[str, Path, Path]] = Counter()  # of these, the answers that show what the record is to hold
    wanted = 0
    for number, value in values.items():
        found = entries(value)
        others = set().union(*(_makes(rules, context, entry) for context, entry in found))
        mine = [] if others & set(rule.follows) else [entry for context, entry in found if fits(rule, context, entry)]
        calls = [call for call in calls_made(rows[number]) if call.tool not in others] if mine else []
        for entry in mine:
            wanted += 1
            named = [(source, item) for source, item in entry.items() if isinstance(item, str) and is_id(item)]
            figures = {float(item) for item in entry.values() if isinstance(item, int | float)}
            naming = {
                (call.tool, source, target): bool(figures & call.figures)
                for call in calls
                for target, given in call.leaves.items()
                for source, item in named
                if same(item, given)
            }
            votes.update(naming.keys())
            told.update(key for key, tells in naming.items() if tells)
    best = min(votes, key=lambda key: (-votes[key], -told[key], key), default=None)
    if best is None or votes[best] < AGREEING * wanted:
        return rule
    tool, source, target = best
    return msgspec.structs.replace(rule, tool=tool, places=((source, target),), named=True)


def _makes(rules: Sequence[StateRule], context: Path, entry: Leaves) -> set[str]:
    return {rule.tool for rule in rules if rule.tool and fits(rule, context, entry)}


def _left(value: Any, rules: Sequence[StateRule], row: Sampled) -> list[Made]:
    """The calls of a rollout that stand for none of the records that a rule is known for; all of them, where none is left."""
    taken = {rule.tool for context, entry in entries(value) for rule in rules if fits(rule, context, entry)}
    made = calls_made(row)
    return [call for call in made if call.tool not in taken] or made


def _tried(
    context: Path, marks: Marks, mine: Sequence[tuple[int, Leaves]], made: Mapping[int, Sequence[Made]]
) -> StateRule | None:
    """The tool that failing rollouts call with most of the values, or of the names, of such records."""
    said = words_in(*context, *(value for _, value in marks))
    pairs: list[tuple[Leaves, Made]] = []
    for number, entry in mine:
        near = [(_near(entry, call, said), -at, call) for at, call in enumerate(made[number])]
        best = max(near, key=lambda one: one[:2], default=None)
        if best is not None and best[0][0] > 0:
            pairs.append((entry, best[2]))
    tool, votes = Counter(call.tool for _, call in pairs).most_common(1)[0] if pairs else ("", 0)
    if not pairs or votes < AGREEING * len(mine):
        return None
    kept = [(entry, call) for entry, call in pairs if call.tool == tool]
    places: dict[Path, Path] = {}
    for entry, call in kept:
        for source in entry:
            target = next((path for path in call.leaves if words_of(path[-1]) == words_of(source[-1])), None)
            if target is not None and target not in places.values():
                places.setdefault(source, target)
    places |= {source: target for source, target in places_of(kept) if source not in places and target not in places.values()}
    places |= _left_over(kept, places, {path for path, _ in marks})
    return StateRule(context, tool, tuple(sorted(places.items())), marks) if places else None


def _left_over(pairs: Sequence[tuple[Leaves, Made]], places: Mapping[Path, Path], marks: set[Path]) -> dict[Path, Path]:
    """The one value of the records and the one argument of the calls that nothing else is for, where both are words or both figures."""
    sources = {path for entry, _ in pairs for path in entry} - places.keys() - marks
    targets = {path for _, call in pairs for path in call.leaves} - set(places.values())
    if not places or len(sources) != 1 or len(targets) != 1:
        return {}
    source, target = sources.pop(), targets.pop()
    alike = all(isinstance(entry.get(source), str) == isinstance(call.leaves.get(target), str) for entry, call in pairs)
    return {source: target} if alike else {}


def _near(entry: Leaves, call: Made, said: set[str]) -> tuple[int, int, int]:
    """How many values and names a call shares with a record, how many words its tool shares with what the record is called, and what it has besides."""
    named = {words_of(path[-1]) for path in call.leaves}
    besides = named - {words_of(path[-1]) for path in entry}
    shared = held_by(entry, call) + sum(words_of(path[-1]) in named for path in entry)
    return shared, len(said & words_in(call.tool)), -len(besides)


def _named(
    context: Path,
    marks: Marks,
    mine: Sequence[tuple[int, Leaves]],
    rules: Sequence[StateRule],
    rows: Sequence[Sampled],
) -> StateRule | None:
    """The tool whose name says what is done to what, with places like those of the known rules."""
    row = rows[mine[0][0]]
    said = words_in(*context, *(value for _, value in marks))
    named = [name for name in row.rollout.tools if said and said <= words_in(name) and row.rollout.mutation_of(name).kind != READ]
    if not named:
        return None
    tool = min(named, key=lambda name: (len(words_of(name)), name))
    places = _alike(mine[0][1], rules, row.rollout.tools[tool])
    return StateRule(context, tool, places, marks) if places else None


def _alike(entry: Leaves, rules: Sequence[StateRule], tool: Tool) -> tuple[tuple[Path, Path], ...]:
    """Where the values of a record go if they go where those of other records do: under the same names, or beside their neighbours."""
    found: dict[Path, Path] = {}
    for source in sorted(entry, key=lambda source: not _takes(tool.parameters, source[-1:])):
        known = [source[-1:]] if source[-1:] != KEY else []
        known += [target for rule in rules for place, target in rule.places if place == source]
        beside = [
            (*target[:-1], source[-1])
            for rule in rules
            for place, target in rule.places
            if place[:-1] == source[:-1] and place[-1] == target[-1]
        ]
        target = next((target for target in (*known, *beside) if _takes(tool.parameters, target)), None)
        if target is not None and target not in found.values():
            found[source] = target
    return tuple(sorted(found.items()))


def _takes(schema: Any, path: Path) -> bool:
    """Whether an argument is one that a schema names; an object of which it says nothing more takes anything."""
    for depth, key in enumerate(path):
        properties = schema.get("properties") if isinstance(schema, dict) else None
        if not isinstance(properties, dict):
            return depth > 0
        if key not in properties:
            return False
        schema = properties[key]
    return True
