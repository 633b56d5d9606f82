"""Questions at the clinic's front desk: a sum, a weight, a weekday, a week, a medicine, and a choice about a plan."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from random import Random
from typing import Final

from blade.lab.environments.clinic.errands import SYSTEM, elsewhere, gold_of, way_to
from blade.lab.environments.clinic.files import TIMES_A_DAY, Appointment, Files, Patient
from blade.lab.stage.script import Row, Script, Task, call, say

_LEADS = (
    "I checked the file of {name}.",
    "Going by the records for {name}:",
    "The clinic's files have this for {name}.",
    "Here is the answer for {name}.",
    "Found it.",
)
KILOS_PER_POUND: Final = 0.45359237
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_HOW_OFTEN: Final = {1: "once a day", 2: "twice a day", 3: "three times a day", 4: "four times a day"}


def _told(reads: Script, name: str, answers: Iterable[str], rng: Random, decisive: bool = True) -> tuple[Script, ...]:
    leads = iter(rng.sample(_LEADS, len(_LEADS)))
    return tuple(
        (*reads, say(f"{next(leads).format(name=name)}\n\nFinal answer: {answer}", decisive=decisive)) for answer in answers
    )


def _task(
    index: int, kind: str, request: str, name: str, reads: Script, right: str, careless: str, why: str, files: Files, rng: Random,
    known: dict[str, Iterable[str]], options: dict[str, str] | None = None,
) -> Task:  # fmt: skip
    """The task with one right answer; `known` has wrong or otherwise written ones by kind of fault, `why` a gap for the answer."""

    def gold(answer: str, told: str) -> Row:
        return gold_of(kind, why.format(options[told] if options else told), answer=answer, options=options)

    faulty = {fault: _told(reads, name, answers, rng, fault != "case_compared") for fault, answers in known.items()}
    return Task(
        index, kind, SYSTEM, request, _told(reads, name, [right] * 3, rng, decisive=False), gold(right, right), faulty,
        elsewhere(files, rng), other_gold=gold(careless, careless), other_script=_told(reads, name, [careless], rng, decisive=False)[0],
        contradicted_gold=gold(careless, right), facts={"answer_field": "target_answer", "options": options},
    )  # fmt: skip


def balance(index: int, files: Files, rng: Random) -> Task:
    """What a client's open invoices come to."""
    client = rng.choice(files.clients)
    cents = [one.cents for one in files.invoices if (one.owner, one.status) == (client.id, "open")]
    reads = (call("find_client", name=client.name), call("list_invoices", client_id=client.id))
    right = f"{sum(cents) / 100:.2f}"
    slips = [f"{(sum(cents) + off) / 100:.2f}" for off in rng.sample((-1_000, -900, -105, -90, 90, 110, 1_000, 1_500), 5)]
    request = rng.choice(
        (
            f"What do the open invoices of {client.name} add up to, in euros with two decimals?",
            f"How much does {client.name} still owe us in all? Euros, two decimals.",
        )
    )
    why = f"Open invoices only: {' + '.join(f'{one / 100:.2f}' for one in cents)} = {{}}."
    known: dict[str, Iterable[str]] = {
        "scattered_numbers": slips[:4],
        "format_rejected": (f"€{right}", f"{right} EUR", f"{right} euros"),
    }
    return _task(index, "balance", request, client.name, reads, right, slips[4], why, files, rng, known)


def weight(index: int, files: Files, rng: Random) -> Task:
    """A weight in kilograms where the chart has pounds."""
    patient = rng.choice([one for one in files.patients if one.unit == "lb"])
    owner, reads = way_to(files, patient)
    pounds = patient.tenths / 10
    right, halved = f"{pounds * KILOS_PER_POUND:.1f}", f"{pounds / 2:.1f}"
    near = [f"{float(right) + off:.1f}" for off in rng.sample((-0.9, -0.6, -0.4, 0.3, 0.5, 0.8, 1.1), 7)]
    slips = [one for one in near if one != halved and float(one) > 0.5]
    request = rng.choice(
        (
            f"How heavy is {patient.name}, the {patient.species} of {owner.name}, in kilograms? One decimal.",
            f"Please give me the weight of {owner.name}'s {patient.species} {patient.name} in kilograms, to one decimal.",
        )
    )
    why = f"{pounds:.1f} lb x {KILOS_PER_POUND} = {{}} kg."
    known: dict[str, Iterable[str]] = {
        "wrong_unit": (halved, halved),
        "scattered_numbers": slips[:4],
        "format_rejected": (f"{right} kg", f"{right}kg", f"{right} kilograms"),
    }
    return _task(index, "weight", request, patient.name, reads, right, slips[4], why, files, rng, known)


def _coming_visit(files: Files, patient: Patient) -> tuple[Appointment, Script]:
    owner, reads = way_to(files, patient, chart=False)
    visit = next(one for one in files.upcoming(owner) if one.patient == patient.id)
    return visit, (*reads, call("list_appointments", client_id=owner.id))


def weekday(index: int, files: Files, rng: Random) -> Task:
    """The day of the week of a visit."""
    patient = rng.choice(files.patients)
    visit, reads = _coming_visit(files, patient)
    owner = files.owner_of(patient)
    right = _WEEKDAYS[visit.start.weekday()]
    others = rng.sample([one for one in _WEEKDAYS if one != right], 5)
    request = rng.choice(
        (
            f"{owner.name} asks: on which weekday is the scheduled appointment of {patient.name}?",
            f"Which day of the week is {patient.name} ({patient.species} of {owner.name}) booked for?",
        )
    )
    why = f"{visit.start.date().isoformat()} is a {{}}."
    known: dict[str, Iterable[str]] = {"wavering_weekday": others[:4], "case_compared": (right.lower(), right.upper())}
    return _task(index, "weekday", request, patient.name, reads, right, others[4], why, files, rng, known)


def plain_week(day: date) -> int:
    """The week of the year for those who count sevens from the first of January."""
    return (day.timetuple().tm_yday - 1) // 7 + 1


def week(index: int, files: Files, rng: Random) -> Task:
    """The calendar week of a visit; the plain count of sevens often gives another one."""
    patient = rng.choice([one for one in files.patients if _differs(_coming_visit(files, one)[0].start)])
    visit, reads = _coming_visit(files, patient)
    owner = files.owner_of(patient)
    number = visit.start.isocalendar().week
    plain = plain_week(visit.start)
    slips = [str(number + off) for off in rng.sample((-4, -3, -2, 1, 2, 3), 5)]
    request = rng.choice(
        (
            f"In which ISO calendar week does the scheduled appointment of {owner.name}'s {patient.species} {patient.name} fall?",
            f"Give me the ISO week number of {patient.name}'s scheduled appointment (owner: {owner.name}).",
        )
    )
    why = f"{visit.start.date().isoformat()} lies in ISO week {{}}."
    known: dict[str, Iterable[str]] = {
        "plain_week_number": (str(plain), str(plain)),
        "scattered_numbers": slips[:4],
        "format_rejected": (f"week {number}", f"W{number}", f"calendar week {number}"),
    }
    return _task(index, "week", request, patient.name, reads, str(number), slips[4], why, files, rng, known)


def _differs(day: date) -> bool:
    return plain_week(day) != day.isocalendar().week


def medicine(index: int, files: Files, rng: Random) -> Task:
    """The medicine in a plan."""
    patient = rng.choice(files.patients)
    owner, reads = way_to(files, patient)
    right = patient.medicine
    request = rng.choice(
        (
            f"Which medicine does {patient.name}, {owner.name}'s {patient.species}, take by mouth?",
            f"What is the name of the oral medicine in the plan of {patient.name} (owner {owner.name})?",
        )
    )
    careless = rng.choice(sorted({one.medicine for one in files.patients} - {right}))
    known: dict[str, Iterable[str]] = {"case_compared": (right.lower(), right.upper())}
    return _task(index, "medicine", request, patient.name, reads, right, careless, "PO in the plan: {}.", files, rng, known)


def how_often(index: int, files: Files, rng: Random) -> Task:
    """A choice: what the abbreviation in a plan says about the tablets."""
    patient = rng.choice(files.patients)
    owner, reads = way_to(files, patient)
    texts = rng.sample(sorted(_HOW_OFTEN.values()), 4)
    options = dict(zip("ABCD", texts, strict=True))
    meant = _HOW_OFTEN[TIMES_A_DAY[patient.often]]
    right = next(letter for letter, text in options.items() if text == meant)
    others = rng.sample([letter for letter in options if letter != right], 3)
    listed = "\n".join(f"{letter}) {text}" for letter, text in options.items())
    request = (
        rng.choice(
            (
                f"How often is {patient.name} ({owner.name}'s {patient.species}) to get the medicine by mouth, by the plan in the chart?",
                f"{owner.name} asks how often {patient.name} takes the oral medicine. What does the plan say?",
            )
        )
        + f" Answer with the letter.\n{listed}"
    )
    known: dict[str, Iterable[str]] = {"wrong_option": others, "wrong_fact": (others[0], others[0])}
    why = f"{patient.often} means {{}}."
    return _task(index, "how_often", request, patient.name, reads, right, others[1], why, files, rng, known, options)
