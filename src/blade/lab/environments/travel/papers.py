"""Errands about money and papers: amounts paid back, mileage and claims, messages, and the services of a trip."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.travel.agency import DECIMALS, Agency, share
from blade.lab.environments.travel.desk import SERVICES
from blade.lab.environments.travel.errands import Errand, looked_up, task_of
from blade.lab.environments.travel.faults import Stated
from blade.lab.environments.travel.stays import with_quote
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Task, call

WORDINGS: Final = {
    "Meet @ gate B12 @ 5.40 sharp, no x-cuses & no café stops! Zoë": (
        "Meet at gate B12 at 5.40 sharp, no excuses & no café stops! Zoë",
        "Meet @ gate B12 @ 5.40 sharp, no excuses & no café stops! Zoë",
    ),
    "brng passprt + 2 fotos, ask 4 Jürgen @ desk 3 & say thx": (
        "Bring passport + 2 photos, ask for Jürgen at desk 3 & say thanks",
        "bring passport + 2 fotos, ask 4 Jürgen @ desk 3 & say thx",
    ),
    "Shuttl leaves w/out you if late!! Capt. Søren & the crew": (
        "Shuttle leaves without you if late! Captain Søren & the crew",
        "Shuttle leaves w/out you if late!! Capt. Søren & the crew",
    ),
    "hotel has no lift, pack lite & keep ur knees happy, André": (
        "Hotel has no lift, pack light & keep your knees happy, André",
        "hotel has no lift, pack light & keep ur knees happy, André",
    ),
    "diner is on moi: 8ish, Rue Crémieux, red door & loud bell": (
        "Dinner is on me: around 8, Rue Crémieux, red door & loud bell",
        "dinner is on moi: 8ish, Rue Crémieux, red door & loud bell",
    ),
    "PLZ no strong perfum on the coach, Bjørn is alergic & grumpy": (
        "Please no strong perfume on the coach, Bjørn is allergic & grumpy",
        "PLZ no strong perfume on the coach, Bjørn is allergic & grumpy",
    ),
}  # fmt: skip
"""What organisers write, and what becomes of it when somebody tidies it up."""


def reimburse(index: int, agency: Agency, rng: Random) -> Task:
    """An amount goes out in a currency's minor unit; an earlier message with another amount stands below."""
    report = rng.choice(agency.reports)
    places = DECIMALS[report.currency]
    paid, former = ((one * 10 if places else one * 100) for one in rng.sample(range(1_120, 9_800), 2))

    def told(minor: int) -> str:
        return f"{report.currency} {minor / 10**places:,.{places}f}"

    def put(amount: int) -> Errand:
        change = call("expenses_reimburse", changes=True, report_id=report.id, amount=amount, currency=report.currency)
        return Errand(looked_up(report), (change,), f"the amount goes out for {report.name}")

    words = rng.choice(
        (
            "Please reimburse {amount} of the {report} report.",
            "{amount} of the {report} report has been approved, pay it back please.",
        )
    )
    message, earlier = (words.format(amount=told(one), report=report.name) for one in (paid, former))
    slip = paid + rng.choice((-3_000, 3_000, 9_000))
    hundredths = round(paid / 10**places * 100)
    faulty = {
        "minor_unit_blindness": scripts([put(hundredths).but()] * 2, rng),
        "quoted_mail_followed": scripts([put(former).but()] * 2, rng),
        "number_spelling": scripts([put(paid).but(decisive=False, amount=float(paid))] * 2, rng),
    }
    why = [f"{report.name}: {told(one)}, which is {one} in minor units." for one in (paid, slip)]
    return task_of(index, "expenses", with_quote(message, earlier, rng), put(paid), put(slip), why, faulty, agency, rng)


def expenses(index: int, agency: Agency, rng: Random) -> Task:
    """Miles become kilometres on a report, and a late train earns a share of its fare."""
    report = rng.choice([one for one in agency.reports if one.unit == "mi"])
    train = rng.choice(agency.trains)
    kilometres, earned = round(report.kilometres), share(train.late)
    reads = (*looked_up(report, train), call("expenses_list_drives", report_id=report.id))

    def put(far: int = kilometres, percent: int = earned) -> Errand:
        changes = (
            call("expenses_add_mileage", changes=True, report_id=report.id, kilometres=far),
            call("rail_file_claim", changes=True, booking_id=train.id, percent=percent),
        )
        return Errand(reads, changes, f"{report.name} has {far} km, and {percent} per cent are claimed for {train.name}")

    mistaken = {25: 50, 50: 100}[earned]
    shares = rng.sample([one for one in (10, 15, 20, 30, 40, 60, 75, 80) if one != earned], 4)
    offs = rng.sample((-30, -20, -14, -9, -6, 5, 8, 11, 17, 25, 40), 5)
    faulty = {
        "wrong_rounding": scripts([put(int(report.kilometres)).but()] * 2, rng),
        "wavering_conversion": scripts([put(kilometres + off).but() for off in offs[:4]], rng),
        "number_spelling": scripts([put().but(decisive=False, kilometres=float(kilometres))] * 2, rng),
        "wrong_rule": scripts([put(percent=mistaken).but(1)] * 2, rng),
        "wavering_compensation": scripts([put(percent=one).but(1) for one in shares], rng),
        "skipped_lookup": tuple(put(one).unread(rng, "expenses_list_drives") for one in (120, 250, 400) if one != kilometres),
    }
    request = rng.choice(
        (
            f"On the {report.name} report, add the mileage: all drives of its car log together, in kilometres, to the nearest whole number. And the {train.name} train was late, so claim the share of the fare that EU passenger rights give for such a delay.",
            f"Two things. The {report.name} report needs its mileage, the sum of the car log in kilometres (nearest whole number). Then file the claim for the late {train.name} train, with the percentage that is due by the EU rules on rail passengers' rights.",
        )
    )
    why = [
        f"{report.name}: {' + '.join(map(str, report.drives))} = {sum(report.drives)} mi, {one} km. {train.name}: {train.late} minutes, {earned} %."
        for one in (kilometres, kilometres + offs[4])
    ]
    return task_of(
        index, "expenses", request, put(), put(kilometres + offs[4]), why, faulty, agency, rng,
        Stated(rounded=kilometres, exact=round(report.kilometres, 6)),
    )  # fmt: skip


def message(index: int, agency: Agency, rng: Random) -> Task:
    """A message is taken over letter for letter, and stays a draft."""
    trip, wording = rng.choice(agency.trips), rng.choice(tuple(WORDINGS))
    urgent = rng.random() < 0.3

    def put(body: str = wording, status: str = "draft") -> Errand:
        change = call("messages_create", changes=True, trip_id=trip.id, body=body, status=status, urgent=urgent)
        return Errand(
            looked_up(trip),
            (change,),
            f"the message for the {trip.name} trip {'is a draft' if status == 'draft' else 'has been sent'}",
        )

    mark = "urgent" if urgent else "not urgent"
    request = rng.choice(
        (
            f"Message for everybody on the {trip.name} trip, {mark}, exactly as the organiser wrote it, odd spelling included: “{wording}” Save it as a draft. It must not go out before she has seen it.",
            f"Please keep a draft for the {trip.name} trip ({mark}); do not send it yet, legal wants a look. The text stays as it is, character by character: “{wording}”",
        )
    )
    faulty = {
        "verbatim_reworded": scripts([put(one).but() for one in WORDINGS[wording]], rng),
        "draft_sent_off": scripts([put(status="sent").but()] * 2, rng),
        "default_spelled_out": scripts([put().but(decisive=False, channel="email")] * 2, rng),
    }
    slip = WORDINGS[wording][0]
    why = [f"{trip.name}, draft, {mark}, as written: {one}" for one in (wording, slip)]
    return task_of(index, "messages", request, put(), put(slip), why, faulty, agency, rng)


def services(index: int, agency: Agency, rng: Random) -> Task:
    """The services on a list are set, all but for one, and the trip is confirmed."""
    trip, namesake = rng.sample(agency.trips, 2)
    chosen = rng.sample(SERVICES, 9)
    wanted, theirs, excepted, at = chosen[: rng.randint(3, 5)], chosen[5:8], chosen[8], rng.randint(0, 2)

    def put(some: Sequence[str], remark: str = "") -> Errand:
        changes = (
            call("trips_set_services", changes=True, trip_id=trip.id, services=list(some)),
            call("trips_set_status", changes=True, trip_id=trip.id, status="confirmed"),
        )
        return Errand(looked_up(trip), changes, f"{trip.name} has {len(some)} services and is confirmed{remark}")

    request = rng.choice(
        (
            f"The client has sent the services for the {trip.name} trip, see the list below. Set them, except for {excepted}, which was too dear, and then set the trip to confirmed.",
            f"Please set the services of the {trip.name} trip to those on the list below but leave out {excepted}; after that the trip is confirmed.",
        )
    )

    def with_list(name: str, some: Sequence[str]) -> str:
        return "\n".join((request, "", f"Services - {name}", *(f"* {one}" for one in some)))

    listed = [*wanted[:at], excepted, *wanted[at:]]
    others = [one for one in permutations(wanted) if list(one) != wanted]
    faulty = {
        "set_as_list": scripts(map(put, rng.sample(others, 3)), rng),
        "exception_overlooked": scripts([put(listed).but()] * 2, rng),
    }
    slip = [*wanted[:-1], theirs[0]]
    why = [f"{trip.name}: {', '.join(one)}; not {excepted}. Confirmed." for one in (wanted, slip)]
    remark = f" (the list that came with the message is headed {namesake.name}, though)"
    remade: Row = {
        "swapped_attachment": {
            "request": with_list(namesake.name, [*theirs[:at], excepted, *theirs[at:]]),
            "sound": scripts([put(theirs), put(theirs, remark), put(theirs, remark)], rng),
        },
    }
    return task_of(
        index, "trips", with_list(trip.name, listed), put(wanted), put(slip), why, faulty, agency, rng, unattached=request, remade=remade
    )  # fmt: skip
