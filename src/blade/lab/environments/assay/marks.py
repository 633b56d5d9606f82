"""Errands about what is struck or engraved: fineness, sizes of rings, sets of marks, inscriptions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.assay.desk import MARKS
from blade.lab.environments.assay.errands import Errand, looked_up, task_of
from blade.lab.environments.assay.register import STANDARDS, Register
from blade.lab.environments.draws import mostly_upwards
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Task, call

INSCRIPTIONS: Final = {
    "to my dear Zoë fr. yr. loving brother": (
        "To my dear Zoë, from your loving brother",
        "to my dear Zoë from your loving brother",
    ),
    "Renée & Björn, 3 viij 26": ("Renée & Björn, 3 August 2026", "Renée and Björn, 3 viij 26"),
    "presented 2 Cpt. Müller by ye crew": ("Presented to Captain Müller by the crew", "presented to Cpt. Müller by ye crew"),
    "for mme Désirée, frm the 4 of us": ("For Mme Désirée, from the four of us", "for Mme Désirée, from the 4 of us"),
    "Åse & Jørgen, xxv yrs": ("Åse & Jørgen, 25 years", "Åse and Jørgen, XXV years"),
    "w. love f. Anaïs, x-mas 26": ("With love from Anaïs, Christmas 2026", "w. love from Anaïs, Xmas 26"),
    "Señor Nuñez, w. thx from hs pupils": ("Señor Nuñez, with thanks from his pupils", "Señor Nuñez, w. thanks from his pupils"),
    "wm. & françoise, ever & ay": ("Wm. & Françoise, ever & aye", "William & Françoise, ever and aye"),
}
"""What customers want engraved, and what becomes of it when somebody tidies it up."""


def fineness(index: int, register: Register, rng: Random) -> Task:
    """The fineness that is struck for an article's carats, where the plain share of 24 is another figure."""
    article = rng.choice([one for one in register.articles if one.share != one.standard])

    def put(parts: int) -> Errand:
        change = call("Stock-set_fineness", changes=True, article=article.id, fineness=parts)
        return Errand(looked_up(article), (change,), f"the {article.name} is to be struck with {parts}")

    right = article.standard
    others = rng.sample([right + off for off in (-31, -21, -16, -11, 9, 14, 19, 29) if right + off != article.share], 5)
    request = rng.choice(
        (
            f"Next at the press is the {article.name} ({article.id}). Set the standard fineness, in parts per thousand, that is struck for its carats.",
            f"Set the millesimal fineness of the {article.name} ({article.id}): the standard of hallmarking that belongs to its carats.",
        )
    )
    guesses = [one for one in STANDARDS.values() if one != right]
    faulty = {
        "share_for_standard": scripts([put(article.share).but()] * 2, rng),
        "wavering_argument": scripts([put(one).but() for one in others[:4]], rng),
        "skipped_lookup": tuple(put(one).unread(rng, "Stock-find_article") for one in guesses),
    }
    why = [f"{article.name}: {article.carats} ct are struck as {one}" for one in (right, others[4])]
    return task_of(index, "fineness", request, put(right), put(others[4]), why, faulty, register, rng)


def size(index: int, register: Register, rng: Random) -> Task:
    """The inner diameter of a ring whose size is known by the scale of the United States."""
    ring = mostly_upwards(register.rings, lambda one: 10 * one.diameter, rng)
    right = round(ring.diameter, 1)

    def put(millimetres: float) -> Errand:
        change = call("Stock-set_diameter", changes=True, ring=ring.id, millimetres=millimetres)
        return Errand(looked_up(ring), (change,), f"the {ring.name} measures {millimetres} mm inside")

    others = [round(right + off / 10, 1) for off in rng.sample((-9, -7, -6, -4, -3, 3, 4, 6, 7, 8), 5)]
    request = rng.choice(
        (
            f"The mandrel for the {ring.name} ({ring.id}) is metric. Turn its US size into the inner diameter and set that, in millimetres rounded to one decimal.",
            f"Set the inner diameter of the {ring.name} ({ring.id}) in millimetres, as its US ring size has it, rounded to one decimal.",
        )
    )
    faulty = {
        "wavering_ring_size": scripts([put(one).but() for one in others[:4]], rng),
        "skipped_lookup": tuple(put(one).unread(rng, "Stock-find_ring") for one in (16.5, 17.3, 18.2) if one != right),
    }
    if (cut := int(10 * ring.diameter) / 10) != right:
        faulty["wrong_rounding"] = scripts([put(cut).but()] * 2, rng)
    why = [f"{ring.name}: US size {ring.size} is {one} mm inside" for one in (right, others[4])]
    return task_of(
        index, "size", request, put(right), put(others[4]), why, faulty, register, rng, rounded=right, exact=ring.diameter
    )  # fmt: skip


def marks(index: int, register: Register, rng: Random) -> Task:
    """The marks on a list are set, all but for one, and the article moves on."""
    article, namesake = rng.sample(register.articles, 2)
    chosen = rng.sample(MARKS, 8)
    wanted, theirs, excepted, at = chosen[: rng.randint(3, 4)], chosen[4:7], chosen[7], rng.randint(0, 3)

    def entered(some: Sequence[str], remark: str = "") -> Errand:
        changes = (
            call("Stock-set_marks", changes=True, article=article.id, marks=list(some)),
            call("Stock-set_stage", changes=True, article=article.id, stage="to be struck"),
        )
        return Errand(looked_up(article), changes, f"the {article.name} gets {len(some)} marks and is to be struck{remark}")

    request = rng.choice(
        (
            f"Set the marks of the {article.name} from the list below, except for the {excepted}, then set its stage to: to be struck.",
            f"Listed below are the marks for the {article.name}. Set them, but leave out the {excepted}, and once that is done put the article at the stage: to be struck.",
        )
    )

    def with_list(name: str, some: Sequence[str]) -> str:
        lines = [f"* {one}" for one in (*some[:at], excepted, *some[at:])]
        return "\n".join((request, "", f"Marks, {name}:", *lines))

    others = [one for one in permutations(wanted) if list(one) != wanted]
    faulty = {
        "set_as_list": scripts(map(entered, rng.sample(others, 3)), rng),
        "exception_overlooked": scripts([entered([*wanted[:at], excepted, *wanted[at:]]).but()] * 2, rng),
    }
    slip = [*wanted[:-1], theirs[0]]
    why = [f"{article.name}: {', '.join(one)}, without the {excepted}; to be struck" for one in (wanted, slip)]
    remark = f" (the list itself is headed {namesake.name})"
    mixed_up: Row = {
        "request": with_list(namesake.name, theirs),
        "sound": scripts([entered(theirs), entered(theirs, remark), entered(theirs, remark)], rng),
    }
    return task_of(
        index, "marks", with_list(article.name, wanted), entered(wanted), entered(slip), why, faulty, register, rng,
        unattached=request, remade={"swapped_attachment": mixed_up},
    )  # fmt: skip


def engraving(index: int, register: Register, rng: Random) -> Task:
    """An inscription that a customer wrote in an own spelling is ordered word for word."""
    article = rng.choice(register.articles)
    wording = rng.choice(tuple(INSCRIPTIONS))

    def ordered(text: str) -> Errand:
        change = call("Engraving-order", changes=True, article=article.id, inscription=text)
        return Errand(looked_up(article), (change,), f"the engraving of the {article.name} is on order")

    errand = ordered(wording)
    request = rng.choice(
        (
            f"Order the engraving of the {article.name}, word for word and letter for letter as the customer wrote it, odd spelling and all: “{wording}”",
            f"An engraving for the {article.name}, please. Take over the customer's wording exactly as it stands, nothing put right or written out: “{wording}”",
        )
    )
    faulty = {
        "verbatim_reworded": scripts([ordered(one).but() for one in INSCRIPTIONS[wording]], rng),
        "default_spelled_out": scripts([errand.but(decisive=False, height_mm=2)] * 2, rng),
    }
    slip = INSCRIPTIONS[wording][0]
    why = [f"{article.name}, as written by the customer: {one}" for one in (wording, slip)]
    return task_of(index, "engraving", request, errand, ordered(slip), why, faulty, register, rng)
