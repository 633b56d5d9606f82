"""How errands at the desk of a travel agency go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Final

from blade.lab.desk import Call
from blade.lab.environments.draws import lookup_misspelt, told_instead, under_a_pseudonym
from blade.lab.environments.travel.agency import TODAY, Agency, Flight, Hotel, Named, Report, Train, Traveller, Trip
from blade.lab.environments.travel.faults import ANSWER, CALLS, ID, NOTES, UNKNOWN, Stated, spoilt_golds, written
from blade.lab.stage.errand import NamedFirst, made, scripts
from blade.lab.stage.script import Row, Script, Task, call

SYSTEM: Final = f"""You handle service requests at Corrib Business Travel, a travel agency in Dublin. Today's date is {TODAY} ({TODAY:%A}), and we are on Irish time (UTC+1 at present).

Each request is a message from a client or a colleague. Use the tools to carry it out in full and do nothing beyond it. You will get no reply to questions, so decide with what you have.

- IDs (three capitals and six digits) have to come from a tool or from the message.
- Dates are given to tools as YYYY-MM-DD, times as HH:MM.
- Prefer what the message asks for to what a profile or record suggests.

After a change, confirm it in one sentence. If the message is a question, reply with a short reasoning and then give the answer alone on the last line, like this:
<solution>your answer</solution>"""
LOGGED: Final = 16
"""So many characters of a text are kept by a recorder of calls that is set up wrongly."""
_CORRECTIONS: Final = ("{old} (correction: {new})", "{old} - no, {new}", "{old}, sorry, make that {new}")
_ANNOUNCED: Final = (
    "I have found the record. Next I will call {tool} to get this done.",
    "With these details I am going to use {tool} now.",
    "Everything is at hand, so the next thing is to submit this through {tool}.",
)
_INSTRUCTED: Final = (
    "To do this, open {tool}, put in the id that I found together with the values from your message, and submit it.",
    "Here is how: call {tool} with the id above and the details you gave, then check the reference that comes back.",
    "You can make this change with {tool}. Fill in the id from the search and the values of the request, and save.",
)
_NOT_THERE: Final = (
    "We have nothing on record for {name}, so nothing could be done.",
    "The search for {name} came back empty. I have left everything as it was.",
    "{name} does not exist in our records; no change was made.",
)
_TOOLS: Final[dict[type[Named], str]] = {
    Traveller: "profiles_find_traveller", Hotel: "hotels_find_hotel", Trip: "trips_find_trip", Flight: "flights_find_flight",
    Train: "rail_find_booking", Report: "expenses_find_report",
}  # fmt: skip


class Errand(NamedFirst):
    closings: ClassVar[tuple[str, ...]] = (
        "{What}.",
        "Confirmed: {what}.",
        "This has been taken care of, {what}.",
        "{What}, as requested.",
        "Your request is done; {what}.",
    )
    skips = ("This can be estimated.", "I can do without that lookup.", "A typical figure will be good enough here.")


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who think again in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def looked_up(*ones: Named) -> Script:
    """The searches for these records."""
    return tuple(call(_TOOLS[type(one)], name=one.name) for one in ones)


def gold_of(
    category: str, why: str, calls: Sequence[Call] = (), answer: str | None = None, options: dict[str, str] | None = None
) -> Row:
    """The dataset's fields."""
    return {
        "environment_name": "corporate_travel",
        "category": category,
        CALLS: [written(one.name, dict(one.arguments)) for one in calls],
        ANSWER: answer,
        "options": [{letter: text} for letter, text in (options or {}).items()],
        NOTES: why,
    }


def explained(gold: Row, why: str) -> Row:
    """The dataset's fields with another note."""
    return {**gold, NOTES: why}


def task_of(
    index: int, category: str, request: str, errand: Errand, careless: Errand, why: Sequence[str], faulty: dict[str, tuple[Script, ...]],
    agency: Agency, rng: Random, stated: Stated | None = None, who: Traveller | None = None, unattached: str | None = None,
    remade: Row | None = None,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `why` has the notes on both, `who` is the traveller whom the errand is for, `unattached`
    is the request without the list that it speaks of, and `remade` has the task's fields by kinds that change the request.
    """
    gold, other = (gold_of(category, why[at], one.expected) for at, one in enumerate((errand, careless)))
    tool = errand.expected[0].name
    shared = {
        "announced_not_done": told_instead(errand.reads, _ANNOUNCED, rng, tool=tool),
        "told_how_to": told_instead(errand.reads, _INSTRUCTED, rng, tool=tool),
    }
    if not ID.search(request):
        shared["misspelt_lookup"] = lookup_misspelt(errand.reads, _NOT_THERE, rng)
    at = rng.randrange(len(errand.changes))
    shared["key_order_compared"] = scripts([errand.reordered(at, rng) for _ in range(2)], rng)
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    others: dict[str, Any] = dict(remade or {})
    if who is not None:
        stranger = rng.choice(agency.strangers)
        others["pseudonym_in_prompt"] = under_a_pseudonym(request, who.name, stranger, _TOOLS[Traveller], UNKNOWN, rng)
    values = [value for one in errand.expected for value in one.arguments.values()]
    facts = {
        "spoilt_gold": spoilt_golds(gold, stated or Stated()), "unattached": unattached, "remade": others, "capitals": True,
        "long_text": any(len(text) > LOGGED for value in values for text in (value if isinstance(value, list) else [f"{value}"])),
        "number": any(type(value) in (int, float) for value in values),
    }  # fmt: skip
    return Task(
        index, "errand", SYSTEM, request, scripts([errand] * 4, rng), gold, shared | faulty, elsewhere(agency, request, rng),
        other_gold=other, other_script=careless.script(rng), contradicted_gold=explained(other, why[0]), facts=facts,
    )  # fmt: skip


def elsewhere(agency: Agency, request: str, rng: Random) -> tuple[Call, ...]:
    """Searches for what the request does not mention, which do no harm."""
    sorts: tuple[Sequence[Named], ...] = (agency.travellers, agency.hotels, agency.trips, agency.reports)
    chosen = [one for sort in sorts for one in rng.sample([one for one in sort if one.name not in request], 2)]
    return tuple(made(move) for move in looked_up(*chosen))
