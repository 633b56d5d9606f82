"""How errands at the desk of a ferry line go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, ClassVar, Final

from blade.lab.desk import Call
from blade.lab.environments.draws import misspelt, told_instead
from blade.lab.environments.ferry.faults import ANSWER, CALLS, EXPECTED, ID, UNKNOWN, spoilt_golds, written
from blade.lab.environments.ferry.line import TODAY, Account, Crew, Harbour, Line, Named, Sailing, Vessel, Visitor
from blade.lab.stage.errand import NamedFirst, made, scripts
from blade.lab.stage.script import Row, Script, Task, call, say

SYSTEM: Final = f"""You are on the booking and operations desk of Marram Line, a small ferry company. Today is {TODAY:%A}, {TODAY.day} {TODAY:%B %Y}.

Every job is one message from a colleague on board or ashore, who cannot be asked anything afterwards. Do the whole job with your tools and leave alone what it does not mention.

House rules:
- Ids have three capitals, a dot and five digits, like VSL.40217. Take them from the registers or from the message, never from memory.
- Dates are written YYYY-MM-DD and times HH:MM. Times are local (British Summer Time, one hour ahead of UTC) unless something says otherwise.
- Give values in the units and words that the description of a tool names, whatever the message uses.

When you have changed something, finish with one sentence about it. When you were asked something, say how you got there and put the answer on the last line, as JSON: {{"answer": "..."}}"""
LOGGED: Final = 16
"""So many characters of a text are kept by a recorder of calls that is set up wrongly."""
_CORRECTIONS: Final = ("{old}, no, sorry, {new}", "{old} (I take that back: {new})", "{old}, or actually {new}")
_ANNOUNCED: Final = (
    "The entry is found. My next step is {tool} with these values.",
    "Now that I have the id I'm going to enter this with {tool}.",
    "I know everything I need and will use {tool} next.",
)
_NOT_THERE: Final = (
    "The registers have no {name}, so I could not do anything.",
    "Nothing is found under {name}. I made no entry.",
    "I searched for {name} and there is no such entry; the job stays undone.",
)
_REGISTERS: Final[dict[type[Named], str]] = {
    Crew: "crew", Vessel: "vessels", Visitor: "visitors", Harbour: "harbours", Sailing: "sailings", Account: "accounts",
}  # fmt: skip


class Errand(NamedFirst):
    closings: ClassVar[tuple[str, ...]] = (
        "{What}.",
        "That's done: {what}.",
        "All entered; {what}.",
        "Done as asked, {what}.",
        "For the record: {what}.",
    )
    skips = (
        "It will be the usual value.",
        "I don't need to search for that.",
        "From what is common on this line I can say it at once.",
    )


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who think again in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def looked_up(*ones: Named) -> Script:
    """The searches for crew, vessels and the like by their names."""
    return tuple(call("register_search", register=_REGISTERS[type(one)], name=one.name) for one in ones)


def gold_of(
    topic: str, why: str, calls: Sequence[Call] = (), answer: str | None = None, choices: dict[str, str] | None = None
) -> Row:
    """The dataset's fields."""
    return {
        "input": {"topic": topic, "choices": choices},
        EXPECTED: {CALLS: [written(one.name, dict(one.arguments)) for one in calls], ANSWER: answer},
        "metadata": {"dataset": "ferry-desk-v3", "author_note": why},
    }


def explained(gold: Row, why: str) -> Row:
    """The dataset's fields with another note of the author."""
    return {**gold, "metadata": {**gold["metadata"], "author_note": why}}


def task_of(
    index: int, topic: str, request: str, errand: Errand, careless: Errand, why: Sequence[str], faulty: dict[str, tuple[Script, ...]],
    line: Line, rng: Random, who: Crew | None = None, unattached: str | None = None, remade: Row | None = None,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `why` has the notes on both, `who` is the one of the crew whom the errand is for,
    `unattached` is the request without the list that it speaks of, and `remade` has the task's fields by kinds that change the request.
    """
    gold, other = (gold_of(topic, why[at], one.expected) for at, one in enumerate((errand, careless)))
    tool = errand.expected[0].name
    shared = {"announced_not_done": told_instead(errand.reads, _ANNOUNCED, rng, tool=tool)}
    if not ID.search(request):
        shared["misspelt_lookup"] = _mistaken_search(errand.reads, rng)
    several = [at for at, one in enumerate(errand.expected) if len(one.arguments) > 1]
    if several:
        shared["key_order_compared"] = scripts([errand.reordered(rng.choice(several), rng) for _ in range(2)], rng)
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    others: dict[str, Any] = dict(remade or {})
    if who is not None:
        others["pseudonym_in_prompt"] = _under_another_name(request, who, rng.choice(line.strangers), rng)
    values = [value for one in errand.expected for value in one.arguments.values()]
    facts = {
        "spoilt_gold": spoilt_golds(gold, other, request, rng), "unattached": unattached, "remade": others,
        "long_text": any(isinstance(value, str) and len(value) > LOGGED for value in values), "capitals": True,
        "false_value": any(value is False for value in values),
    }  # fmt: skip
    return Task(
        index, "errand", SYSTEM, request, scripts([errand] * 4, rng), gold, shared | faulty, elsewhere(line, request, rng),
        other_gold=other, other_script=careless.script(rng), contradicted_gold=explained(other, why[0]), facts=facts,
    )  # fmt: skip


def _mistaken_search(reads: Script, rng: Random) -> tuple[Script, ...]:
    """Agents that type a name wrongly and believe what comes of it."""
    first = rng.choice([move for move in reads if "name" in made(move).arguments])
    ways: list[Script] = []
    for words in rng.sample(_NOT_THERE, len(_NOT_THERE)):
        name = misspelt(str(made(first).arguments["name"]), rng)
        wrong = Call(made(first).name, {**made(first).arguments, "name": name})
        ways.append((replace(first, call=wrong, decisive=True), say(words.format(name=name))))
    return tuple(ways)


def _under_another_name(request: str, who: Crew, stranger: str, rng: Random) -> Row:
    """The task as it is when its request, and only that, went through a program that replaces people's names."""
    full, last = (call("register_search", register="crew", name=name) for name in (stranger, stranger.split()[-1]))
    ways: tuple[Script, ...] = ((full,), (full, last), (full,))
    says = [say(words.format(name=stranger)) for words in rng.sample(UNKNOWN, 3)]
    return {
        "request": request.replace(who.name, stranger),
        "sound": tuple((*way, one) for way, one in zip(ways, says, strict=True)),
    }


def elsewhere(line: Line, request: str, rng: Random) -> tuple[Call, ...]:
    """Searches for what the request does not mention, which do no harm."""
    sorts: tuple[Sequence[Named], ...] = (line.crew, line.vessels, line.harbours, line.accounts)
    chosen = [one for sort in sorts for one in rng.sample([one for one in sort if one.name not in request], 2)]
    return tuple(made(move) for move in looked_up(*chosen))
