"""How errands in an arboretum go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Final

from blade.lab.desk import Call
from blade.lab.environments.arboretum.faults import ANSWER, CALLS, EXPECTATIONS, ID, UNKNOWN, spoilt_golds, written
from blade.lab.environments.arboretum.garden import (
    TODAY,
    Bed,
    Feed,
    Garden,
    Gardener,
    Institute,
    Lot,
    Named,
    Plant,
    Talk,
    Tank,
)
from blade.lab.environments.draws import lookup_misspelt, told_instead, under_a_pseudonym
from blade.lab.stage.errand import NamedFirst, made, scripts
from blade.lab.stage.script import Row, Script, Task, call

SYSTEM: Final = f"""You are the records assistant of Larkfield Arboretum. Today is {TODAY:%A}, {TODAY.day} {TODAY:%B %Y}.

Each conversation is one message from a member of staff. You have tools for the plant records, the seed store, the grounds and the diary. Carry out what the message asks, completely and exactly, and leave everything else as it is. Staff don't read replies before the evening, so work with what you are given and do not ask back.

After a change, say in a sentence what you did. When the message is a question, give a short explanation and then, on a line of its own, finish with "So the answer is X.", where X is your answer."""
LOGGED: Final = 16
"""So many characters of a text are kept by a recorder of calls that is set up wrongly."""
_CORRECTIONS: Final = ("{old} - sorry, I mean {new}", "{old} (correction: {new})", "{old}, no, make that {new}")
_HOW_TO: Final = (
    "To do this, open {page} in the records program, select the entry, fill in what the message gives and press Save.",
    "The steps are:\n1. Open {page}.\n2. Search for the entry.\n3. Enter the values from your message.\n4. Save.",
    "You will find this under {page}: pick the entry there, put the values in and confirm with Save.",
)
_ANNOUNCED: Final = (
    "I found the entry. Next I will call {tool} to make the change.",
    "Everything needed is there; I am now going to use {tool}.",
    "With this I can go ahead and will save it through {tool} in a moment.",
)
_NOT_THERE: Final = (
    "The records have nothing called {name}, so there was nothing to change.",
    "I could not find {name}. Nothing was saved.",
    "A search for {name} gives no result; I have to leave the records as they are.",
)
_LOOKUPS: Final[dict[type[Named], str]] = {
    Gardener: "mcp__records__find_gardener", Plant: "mcp__records__find_plant", Bed: "mcp__records__find_bed",
    Named: "mcp__records__find_glasshouse", Lot: "mcp__seeds__find_lot", Institute: "mcp__seeds__find_institute",
    Feed: "mcp__grounds__find_feed", Tank: "mcp__grounds__find_tank", Talk: "mcp__diary__find_talk",
}  # fmt: skip


class Errand(NamedFirst):
    closings: ClassVar[tuple[str, ...]] = (
        "{What}.",
        "Done, {what}.",
        "I've saved it: {what}.",
        "It's in the records now: {what}.",
        "As requested, {what}.",
    )
    skips = ("This is a usual case, I know the value.", "I can do without the record here.", "The typical value will do.")


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who think again in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def looked_up(*ones: Named) -> Script:
    """The lookups of gardeners, plants and the like by their names."""
    return tuple(call(_LOOKUPS[type(one)], name=one.name) for one in ones)


def gold_of(
    topic: str, why: str, calls: Sequence[Call] = (), answer: str | None = None, choices: Sequence[str] | None = None
) -> Row:
    """The dataset's fields; `why` is a list of facts with semicolons between them."""
    return {
        "inputs": {"category": topic, "choices": None if choices is None else list(choices)},
        EXPECTATIONS: {
            CALLS: [written(one.name, dict(one.arguments)) for one in calls],
            ANSWER: answer,
            "expected_facts": why.split("; "),
        },
    }


def explained(gold: Row, why: str) -> Row:
    """The dataset's fields with other facts."""
    return {**gold, EXPECTATIONS: {**gold[EXPECTATIONS], "expected_facts": why.split("; ")}}


def task_of(
    index: int, topic: str, request: str, errand: Errand, careless: Errand, why: Sequence[str], faulty: dict[str, tuple[Script, ...]],
    garden: Garden, rng: Random, who: Gardener | None = None, unattached: str | None = None, remade: Row | None = None,
    rounded: float | None = None, exact: float | None = None,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `why` has the facts for both, `who` is the one gardener whom the errand is for,
    `unattached` is the request without the list that it speaks of, `remade` has the task's fields by kinds that change the request, and
    `rounded` is a figure that was worked out, `exact` the same before it was rounded.
    """
    gold, other = (gold_of(topic, why[at], one.expected) for at, one in enumerate((errand, careless)))
    tool = errand.expected[0].name
    page = tool.rpartition("__")[2].partition("_")[2].replace("_", " ").capitalize()
    shared = {
        "told_how_to": told_instead(errand.reads, _HOW_TO, rng, page=page),
        "announced_not_done": told_instead(errand.reads, _ANNOUNCED, rng, tool=tool),
    }
    if not ID.search(request):
        shared["misspelt_lookup"] = lookup_misspelt(errand.reads, _NOT_THERE, rng)
    several = [at for at, one in enumerate(errand.expected) if len(one.arguments) > 1]
    if several:
        shared["key_order_compared"] = scripts([errand.reordered(rng.choice(several), rng) for _ in range(2)], rng)
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    others: dict[str, Any] = dict(remade or {})
    if who is not None:
        others["pseudonym_in_prompt"] = under_a_pseudonym(
            request, who.name, rng.choice(garden.strangers), _LOOKUPS[Gardener], UNKNOWN, rng
        )
    facts = {
        "spoilt_gold": spoilt_golds(gold, other, rng, rounded, exact), "unattached": unattached, "remade": others,
        "long_text": _has_long_text(errand), "capitals": True,
    }  # fmt: skip
    return Task(
        index, "errand", SYSTEM, request, scripts([errand] * 4, rng), gold, shared | faulty, elsewhere(garden, request, rng),
        other_gold=other, other_script=careless.script(rng), contradicted_gold=explained(other, why[0]), facts=facts,
    )  # fmt: skip


def _has_long_text(errand: Errand) -> bool:
    return any(isinstance(value, str) and len(value) > LOGGED for one in errand.expected for value in one.arguments.values())


def elsewhere(garden: Garden, request: str, rng: Random) -> tuple[Call, ...]:
    """Reads about what the request does not mention, which do no harm."""
    sorts: tuple[Sequence[Named], ...] = (garden.gardeners, garden.plants, garden.beds, garden.institutes)
    chosen = [one for sort in sorts for one in rng.sample([one for one in sort if one.name not in request], 2)]
    return tuple(made(move) for move in looked_up(*chosen))
