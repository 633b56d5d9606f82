"""How errands in a claims office go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from blade.lab.desk import Call
from blade.lab.environments.insurer.book import DISTRICTS, TODAY, Book, Claim
from blade.lab.environments.insurer.faults import SOLUTION, spoilt_golds, written
from blade.lab.stage import errand as stage
from blade.lab.stage.errand import made, scripts
from blade.lab.stage.script import Row, Script, Task, call

SYSTEM: Final = (
    "## Role\nYou process tickets of the Irish claims office of Nordsee Mutual. The MCP servers `claims`, `policies`, `assessors`, `reserves`, "
    f"`payments` and `documents` are connected. It is {TODAY:%A}, {TODAY.day} {TODAY:%B %Y}.\n\n## Rules\n- Work through the ticket on your own; "
    "the sender is not online.\n- Leave alone what the ticket does not mention.\n- Tickets that ask for information are answered with a JSON "
    'object and nothing after it: {"answer": "<answer as a string>"}. All other tickets end with a short note on what was done.'
)
_MONEY: Final = ("reserving", "settlement", "disbursement")
_CORRECTIONS: Final = ("{old}, sorry, I mean {new}", "{old} (no, {new}, I misread the file)", "{old} - strike that, {new}")


class Errand(stage.Errand):
    closings = (
        "Ticket processed: {what}.",
        "{What}.",
        "Note for the file: {what}.",
        "{What}. Nothing else was touched.",
        "All done - {what}.",
    )
    skips = (
        "The usual terms apply, I can do this right away.",
        "No need to check that for this one.",
        "I know how these are set up, so on with it.",
    )


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who change their mind in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def gold_of(
    category: str, comment: str, calls: Sequence[Call] = (), reply: str | None = None, options: Sequence[Row] | None = None,
    ordered: bool = False,
) -> Row:  # fmt: skip
    """The dataset's fields; `ordered` where the request says what comes first."""
    return {
        "category": category,
        "mc_options": options and list(options),
        SOLUTION: {"steps": [written(one) for one in calls], "ordered": ordered, "reply": reply},
        "curator_comment": comment,
    }


def task_of(
    index: int, category: str, request: str, errand: Errand, careless: Errand, comments: tuple[str, str],
    faulty: dict[str, tuple[Script, ...]], book: Book, rng: Random, unattached: str | None = None, ordered: bool = False,
    due_in: int | None = None, also: Sequence[Errand] = (),
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `comments` are the reasons for both, `unattached` is the request without the list that
    it speaks of, `due_in` is the number of days after which something is due, and `also` are other right ways to go about it.
    """
    gold, other = (
        gold_of(category, why, one.expected, ordered=ordered) for why, one in zip(comments, (errand, careless), strict=True)
    )
    shared: dict[str, tuple[Script, ...]] = {}
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    return Task(
        index, "money" if category in _MONEY else "file", SYSTEM, request, scripts([errand, errand, *also], rng), gold, shared | faulty,
        elsewhere(book, made(errand.reads[0]).arguments["policyholder"], rng),
        other_gold=other, other_script=careless.script(rng), contradicted_gold={**other, "curator_comment": comments[0]},
        facts={"spoilt_gold": spoilt_golds(gold), "unattached": unattached, "due_in": due_in},
    )  # fmt: skip


def found(claim: Claim) -> Script:
    return (call("claims__search", policyholder=claim.holder),)


def opened(claim: Claim) -> Script:
    return (*found(claim), call("claims__fetch", claim_ref=claim.ref))


def elsewhere(book: Book, holder: str, rng: Random) -> tuple[Call, ...]:
    """Reads about two others than the holder, which do no harm, with each tool."""
    others = [
        rng.choice(book.of_holder(name)) for name in rng.sample([one.holder for one in book.policies if one.holder != holder], 2)
    ]
    return (
        *(Call("claims__fetch", {"claim_ref": one.ref}) for one in others),
        *(Call("claims__ledger", {"claim_ref": one.ref}) for one in others),
        *(Call("policies__fetch", {"policy_no": one.policy}) for one in others),
        *(Call("claims__search", {"policyholder": one.holder}) for one in others),
        *(Call("assessors__roster", {"district": one}) for one in rng.sample(DISTRICTS, 2)),
    )
