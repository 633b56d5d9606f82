"""Errands with papers: notices for farms, invitations to meetings, accounts of members, and export labels."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Final

from blade.lab.environments.dairy.books import ABROAD, KILOGRAMS_PER_HUNDREDWEIGHT, Books, Meeting, Member
from blade.lab.environments.dairy.errands import Errand, corrected, looked_up, source, task_of
from blade.lab.environments.dairy.rounds import coming_day
from blade.lab.environments.draws import mostly_upwards, spoken, swallowed
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Script, Task, call

KILOGRAMS_PER_LONG_HUNDREDWEIGHT: Final = 50.80234544
NOTICES: Final = {
    "Pls rinse tank b4 6, not after!! gr. Jørgen": (
        "Please rinse the tank before 6, not after! Regards, Jørgen",
        "Please rinse tank before 6, not after!! gr. Jørgen",
    ),
    "gate at Pêcher's stays shut - use ye back lane": (
        "The gate at Pêcher's stays shut, use the back lane.",
        "gate at Pêcher's stays shut - use the back lane",
    ),
    "No milk frm treated cows til vet (Frau Köhn) says so": (
        "No milk from treated cows until the vet (Frau Köhn) says so.",
        "No milk from treated cows till vet (Frau Köhn) says so",
    ),
    "cooler must show 4 deg., thx, Zoë & the lab": (
        "The cooler must show 4 degrees. Thanks, Zoë and the lab",
        "cooler must show 4 degrees, thanks, Zoë & the lab",
    ),
    "2day's samples r 2 be labeld w/ herd nr., René": (
        "Today's samples are to be labelled with the herd number. René",
        "today's samples are to be labelled w/ herd nr., René",
    ),
    "Ice on Åsgard hill, drivrs come 1 hr late": ("Ice on Åsgard hill, drivers come one hour late.", "Ice on Åsgard hill, drivers come 1 hr late"),
    "mind the new hose, cupling is left-hand! Señor Paz": (
        "Mind the new hose, the coupling is left-hand! Señor Paz",
        "mind the new hose, coupling is left-hand! Señor Paz",
    ),
    "Milk money l8 this mnth, sry. Müller (cashier)": (
        "Milk money is late this month, sorry. Müller (cashier)",
        "Milk money late this month, sorry. Müller (cashier)",
    ),
}  # fmt: skip
"""What the manager scribbles, and what becomes of it when somebody tidies it up."""


def notice(index: int, books: Books, rng: Random) -> Task:
    """A notice is filed word for word as somebody scribbled it, and stays a draft."""
    route = rng.choice(books.routes)
    wording = rng.choice(tuple(NOTICES))

    def filed(text: str = wording, state: str = "draft") -> Errand:
        change = call("file_notice", changes=True, route_id=route.id, text=text, state=state)
        told = "is filed as a draft" if state == "draft" else "will be handed out"
        return Errand(looked_up(route), (change,), f"the notice for the {route.name} {told}")

    request = rng.choice(
        (
            f"Here is a notice for the farms on the {route.name}. File it unedited, every letter as the manager wrote it, slips and short forms included, and only as a draft; drivers must not hand it out until he has signed it. Text: “{wording}”",
            f"File this as a notice for the {route.name}, exactly in these words and with this spelling, nothing corrected. Keep it a draft, because it is not to be handed out before Friday's talk: “{wording}”",
        )
    )
    faulty = {
        "verbatim_reworded": scripts([filed(one).but() for one in NOTICES[wording]], rng),
        "draft_sent_off": scripts([filed(state="handed_out").but()] * 2, rng),
        "default_spelled_out": scripts([filed().but(decisive=False, large_print=False)] * 2, rng),
    }
    slip = NOTICES[wording][0]
    why = [f"The notice for the {route.name} is a draft and reads: {one}" for one in (wording, slip)]
    return task_of(index, "notices", request, filed(), filed(slip), why, faulty, books, rng)


def invitation(index: int, books: Books, rng: Random) -> Task:
    """An invitation is posted so many clear days before a meeting."""
    meeting, neighbour = rng.sample(books.meetings, 2)
    days, theirs = rng.sample(range(8, 29), 2)
    words = rng.choice(
        (
            "By our articles the {meeting} needs {days} clear days of notice. Plan the posting of its invitation for the last day on which that is still kept.",
            "Please plan when the invitation to the {meeting} is posted: as late as possible, with {days} clear days' notice.",
        )
    )

    def put(day: date, one: Meeting = meeting) -> Errand:
        change = call("plan_invitation", changes=True, meeting_id=one.id, post_on=f"{day}")
        return Errand(looked_up(one), (change,), f"the invitation to the {one.name} is posted on {spoken(day)}")

    right, plain = (meeting.day - timedelta(days=days + more) for more in (1, 0))
    slip = right - timedelta(days=rng.randint(2, 5))
    request, errand = words.format(meeting=meeting.name, days=days), put(right)
    faulty = {
        "clear_days_as_days": scripts([put(plain).but()] * 2, rng),
        "default_spelled_out": scripts([errand.but(decisive=False, by_mail_too=True)] * 2, rng),
    }
    why = [
        f"The {meeting.name} is held on {meeting.day}. With {days} clear days in between, the invitation is posted on {one}."
        for one in (right, slip)
    ]
    other = put(neighbour.day - timedelta(days=theirs + 1), neighbour)
    merged = swallowed(
        source("invitations"), request, errand, words.format(meeting=neighbour.name, days=theirs), other, rng
    )  # fmt: skip
    return task_of(index, "invitations", request, errand, put(slip), why, faulty, books, rng, remade={"swallowed_row": merged})


def account(index: int, books: Books, rng: Random) -> Task:
    """A member's account gets its IBAN, with check digits."""
    member, neighbour = rng.sample(books.members, 2)
    words = rng.choice(
        (
            "Please set the bank account of {member} as an IBAN. Country, bank and account number are on the member's record.",
            "The payments run wants IBANs. Put together the one of {member} from the bank details on record and set it as the bank account.",
        )
    )

    def put(digits: str, one: Member = member) -> Errand:
        iban = f"AT{digits}{one.number}"
        change = call("set_bank_account", changes=True, member_id=one.id, iban=iban)
        return Errand(looked_up(one), (change,), f"{one.name} is paid to {iban} from now on")

    right = member.check_digits
    others = rng.sample([f"{number:02d}" for number in range(2, 99) if f"{number:02d}" != right], 5)
    request, errand = words.format(member=member.name), put(right)
    faulty = {"wavering_check_digits": scripts([put(one).but() for one in others[:4]], rng)}
    why = [
        f"The account of {member.name} is AT {member.number}. By modulo 97, it gets check digits {one}."
        for one in (right, others[4])
    ]
    merged = swallowed(
        source("accounts"), request, errand, words.format(member=neighbour.name), put(neighbour.check_digits, neighbour), rng
    )  # fmt: skip
    return task_of(index, "accounts", request, errand, put(others[4]), why, faulty, books, rng, remade={"swallowed_row": merged})


def consignment(index: int, books: Books, rng: Random) -> Task:
    """An export label: weight in kilograms, codes of country and language, and the day, which is often put right at once."""
    customer = mostly_upwards(books.customers, lambda one: KILOGRAMS_PER_HUNDREDWEIGHT * one.hundredweight, rng)
    right, invented, tongue, code, confused = ABROAD[customer.country]
    exact = KILOGRAMS_PER_HUNDREDWEIGHT * customer.hundredweight
    kilograms, long = round(exact), round(KILOGRAMS_PER_LONG_HUNDREDWEIGHT * customer.hundredweight)
    day = coming_day(rng)
    former = day + timedelta(days=rng.choice((-3, 2, 4)))

    def put(much: int = kilograms, country: str = right, language: str = code, collected: date = day) -> Errand:
        change = call(
            "label_consignment", changes=True, customer_id=customer.id, kilograms=much, country=country, language=language,
            collect_on=f"{collected}",
        )  # fmt: skip
        told = f"the label for {customer.name} says {much} kg, {country}, {language}, collection on {spoken(collected)}"
        return Errand(looked_up(customer), (change,), told)

    offs = [off for off in rng.sample((-38, -23, -11, -7, 6, 13, 27, 41), 8) if kilograms + off not in (long, int(exact))]
    faulty: dict[str, tuple[Script, ...]] = {
        "wrong_country_code": scripts([put(country=invented).but()] * 2, rng),
        "country_for_language": scripts([put(language=confused).but()] * 2, rng),
        "wrong_unit": scripts([put(long).but()] * 2, rng),
        "wavering_argument": scripts([put(kilograms + off).but() for off in offs[:4]], rng),
        "number_spelling": scripts([put().but(decisive=False, kilograms=float(kilograms))] * 2, rng),
    }
    if int(exact) != kilograms:
        faulty["wrong_rounding"] = scripts([put(int(exact)).but()] * 2, rng)
    named = spoken(day)
    if rng.random() < 0.7:
        named = corrected(spoken(former), named, rng)
        faulty["correction_missed"] = scripts([put(collected=former).but()] * 2, rng)
    request = rng.choice(
        (
            f"The consignment for {customer.name} is packed and needs its export label: the weight in kilograms, rounded to whole ones, the ISO code of the country (two letters), the ISO 639-1 code of the language in which they want their papers, and the day of collection, {named}.",
            f"Please set the export label for {customer.name}. It takes the weight of their consignment in whole kilograms, properly rounded, the two-letter ISO code of their country, the ISO 639-1 code of the language that their papers are in, and it is collected on {named}.",
        )
    )
    beside = rng.choice([one for one, *_ in ABROAD.values() if one not in (right, invented)])
    why = [
        f"{customer.name}: {customer.hundredweight} cwt (US) are {kilograms} kg; {customer.country} is {one}; {tongue} is {code}; collected on {day}."
        for one in (right, beside)
    ]
    return task_of(
        index, "labels", request, put(), put(country=beside), why, faulty, books, rng, rounded=kilograms, exact=exact
    )  # fmt: skip
