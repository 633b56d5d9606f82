"""How errands in a market office go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Final

from blade.lab.desk import Call
from blade.lab.environments.market.faults import DOC, spoilt_golds, under_a_pseudonym
from blade.lab.environments.market.register import HALLS, TODAY, Register, Trader
from blade.lab.stage import errand as stage
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Script, Task, call, say

SYSTEM: Final = (
    f"You are the clerk of the market office of Aldersyke. It is {TODAY:%A}, {TODAY:%d/%m/%Y}. Slips come in from the counter; each holds one "
    "matter. Settle it with the office's books (the tools below) and change nothing that the slip does not ask for. You can't reach the "
    "person who wrote it. If a slip asks something, finish with the answer alone in double square brackets, like [[this]]. If it wants "
    "something done, get it done and confirm briefly."
)
_CORRECTIONS: Final = ("{old}, oh no, make that {new}", "{old} (struck out, now {new})", "{old}; I misspoke, {new}")
_HOW_TO: Final = (
    "Here is how to go about it:\n1. Sign in to the books of the market office.\n2. Open {book} and go to {what}.\n3. Fill in the values from the slip.\n4. Save, and check the entry afterwards.",
    "This is easily done. You open {book}, pick {what}, put in what the slip says and save it. It only takes a minute.",
    "The steps are these: first open {book}; then choose {what} and enter the details that you have; last, save the entry. Let me know if you get stuck.",
)  # fmt: skip


class Errand(stage.Errand):
    closings: ClassVar[tuple[str, ...]] = (
        "{What}.",
        "Settled: {what}.",
        "Slip done, {what}.",
        "Entered. {What}.",
        "{What}. The slip can be filed.",
    )
    skips = (
        "I know roughly what that comes to.",
        "No need to open the book for this one.",
        "That is much the same for everybody, so I take the usual.",
    )


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who change their mind in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def looked_up(*traders: Trader) -> Script:
    return tuple(call("register.look_up", name=one.name) for one in traders)


def gold_of(
    subject: str, gloss: str, effects: Sequence[Call] = (), text: str | None = None, choices: Sequence[str] | None = None
) -> Row:
    """The dataset's fields."""
    target: dict[str, Any] = {"effects": [[one.name, dict(one.arguments)] for one in effects], "text": text}
    return {DOC: {"subject": subject, "choices": choices and list(choices), "target": target, "gloss": gloss}}


def glossed(gold: Row, gloss: str) -> Row:
    """The dataset's fields with another explanation."""
    return {DOC: {**gold[DOC], "gloss": gloss}}


def task_of(
    index: int, subject: str, request: str, errand: Errand, careless: Errand, gloss: tuple[str, str],
    faulty: dict[str, tuple[Script, ...]], register: Register, rng: Random, who: Trader | None = None, unattached: str | None = None,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `gloss` are the reasons for both, `who` is the one trader whom the request names, and
    `unattached` is the request without the list that it speaks of.
    """
    gold, other = (gold_of(subject, why, one.expected) for why, one in zip(gloss, (errand, careless), strict=True))
    shared = {"told_how_to": _explained(errand, rng)}
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    remade = {} if who is None else under_a_pseudonym(request, who.name, rng.choice(register.strangers), rng)
    return Task(
        index, "stalls" if who else "office", SYSTEM, request, scripts([errand] * 3, rng), gold, shared | faulty,
        elsewhere(register, request, rng), other_gold=other, other_script=careless.script(rng), contradicted_gold=glossed(other, gloss[0]),
        facts={"spoilt_gold": spoilt_golds(gold), "unattached": unattached, "remade": {"pseudonym_in_prompt": remade} if remade else {}},
    )  # fmt: skip


def _explained(errand: Errand, rng: Random) -> tuple[Script, ...]:
    """The errand by an agent that looks, and then tells the clerk's work to whoever wrote the slip."""
    reads = tuple(move for move in errand.reads if not move.changes)
    book, what = errand.expected[0].name.split(".")
    told = [words.format(book=f"the {book} book", what=f'"{what}"') for words in _HOW_TO]
    return tuple((*reads, say(text, decisive=True)) for text in rng.sample(told, len(told)))


def elsewhere(register: Register, request: str, rng: Random) -> tuple[Call, ...]:
    """Reads about what the request does not mention, which do no harm."""
    traders = rng.sample([one for one in register.traders if one.name not in request], 2)
    fairs = rng.sample([one.name for one in register.fairs if one.name not in request], 2)
    places = rng.sample([one.place for one in register.pitches if one.place not in request], 2)
    return (
        *(Call("register.look_up", {"name": one.name}) for one in traders),
        *(Call("stalls.locate", {"place": one}) for one in places),
        *(Call("calendar.fair", {"name": one}) for one in fairs),
        *(Call("rota.of_hall", {"hall": one}) for one in rng.sample([one for one in HALLS if one not in request], 2)),
    )
