"""How errands in a payroll office go, well or badly: lookups, changes, a last word."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Final

from blade.lab.desk import Call
from blade.lab.environments.draws import lookup_misspelt, told_instead, under_a_pseudonym
from blade.lab.environments.payroll.desk import OPTIONAL
from blade.lab.environments.payroll.faults import CALLS, ID, META, REASONING, UNKNOWN, expecting, spoilt_golds
from blade.lab.environments.payroll.files import TODAY, Employee, Files, Named, Office
from blade.lab.stage.errand import NamedFirst, made, scripts
from blade.lab.stage.script import Row, Script, Task, call

SYSTEM: Final = f"""You handle requests in the payroll and HR office of Orrery Instruments in Turku. Today is {TODAY:%A}, {TODAY}.

* A request is a single message from a colleague. There is nobody who could answer questions, so carry it out as it stands, and only that.
* Ids (EMP-, OFF- or TEA- and five figures) are taken from lookups or from the request.
* Dates in tool arguments are written YYYY-MM-DD.
* After a change, confirm in one sentence what was entered.
* When the request is a question, give a short explanation and end with a line of the form
FINAL ANSWER: <answer>"""
LOGGED: Final = 16
"""So many characters of a text are kept by a recorder of calls that is set up wrongly."""
_CORRECTIONS: Final = ("{old}, no wait, {new}", "{old} (scratch that, {new})", "{old} -- pardon, {new}")
_ANNOUNCED: Final = (
    "The file is open and everything is in it. In the next step I'll use {tool}.",
    "I have what {tool} needs and am going to enter it now.",
    "Everything is looked up; {tool} comes next.",
)
_NOT_THERE: Final = (
    "There is nothing on file under {name}. I could not enter anything.",
    "My lookup of {name} had no match, so the request is not carried out.",
    "{name} does not occur in the files, so no change has been made.",
)
_LOOKUPS: Final[dict[type[Named], str]] = {Employee: "find_employee", Office: "find_office", Named: "find_team"}


class Errand(NamedFirst):
    closings: ClassVar[tuple[str, ...]] = (
        "{What}.",
        "It is entered: {what}.",
        "Done, {what}.",
        "I have taken care of it; {what}.",
        "Confirmed: {what}.",
    )
    skips = ("I can do without the file here.", "A typical value will be right.", "This need not be looked up.")


def corrected(old: object, new: object, rng: Random) -> str:
    """What people write who think again in mid-sentence."""
    return rng.choice(_CORRECTIONS).format(old=old, new=new)


def looked_up(*ones: Named) -> Script:
    """The lookups of these records by their names."""
    return tuple(call(_LOOKUPS[type(one)], name=one.name) for one in ones)


def opened(one: Employee, section: str) -> Script:
    """The lookup of an employee, and of a section of the file."""
    return (*looked_up(one), call("open_file", employee_id=one.id, section=section))


def column(topic: str) -> str:
    """What the dataset calls the part that a task is from."""
    return f"payroll_{topic}"


def gold_of(
    topic: str, why: str, calls: Sequence[Call] = (), answer: str | None = None, options: dict[str, str] | None = None
) -> Row:
    """The dataset's fields; `why` is the reasoning of whoever wrote the task."""
    listed = None if options is None else [{letter: text} for letter, text in options.items()]
    fields = {CALLS: [], META: {"category": column(topic), "options": listed, REASONING: why}}
    return expecting(fields, [(one.name, dict(one.arguments)) for one in calls], answer)


def explained(gold: Row, why: str) -> Row:
    """The dataset's fields with another reasoning."""
    return {**gold, META: {**gold[META], REASONING: why}}


def task_of(
    index: int, topic: str, request: str, errand: Errand, careless: Errand, why: Sequence[str], faulty: dict[str, tuple[Script, ...]],
    files: Files, rng: Random, who: Employee | None = None, unattached: str | None = None, remade: Row | None = None,
    rounded: float | None = None, exact: float | None = None,
) -> Task:  # fmt: skip
    """The task of an errand, with the faults that many errands share.

    `careless` is what a careless annotator expects, `why` has the reasoning for both, `who` is the one employee whom the errand is for,
    `unattached` is the request without the list that it speaks of, `remade` has the task's fields by kinds that change the request, and
    `rounded` is a figure that was worked out, `exact` the same before it was rounded.
    """
    gold, other = (gold_of(topic, why[at], one.expected) for at, one in enumerate((errand, careless)))
    shared = {"announced_not_done": told_instead(errand.reads, _ANNOUNCED, rng, tool=errand.expected[0].name)}
    if not ID.search(request):
        shared["misspelt_lookup"] = lookup_misspelt(errand.reads, _NOT_THERE, rng)
    shared["key_order_compared"] = scripts([errand.reordered(rng.randrange(len(errand.changes)), rng) for _ in range(2)], rng)
    if len(errand.changes) > 1:
        shared["partial_update"] = scripts([errand.cut_short()] * 2, rng)
    others: dict[str, Any] = dict(remade or {})
    if who is not None:
        others["pseudonym_in_prompt"] = under_a_pseudonym(
            request, who.name, rng.choice(files.strangers), "find_employee", UNKNOWN, rng
        )
    facts = {
        "spoilt_gold": spoilt_golds(gold, other, rng, rounded, exact), "unattached": unattached, "remade": others, "capitals": True,
        "long_text": any(isinstance(value, str) and len(value) > LOGGED for one in errand.expected for value in one.arguments.values()),
        "leaves_out": any(left_out(one) for one in errand.expected),
    }  # fmt: skip
    return Task(
        index, "errand", SYSTEM, request, scripts([errand] * 4, rng), gold, shared | faulty, elsewhere(files, request, rng),
        other_gold=other, other_script=careless.script(rng), contradicted_gold=explained(other, why[0]), facts=facts,
    )  # fmt: skip


def left_out(one: Call) -> list[str]:
    """The optional arguments that a call does without."""
    return [key for key in OPTIONAL[one.name] if key not in one.arguments]


def elsewhere(files: Files, request: str, rng: Random) -> tuple[Call, ...]:
    """Lookups of what the request does not mention, which do no harm."""
    sorts: tuple[Sequence[Named], ...] = (files.employees, files.employees, files.offices, files.teams)
    chosen = [one for sort in sorts for one in rng.sample([one for one in sort if one.name not in request], 2)]
    return tuple(made(move) for move in looked_up(*chosen))
