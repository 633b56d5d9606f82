"""Questions at the museum: a sum of insured values, materials that need a permit, a sheet for the volunteers.

Replies have to finish with a line 'ANSWER = ...'. The verifier reads the first such line, which is the same one in ordinary replies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from blade.lab.desk import Call
from blade.lab.environments.museum.collection import PLACES, House
from blade.lab.environments.museum.registrar_work import SYSTEM
from blade.lab.stage.script import Row, Script, Task, call, say

_LEADS = (
    "Went through the list.",
    "As far as the form asks:",
    "One after the other.",
    "Here is the result.",
    "Short answer below.",
)
_CONTROLLED = (
    "elephant ivory", "hawksbill tortoiseshell", "Brazilian rosewood", "black coral", "whale baleen", "rhinoceros horn",
    "crocodile leather", "leopard fur",
)  # fmt: skip
_FREE = ("ox horn", "oak", "amber", "horsehair", "limewood", "silk", "cattle bone", "walnut wood", "sheepskin", "jet")
_THINGS = ("fan", "writing box", "comb", "snuffbox", "cane handle", "casket", "frame inlay", "necklace", "brush", "knife handle")
_SHEET = (
    ("Which light level is usual for works on paper on display?", "50 lux", ("300 lux", "700 lux", "1,200 lux")),
    ("What does the provenance of an object record?", "Its owners over time", ("Its materials", "Its market price", "Its loan conditions")),
    ("What is egg tempera bound with?", "Egg yolk", ("Linseed oil", "Beeswax", "Gum arabic")),
    ("What binds the pigment in watercolour?", "Gum arabic", ("Casein", "Walnut oil", "Hide glue")),
    ("What is craquelure?", "A web of fine cracks", ("A gilded border", "A painted-over signature", "A woven edge")),
    ("Which print is drawn on stone?", "Lithograph", ("Mezzotint", "Drypoint", "Linocut")),
    ("Which print is cut in relief?", "Woodcut", ("Etching", "Aquatint", "Engraving")),
    ("What is the recto of a leaf?", "Its front", ("Its back", "Its watermark", "Its inner margin")),
    ("What is frass in a condition report?", "Insect droppings", ("Salt crystals", "Flaking varnish", "Mould spores")),
    ("What is verdigris?", "Green copper corrosion", ("A red lake pigment", "A lead white", "A yellowed varnish")),
    ("What does 'fecit' after a name mean?", "Made it", ("Restored it", "Paid for it", "Copied it")),
    ("What is a predella?", "The base of an altarpiece", ("A folding stool", "A carved canopy", "A painted ceiling")),
    ("What causes bronze disease?", "Chlorides", ("Sulphates", "Nitrates", "Phosphates")),
    ("Which term names the removal of an object from a collection?", "Deaccession", ("Repatriation", "Restitution", "Devolution")),
    ("What is a maquette?", "A small model", ("A storage crate", "A mount board", "A print run")),
)  # fmt: skip
Told = Callable[..., Script]


def _question(answer: str, worked: str, **more: object) -> Row:
    return {"gold_calls": [], "form": "question", "ideal": answer, "worked_solution": worked, **more}


def _finishing(rng: Random) -> str:
    return rng.choice(
        (
            "Finish with a line 'ANSWER = {}'.",
            "The reply has to finish with 'ANSWER = {}' on a line of its own.",
            "Last line: 'ANSWER = {}'.",
        )
    )


def _teller(rng: Random, reads: Script) -> Told:
    def told(answer: str, decisive: bool = False, form: str = "ANSWER = {}") -> Script:
        return (*reads, say(f"{rng.choice(_LEADS)}\n{form.format(answer)}", decisive=decisive))

    return told


def _corrected(reads: Script, right: str, before: Sequence[str]) -> tuple[Script, ...]:
    """Replies that finish as asked, after something that looks like the final line and is not."""
    texts = [
        "The form wants the line ANSWER = <value> at the end.\nI went through it once.\nANSWER = {right}",
        *(
            lead.format(wrong=wrong) + "\nANSWER = {right}"
            for wrong, lead in zip(
                before,
                (
                    "First try: ANSWER = {wrong}\nOn checking I see that one line was misread. Corrected:",
                    "My draft said\nANSWER = {wrong}\nbut that was not right yet. The final result:",
                ),
                strict=False,
            )
        ),
    ]
    return tuple((*reads, say(text.format(right=right), decisive=True)) for text in texts)


def insured_value(index: int, house: House, rng: Random) -> Task | None:
    """What a bay is insured for in all."""
    place = rng.choice(PLACES)
    kept = house.at(place)
    if not 3 <= len(kept) <= 14:
        return None
    total = sum(item.insured for item in kept)
    reads = (call("objects_at", place=place),)
    told = _teller(rng, reads)
    slips = [total + shift for shift in rng.sample((50, -100, 1_000, -1_000, 450, 10_000, -250), 4)]
    faulty = {
        "scattered_numbers": tuple(told(str(figure), True) for figure in slips),
        "first_match_graded": _corrected(reads, str(total), (str(total - kept[-1].insured), str(total + kept[0].insured))),
        "format_rejected": tuple(told(figure, True) for figure in (f"{total:,}", f"{total} EUR", f"{total}.00")),
        "wrong_format": tuple(
            told(str(total), True, form)
            for form in ("Together they are insured for {} euros.", "Sum: {}", "That makes {} EUR in all.")
        ),
    }
    worked = " + ".join(str(item.insured) for item in kept)
    request = (
        rng.choice(
            ("What are the objects kept in '{}' insured for, in euros?", "Total insured value of everything in '{}', in euros?")
        )
        + " "
        + _finishing(rng).format("<number>")
    ).format(place)
    wrong = total + 2_500
    extras = (Call("objects_record", {"accession": kept[0].accession}), Call("objects_at", {"place": rng.choice(PLACES)}))
    return Task(
        index, "insurance", SYSTEM, request, tuple(told(str(total)) for _ in range(3)), _question(str(total), f"{worked} = {total}"), faulty, extras,
        other_gold=_question(str(wrong), f"{worked} + 2500 = {wrong}"), other_script=told(str(wrong)),
        contradicted_gold=_question(str(wrong), f"{worked} = {total}"), facts={"house": house, "answer_field": "ideal"},
    )  # fmt: skip


def permits(index: int, house: House, rng: Random) -> Task:
    """Which of six things need a permit: a set of letters, known in part by most and in full by some."""
    needs = rng.randint(2, 4)
    materials = rng.sample((*rng.sample(_CONTROLLED, needs), *rng.sample(_FREE, 6 - needs)), 6)
    listed = [
        f"{letter}: {thing} of {what}" for letter, thing, what in zip("ABCDEF", rng.sample(_THINGS, 6), materials, strict=True)
    ]
    right = [letter for letter, what in zip("ABCDEF", materials, strict=True) if what in _CONTROLLED]
    others = [letter for letter in "ABCDEF" if letter not in right]
    left_out, taken, added = rng.choice(right), rng.choice(right), rng.sample(others, 2)

    def joined(letters: Sequence[str]) -> str:
        return ", ".join(sorted(letters))

    forgetful = joined([letter for letter in right if letter != left_out])
    sets = {
        joined([letter for letter in right if letter != taken] + [added[0]]),
        joined([*right, added[0]]),
        joined([*right, added[1]]),
        joined([letter for letter in right if letter != taken]),
    }
    told = _teller(rng, ())
    good = joined(right)
    faulty = {
        "wavering_set": tuple(told(letters, True) for letters in sorted(sets)),
        "wrong_fact": tuple(told(forgetful, True) for _ in range(2)),
        "first_match_graded": _corrected((), good, (forgetful, joined([*right, added[1]]))),
        "format_rejected": tuple(
            told(form, True) for form in (good.replace(", ", ","), good.replace(", ", " and "), good.replace(", ", ""))
        ),
        "wrong_format": tuple(
            told(good, True, form) for form in ("It is {} that need one.", "Permits: {}", "For {} you need papers.")
        ),
    }
    request = (
        rng.choice(
            (
                "For export: which of these need a CITES permit?",
                "Which of the following need CITES papers when they are lent abroad?",
            )
        )
        + f" {'; '.join(listed)}. "
        + _finishing(rng).format("<letters in alphabetical order, separated by comma and space>")
    )
    worked = "; ".join(f"{letter} {what}" for letter, what in zip("ABCDEF", materials, strict=True) if letter in right)
    wrong_worked = "; ".join(part for part in worked.split("; ") if not part.startswith(left_out))
    return Task(
        index, "permits", SYSTEM, request, tuple(told(good) for _ in range(3)), _question(good, worked), faulty,
        other_gold=_question(forgetful, wrong_worked), other_script=told(forgetful), contradicted_gold=_question(forgetful, worked),
        facts={"house": house, "answer_field": "ideal"},
    )  # fmt: skip


def volunteer_sheet(index: int, house: House, rng: Random) -> Task:
    text, right, wrong = rng.choice(_SHEET)
    shown = rng.sample((right, *wrong), 4)
    options = dict(zip("ABCD", shown, strict=True))
    letter = "ABCD"[shown.index(right)]
    others = rng.sample([key for key in "ABCD" if key != letter], 3)
    told = _teller(rng, ())
    faulty = {
        "wrong_option": tuple(told(other, True) for other in others),
        "wrong_fact": tuple(told(others[0], True) for _ in range(2)),
        "format_rejected": tuple(told(form, True) for form in (f"({letter})", letter.lower(), f"{letter}. {right}")),
        "first_match_graded": _corrected((), letter, others[:2]),
    }
    listed = "\n".join(f"({key}) {option}" for key, option in options.items())
    request = f"For the volunteers' sheet. {text}\n{listed}\n{_finishing(rng).format('<letter>')}"

    def gold(choice: str, truth: str) -> Row:
        return _question(choice, truth, answer_choices=options)

    return Task(
        index, "volunteers", SYSTEM, request, tuple(told(letter) for _ in range(3)), gold(letter, right), faulty,
        other_gold=gold(others[0], options[others[0]]), other_script=told(others[0]), contradicted_gold=gold(others[0], right),
        facts={"house": house, "answer_field": "ideal", "options": options},
    )  # fmt: skip
