"""Questions at the travel desk: how long a trip takes, what trips cost, weekday and week, where one arrives, lengths, and a coach's country."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Final

from blade.lab.environments.railway.errands import SYSTEM, annotation_day, elsewhere, gold_of, opened
from blade.lab.environments.railway.network import COUNTRIES, Network, Order, clock, euros
from blade.lab.stage.script import Row, Script, Task, call, say

CHAINS_PER_MILE: Final = 80
KM_PER_MILE: Final = 1.609344
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LEADS = (
    "I checked the portal for you.",
    "Here is what I found.",
    "Thanks for your message.",
    "This is what the portal shows.",
    "Happy to help.",
)
_FROM_MEMORY = ("No need to look this up.", "That is quickly answered.", "Off the top of my head:")
_NOT_LISTED = (
    "Digits three and four are {code}, which is {country}. That is not among the options.\n\n<answer>none of the options</answer>",
    "By its number ({code}) the coach belongs to {country}, but no option says so.\n\n<answer>{country}</answer>",
    "The code {code} stands for {country}. It isn't listed, so I can only guess.\n\n<answer>{guess}</answer>",
    "None of the choices fits: {code} is {country}. If one has to be named:\n\n<answer>{guess}</answer>",
)
_UNDECIDED = ("case_compared", "typographic_variant")
"""Kinds where the agent did nothing wrong."""


def _tagged(answer: str) -> str:
    return f"<answer>{answer}</answer>"


def _told(reads: Script, answers: Iterable[str], rng: Random, decisive: bool) -> tuple[Script, ...]:
    leads = iter(rng.sample(_LEADS, len(_LEADS)))
    return tuple((*reads, say(f"{next(leads)}\n\n{_tagged(answer)}", decisive=decisive)) for answer in answers)


def _task(
    index: int, kind: str, request: str, reads: Script, right: str, careless: str, note: str, network: Network, rng: Random,
    known: dict[str, Iterable[str]], guesses: Iterable[str] = (), options: dict[str, str] | None = None,
) -> Task:  # fmt: skip
    """The task with one right answer; `known` has wrong or otherwise written ones by kind of fault, `note` a gap for the answer.

    `guesses` are the wrong answers of those who look nothing up.
    """
    annotated = annotation_day(rng)

    def gold(answer: str, told: str) -> Row:
        return gold_of(kind, note.format(options[told] if options else told), annotated, answer=answer, options=options)

    faulty = {name: _told(reads, answers, rng, name not in _UNDECIDED) for name, answers in known.items()}
    if guesses:
        faulty["answered_unread"] = tuple((say(f"{rng.choice(_FROM_MEMORY)} {_tagged(one)}", decisive=True),) for one in guesses)
    return Task(
        index, kind, SYSTEM, request, _told(reads, [right] * 3, rng, decisive=False), gold(right, right), faulty,
        elsewhere(network, rng), other_gold=gold(careless, careless),
        other_script=_told(reads, [careless], rng, decisive=False)[0], contradicted_gold=gold(careless, right),
    )  # fmt: skip


def journey_time(index: int, network: Network, rng: Random) -> Task:
    """Minutes between two local times that are not of the same zone."""
    order = rng.choice([one for one in network.upcoming if one.train.crosses])
    train = order.train
    right, apparent = str(train.minutes), str(train.arrives - train.departs)
    offs = (-45, -30, -20, -10, 10, 15, 25, 40)
    slips = [str(train.minutes + off) for off in rng.sample(offs, 5)]
    request = rng.choice(
        (
            f"How many minutes is the train of order {order.id} on its way, from departure to arrival?",
            f"What is the actual travelling time on order {order.id}, in minutes? A whole number.",
        )
    )
    known: dict[str, Iterable[str]] = {"wrong_zone": [apparent] * 2, "scattered_numbers": slips[:4]}
    note = f"{train.origin} {clock(train.departs)} to {train.destination} {clock(train.arrives)}, an hour apart: {{}} minutes."
    rough = [str(one) for one in (90, 240, 360, 480) if one != train.minutes]
    return _task(
        index, "journey_time", request, opened(order), right, slips[4], note, network, rng, known, rng.sample(rough, 2)
    )  # fmt: skip


def spend(index: int, network: Network, rng: Random) -> Task:
    """What the confirmed orders of a customer cost together."""
    customer = rng.choice(network.upcoming).customer
    cents = [one.cents for one in network.open_of(customer)]
    right = euros(sum(cents))
    slips = [euros(sum(cents) + off) for off in rng.sample((-1_100, -1_000, -210, -90, 10, 100, 900, 2_000), 5)]
    request = rng.choice(
        (
            f"What do the confirmed orders of {customer} cost in total? Give euros with two decimals, figure only.",
            f"Add up the prices of all confirmed orders of {customer} (two decimals, no currency).",
        )
    )
    note = f"{' + '.join(map(euros, cents))} = {{}}"
    reads = (call("SearchOrders", customer=customer),)
    rough = [euros(one) for one in (19_800, 24_950, 31_000)]
    known: dict[str, Iterable[str]] = {"wavering_total": slips[:4]}
    return _task(index, "spend", request, reads, right, slips[4], note, network, rng, known, rng.sample(rough, 2))


def weekday(index: int, network: Network, rng: Random) -> Task:
    """The day of the week of a trip."""
    order = rng.choice(network.upcoming)
    right = _WEEKDAYS[order.day.weekday()]
    others = rng.sample([one for one in _WEEKDAYS if one != right], 5)
    request = rng.choice(
        (
            f"Which day of the week do I travel on with order {order.id}?",
            f"What weekday is the date of travel of order {order.id}?",
        )
    )
    known: dict[str, Iterable[str]] = {"wavering_weekday": others[:4], "case_compared": (right.lower(), right.upper())}
    note = f"{order.day.isoformat()} is a {{}}."
    return _task(index, "weekday", request, opened(order), right, others[4], note, network, rng, known)


def week(index: int, network: Network, rng: Random) -> Task:
    """The ISO week of a trip, where a plain count of sevens gives another one."""
    order = rng.choice([one for one in network.upcoming if _sevens(one) != one.day.isocalendar().week])
    number = order.day.isocalendar().week
    slips = [str(number + off) for off in rng.sample((-4, -3, -2, 1, 2, 3), 5)]
    request = rng.choice(
        (
            f"In which ISO 8601 week do I travel with order {order.id}? The number is enough.",
            f"Which ISO week is the date of travel of {order.id} in? Number only.",
        )
    )
    known: dict[str, Iterable[str]] = {
        "plain_week_number": [str(_sevens(order))] * 2,
        "scattered_numbers": [one for one in slips[:4] if one != str(_sevens(order))],
    }
    note = f"{order.day.isoformat()} is in week {{}}."
    return _task(index, "week", request, opened(order), str(number), slips[4], note, network, rng, known)


def _sevens(order: Order) -> int:
    return (order.day.timetuple().tm_yday - 1) // 7 + 1


def typeset(text: str) -> tuple[str, ...]:
    """The same text with the blanks and hyphens that keep a line together."""
    glued = text.replace(" ", "\N{NO-BREAK SPACE}").replace("-", "\N{NON-BREAKING HYPHEN}")
    return (glued, glued.replace("\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"))


def arrival(index: int, network: Network, rng: Random) -> Task:
    """Where a trip ends."""
    order = rng.choice(network.upcoming)
    right, careless = order.train.destination, order.train.origin
    request = rng.choice(
        (
            f"At which station do I get off with order {order.id}? Name it as the portal does.",
            f"What is the destination station of order {order.id}, by its name in the portal?",
        )
    )
    known: dict[str, Iterable[str]] = {"typographic_variant": typeset(right)}
    return _task(
        index, "arrival_station", request, opened(order), right, careless, "The train goes to {}.", network, rng, known
    )  # fmt: skip


def line_length(index: int, network: Network, rng: Random) -> Task:
    """Kilometres, where the register has miles and chains."""
    line = network.lines[index % len(network.lines)]
    right = f"{(line.miles + line.chains / CHAINS_PER_MILE) * KM_PER_MILE:.1f}"
    decimal = f"{(line.miles + line.chains / 100) * KM_PER_MILE:.1f}"
    offs = (-7.3, -4.6, -2.8, 1.9, 3.4, 5.7, 8.2)
    slips = [f"{float(right) + off:.1f}" for off in rng.sample(offs, 5)]
    request = rng.choice(
        (
            f"How long is the {line.name} in kilometres, going by the infrastructure register? One decimal.",
            f"Give the registered length of the {line.name} in km, with one decimal.",
        )
    )
    known: dict[str, Iterable[str]] = {"scattered_numbers": slips[:4], "chains_as_decimals": [decimal] * 2}
    note = f"{line.miles} miles {line.chains} chains are {{}} km."
    rough = [one for one in ("55.0", "80.5", "120.0") if one != right]
    reads = (call("GetLine", line=line.name),)
    return _task(index, "line_length", request, reads, right, slips[4], note, network, rng, known, rng.sample(rough, 2))


def coach(index: int, network: Network, rng: Random) -> Task:
    """A choice: the country that a coach is registered in, by its number."""
    order = rng.choice(network.upcoming)
    code = order.coach.split()[1]
    country = COUNTRIES[code]
    *wrong, spare = rng.sample([one for one in COUNTRIES.values() if one != country], 4)
    options = dict(zip("ABCD", rng.sample([country, *wrong], 4), strict=True))
    right = next(letter for letter, text in options.items() if text == country)
    others = rng.sample([letter for letter in options if letter != right], 3)
    asked = rng.choice(
        (
            f"In which country is the coach of order {order.id} registered, by digits three and four of its number? Answer with the letter.",
            f"Which country do digits three and four of the coach number on order {order.id} stand for? Reply with one letter.",
        )
    )
    known: dict[str, Iterable[str]] = {"wrong_option": others, "wrong_fact": [others[0]] * 2}
    note = f"UIC country code {code} is {{}}."
    task = _task(
        index, "coach_country", f"{asked}\n{_listed(options)}", opened(order), right, others[1], note, network, rng, known,
        options=options,
    )  # fmt: skip
    lost = {**options, right: spare}
    says = (
        words.format(code=code, country=country, guess=guess) for words, guess in zip(_NOT_LISTED, [*others[1:]] * 2, strict=True)
    )
    remade = {
        "request": f"{asked}\n{_listed(lost)}",
        "sound": tuple((*opened(order), say(words)) for words in says),
        "gold": {**task.gold, "answer_options": lost, "oracle": {**task.gold["oracle"], "final_answer": others[0]}},
    }
    return replace(task, facts={**task.facts, "remade": {"no_right_option": remade}})


def _listed(options: dict[str, str]) -> str:
    return "\n".join(f"({letter}) {text}" for letter, text in options.items())
