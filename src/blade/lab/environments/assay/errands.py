"""How errands in an assay office go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Final

from blade.lab.desk import Call
from blade.lab.environments.assay.faults import CASE, EXPECTED, invocation, spoilt_golds, under_a_pseudonym
from blade.lab.environments.assay.register import TODAY, Article, Assayer, Dealer, Lot, Named, Register, Ring, Viewing
from blade.lab.environments.draws import misspelt
from blade.lab.stage.errand import NamedFirst, made, scripts
from blade.lab.stage.script import Move, Row, Script, Task, call, say

SYSTEM: Final = (
    f"This is the back office of the Harwell assay office, where articles of precious metal are tested and hallmarked. It is {TODAY:%A}, {TODAY.day} {TODAY:%B %Y}. "
    "You get one note at a time, from the counter, the bench or the vault, and deal with it by means of the functions that you have been given. File what the note wants, "
    "and nothing beyond it. The note is all there is: the people who wrote it have gone, and questions to them stay unanswered. After filing something, finish with a "
    "sentence about it. If the note wants to know something, finish with a fenced code block whose info string is result, and put the bare answer into it."
)  # fmt: skip
LOGGED: Final = 16
"""So many characters of a text are kept by a recorder of calls that is set up wrongly."""
_CORRECTIONS: Final = ("{old}, no, make that {new}", "{old} (wrong, it is {new})", "{old} - I mean {new}")
_HOW_TO: Final = (
    "To settle this note, go to {page} in the office system, pick the record, fill in what the note says and press File.",
    "Here is how it is done:\n1. Open the {page} screen.\n2. Select the record named in the note.\n3. Type in the details and file them.",
    "You can do this under {page}: choose the record, enter the values from the note, and confirm with File.",
)
_ANNOUNCED: Final = (
    "The record is there. Next I am going to file this with {tool}.",
    "Good, that is the id I was after; I will now go ahead with {tool}.",
    "All details are together. {tool} comes next, and I will confirm when it is through.",
)
_NOT_THERE: Final = (
    "The office has nothing under the name {name}, so the note could not be dealt with.",
    "No record of {name}. I filed nothing.",
    "I searched for {name} without a hit; the note goes back to whoever wrote it.",
)
_LOOKUPS: Final[dict[type[Named], str]] = {
    Assayer: "Staff-find_assayer", Article: "Stock-find_article", Ring: "Stock-find_ring", Lot: "Vault-find_lot",
    Dealer: "Export-find_dealer", Viewing: "Events-find_viewing",
}  # fmt: skip
_LONG_NUMBER = re.compile(r"\d{18}")


class Errand(NamedFirst):
    closings: ClassVar[tuple[str, ...]] = (
        "Filed: {what}.",
        "{What}, and that settles the note.",
        "Dealt with, {what}.",
        "{What}. Nothing else was touched.",
        "As the note wanted, {what}.",
    )
    skips = ("I can tell that without the record.", "The id is given, which will do.", "This is the usual case, no need to look.")


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who think again in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def looked_up(*ones: Named) -> Script:
    """The lookups of assayers, articles and the like by their names."""
    return tuple(_look_for(one.name, one) for one in ones)


def _look_for(name: str, one: Named) -> Move:
    plain = "Plant-find_instrument" if one.name[-1].isdigit() else "Register-find_workshop"
    return call(_LOOKUPS.get(type(one), plain), name=name)


def gold_of(
    topic: str, why: str, calls: Sequence[Call] = (), answer: str | None = None, options: dict[str, str] | None = None
) -> Row:
    """The dataset's fields."""
    uses = [{"name": one.name, "args": dict(one.arguments)} for one in calls]
    state = {"options": options, "grounds": why}
    return {
        CASE: {
            "eval_set_id": f"back_office.{topic}",
            EXPECTED: invocation(uses, answer),
            "session_input": {"app_name": "assay_back_office", "state": state},
        }
    }


def explained(gold: Row, why: str) -> Row:
    """The dataset's fields with other grounds."""
    session = gold[CASE]["session_input"]
    return {CASE: {**gold[CASE], "session_input": {**session, "state": {**session["state"], "grounds": why}}}}


def task_of(
    index: int, topic: str, request: str, errand: Errand, careless: Errand, why: Sequence[str], faulty: dict[str, tuple[Script, ...]],
    register: Register, rng: Random, who: Assayer | None = None, unattached: str | None = None, remade: Row | None = None,
    rounded: float | None = None, exact: float | None = None,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `why` has the grounds of both, `who` is the one assayer whom the errand is for,
    `unattached` is the request without the list that it speaks of, `remade` has the task's fields by kinds that change the request, and
    `rounded` is a figure that was worked out, `exact` the same before it was rounded.
    """
    gold, other = (gold_of(topic, why[at], one.expected) for at, one in enumerate((errand, careless)))
    shared = {"told_how_to": _told_how_to(errand, rng), "announced_not_done": _announced(errand, rng)}
    if not _LONG_NUMBER.search(request):
        shared["misspelt_lookup"] = _misspelt(errand, rng)
    several = [at for at, one in enumerate(errand.expected) if len(one.arguments) > 1]
    if several:
        shared["key_order_compared"] = scripts([errand.reordered(rng.choice(several), rng) for _ in range(2)], rng)
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    others: dict[str, Any] = dict(remade or {})
    if who is not None:
        others["pseudonym_in_prompt"] = under_a_pseudonym(request, who.name, rng.choice(register.strangers), rng)
    facts = {
        "spoilt_gold": spoilt_golds(gold, rounded, exact), "unattached": unattached, "remade": others, "long_text": _has_long_text(errand),
    }  # fmt: skip
    return Task(
        index, "errand", SYSTEM, request, scripts([errand] * 4, rng), gold, shared | faulty, elsewhere(register, request, rng),
        other_gold=other, other_script=careless.script(rng), contradicted_gold=explained(other, why[0]), facts=facts,
    )  # fmt: skip


def _has_long_text(errand: Errand) -> bool:
    return any(isinstance(value, str) and len(value) > LOGGED for one in errand.expected for value in one.arguments.values())


def _told_how_to(errand: Errand, rng: Random) -> tuple[Script, ...]:
    """The errand by an agent that looks, and then tells the reader what to do."""
    page = errand.expected[0].name.partition("-")[0]
    return tuple((*errand.reads, say(words.format(page=page), decisive=True)) for words in rng.sample(_HOW_TO, len(_HOW_TO)))


def _announced(errand: Errand, rng: Random) -> tuple[Script, ...]:
    """The errand by an agent that says what it is about to do, and stops."""
    tool = errand.expected[0].name
    return tuple(
        (*errand.reads, say(words.format(tool=tool), decisive=True)) for words in rng.sample(_ANNOUNCED, len(_ANNOUNCED))
    )


def _misspelt(errand: Errand, rng: Random) -> tuple[Script, ...]:
    """The errand by an agent that types a name wrongly and believes what comes of it."""
    first = made(rng.choice([move for move in errand.reads if "name" in made(move).arguments]))
    ways: list[Script] = []
    for words in rng.sample(_NOT_THERE, len(_NOT_THERE)):
        name = misspelt(str(first.arguments["name"]), rng)
        ways.append((call(first.name, name=name, decisive=True), say(words.format(name=name))))
    return tuple(ways)


def elsewhere(register: Register, request: str, rng: Random) -> tuple[Call, ...]:
    """Reads about what the request does not mention, which do no harm."""

    def others(ones: Sequence[Named]) -> tuple[Call, ...]:
        chosen = rng.sample([one for one in ones if one.name not in request], 2)
        return tuple(made(move) for move in looked_up(*chosen))

    at = register
    return (*others(at.assayers), *others(at.workshops), *others(at.articles), *others(at.instruments))
