"""Questions at a mountain rescue: lengths of rope, days, weeks, local times, and where a summit is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Final

from blade.lab.environments.rescue.board import SUMMITS, Board
from blade.lab.environments.rescue.errands import SYSTEM, elsewhere, explained, gold_of, looked_up
from blade.lab.environments.rescue.faults import spoilt_golds
from blade.lab.stage.script import Script, Task, call, say

OFFSETS: Final = {
    "Zurich": (1, 2), "Tallinn": (2, 3), "Zagreb": (1, 2), "Chisinau": (2, 3), "Calgary": (-7, -6), "Boston": (-5, -4),
}  # fmt: skip
"""Hours ahead of UTC in winter, and in summer."""
METRES_PER_FOOT: Final = 0.3048
_FEET_TO_A_METRE: Final = 3
"""For those who take a yard for a metre."""
_WORDS: Final = ("alfa", "bravo", "charlie", "delta")
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LEADS = ("", "For the duty officer: ", "The board gives this. ", "Looked up.\n\n", "Here it is:\n")
_UNLOOKED = ("That would be about the usual. ", "", "Going by what people keep:\n")


def _told(reads: Script, answers: Iterable[str], rng: Random, decisive: bool) -> tuple[Script, ...]:
    leads = iter(rng.sample(_LEADS, len(_LEADS)))
    return tuple((*reads, say(f"{next(leads)}[[{answer}]]", decisive=decisive)) for answer in answers)


def _task(
    index: int, topic: str, request: str, reads: Script, right: str, careless: str, why: str, board: Board, rng: Random,
    known: dict[str, Iterable[str]], options: dict[str, str] | None = None,
) -> Task:  # fmt: skip
    """The task with one right answer; `known` has wrong or otherwise written ones by kind of fault, `why` a gap for the answer."""
    reasons = [why.format(options[one] if options else one) for one in (right, careless)]
    gold, other = (
        gold_of(topic, reason, reply=one, options=options) for reason, one in zip(reasons, (right, careless), strict=True)
    )
    return Task(
        index, "question", SYSTEM, request, _told(reads, [right] * 3, rng, decisive=False), gold,
        {name: _told(reads, answers, rng, name != "case_compared") for name, answers in known.items()}, elsewhere(board, request, rng),
        other_gold=other, other_script=_told(reads, [careless], rng, decisive=False)[0],
        contradicted_gold=explained(other, reasons[0]), facts={"spoilt_gold": spoilt_golds(gold)},
    )  # fmt: skip


def ropes(index: int, board: Board, rng: Random) -> Task:
    """How much rope a volunteer has, in another unit than the list."""
    who = rng.choice(board.volunteers)
    total = sum(who.ropes)
    right = f"{METRES_PER_FOOT * total:.1f}"
    slips = [f"{METRES_PER_FOOT * (total + off):.1f}" for off in rng.sample((-100, -90, -50, -20, -10, 10, 15, 40, 90, 100), 5)]
    request = rng.choice(
        (
            f"If {who.name} ties all the ropes from home together, how many metres is that? One decimal, leaving the knots aside.",
            f"How much rope does {who.name} keep at home, all in all? In metres, with one decimal.",
        )
    )
    known: dict[str, Iterable[str]] = {"wrong_unit": [f"{total / _FEET_TO_A_METRE:.1f}"] * 2, "wavering_total": slips[:4]}
    reads = (*looked_up(who), call("get_v1_volunteers_ropes", volunteer=who.id))
    why = f"{who.name}: {' + '.join(map(str, who.ropes))} ft are {{}} m"
    task = _task(index, "ropes", request, reads, right, slips[4], why, board, rng, known)
    wild = tuple(
        (say(f"{rng.choice(_UNLOOKED)}[[{one}]]", decisive=True),) for one in ("120.0", "150.0", "180.5") if one != right
    )
    return replace(task, faulty={**task.faulty, "answered_unread": wild})


def weekday(index: int, board: Board, rng: Random) -> Task:
    """The day of the week on which a volunteer joined."""
    who = rng.choice(board.volunteers)
    right = _DAYS[who.joined.weekday()]
    others = rng.sample([one for one in _DAYS if one != right], 5)
    request = rng.choice(
        (
            f"For the speech at the anniversary: which day of the week was it when {who.name} joined us?",
            f"{who.name} would like to know on what weekday it all began, the day of joining.",
        )
    )
    known: dict[str, Iterable[str]] = {"wavering_weekday": others[:4], "case_compared": (right.lower(), right.upper())}
    why = f"{who.name} joined on {who.joined}, a {{}}"
    return _task(index, "anniversary", request, looked_up(who), right, others[4], why, board, rng, known)


def week(index: int, board: Board, rng: Random) -> Task:
    """The ISO week in which a volunteer joined, where a plain count of sevens gives another one."""
    who = rng.choice([one for one in board.volunteers if one.plain_week != one.week])
    near = [str(one) for one in range(who.week - 6, who.week + 7) if one not in (who.week, who.plain_week) and 0 < one <= 52]
    slips = rng.sample(near, 4)
    request = rng.choice(
        (
            f"Medals are given out by ISO week of joining. What is the week's number for {who.name}?",
            f"{who.name} joined in which calendar week, by ISO 8601? The number alone.",
        )
    )
    known: dict[str, Iterable[str]] = {"plain_week_number": [str(who.plain_week)] * 2, "scattered_numbers": slips[:3]}
    why = f"{who.name} joined on {who.joined}, in ISO week {{}}"
    return _task(index, "medals", request, looked_up(who), str(who.week), slips[3], why, board, rng, known)


def opening(index: int, board: Board, rng: Random) -> Task:
    """When an exchange opens by the clocks of a city."""
    exchange, city = rng.choice(board.exchanges), rng.choice(tuple(OFFSETS))
    winter, summer = OFFSETS[city]
    right, other, careless = (f"{exchange.opens + timedelta(hours=hours):%H:%M}" for hours in (winter, summer, winter + 5))
    request = rng.choice(
        (
            f"Our friends in {city} dial in when the {exchange.name} opens. What time is that on their clocks, as HH:MM (24 hours)?",
            f"At what time in {city} does the {exchange.name} open? Local time there, 24-hour HH:MM.",
        )
    )
    why = f"The {exchange.name} opens at {exchange.opens:%Y-%m-%d %H:%M} UTC, {{}} in {city}"
    reads = (call("get_v1_exchanges", exchange_name=exchange.name),)
    return _task(index, "opening", request, reads, right, careless, why, board, rng, {"wrong_zone": [other] * 2})


def summit(index: int, board: Board, rng: Random) -> Task:
    """A choice: the country of a summit."""
    exchange = rng.choice(board.exchanges)
    home = SUMMITS[exchange.summit]
    countries = rng.sample([home, *rng.sample([one for one in SUMMITS.values() if one != home], 3)], 4)
    options = dict(zip(_WORDS, countries, strict=True))
    right = _WORDS[countries.index(home)]
    others = rng.sample([one for one in _WORDS if one != right], 3)
    request = rng.choice(
        (
            f"Which country do we travel to for the summit of the {exchange.name}? Give the code word.",
            f"The summit of the {exchange.name} is in which of these countries? Answer with its code word.",
        )
    )
    lines = "\n".join(f"{word}: {country}" for word, country in options.items())
    known: dict[str, Iterable[str]] = {"wrong_option": others, "wrong_fact": [others[0]] * 2}
    reads = (call("get_v1_exchanges", exchange_name=exchange.name),)
    why = f"{exchange.summit} is in {{}}"
    task = _task(index, "summit", f"{request}\n{lines}", reads, right, others[1], why, board, rng, known, options)
    return replace(task, family="summit")
