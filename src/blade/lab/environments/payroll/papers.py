"""Errands with papers: letters, benefits, cards, postings abroad, and the forms of new employees."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.draws import iban_digits, mostly_upwards, spoken
from blade.lab.environments.payroll.desk import BENEFITS, EXAMPLE_DAY, FIELDS
from blade.lab.environments.payroll.errands import Errand, corrected, looked_up, task_of
from blade.lab.environments.payroll.files import ABROAD, Files
from blade.lab.environments.payroll.leave import coming_day
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Script, Task, call

LETTERS: Final = {
    "Hyvä team, yr bonus comes l8r, sry - Päivi": ("Hyvä team, your bonus comes later, sorry - Päivi", "Hyvä team, yr bonus comes later, sry - Päivi"),
    "pls bring ye olde tax card b4 noon, Jörn": ("Please bring the old tax card before noon, Jörn", "pls bring the old tax card b4 noon, Jörn"),
    "no smokin in ze lift, sez Hr. Møller!!": ("No smoking in the lift, says Mr Møller!", "no smoking in the lift, sez Hr. Møller!!"),
    "Ur shift is swoped w. Åke's, thx 4 it": ("Your shift is swapped with Åke's, thanks for it", "Ur shift is swapped w. Åke's, thx 4 it"),
    "lockr keys bak by fri or Frau Böhm gets X": ("Locker keys back by Friday or Frau Böhm gets cross", "locker keys back by fri or Frau Böhm gets X"),
    "congrats on ten yrs, cake at Zoë's desk @ 3": ("Congratulations on ten years, cake at Zoë's desk at 3", "congrats on ten years, cake at Zoë's desk @ 3"),
    "Time sheets r due mondays, nt tuesdys. Renée": ("Time sheets are due Mondays, not Tuesdays. Renée", "Time sheets are due mondays, not tuesdys. Renée"),
}  # fmt: skip
"""What people dictate, and what becomes of it when somebody tidies it up."""
INTERVALS: Final = {"biennial": (24, 6), "triennial": (36, 4), "quadrennial": (48, 3), "semi-annual": (6, 24)}
"""Months between two check-ups, and those for somebody who mixes up so many years with so many times a year."""
_KIN: Final = ("Bärbel", "Örjan", "Måns", "Jürgen", "Kåre", "Désirée", "Søren", "Zoë", "Björn", "Hélène")


def letter(index: int, files: Files, rng: Random) -> Task:
    """A letter is filed as it was dictated, letter for letter, and stays a draft."""
    who = rng.choice(files.employees)
    wording = rng.choice(tuple(LETTERS))

    def filed(text: str = wording, status: str = "draft") -> Errand:
        change = call("file_letter", changes=True, employee_id=who.id, text=text, status=status)
        told = "is a draft on file" if status == "draft" else "has been sent"
        return Errand(looked_up(who), (change,), f"the letter to {who.name} {told}")

    request = rng.choice(
        (
            f"A letter to {who.name}, which must keep the exact wording and spelling of the sender, mistakes included: “{wording}” File it as a draft. It may not be sent before the sender has seen it.",
            f"Please file this text unchanged, to the letter and with all its odd spelling, as a letter to {who.name}: “{wording}” Only a draft for now, nobody has released it for sending.",
        )
    )
    faulty = {
        "verbatim_reworded": scripts([filed(one).but() for one in LETTERS[wording]], rng),
        "draft_sent_off": scripts([filed(status="sent").but()] * 2, rng),
        "default_spelled_out": scripts([filed().but(decisive=False, registered=False)] * 2, rng),
    }
    slip = LETTERS[wording][0]
    why = [f"Draft to {who.name}, word for word: {one}" for one in (wording, slip)]
    return task_of(index, "letters", request, filed(), filed(slip), why, faulty, files, rng, who)


def benefits(index: int, files: Files, rng: Random) -> Task:
    """The benefits on a list are set for a team, all but for one, and its plan becomes active."""
    team, namesake = rng.sample(files.teams, 2)
    chosen = rng.sample(BENEFITS, 9)
    wanted, theirs, excepted, at = chosen[: rng.randint(3, 4)], chosen[5:8], chosen[8], rng.randint(0, 2)

    def put(some: Sequence[str], remark: str = "") -> Errand:
        changes = (
            call("set_benefits", changes=True, team_id=team.id, benefits=list(some)),
            call("set_plan_status", changes=True, team_id=team.id, status="active"),
        )
        return Errand(looked_up(team), changes, f"{team.name} has {len(some)} benefits in an active plan{remark}")

    request = rng.choice(
        (
            f"The team {team.name} gets new benefits, see the list below. Set all of them but “{excepted}”, which was voted down, and then make the benefit plan active.",
            f"Please set the benefits of the team {team.name} to those of the list below, leaving out “{excepted}”. After that, set the status of its benefit plan to active.",
        )
    )

    def with_list(name: str, some: Sequence[str]) -> str:
        return "\n".join((request, "", f"Benefits of {name}, 2027:", *(f"* {one}" for one in some)))

    listed = [*wanted[:at], excepted, *wanted[at:]]
    others = [one for one in permutations(wanted) if list(one) != wanted]
    faulty = {
        "set_as_list": scripts(map(put, rng.sample(others, 3)), rng),
        "exception_overlooked": scripts([put(listed).but()] * 2, rng),
    }
    slip = [*wanted[:-1], theirs[0]]
    why = [f"{team.name} gets {', '.join(one)}, and not {excepted}. The plan is active then." for one in (wanted, slip)]
    remark = f"; the list below your message has the heading {namesake.name}, though"
    swapped: Row = {
        "request": with_list(namesake.name, [*theirs[:at], excepted, *theirs[at:]]),
        "sound": scripts([put(theirs), put(theirs, remark), put(theirs, remark)], rng),
    }
    return task_of(
        index, "benefits", with_list(team.name, listed), put(wanted), put(slip), why, faulty, files, rng, unattached=request,
        remade={"swapped_attachment": swapped},
    )  # fmt: skip


def card(index: int, files: Files, rng: Random) -> Task:
    """An employee's card gets the major group of the occupation, and the months between two check-ups."""
    who = rng.choice(files.employees)
    word = rng.choice(tuple(INTERVALS))
    months, often = INTERVALS[word]

    def put(group: int = who.group, interval: int = months) -> Errand:
        changes = tuple(
            call("set_card_field", changes=True, employee_id=who.id, field=field, value=value)
            for field, value in zip(FIELDS, (group, interval), strict=True)
        )
        return Errand(looked_up(who), changes, f"the card of {who.name} has group {group} and check-ups every {interval} months")

    others = rng.sample([one for one in range(1, 10) if one != who.group], 5)
    request = rng.choice(
        (
            f"For the statistics, set the ISCO-08 major group (a single figure) on the card of {who.name}, {who.id}, by the job on file. Then set the interval of the medical check-ups in months: they are {word} from now on.",
            f"Two entries on the card of {who.name} ({who.id}), in this order: the major group of ISCO-08 that the job on file belongs to, as one figure, and the check-up interval in months. The check-ups are {word}.",
        )
    )
    faulty: dict[str, tuple[Script, ...]] = {
        "wavering_occupation_group": scripts([put(one).but() for one in others[:4]], rng),
        "wrong_rule": scripts([put(interval=often).but(1)] * 2, rng),
        "skipped_lookup": tuple(put(one).unread(rng, "find_employee") for one in (2, 4, 9) if one != who.group),
    }
    why = [
        f"{who.name}, {who.job}: major group {one}. {word.capitalize()} check-ups come every {months} months."
        for one in (who.group, others[4])
    ]
    return task_of(index, "cards", request, put(), put(others[4]), why, faulty, files, rng)


def posting(index: int, files: Files, rng: Random) -> Task:
    """A posting abroad: codes of country and language, the distance in kilometres, and the day, which is often put right at once."""
    who = rng.choice(files.employees)
    office = mostly_upwards(files.offices, lambda one: one.exact_kilometres, rng)
    country, exact, day = office.country, office.exact_kilometres, coming_day(rng)
    distance, former = round(exact), day + timedelta(days=rng.choice((-5, -3, 2, 4)))

    def put(code: str = country.code, tongue: str = country.tongue, on: str = f"{day}", far: int = distance) -> Errand:
        change = call(
            "plan_posting", changes=True, employee_id=who.id, office_id=office.id, country=code, language=tongue, starts_on=on,
            distance_km=far,
        )  # fmt: skip
        told = f"{who.name} goes to the {office.name} ({code}, {tongue}, {far} km) on {spoken(date.fromisoformat(on))}"
        return Errand(looked_up(who, office), (change,), told)

    offs = rng.sample((-300, -120, -45, -16, 19, 38, 90, 240), 4)
    errand, named = put(), spoken(day)
    faulty: dict[str, tuple[Script, ...]] = {
        "wrong_country_code": scripts([put(country.invented).but()] * 2, rng),
        "country_for_language": scripts([put(tongue=country.confused).but()] * 2, rng),
        "wavering_argument": scripts([put(far=distance + off).but() for off in offs], rng),
        "number_spelling": scripts([errand.but(decisive=False, distance_km=float(distance))] * 2, rng),
        "default_spelled_out": scripts([errand.but(decisive=False, housing="own")] * 2, rng),
        "schema_example_used": scripts([put(on=EXAMPLE_DAY).but()] * 2, rng),
    }
    if int(exact) != distance:
        faulty["wrong_rounding"] = scripts([put(far=int(exact)).but()] * 2, rng)
    if rng.random() < 0.9:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(on=f"{former}").but()] * 2, rng)
    request = rng.choice(
        (
            f"It is settled that {who.name} goes to our {office.name}. Plan the posting with the ISO code of the country (two letters), the ISO 639-1 code of the language that the papers there are in, the distance in kilometres, rounded to a whole number, and as the first day {named}.",
            f"Please plan a posting of {who.name} to the {office.name}, starting {named}. It takes the two-letter code of the country, the ISO 639-1 code of the language of the papers, and how far away the office is in km (properly rounded, no decimals).",
        )
    )
    slip = rng.choice([one.code for one in ABROAD.values() if one.code not in (country.code, country.invented)])
    why = [
        f"{who.name} to the {office.name}: {country.name} is {one}, {country.language} is {country.tongue}; {office.miles} miles are {distance} km; first day {day}."
        for one in (country.code, slip)
    ]
    return task_of(
        index, "postings", request, errand, put(slip), why, faulty, files, rng, who, rounded=distance, exact=exact
    )  # fmt: skip


def form(index: int, files: Files, rng: Random) -> Task:
    """The form of an employee: a parent who is provided for, and the account, which needs check digits."""
    who = rng.choice(files.employees)
    kin = f"{rng.choice(_KIN)} {who.name.partition(' ')[2]}"
    born = date(rng.randint(1940, 1964), rng.randint(1, 12), rng.randint(1, 28))
    right = iban_digits("FI", who.account)

    def put(digits: str = right, on: date = born) -> Errand:
        changes = (
            call("add_dependant", changes=True, employee_id=who.id, name=kin, born_on=f"{on}"),
            call("set_bank_account", changes=True, employee_id=who.id, iban=f"FI{digits}{who.account}"),
        )
        reads = (*looked_up(who), call("open_file", employee_id=who.id, section="bank_details"))
        return Errand(reads, changes, f"{kin} is a dependant of {who.name}, who is paid to FI{digits}{who.account}")

    others = rng.sample([f"{one:02d}" for one in range(2, 98) if f"{one:02d}" != right], 5)
    faulty: dict[str, tuple[Script, ...]] = {
        "wavering_check_digits": scripts([put(one).but(1) for one in others[:4]], rng),
        "default_spelled_out": scripts([put().but(decisive=False, lives_with_employee=True)] * 2, rng),
    }
    request = rng.choice(
        (
            f"From the form of {who.name}: the parent {kin}, born on {born.day} {born:%B %Y}, is a dependant, please add that. Then set the bank account as an IBAN, made from the national account number in the bank details on file.",
            f"Two things for {who.name}. First add a dependant, {kin}, a parent (date of birth {born.day} {born:%B %Y}). After that put together the IBAN from the Finnish account number in the file's bank details and set it as the bank account.",
        )
    )
    why = [
        f"{kin}, born {born:%d/%m/%y}, is a parent of {who.name}. The IBAN of FI {who.account} has check digits {one}."
        for one in (right, others[4])
    ]
    return task_of(index, "forms", request, put(), put(others[4]), why, faulty, files, rng)
