"""How errands at a mountain rescue go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Final

from blade.lab.desk import Call
from blade.lab.environments.rescue.board import TODAY, Board, Volunteer
from blade.lab.environments.rescue.faults import spoilt_golds, under_a_pseudonym
from blade.lab.stage import errand as stage
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Script, Task, call, say

SYSTEM: Final = (
    f"It is {TODAY:%A} {TODAY.day} {TODAY:%B %Y}, and you sit at the desk of the mountain rescue in the Aurach valley. Messages come in from volunteers and from "
    "the duty officer. Deal with each one by way of the board's web interface. What it asks for is all that should change; nobody is there "
    "to answer questions. A message that wants something recorded is finished once it is recorded; say so briefly. A message that wants to know something "
    "gets its answer between double square brackets at the very end, and only the answer goes in there."
)  # fmt: skip
_CORRECTIONS: Final = ("{old}... no, make that {new}", "{old} (scratch that: {new})", "{old}, hang on, {new}")
_HOW_TO: Final = (
    "Here is how to go about it: call up {page} in the web interface, fill in what the message says, and press Record.",
    "Steps for this one:\n1. Sign in to the board.\n2. Go to {page}.\n3. Put in the particulars from the message.\n4. Record it.",
    "Whoever is at the board can do this on {page}: all that is needed are the particulars in the message, then Record.",
)
_TYPESET: Final = (
    "Recorded \u2713 {what}.",
    "{What} \u2192 done.",
    "Done \u2014 {what}.",
    "{What}\u2026 and that\u2019s it.",
)
"""Last words with a check mark, an arrow, a dash, an ellipsis."""


class Errand(stage.Errand):
    closings: ClassVar[tuple[str, ...]] = (
        "Recorded: {what}.",
        "{What}, as of now.",
        "It's on the board: {what}.",
        "{What}. Message closed.",
        "Copy that, {what}.",
    )
    skips = ("I know that place well enough.", "No need to call up the card.", "A rough idea of it will do.")


class Typeset(Errand):
    closings = _TYPESET


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who think again in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def looked_up(*volunteers: Volunteer) -> Script:
    return tuple(call("get_v1_volunteers", name=one.name) for one in volunteers)


def gold_of(
    topic: str, derivation: str, calls: Sequence[Call] = (), reply: str | None = None, options: dict[str, str] | None = None
) -> Row:
    """The dataset's fields."""
    return {
        "inputs": {"scenario": topic, "options": options},
        "reference_outputs": {
            "requests": [{"operation": one.name, "body": dict(one.arguments)} for one in calls],
            "reply": reply,
        },
        "metadata": {"derivation": derivation},
    }


def explained(gold: Row, derivation: str) -> Row:
    """The dataset's fields with another derivation."""
    return {**gold, "metadata": {"derivation": derivation}}


def task_of(
    index: int, topic: str, request: str, errand: Errand, careless: Errand, why: Sequence[str], faulty: dict[str, tuple[Script, ...]],
    board: Board, rng: Random, who: Volunteer | None = None, unattached: str | None = None, remade: Row | None = None,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `why` has the derivations of both, `who` is the one volunteer whom the errand is for,
    `unattached` is the request without the list that it speaks of, and `remade` has the task's fields by kinds that change the request.
    """
    gold, other = (gold_of(topic, why[at], one.expected) for at, one in enumerate((errand, careless)))
    shared = {"told_how_to": _told_how_to(errand, rng), "evaluator_ascii_only": _typeset(errand, rng)}
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    others: dict[str, Any] = dict(remade or {})
    if who is not None:
        others["pseudonym_in_prompt"] = under_a_pseudonym(request, who.name, rng.choice(board.strangers), rng)
    return Task(
        index, "volunteer" if who else "mountain", SYSTEM, request, scripts([errand] * 3, rng), gold, shared | faulty,
        elsewhere(board, request, rng), other_gold=other, other_script=careless.script(rng), contradicted_gold=explained(other, why[0]),
        facts={"spoilt_gold": spoilt_golds(gold), "unattached": unattached, "remade": others},
    )  # fmt: skip


def _told_how_to(errand: Errand, rng: Random) -> tuple[Script, ...]:
    """The errand by an agent that looks, and then tells the reader what to do."""
    page = f"the page for {errand.expected[0].name.split('_')[2]}"
    return tuple((*errand.reads, say(words.format(page=page), decisive=True)) for words in rng.sample(_HOW_TO, len(_HOW_TO)))


def _typeset(errand: Errand, rng: Random) -> tuple[Script, ...]:
    """The errand by an agent that writes like a typesetter."""
    return scripts([Typeset(errand.reads, errand.changes, errand.done)] * 4, rng)


def elsewhere(board: Board, request: str, rng: Random) -> tuple[Call, ...]:
    """Reads about what the request does not mention, which do no harm."""

    def others(names: Sequence[str]) -> list[str]:
        return rng.sample([one for one in names if one not in request], 2)

    return (
        *(Call("get_v1_volunteers", {"name": one}) for one in others([one.name for one in board.volunteers])),
        *(Call("get_v1_huts", {"hut_name": one}) for one in others([one.name for one in board.huts])),
        *(Call("get_v1_routes", {"route_name": one}) for one in others([one.name for one in board.routes])),
        *(Call("get_v1_masts", {"mast_name": one}) for one in others([one.name for one in board.masts])),
    )
