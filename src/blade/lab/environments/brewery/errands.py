"""How errands in a brewery go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Final

from blade.lab.desk import Call
from blade.lab.environments.brewery.books import TODAY, Beer, Books, Brewer, Named
from blade.lab.environments.brewery.faults import GOLDEN, spoilt_golds, under_a_pseudonym
from blade.lab.stage import errand as stage
from blade.lab.stage.errand import made, scripts
from blade.lab.stage.script import Row, Script, Task, call, say

SYSTEM: Final = (
    f"Steinbach brewery, planning office. Today is {TODAY:%A}, {TODAY.day} {TODAY:%B %Y}. You handle the slips that brewers and the sales office drop in the tray, one "
    "at a time, with the operations of the planning software. Enter what a slip asks for and leave everything else as it is. Nobody reads "
    "your messages before you are done, so do not wait for an answer. When something had to be entered, close with a short note on it. When a slip asks "
    "for information, the last line of your message is #### and a blank, followed by the answer and nothing more."
)  # fmt: skip
LOGGED: Final = 16
"""So many characters of a text are kept by a log of calls that is set up wrongly."""
_CORRECTIONS: Final = ("{old}, sorry, {new}", "{old} - correction: {new}", "{old} (crossed out) {new}")
_HOW_TO: Final = (
    "This can be entered as follows: open {page} in the planning software, choose New, take over what the slip says, and post it.",
    "To get this done:\n- open {page}\n- type in the details of the slip\n- check them and press Post",
    "You will find everything for this under {page}. Enter the details of the slip there and post them.",
)
_NOT_THERE: Final = (
    "There is no {name} on the books, so I could not enter this.",
    "The planning software does not know {name}. Nothing was entered.",
    "I looked for {name} and found no entry. The slip goes back unposted.",
)
_RECORDS: Final = {
    "brewer": "Brewers", "inn": "Inns", "beer": "Beers", "batch": "Batches", "tank": "Tanks", "maltster": "Maltsters",
    "importer": "Importers", "tasting": "Tastings",
}  # fmt: skip
_OTHER_VOWEL: Final = {"a": "e", "e": "a", "i": "e", "o": "u", "u": "o"}


class Errand(stage.Errand):
    closings: ClassVar[tuple[str, ...]] = (
        "Posted: {what}.",
        "{What}. The slip can go in the file.",
        "Entered as asked, {what}.",
        "Note for the file: {what}.",
        "{What}; posted just now.",
    )
    skips = ("I have a fair idea of that one.", "No need to open the record.", "The usual figure will be close enough.")

    def script(self, rng: Random) -> Script:
        """Lookups by name come first, in any order."""
        named = [move for move in self.reads if "name" in made(move).arguments]
        others = [move for move in self.reads if "name" not in made(move).arguments]
        return (*rng.sample(named, len(named)), *others, *self.changes, self.closing(rng))


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who think again in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def looked_up(*ones: Named) -> Script:
    """The lookups of brewers, inns, beers and the like by their names."""
    return tuple(call(f"{_RECORDS[one.id.partition('#')[0]]}_Get", name=one.name) for one in ones)


def stock_of(beer: Beer) -> Script:
    return (call("Beers_GetStock", beer=beer.id),)


def gold_of(
    topic: str, why: str, calls: Sequence[Call] = (), answer: str | None = None, choices: Sequence[str] | None = None
) -> Row:
    """The dataset's fields."""
    return {
        GOLDEN: {
            "expected_tools": [{"name": one.name, "input_parameters": dict(one.arguments)} for one in calls],
            "expected_output": answer,
            "context": [why],
            "additional_metadata": {"topic": topic, "choices": None if choices is None else list(choices)},
        }
    }


def explained(gold: Row, why: str) -> Row:
    """The dataset's fields with another reason."""
    return {GOLDEN: {**gold[GOLDEN], "context": [why]}}


def task_of(
    index: int, topic: str, request: str, errand: Errand, careless: Errand, why: Sequence[str], faulty: dict[str, tuple[Script, ...]],
    books: Books, rng: Random, who: Brewer | None = None, unattached: str | None = None, remade: Row | None = None,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `why` has the reasons of both, `who` is the one brewer whom the errand is for,
    `unattached` is the request without the list that it speaks of, and `remade` has the task's fields by kinds that change the request.
    """
    gold, other = (gold_of(topic, why[at], one.expected) for at, one in enumerate((errand, careless)))
    shared = {"told_how_to": _told_how_to(errand, rng)}
    if "#" not in request:
        shared["misspelt_lookup"] = _misspelt(errand, rng)
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    others: dict[str, Any] = dict(remade or {})
    if who is not None:
        others["pseudonym_in_prompt"] = under_a_pseudonym(request, who.name, rng.choice(books.strangers), rng)
    return Task(
        index, "errand", SYSTEM, request, scripts([errand] * 4, rng), gold, shared | faulty,
        elsewhere(books, request, rng), other_gold=other, other_script=careless.script(rng), contradicted_gold=explained(other, why[0]),
        facts={"spoilt_gold": spoilt_golds(gold), "unattached": unattached, "remade": others, "long_text": _has_long_text(errand)},
    )  # fmt: skip


def _has_long_text(errand: Errand) -> bool:
    return any(isinstance(value, str) and len(value) > LOGGED for one in errand.expected for value in one.arguments.values())


def _told_how_to(errand: Errand, rng: Random) -> tuple[Script, ...]:
    """The errand by an agent that looks, and then tells the reader what to do."""
    page = errand.expected[0].name.partition("_")[0]
    return tuple((*errand.reads, say(words.format(page=page), decisive=True)) for words in rng.sample(_HOW_TO, len(_HOW_TO)))


def _misspelt(errand: Errand, rng: Random) -> tuple[Script, ...]:
    """The errand by an agent that types a name wrongly and believes what comes of it."""
    looks = rng.sample(errand.reads, len(errand.reads))
    first = next(made(move) for move in looks if "name" in made(move).arguments)
    ways: list[Script] = []
    for words in rng.sample(_NOT_THERE, len(_NOT_THERE)):
        name = misspelt(str(first.arguments["name"]), rng)
        ways.append((call(first.name, name=name, decisive=True), say(words.format(name=name))))
    return tuple(ways)


def misspelt(name: str, rng: Random) -> str:
    """A name with one letter too many, too few, or wrong; where it ends in a number, with a digit too many."""
    if name[-1].isdigit():
        return name + rng.choice(("0", name[-1], name[-2]))
    spots = [at for at in range(1, len(name) - 1) if name[at - 1 : at + 2].isalpha() and name[at].islower()]
    vowels = [at for at in spots if name[at] in _OTHER_VOWEL]
    at = rng.choice(vowels or spots)
    return name[:at] + rng.choice(("", 2 * name[at], _OTHER_VOWEL.get(name[at], ""))) + name[at + 1 :]


def elsewhere(books: Books, request: str, rng: Random) -> tuple[Call, ...]:
    """Reads about what the request does not mention, which do no harm."""

    def others(ones: Sequence[Named]) -> tuple[Call, ...]:
        chosen = rng.sample([one for one in ones if one.name not in request], 2)
        return tuple(made(move) for move in looked_up(*chosen))

    return (*others(books.brewers), *others(books.inns), *others(books.beers), *others(books.tanks))
