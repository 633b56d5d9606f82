"""How errands in a conservatory go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar, Final

from blade.lab.desk import Call
from blade.lab.environments.conservatory.faults import CASE, spoilt_golds, under_a_pseudonym
from blade.lab.environments.conservatory.roll import DEPARTMENTS, TODAY, Pupil, Roll
from blade.lab.stage import errand as stage
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Script, Task, call, say

SYSTEM: Final = (
    f"Today is {TODAY:%A %d %B %Y}. You run the front office of the Larkhill Conservatory. Whatever the director's secretary leaves in the tray "
    "is for you: carry it out with the tools, do no more than it says, and don't wait for anybody to reply. We write English here. Where "
    "something is to be found out, end your message with a line that starts with => and has nothing after it but the answer. Where "
    "something is to be arranged, arrange it, then report in a sentence."
)
_CORRECTIONS: Final = ("{old} - no, wait, {new}", "{old}, sorry, I mean {new}", "{old} (forget that, {new} is right)")
_HOW_TO: Final = (
    "You can arrange this as follows: log in to {programme}, choose the entry for this, type in the values and press Save.",
    "To do this:\n- open {programme}\n- look for the form that fits\n- copy the details from the note into it\n- confirm\n\nThat is all there is to it.",
    "What has to be done is simple. In {programme} there is a form for exactly this; whoever fills it in with the details above and submits it is finished.",
)  # fmt: skip


class Errand(stage.Errand):
    closings: ClassVar[tuple[str, ...]] = (
        "{What}.",
        "That is arranged: {what}.",
        "From the tray: {what}.",
        "{What}; the note can go.",
        "All arranged, {what}.",
    )
    skips = (
        "I can tell without opening the catalogue.",
        "That should be clear enough as it is.",
        "I remember about when that was.",
    )


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who change their mind in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def looked_up(*pupils: Pupil) -> Script:
    return tuple(call("ROSTER_FIND_PUPIL", full_name=one.name) for one in pupils)


def gold_of(
    topic: str, why: str, calls: Sequence[Call] = (), answer: str | None = None, options: Sequence[str] | None = None,
    mention: str | None = None,
) -> Row:  # fmt: skip
    """The dataset's fields."""
    checks: list[Row] = [{"type": "calls", "value": [{"function": one.name, "kwargs": dict(one.arguments)} for one in calls]}]
    if answer is not None:
        checks.append({"type": "equals", "value": answer})
    if mention is not None:
        checks.append({"type": "icontains", "value": mention})
    return {
        CASE: {"description": topic, "vars": {"options": options and list(options)}, "assert": checks, "metadata": {"why": why}}
    }


def explained(gold: Row, why: str) -> Row:
    """The dataset's fields with another reason."""
    return {CASE: {**gold[CASE], "metadata": {"why": why}}}


def task_of(
    index: int, topic: str, request: str, errand: Errand, careless: Errand, why: Sequence[str], faulty: dict[str, tuple[Script, ...]],
    roll: Roll, rng: Random, who: Pupil | None = None, unattached: str | None = None, mention: str | None = None,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `why` has the reasons for both, `who` is the one pupil whom the request names,
    `unattached` is the request without the list that it speaks of, and `mention` what the last message has to contain.
    """
    gold, other = (gold_of(topic, why[at], one.expected, mention=mention) for at, one in enumerate((errand, careless)))
    shared = {"told_how_to": _told_how_to(errand, rng)}
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    remade = {} if who is None else under_a_pseudonym(request, who.name, rng.choice(roll.strangers), rng)
    return Task(
        index, "pupil" if who else "house", SYSTEM, request, scripts([errand] * 3, rng), gold, shared | faulty,
        elsewhere(roll, request, rng), other_gold=other, other_script=careless.script(rng), contradicted_gold=explained(other, why[0]),
        facts={"spoilt_gold": spoilt_golds(gold), "unattached": unattached, "remade": {"pseudonym_in_prompt": remade} if remade else {}},
    )  # fmt: skip


def _told_how_to(errand: Errand, rng: Random) -> tuple[Script, ...]:
    """The errand by an agent that looks, and then tells the reader what to do."""
    programme = f"the {errand.expected[0].name.split('_')[0].lower()} programme"
    return tuple(
        (*errand.reads, say(words.format(programme=programme), decisive=True)) for words in rng.sample(_HOW_TO, len(_HOW_TO))
    )


def elsewhere(roll: Roll, request: str, rng: Random) -> tuple[Call, ...]:
    """Reads about what the request does not mention, which do no harm."""

    def others(names: Sequence[str]) -> list[str]:
        return rng.sample([one for one in names if one not in request], 2)

    return (
        *(Call("ROSTER_FIND_PUPIL", {"full_name": one}) for one in others([one.name for one in roll.pupils])),
        *(Call("LIBRARY_FIND_SCORE", {"title": f"{one}"}) for one in others([one.title for one in roll.albums])),
        *(Call("STAGE_FIND_CONCERT", {"concert_name": one}) for one in others([one.name for one in roll.concerts])),
        *(Call("ROSTER_LIST_DEPARTMENT", {"department": one}) for one in others(DEPARTMENTS)),
    )
