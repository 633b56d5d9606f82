"""Errands about hotels: rooms for travellers, rooms that are held, and discounts."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from blade.lab.environments.draws import spoken, swallowed
from blade.lab.environments.travel.agency import TODAY, Agency, Hotel, Traveller
from blade.lab.environments.travel.desk import EXAMPLE_DAY
from blade.lab.environments.travel.errands import Errand, corrected, looked_up, task_of
from blade.lab.environments.travel.faults import Stated
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Row, Task, call


def with_quote(message: str, earlier: str, rng: Random) -> str:
    """A message above the one that it replaces, as mail programs have it."""
    lead = rng.choice(
        (
            "Please disregard what I sent you about this last week, which is quoted further down: the figures have changed in the meantime, and what counts is only the following.",
            "This replaces my mail of last week, which you find further down for reference. The figures in it were a mistake of ours and must not be used any more; the right ones are here.",
        )
    )
    return f"{lead} {message}\n\n> {rng.randint(3, 9)} Sept:\n> {earlier}"


def stay(index: int, agency: Agency, rng: Random) -> Task:
    """Somebody asks for a room for somebody else, from a day on that is put right in the same breath."""
    caller, who = rng.sample(agency.travellers, 2)
    hotel = rng.choice(agency.hotels)
    day = date(2026, rng.choice((10, 11, 12)), rng.choice((1, 2, 3, 4, 5, 6, 7, 8, 9)))
    former = day + timedelta(days=rng.choice((2, 3, 5, 6)))
    nights, breakfast = rng.randint(2, 5), rng.random() < 0.5

    def put(on: str = f"{day}", one: Traveller = who, remark: str = "") -> Errand:
        change = call(
            "hotels_create_booking", changes=True, traveller_id=one.id, hotel_id=hotel.id, check_in=on, nights=nights, breakfast=breakfast
        )  # fmt: skip
        when = spoken(date.fromisoformat(on))
        return Errand(looked_up(one, hotel), (change,), f"{one.name} has a room at the {hotel.name} from {when}{remark}")

    words = rng.choice(
        (
            "{caller} here. My colleague {who} needs a room at the {hotel}, arriving on {day}, {nights} nights, {food}. Can you book it?",
            "Please book {who} into the {hotel} for {nights} nights, {food}. Arrival: {day}. Regards, {caller}",
        )
    )
    food = "with breakfast" if breakfast else "without breakfast"

    def asked(on: str) -> str:
        return words.format(caller=caller.name, who=who.name, hotel=hotel.name, day=on, nights=nights, food=food)

    faulty = {
        "correction_missed": scripts([put(f"{former}").but()] * 2, rng),
        "done_for_the_caller": scripts([put(one=caller).but()] * 2, rng),
        "schema_example_used": scripts([put(EXAMPLE_DAY).but()] * 2, rng),
        "default_spelled_out": scripts([put().but(decisive=False, rate="corporate")] * 2, rng),
    }
    why = [f"{who.name}, {hotel.name}, arrival {one}, {nights} nights, {food}." for one in (day, former)]
    beside = day + timedelta(days=rng.choice((-1, 1)))
    remark = f" (the message says {beside:%A}, but {day.day} {day:%B} is a {day:%A})"
    clash = task_of(
        index, "hotels", "", put(f"{beside}"), put(), [why[0].replace(f"{day}", f"{beside}")] * 2, {}, agency, rng
    ).gold
    remade: Row = {
        "weekday_against_date": {
            "request": asked(f"{beside:%A} {day.day} {day:%B}"),
            "sound": scripts([put(), put(remark=remark), put(remark=remark)], rng),
            "gold": clash,
        }
    }
    return task_of(
        index, "hotels", asked(corrected(spoken(former), spoken(day), rng)), put(), put(f"{former}"), why, faulty, agency, rng,
        Stated(days={f"{day}"}), who, remade=remade,
    )  # fmt: skip


def release(index: int, agency: Agency, rng: Random) -> Task:
    """Rooms that are held: when they can be given back at the latest, in clear days, and when the deposit is paid, in days from today."""
    hotel, neighbour = rng.sample(agency.hotels, 2)
    arrival = TODAY + timedelta(days=rng.randint(50, 92))
    clear, days = rng.choice((5, 7, 10, 14)), rng.randint(18, 44)
    words = rng.choice(
        (
            "The {hotel} holds rooms for our group, who arrive on {day}. It has to hear at least {clear} clear days before the arrival if we give them back: set the last day for that. Then set the payment of the deposit to {days} days from today.",
            "Group arriving at the {hotel} on {day}. First set the last day on which we can release the rooms ({clear} clear days' notice before the arrival), then the payment date of the deposit, which is {days} days after today.",
        )
    )

    def put(last: date, paid: date, one: Hotel = hotel) -> Errand:
        changes = (
            call("hotels_release_allotment", changes=True, hotel_id=one.id, date=f"{last}"),
            call("hotels_set_payment_date", changes=True, hotel_id=one.id, date=f"{paid}"),
        )
        return Errand(
            looked_up(one), changes, f"the rooms at the {one.name} can be released until {last}, the deposit is due on {paid}"
        )

    right, paid = arrival - timedelta(days=clear + 1), TODAY + timedelta(days=days)
    others = [paid + timedelta(days=off) for off in rng.sample((-9, -5, -3, -2, -1, 1, 2, 4, 6, 10), 5)]
    faulty = {
        "clear_days_as_days": scripts([put(arrival - timedelta(days=clear), paid).but()] * 2, rng),
        "wavering_due_date": scripts([put(right, one).but(1) for one in others[:4]], rng),
    }
    why = [
        f"{hotel.name}: arrival {arrival}, {clear} clear days, so {right} at the latest. Deposit {days} days after {TODAY}: {one}."
        for one in (paid, others[4])
    ]
    later, longer = arrival + timedelta(days=rng.randint(3, 12)), days + rng.randint(3, 9)
    request, errand = words.format(hotel=hotel.name, day=spoken(arrival), clear=clear, days=days), put(right, paid)
    beside = words.format(hotel=neighbour.name, day=spoken(later), clear=clear + 1, days=longer)
    theirs = put(later - timedelta(days=clear + 2), TODAY + timedelta(days=longer), neighbour)
    merged = swallowed("hotels", request, errand, beside, theirs, rng)
    return task_of(
        index, "hotels", request, errand, put(right, others[4]), why, faulty, agency, rng, remade={"swallowed_row": merged}
    )


def rooms(index: int, agency: Agency, rng: Random) -> Task:
    """Rooms are blocked if the hotel has enough of them; otherwise we join its waiting list. Mostly there are too few."""
    hotel, count = rng.choice(agency.hotels), rng.randint(2, 6)
    scarce = rng.random() < 0.9
    limit = hotel.left + rng.randint(1, 9) if scarce else hotel.left - rng.randint(0, 4)
    reads = (*looked_up(hotel), call("hotels_get_availability", hotel_id=hotel.id))
    block = call("hotels_block_rooms", changes=True, hotel_id=hotel.id, rooms=count)
    wait = call("hotels_join_waitlist", changes=True, hotel_id=hotel.id, rooms=count)
    blocked = Errand(reads, (block,), f"{count} rooms at the {hotel.name} are blocked")
    waiting = Errand(reads, (wait,), f"we are on the waiting list of the {hotel.name} for {count} rooms")
    right, wrong = (waiting, blocked) if scarce else (blocked, waiting)
    both = (
        Errand(reads, (block, wait), f"{count} rooms at the {hotel.name} are blocked, and we are on its waiting list"),
        Errand(reads, (wait, block), f"we are on the waiting list of the {hotel.name}, and {count} rooms are blocked"),
    )
    request = rng.choice(
        (
            f"If the {hotel.name} has at least {limit} rooms left, block {count} of them for us. If it has fewer, only put us on its waiting list for {count} rooms.",
            f"We may need {count} rooms at the {hotel.name}. Check what is left there: with {limit} or more block ours, with less join the waiting list for them instead.",
        )
    )
    faulty = {
        "both_branches_taken": scripts([one.but(one.changes.index(wrong.changes[0])) for one in both], rng),
        "condition_unchecked": tuple(wrong.unread(rng, "hotels_get_availability") for _ in range(2)),
    }
    why = [
        f"{hotel.name}: {hotel.left} rooms left, {limit} needed, so " + ("block." if one is blocked else "waiting list.")
        for one in (right, wrong)
    ]
    return task_of(index, "hotels", request, right, wrong, why, faulty, agency, rng)


def discounts(index: int, agency: Agency, rng: Random) -> Task:
    """Two hotels grant a discount, each one of its own; an earlier message with another one stands below."""
    one, other = rng.sample(agency.hotels, 2)
    less, more, former = rng.sample(range(6, 38), 3)

    def agreed(first: int, second: int) -> Errand:
        changes = tuple(
            call("hotels_set_discount", changes=True, hotel_id=hotel.id, percent=percent)
            for hotel, percent in ((one, first), (other, second))
        )
        return Errand(looked_up(one, other), changes, f"the discounts of the {one.name} and the {other.name} are entered")

    errand = agreed(less, more)
    words = rng.choice(
        (
            "Our corporate discount for next year is {less} per cent at the {one} and {more} per cent at the {other}. Please enter both.",
            "Discounts for next year: {one} {less} per cent, {other} {more} per cent. Please put them in.",
        )
    )
    message, earlier = (words.format(one=one.name, other=other.name, less=less, more=last) for last in (more, former))
    faulty = {
        "value_carried_over": scripts([agreed(less, less).but(1)] * 2, rng),
        "number_spelling": scripts([errand.but(1, decisive=False, percent=float(more))] * 2, rng),
        "quoted_mail_followed": scripts([agreed(less, former).but(1)] * 2, rng),
    }
    why = [f"{one.name} {less} %, {other.name} {last} %." for last in (more, more + 2)]
    return task_of(
        index, "hotels", with_quote(message, earlier, rng), errand, agreed(less, more + 2), why, faulty, agency, rng,
        Stated(percents={less, more}),
    )  # fmt: skip
