"""How errands at a radio station go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import ClassVar, Final

from blade.lab.desk import Call
from blade.lab.environments.radio.faults import ITEM, spoilt_golds
from blade.lab.environments.radio.log import REGIONS, TODAY, Clip, Log
from blade.lab.stage import errand as stage
from blade.lab.stage.errand import made, scripts
from blade.lab.stage.script import Row, Script, Task, call

SYSTEM: Final = (
    f"Overnight desk, Brae FM. Today: {TODAY:%A} {TODAY.day} {TODAY:%B %Y}. You work off the sheet that the day staff leaves, one entry at a "
    "time, with the functions of the station's automation. Nobody is there to answer questions. Do what the entry says and no more. Where an "
    "entry wants to know something, put the bare answer between <reply> and </reply>; where it wants something done, do it and then say in a "
    "sentence what you did."
)
_CORRECTIONS: Final = ("{old} - hang on, {new}", "{old}, scrap that: {new}", "{old} (wrong, I mean {new})")
_POLITE: Final = ("Sorry for the wait! {What}.", "{What}. Apologies for the late hour.", "Sorry this took a moment: {what}.")


class Errand(stage.Errand):
    closings: ClassVar[tuple[str, ...]] = (
        "{What}.",
        "For the morning crew: {what}.",
        "That entry is off the sheet, {what}.",
        "Filed. {What}.",
        "{What}; the rest of the log is as it was.",
    )
    skips = (
        "Values like these hardly ever differ, so straight to it.",
        "I can do without the card here.",
        "This is a routine entry, no need to look.",
    )


class PoliteErrand(Errand):
    """An errand whose last word begs pardon for something."""

    closings = _POLITE


def polite(errand: Errand) -> PoliteErrand:
    return PoliteErrand(errand.reads, errand.changes, errand.done)


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who change their mind in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def gold_of(
    topic: str, explained: str, calls: Sequence[Call] = (), says: str | None = None, alternatives: Sequence[Row] | None = None
) -> Row:
    """The dataset's fields."""
    return {
        ITEM: {
            "topic": topic,
            "alternatives": alternatives and list(alternatives),
            "wanted": {"ops": [{"op": one.name, "params": dict(one.arguments)} for one in calls], "says": says},
            "explained": explained,
        }
    }


def explaining(gold: Row, explained: str) -> Row:
    """The dataset's fields with another explanation."""
    return {ITEM: {**gold[ITEM], "explained": explained}}


def task_of(
    index: int, topic: str, request: str, errand: Errand, careless: Errand, explained: tuple[str, str],
    faulty: dict[str, tuple[Script, ...]], log: Log, rng: Random, unattached: str | None = None, also: Sequence[Errand] = (),
    clips: Sequence[Clip] = (),
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `explained` are the reasons for both, `unattached` is the request without the list that
    it speaks of, `also` are other right ways to go about it, and `clips` are those that a thorough agent looks at.
    """
    gold, other = (gold_of(topic, why, one.expected) for why, one in zip(explained, (errand, careless), strict=True))
    shared = {"polite_phrase_flagged": scripts([polite(errand)] * 3, rng)}
    if clips:
        shared["unstated_call_limit"] = (_thorough(errand, clips, rng),)
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    return Task(
        index, "advert" if errand.expected[0].name in ("spotPlace", "clipPull", "clipTrim", "clipOptOut") else "programme", SYSTEM,
        request, scripts([errand, errand, *also], rng), gold, shared | faulty, elsewhere(log, request, rng), other_gold=other,
        other_script=careless.script(rng), contradicted_gold=explaining(other, explained[0]),
        facts={"spoilt_gold": spoilt_golds(gold), "unattached": unattached},
    )  # fmt: skip


def _thorough(errand: Errand, clips: Sequence[Clip], rng: Random) -> Script:
    """The errand by an agent that looks at all there is before it changes anything."""
    order, asked = call("orderOf", client=clips[0].client), {made(one).key for one in errand.reads}
    looks = [one for one in (order, *(call("clipInfo", clip=one.id) for one in clips)) if made(one).key not in asked]
    first = replace(looks[0], thought="Before I touch anything I want to see all they have.")
    return (*errand.reads, first, *looks[1:], *errand.changes, errand.closing(rng))


def listed(client: str) -> Script:
    return (call("clipsOf", client=client),)


def opened(clip: Clip) -> Script:
    return (*listed(clip.client), call("clipInfo", clip=clip.id))


def elsewhere(log: Log, request: str, rng: Random) -> tuple[Call, ...]:
    """Reads about what the request does not mention, which do no harm."""
    clients = rng.sample([one for one in log.clients if one not in request], 2)
    sites = rng.sample([one.site for one in log.masts if one.site not in request], 2)
    titles = rng.sample([one.title for one in log.shows if one.title not in request], 2)
    return (
        *(Call("clipsOf", {"client": one}) for one in clients),
        *(Call("clipInfo", {"clip": rng.choice(log.of_client(one)).id}) for one in clients),
        *(Call("orderOf", {"client": one}) for one in clients),
        *(Call("mastCard", {"site": one}) for one in sites),
        *(Call("showCard", {"title": one}) for one in titles),
        *(Call("voiceRota", {"region": one}) for one in rng.sample([one for one in REGIONS if one not in request], 2)),
    )
