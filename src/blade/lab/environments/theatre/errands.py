"""How errands in a theatre go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Final

from blade.lab.desk import Call
from blade.lab.environments.draws import lookup_misspelt, told_instead, under_a_pseudonym
from blade.lab.environments.theatre.faults import EVENTS, ID, UNKNOWN, expected_events, odd_as_pattern, spoilt_golds
from blade.lab.environments.theatre.house import TODAY, Firm, House, Item, Named, Person, Production
from blade.lab.stage.errand import NamedFirst, made, scripts
from blade.lab.stage.script import Move, Row, Script, Task, call

SYSTEM: Final = f"""You are the back-office assistant of the Aldine Theatre. Today is {TODAY:%A}, {TODAY.day} {TODAY:%B} {TODAY.year}.

You get one message of somebody in the house and can use the apps listed as tools. See to what the message asks for and to nothing else. The sender is in rehearsal and cannot be asked anything.

House rules:
- Records are identified by two letters, a dot and five digits (PE.40312). Take identifiers from the records, do not make them up.
- Days are written DD/MM/YYYY.
- The house is dark on Mondays. No room is booked on a Monday: if a slot is wanted on one, book it for the Tuesday right after it.

When everything is done, say in one sentence what you did. When you were asked a question, explain yourself briefly and put the answer between <answer> and </answer>."""
LOGGED: Final = 16
"""So many characters of a text are kept by a recorder of calls that is set up wrongly."""
_CORRECTIONS: Final = ("{old} (oh no, that's wrong: {new})", "{old} - I mean {new}", "{old}, hang on, it should be {new}")
_ANNOUNCED: Final = (
    "I have looked it up. The next thing I do is to call {tool}.",
    "That's the right entry. I'm going to use {tool} for the change now.",
    "All details are there, so I will make the change with {tool} next.",
)
_NOT_THERE: Final = (
    "Nothing called {name} is on record, so I changed nothing.",
    "I searched for {name} without any result. The request can't be carried out.",
    "The house has no entry under the name {name}; I left everything as it was.",
)
_LOOKUPS: Final[dict[type[Named], str]] = {
    Person: "Contacts__find_person", Named: "Schedule__find_room", Production: "Repertoire__find_production", Item: "Wardrobe__find_item",
    Firm: "Hire__find_firm",
}  # fmt: skip


class Errand(NamedFirst):
    closings: ClassVar[tuple[str, ...]] = (
        "{What}.",
        "All done: {what}.",
        "I have seen to it, {what}.",
        "As you wished, {what}.",
        "That's on record now: {what}.",
    )
    skips = ("I know this one, no need to look it up.", "It is nearly always the same.", "That can be told without the record.")


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who think again in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def looked_up(*ones: Named) -> Script:
    """The lookups of people, productions and the like by their names."""
    return tuple(call(_LOOKUPS[type(one)], name=one.name) for one in ones)


def set_field(one: Named, field: str, value: Any) -> Move:
    return call("Records__set_field", changes=True, record_id=one.id, field=field, value=value)


def gold_of(
    topic: str, why: str, calls: Sequence[Call] = (), answer: str | None = None, choices: dict[str, str] | None = None
) -> Row:
    """The dataset's fields; `why` is the comment of whoever wrote the task."""
    return {
        "definition": {"capability": "execution" if answer is None else "search", "tags": [topic], "choices": choices},
        "annotation": {"annotator": "back-office", "validation_decision": "valid", "comment": why},
        EVENTS: expected_events([(one.name, dict(one.arguments)) for one in calls], answer),
    }


def explained(gold: Row, why: str) -> Row:
    """The dataset's fields with another comment."""
    return {**gold, "annotation": {**gold["annotation"], "comment": why}}


def task_of(
    index: int, topic: str, request: str, errand: Errand, careless: Errand, why: Sequence[str], faulty: dict[str, tuple[Script, ...]],
    house: House, rng: Random, who: Person | None = None, unattached: str | None = None, remade: Row | None = None,
    rounded: float | None = None, exact: float | None = None, ways: Sequence[Script] = (),
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `why` has the comment on both, `who` is the one person whom the errand is for,
    `unattached` is the request without the list that it speaks of, `remade` has the task's fields by kinds that change the request, and
    `rounded` is a figure that was worked out, `exact` the same before it was rounded, and `ways` are other right ways of going about it.
    """
    gold, other = (gold_of(topic, why[at], one.expected) for at, one in enumerate((errand, careless)))
    tool = errand.expected[0].name
    shared = {
        "announced_not_done": told_instead(errand.reads, _ANNOUNCED, rng, tool=tool),
    }
    if not ID.search(request):
        shared["misspelt_lookup"] = lookup_misspelt(errand.reads, _NOT_THERE, rng)
    several = [at for at, one in enumerate(errand.expected) if len(one.arguments) > 1]
    shared["key_order_compared"] = scripts([errand.reordered(rng.choice(several), rng) for _ in range(2)], rng)
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    others: dict[str, Any] = dict(remade or {})
    if who is not None:
        others["pseudonym_in_prompt"] = under_a_pseudonym(
            request, who.name, rng.choice(house.strangers), _LOOKUPS[Person], UNKNOWN, rng
        )
    facts = {
        "spoilt_gold": spoilt_golds(gold, other, rng, rounded, exact), "unattached": unattached, "remade": others,
        "long_text": _has_long_text(errand), "capitals": True,
        "odd_as_pattern": odd_as_pattern([(one.name, dict(one.arguments)) for one in errand.expected]),
    }  # fmt: skip
    return Task(
        index, "errand", SYSTEM, request, (*scripts([errand] * (4 - len(ways)), rng), *ways), gold, shared | faulty, elsewhere(house, request, rng),
        other_gold=other, other_script=careless.script(rng), contradicted_gold=explained(other, why[0]), facts=facts,
    )  # fmt: skip


def _has_long_text(errand: Errand) -> bool:
    return any(isinstance(value, str) and len(value) > LOGGED for one in errand.expected for value in one.arguments.values())


def elsewhere(house: House, request: str, rng: Random) -> tuple[Call, ...]:
    """Reads about what the request does not mention, which do no harm."""
    sorts: tuple[Sequence[Named], ...] = (house.people, house.productions, house.items, house.firms)
    chosen = [one for sort in sorts for one in rng.sample([one for one in sort if one.name not in request], 2)]
    return tuple(made(move) for move in looked_up(*chosen))
