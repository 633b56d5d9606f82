"""Questions in a cloud account: sizes, local times, weekday and week, charges, what is stopped, addresses, and a status code."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.cloud.errands import SYSTEM, elsewhere, gold_of
from blade.lab.environments.cloud.estate import STATUSES, Estate, Event, dollars
from blade.lab.stage.script import Row, Script, Task, call, say

GB_PER_GIB: Final = 1.073741824
OFFSETS: Final = {
    "New York": (-5, -4),
    "Chicago": (-6, -5),
    "London": (0, 1),
    "Berlin": (1, 2),
    "Athens": (2, 3),
    "Sydney": (11, 10),
}
"""Hours ahead of UTC between November and March, and in the other half of the year."""
FEWEST: Final = 3
"""Names in a list that is asked for."""
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LEADS = (
    "I queried the account for this.",
    "Result of the lookup:",
    "This follows from the API's response.",
    "Done, here is the result.",
    "Based on the data returned:",
)
_UNLOOKED = ("This can be answered directly.", "A typical value applies here.", "No query needed.")
_UNDECIDED = ("case_compared", "answer_list_order")
"""Kinds where the agent did nothing wrong."""


def _line(answer: str) -> str:
    return f"FINAL ANSWER: {answer}"


def _told(reads: Script, answers: Iterable[str], rng: Random, decisive: bool) -> tuple[Script, ...]:
    leads = iter(rng.sample(_LEADS, len(_LEADS)))
    return tuple((*reads, say(f"{next(leads)}\n\n{_line(answer)}", decisive=decisive)) for answer in answers)


def _task(
    index: int, kind: str, request: str, reads: Script, right: str, careless: str, why: str, estate: Estate, rng: Random,
    known: dict[str, Iterable[str]], guesses: Iterable[str] = (), options: dict[str, str] | None = None,
) -> Task:  # fmt: skip
    """The task with one right answer; `known` has wrong or otherwise written ones by kind of fault, `why` a gap for the answer.

    `guesses` are the wrong answers of those who look nothing up.
    """

    def gold(answer: str, told: str) -> Row:
        return gold_of(kind, why.format(options[told] if options else told), answer=answer, options=options)

    faulty = {name: _told(reads, answers, rng, name not in _UNDECIDED) for name, answers in known.items()}
    if guesses:
        faulty["answered_unread"] = tuple((say(f"{rng.choice(_UNLOOKED)}\n\n{_line(one)}", decisive=True),) for one in guesses)
    return Task(
        index, kind, SYSTEM, request, _told(reads, [right] * 3, rng, decisive=False), gold(right, right), faulty,
        elsewhere(estate, rng), other_gold=gold(careless, careless),
        other_script=_told(reads, [careless], rng, decisive=False)[0], contradicted_gold=gold(careless, right),
    )  # fmt: skip


def _opened(event: Event) -> Script:
    return (call("ops-describe-event", event_id=event.id),)


def capacity(index: int, estate: Estate, rng: Random) -> Task:
    """Gigabytes, where the tool has gibibytes."""
    volume = rng.choice(estate.instances).volume
    right, taken = f"{volume.gib * GB_PER_GIB:.1f}", f"{volume.gib * 1.024:.1f}"
    slips = [f"{float(right) + off:.1f}" for off in rng.sample((-9.7, -5.3, -2.6, 1.8, 3.9, 6.4, 8.1), 5)]
    request = rng.choice(
        (
            f"How large is volume {volume.id} in GB (10^9 bytes)? One decimal.",
            f"Give the size of {volume.id} in decimal gigabytes (GB, not GiB), rounded to one decimal place.",
        )
    )
    known: dict[str, Iterable[str]] = {
        "wrong_unit": [taken] * 2,
        "scattered_numbers": [one for one in slips[:4] if one != taken],
    }
    why = f"{volume.gib} GiB are {{}} GB."
    rough = [one for one in ("107.4", "214.7", "536.9") if one != right]
    reads = (call("storage-describe-volume", volume_id=volume.id),)
    return _task(index, "volume_size", request, reads, right, slips[4], why, estate, rng, known, rng.sample(rough, 2))


def local_time(index: int, estate: Estate, rng: Random) -> Task:
    """When maintenance begins by the clocks of a city."""
    event = rng.choice(estate.events)
    city = rng.choice(tuple(OFFSETS))
    minutes = 60 * event.begins.hour + event.begins.minute
    right, other = (_clock(minutes + 60 * offset) for offset in OFFSETS[city])
    request = rng.choice(
        (
            f"At what local time in {city} does the maintenance of {event.id} begin? 24-hour clock, HH:MM.",
            f"Colleagues in {city} ask when the maintenance announced in {event.id} starts for them. Answer as HH:MM, local time there.",
        )
    )
    why = f"{event.begins:%Y-%m-%d %H:%M} UTC is {{}} in {city}."
    return _task(
        index, "maintenance_time", request, _opened(event), right, _clock(minutes + 180 + 60 * OFFSETS[city][0]), why, estate, rng,
        {"wrong_zone": [other] * 2},
    )  # fmt: skip


def _clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def weekday(index: int, estate: Estate, rng: Random) -> Task:
    """The day of the week on which maintenance begins."""
    event = rng.choice(estate.events)
    right = _WEEKDAYS[event.begins.weekday()]
    others = rng.sample([one for one in _WEEKDAYS if one != right], 5)
    request = rng.choice(
        (
            f"On which day of the week (UTC) does the maintenance of event {event.id} start?",
            f"What weekday is the start date (UTC) of the maintenance in {event.id}?",
        )
    )
    known: dict[str, Iterable[str]] = {"wavering_weekday": others[:4], "case_compared": (right.lower(), right.upper())}
    why = f"{event.begins:%Y-%m-%d} is a {{}}."
    return _task(index, "maintenance_day", request, _opened(event), right, others[4], why, estate, rng, known)


def sevens(event: Event) -> int:
    """The week by a plain count from 1 January."""
    return (event.begins.timetuple().tm_yday - 1) // 7 + 1


def week(index: int, estate: Estate, rng: Random) -> Task:
    """The ISO week of a maintenance, where a plain count of sevens gives another one."""
    event = rng.choice([one for one in estate.events if sevens(one) != one.begins.isocalendar().week])
    number = event.begins.isocalendar().week
    near = range(max(1, number - 5), min(53, number + 5) + 1)
    slips = [str(one) for one in rng.sample([one for one in near if one not in (number, sevens(event))], 4)]
    request = rng.choice(
        (
            f"Which ISO 8601 week number does the maintenance of {event.id} fall into (UTC)?",
            f"The change calendar goes by ISO weeks. In which one does {event.id} start? Number only.",
        )
    )
    known: dict[str, Iterable[str]] = {
        "plain_week_number": [str(sevens(event))] * 2,
        "scattered_numbers": slips[:3],
    }
    why = f"{event.begins:%Y-%m-%d} is in ISO week {{}}."
    return _task(index, "maintenance_week", request, _opened(event), str(number), slips[3], why, estate, rng, known)


def charges(index: int, estate: Estate, rng: Random) -> Task:
    """What a project costs in all."""
    project = rng.choice(tuple(estate.charges))
    cents = [one for _, one in estate.charges[project]]
    right = dollars(sum(cents))
    slips = [dollars(sum(cents) + off) for off in rng.sample((-10_000, -1_000, -900, -90, 100, 110, 1_000, 9_000), 5)]
    request = rng.choice(
        (
            f"What is the sum of all charges of project {project} this month, in USD with two decimals?",
            f"Total up the current month's charges for the project {project} (USD, two decimals, number only).",
        )
    )
    why = f"{' + '.join(map(dollars, cents))} = {{}}"
    reads = (call("billing-list-charges", project=project),)
    rough = [dollars(one) for one in (120_000, 185_000, 240_050)]
    return _task(
        index, "charges", request, reads, right, slips[4], why, estate, rng, {"wavering_total": slips[:4]}, rng.sample(rough, 2)
    )  # fmt: skip


def stopped(index: int, estate: Estate, rng: Random) -> Task:
    """The names of what is stopped in a region, in any order."""
    region = rng.choice(sorted({one.region for one in estate.instances}))
    down = [one for one in estate.within(region) if one.stopped]
    owners = sorted({one.owner for one in estate.within(region)})
    left_out = rng.choice([owner for owner in owners if sum(one.owner != owner for one in down) >= FEWEST])
    names = [one.name for one in down if one.owner != left_out]
    turned = rng.sample([one for one in permutations(names) if list(one) != names], 3)
    scope = f" that {left_out} does not own"
    request = rng.choice(
        (
            f"Which instances in {region}{scope} are stopped? List the names, separated by commas, in any order.",
            f"Name all stopped instances of region {region}{scope}, comma-separated; the order does not matter.",
        )
    )
    right, fewer = (", ".join(one) for one in (names, names[:-1]))
    reads = (call("compute-list-instances", region=region),)
    why = f"Stopped in {region}{scope}: {{}}."
    known: dict[str, Iterable[str]] = {"answer_list_order": [", ".join(one) for one in turned]}
    return _task(index, "stopped_instances", request, reads, right, fewer, why, estate, rng, known)


def hosts(index: int, estate: Estate, rng: Random) -> Task:
    """How many hosts fit into a network: two of its addresses are never a host's."""
    subnet = rng.choice(estate.subnets)
    size = 2 ** (32 - subnet.prefix)
    right, careless = str(size - 2), str(size // 2 - 2)
    request = rng.choice(
        (
            f"How many usable IPv4 host addresses does subnet {subnet.id} have?",
            f"What is the number of usable host addresses (classic IPv4 subnetting) in {subnet.id}? Number only.",
        )
    )
    why = f"{subnet.cidr} has {{}} usable host addresses."
    reads = (call("network-describe-subnet", subnet_id=subnet.id),)
    known: dict[str, Iterable[str]] = {"network_addresses_counted": [str(size)] * 2}
    return _task(index, "subnet_hosts", request, reads, right, careless, why, estate, rng, known)


def status(index: int, estate: Estate, rng: Random) -> Task:
    """A choice: what the status code of a probe is called."""
    event = rng.choice(estate.events)
    name = STATUSES[event.status]
    wrong = rng.sample([one for one in STATUSES.values() if one != name], 3)
    options = dict(zip("ABCD", rng.sample([name, *wrong], 4), strict=True))
    right = next(letter for letter, text in options.items() if text == name)
    others = rng.sample([letter for letter in options if letter != right], 3)
    asked = rng.choice(
        (
            f"What does the HTTP status of the last probe in event {event.id} mean? Give the letter.",
            f"Which reason phrase belongs to the HTTP status that the last probe of {event.id} returned? Answer with one letter.",
        )
    )
    listed = "\n".join(f"{letter}. {text}" for letter, text in options.items())
    known: dict[str, Iterable[str]] = {"wrong_option": others, "wrong_fact": [others[0]] * 2}
    return _task(
        index, "probe_status", f"{asked}\n{listed}", _opened(event), right, others[1], f"HTTP {event.status} is {{}}.", estate, rng, known,
        options=options,
    )  # fmt: skip
