"""How errands in a dairy's office go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Final

from blade.lab.desk import Call
from blade.lab.environments.dairy.books import TODAY, Books, Driver, Named
from blade.lab.environments.dairy.faults import EXTRA, ID, MODEL, UNKNOWN, spoilt_golds, truth
from blade.lab.environments.draws import lookup_misspelt, told_instead, under_a_pseudonym
from blade.lab.stage.errand import NamedFirst, made, scripts
from blade.lab.stage.script import Row, Script, Task, call

SYSTEM: Final = f"""You are an agent in the office of Fernhollow Dairy, a co-operative of milk producers. Date: {TODAY} ({TODAY:%A}).

# Rules
- Every conversation consists of a single request. Nobody reads along, so you cannot ask questions back.
- Use the tools to do exactly what is requested. Change nothing else on the books.
- Ids look like XX.00000 and are only valid if they are on the books. Dates are written YYYY-MM-DD.
- When you were asked to change something, reply with one short sentence once it is done.
- When you were asked a question, think it through and put your final answer within \\boxed{{}}."""
LOGGED: Final = 16
"""So many characters of a text are kept by a recorder of calls that is set up wrongly."""
_CORRECTIONS: Final = ("{old}, sorry, {new}", "{old} (no: {new})", "{old} - correction, {new}")
_ANNOUNCED: Final = (
    "The record is there. I will now enter this with {tool}.",
    "That gives me everything; next I'm calling {tool}.",
    "Good, I know the ids now and am about to make the entry using {tool}.",
)
_NOT_THERE: Final = (
    "No register has an entry called {name}. Nothing was changed.",
    "I searched for {name} without a result, so I could not do this.",
    "{name} is not on the books, and so there is nothing that I could change.",
)


class Errand(NamedFirst):
    closings: ClassVar[tuple[str, ...]] = (
        "{What}.",
        "All done: {what}.",
        "Entered, {what}.",
        "OK, {what}.",
        "{What}; that's on the books now.",
    )
    skips = ("An ordinary value will be close enough.", "I can skip the readings.", "No need to check the file for that.")


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who think again in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def looked_up(*ones: Named) -> Script:
    """The searches for these records."""
    return tuple(call("search_records", name=one.name) for one in ones)


def source(topic: str) -> str:
    """What the dataset calls the part that a task is from."""
    return f"fernhollow_{topic}"


def gold_of(
    topic: str, why: str, calls: Sequence[Call] = (), answer: str | None = None, options: dict[str, str] | None = None
) -> Row:
    """The dataset's fields."""
    return {
        "data_source": source(topic),
        "ability": "tool_use" if answer is None else "qa",
        MODEL: {"style": "rule", "ground_truth": truth([(one.name, dict(one.arguments)) for one in calls], answer)},
        EXTRA: {"split": "test", "options": options, "solution": why},
    }


def explained(gold: Row, why: str) -> Row:
    """The dataset's fields with another solution."""
    return {**gold, EXTRA: {**gold[EXTRA], "solution": why}}


def task_of(
    index: int, topic: str, request: str, errand: Errand, careless: Errand, why: Sequence[str], faulty: dict[str, tuple[Script, ...]],
    books: Books, rng: Random, who: Driver | None = None, unattached: str | None = None, remade: Row | None = None,
    rounded: float | None = None, exact: float | None = None,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `why` explains both, `who` is the one driver whom the errand is for, `unattached` is
    the request without the list that it speaks of, `remade` has the task's fields by kinds that change the request, and `rounded` is
    a figure that was worked out, `exact` the same before it was rounded.
    """
    gold, other = (gold_of(topic, why[at], one.expected) for at, one in enumerate((errand, careless)))
    tool = errand.expected[0].name
    shared = {"announced_not_done": told_instead(errand.reads, _ANNOUNCED, rng, tool=tool)}
    if not ID.search(request):
        shared["misspelt_lookup"] = lookup_misspelt(errand.reads, _NOT_THERE, rng)
    several = [at for at, one in enumerate(errand.expected) if len(one.arguments) > 1]
    shared["key_order_compared"] = scripts([errand.reordered(rng.choice(several), rng) for _ in range(2)], rng)
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    others: dict[str, Any] = dict(remade or {})
    if who is not None:
        others["pseudonym_in_prompt"] = under_a_pseudonym(
            request, who.name, rng.choice(books.strangers), "search_records", UNKNOWN, rng
        )
    facts = {
        "spoilt_gold": spoilt_golds(gold, other, rng, rounded, exact), "unattached": unattached, "remade": others,
        "long_text": _has_long_text(errand), "capitals": True,
    }  # fmt: skip
    return Task(
        index, "errand", SYSTEM, request, scripts([errand] * 4, rng), gold, shared | faulty, elsewhere(books, request, rng),
        other_gold=other, other_script=careless.script(rng), contradicted_gold=explained(other, why[0]), facts=facts,
    )  # fmt: skip


def _has_long_text(errand: Errand) -> bool:
    return any(isinstance(value, str) and len(value) > LOGGED for one in errand.expected for value in one.arguments.values())


def elsewhere(books: Books, request: str, rng: Random) -> tuple[Call, ...]:
    """Searches for what the request does not mention, which do no harm."""
    sorts: tuple[Sequence[Named], ...] = (books.drivers, books.herds, books.batches, books.customers)
    chosen = [one for sort in sorts for one in rng.sample([one for one in sort if one.name not in request], 2)]
    return tuple(made(move) for move in looked_up(*chosen))
