"""How errands in a publishing house go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Final

from blade.lab.desk import Call
from blade.lab.environments.draws import lookup_misspelt, told_instead, under_a_pseudonym
from blade.lab.environments.publisher.faults import CALLS, ITEM, UNKNOWN, spoilt_golds, written
from blade.lab.environments.publisher.list import (
    TODAY,
    Author,
    Book,
    Editor,
    House,
    Named,
    Paper,
    Printer,
    Reading,
    Shop,
    hyphenated,
)
from blade.lab.stage.errand import NamedFirst, made, scripts
from blade.lab.stage.script import Row, Script, Task, call

SYSTEM: Final = f"""You work in the production office of Tern & Alder, a publishing house. Today is {TODAY:%A}, {TODAY.day} {TODAY:%B %Y}.

You receive one message at a time and have tools that read and change the files of the house. Do what the message asks for, and nothing besides. You can't reach the sender, so there is no point in asking back.

If the message wants something changed, end with one sentence on what you did. If it asks a question, your last message must have this format:

Explanation: {{how you arrived at the answer, in one line}}
Exact Answer: {{your succinct, final answer}}
Confidence: {{your confidence in it, between 0% and 100%}}"""
LOGGED: Final = 16
"""So many characters of a text are kept by a recorder of calls that is set up wrongly."""
_CORRECTIONS: Final = ("{old}... no, wait, {new}", "{old} (scrap that: {new})", "{old}, or rather {new}")
_HOW_TO: Final = (
    "You can take care of this in the house system: go to {page}, open the record, put in the details from the message and save.",
    "Here are the steps:\n1. Sign in to the house system and open {page}.\n2. Find the record.\n3. Fill in what the message says and click Save.",
    "This is done under {page}. Select the record there, type in the values you mentioned and save them.",
)
_ANNOUNCED: Final = (
    "I have the record. As the next step I'll call {tool} with these details.",
    "Found it. Now I'm going to make the change with {tool}.",
    "That is all I needed to know, so I will proceed with {tool} and report back.",
)
_NOT_THERE: Final = (
    "I found nothing under {name} in the files, so nothing could be changed.",
    "There is no record called {name}. The message can't be acted on.",
    "The search for {name} came back empty and I have made no change.",
)
_LOOKUPS: Final[dict[type[Named], str]] = {
    Editor: "find_editor", Book: "find_book", Author: "find_author", Shop: "find_shop", Paper: "find_paper", Printer: "find_printer",
    Reading: "find_reading", Named: "find_studio",
}  # fmt: skip
_GIVEN_ID = re.compile(r"[A-Z]{2}-\d{5}|\d{13}")


class Errand(NamedFirst):
    closings: ClassVar[tuple[str, ...]] = (
        "Done: {what}.",
        "{What}.",
        "I've taken care of it, {what}.",
        "{What}, as you asked.",
        "That is entered now: {what}.",
    )
    skips = ("I can tell that without looking.", "No need to open another record for this.", "Most of them are alike.")

    def with_hyphens(self) -> Errand:
        """The errand by an agent that writes the ISBN as it is printed."""
        errand = self
        for at, one in enumerate(self.expected):
            if "isbn" in one.arguments:
                errand = errand.but(at, decisive=False, isbn=hyphenated(one.arguments["isbn"]))
        return errand


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who think again in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def looked_up(*ones: Named) -> Script:
    """The lookups of editors, books and the like by their names."""
    return tuple(call(_LOOKUPS[type(one)], name=one.name) for one in ones)


def gold_of(
    topic: str, why: str, calls: Sequence[Call] = (), answer: str | None = None, options: dict[str, str] | None = None
) -> Row:
    """The dataset's fields."""
    choices = None if options is None else {"label": [*options], "text": [*options.values()]}
    return {
        ITEM: {
            "category": topic,
            CALLS: [written(one.name, dict(one.arguments)) for one in calls],
            "reference": answer,
            "choices": choices,
            "explanation": why,
        }
    }


def explained(gold: Row, why: str) -> Row:
    """The dataset's fields with another explanation."""
    return {ITEM: {**gold[ITEM], "explanation": why}}


def task_of(
    index: int, topic: str, request: str, errand: Errand, careless: Errand, why: Sequence[str], faulty: dict[str, tuple[Script, ...]],
    house: House, rng: Random, who: Editor | None = None, unattached: str | None = None, remade: Row | None = None,
    rounded: float | None = None, exact: float | None = None,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `why` explains both, `who` is the one editor whom the errand is for, `unattached` is the
    request without the list that it speaks of, `remade` has the task's fields by kinds that change the request, and `rounded` is
    a figure that was worked out, `exact` the same before it was rounded.
    """
    gold, other = (gold_of(topic, why[at], one.expected) for at, one in enumerate((errand, careless)))
    tool = errand.expected[0].name
    page = tool.partition("_")[2].replace("_", " ").capitalize()
    shared = {
        "told_how_to": told_instead(errand.reads, _HOW_TO, rng, page=page),
        "announced_not_done": told_instead(errand.reads, _ANNOUNCED, rng, tool=tool),
    }
    if not _GIVEN_ID.search(request):
        shared["misspelt_lookup"] = lookup_misspelt(errand.reads, _NOT_THERE, rng)
    several = [at for at, one in enumerate(errand.expected) if len(one.arguments) > 1]
    if several:
        shared["key_order_compared"] = scripts([errand.reordered(rng.choice(several), rng) for _ in range(2)], rng)
    if any("isbn" in one.arguments for one in errand.expected):
        shared["hyphenation_compared"] = scripts([errand.with_hyphens()] * 2, rng)
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    others: dict[str, Any] = dict(remade or {})
    if who is not None:
        others["pseudonym_in_prompt"] = under_a_pseudonym(
            request, who.name, rng.choice(house.strangers), "find_editor", UNKNOWN, rng
        )
    facts = {
        "spoilt_gold": spoilt_golds(gold, rounded, exact), "unattached": unattached, "remade": others, "long_text": _has_long_text(errand),
    }  # fmt: skip
    return Task(
        index, "errand", SYSTEM, request, scripts([errand] * 4, rng), gold, shared | faulty, elsewhere(house, request, rng),
        other_gold=other, other_script=careless.script(rng), contradicted_gold=explained(other, why[0]), facts=facts,
    )  # fmt: skip


def _has_long_text(errand: Errand) -> bool:
    return any(isinstance(value, str) and len(value) > LOGGED for one in errand.expected for value in one.arguments.values())


def elsewhere(house: House, request: str, rng: Random) -> tuple[Call, ...]:
    """Reads about what the request does not mention, which do no harm."""
    sorts: tuple[Sequence[Named], ...] = (house.editors, house.books, house.shops, house.printers)
    chosen = [one for sort in sorts for one in rng.sample([one for one in sort if one.name not in request], 2)]
    return tuple(made(move) for move in looked_up(*chosen))
