"""Questions in an assay office: weights of bars, weeks, stamps, local times, and which mineral a stone is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Final

from blade.lab.environments.assay.errands import SYSTEM, elsewhere, explained, gold_of, looked_up
from blade.lab.environments.assay.faults import spoilt_golds
from blade.lab.environments.assay.register import GRAMS_PER_TROY_OUNCE, MINERALS, STANDARDS, Register
from blade.lab.environments.assay.weights import GRAMS_PER_OUNCE
from blade.lab.environments.draws import mostly_upwards
from blade.lab.stage.script import Script, Task, call, say

OFFSETS: Final = {
    "Oslo": (1, 2), "Athens": (2, 3), "Chicago": (-6, -5), "Vancouver": (-8, -7), "Madrid": (1, 2), "Edinburgh": (0, 1), "Riga": (2, 3),
}  # fmt: skip
"""Hours ahead of UTC in winter, and in summer."""
_KEYS: Final = ("i", "ii", "iii", "iv")
_LEADS = (
    "",
    "That was on record.\n\n",
    "Here is what the note asks for.\n\n",
    "Worked out from the record:\n\n",
    "To the note:\n\n",
)
_UNLOOKED = ("Roughly, I would say:\n\n", "", "From experience:\n\n")
_GRADED = ("case_compared", "markdown_kept")
"""Kinds that the agent has no part in."""
_TAKEN_FOR: Final = {
    "corundum": "spinel", "beryl": "tourmaline", "quartz": "topaz", "chrysoberyl": "beryl", "olivine": "garnet", "zoisite": "corundum",
    "spodumene": "beryl", "tourmaline": "corundum", "garnet": "beryl",
}  # fmt: skip
"""What a mineral is often mistaken for."""


def block(answer: str) -> str:
    """An answer in the form that the prompt wants."""
    return f"```result\n{answer}\n```"


def _told(reads: Script, answers: Iterable[str], rng: Random, decisive: bool) -> tuple[Script, ...]:
    leads = iter(rng.sample(_LEADS, len(_LEADS)))
    return tuple((*reads, say(f"{next(leads)}{block(answer)}", decisive=decisive)) for answer in answers)


def _task(
    index: int, topic: str, request: str, reads: Script, right: str, careless: str, why: str, register: Register, rng: Random,
    known: dict[str, Iterable[str]], options: dict[str, str] | None = None, exact: float | None = None,
) -> Task:  # fmt: skip
    """The task with one right answer; `known` has wrong or otherwise written ones by kind of fault, `why` a gap for the answer."""
    grounds = [why.format(options[one] if options else one) for one in (right, careless)]
    gold, other = (
        gold_of(topic, reason, answer=one, options=options) for reason, one in zip(grounds, (right, careless), strict=True)
    )
    given = {"markdown_kept": [f"**{right}**", f"*{right}*", f"__{right}__"], **known}
    rounded = None if exact is None else right
    return Task(
        index, "question", SYSTEM, request, _told(reads, [right] * 4, rng, decisive=False), gold,
        {name: _told(reads, answers, rng, name not in _GRADED) for name, answers in given.items()},
        elsewhere(register, request, rng), other_gold=other, other_script=_told(reads, [careless], rng, decisive=False)[0],
        contradicted_gold=explained(other, grounds[0]), facts={"spoilt_gold": spoilt_golds(gold, rounded, exact)},
    )  # fmt: skip


def _unread(task: Task, guesses: Iterable[str], right: str, rng: Random) -> Task:
    """The task with agents that answer it without a look at the records."""
    wild = tuple((say(f"{rng.choice(_UNLOOKED)}{block(one)}", decisive=True),) for one in guesses if one != right)
    return replace(task, faulty={**task.faulty, "answered_unread": wild})


def bars(index: int, register: Register, rng: Random) -> Task:
    """What the bars of a lot weigh, in another unit than on the list."""
    lot = mostly_upwards(register.lots, lambda one: 10 * GRAMS_PER_TROY_OUNCE * sum(one.bars), rng)
    total = sum(lot.bars)
    exact = GRAMS_PER_TROY_OUNCE * total
    right = f"{exact:.1f}"
    slips = [f"{GRAMS_PER_TROY_OUNCE * (total + off):.1f}" for off in rng.sample((-30, -20, -11, -10, -2, 2, 5, 10, 20, 30), 5)]
    request = rng.choice(
        (
            f"How many grams do the bars weigh together that were added to {lot.name}? Round to one decimal.",
            f"The bars that {lot.name} got lately: their weight in all, in grams, rounded to one decimal?",
        )
    )
    ordinary = sum(16 * (one // 12) + one % 12 for one in lot.bars)
    known: dict[str, Iterable[str]] = {
        "wrong_unit": [f"{GRAMS_PER_OUNCE * total:.1f}"] * 2,
        "wrong_rule": [f"{GRAMS_PER_TROY_OUNCE * ordinary:.1f}"] * 2,
        "wavering_total": slips[:4],
    }
    if (cut := f"{int(10 * exact) / 10:.1f}") != right:
        known["wrong_rounding"] = [cut] * 2
    reads = (*looked_up(lot), call("Vault-list_bars", lot=lot.id))
    why = f"{lot.name}: {' + '.join(f'{one // 12} lb {one % 12} oz' for one in lot.bars)} troy, {total} oz, are {{}} g"
    task = _task(index, "bars", request, reads, right, slips[4], why, register, rng, known, exact=exact)
    return _unread(task, ("3110.0", "4000.0", "2500.5"), right, rng)


def week(index: int, register: Register, rng: Random) -> Task:
    """The ISO week in which an assayer joined, where a plain count of sevens gives another one."""
    who = rng.choice([one for one in register.assayers if one.plain_week != one.week])
    near = [str(one) for one in range(who.week - 6, who.week + 7) if one not in (who.week, who.plain_week) and 0 < one <= 52]
    slips = rng.sample(near, 4)
    request = rng.choice(
        (
            f"For the jubilee list: the number of the calendar week, by ISO 8601, in which {who.name} joined the office?",
            f"Which ISO week was it when {who.name} joined us? The number is enough.",
        )
    )
    known: dict[str, Iterable[str]] = {"plain_week_number": [str(who.plain_week)] * 2, "scattered_numbers": slips[:3]}
    why = f"{who.name} joined on {who.joined}, which lies in ISO week {{}}"
    task = _task(index, "jubilee", request, looked_up(who), str(who.week), slips[3], why, register, rng, known)
    return _unread(task, ("9", "18", "27", "41"), str(who.week), rng)


def stamp(index: int, register: Register, rng: Random) -> Task:
    """The fineness that is struck for an article's carats, where the plain share of 24 is another figure."""
    article = rng.choice([one for one in register.articles if one.share != one.standard])
    right = str(article.standard)
    slips = [str(article.standard + off) for off in rng.sample((-35, -25, -15, -10, 10, 15, 25), 4)]
    request = rng.choice(
        (
            f"An owner wants to know which number for the fineness (parts per thousand) is stamped on the {article.name}, by the standard for its carats.",
            f"Which standard fineness, in parts per thousand, will be stamped on the {article.name}, going by its carats? The figure alone.",
        )
    )
    known: dict[str, Iterable[str]] = {"share_for_standard": [str(article.share)] * 2, "scattered_numbers": slips[:3]}
    why = f"{article.name}: {article.carats} ct are stamped {{}}"
    task = _task(index, "stamp", request, looked_up(article), right, slips[3], why, register, rng, known)
    return _unread(task, map(str, STANDARDS.values()), right, rng)


def broadcast(index: int, register: Register, rng: Random) -> Task:
    """When a viewing begins by the clocks of a city."""
    viewing, city = rng.choice(register.viewings), rng.choice(tuple(OFFSETS))
    winter, summer = OFFSETS[city]
    right, other, careless = (f"{viewing.begins + timedelta(hours=hours):%H:%M}" for hours in (summer, winter, summer + 3))
    request = rng.choice(
        (
            f"A bidder in {city} follows the {viewing.name} on screen. At what time does it begin there, local time, as HH:MM (24 hours)?",
            f"When does the {viewing.name} begin by the clocks in {city}? HH:MM, 24 hours.",
        )
    )
    why = f"The {viewing.name} begins at {viewing.begins:%Y-%m-%d %H:%M} UTC, in {city} at {{}}"
    return _task(
        index, "broadcast", request, looked_up(viewing), right, careless, why, register, rng, {"wrong_zone": [other] * 2}
    )


def quiz(index: int, register: Register, rng: Random) -> Task:
    """A choice: the mineral of a stone, by its numeral in a list."""
    viewing = rng.choice(register.viewings)
    mineral = MINERALS[viewing.stone]
    beside = _TAKEN_FOR[mineral]
    rest = sorted({*MINERALS.values(), *_TAKEN_FOR.values()} - {mineral, beside})
    names = rng.sample([mineral, beside, *rng.sample(rest, 2)], 4)
    options = dict(zip(_KEYS, names, strict=True))
    right = _KEYS[names.index(mineral)]
    others = rng.sample([one for one in _KEYS if one != right], 3)
    request = rng.choice(
        (
            f"Question card at the {viewing.name}: which of these minerals is the stone on show a variety of? The numeral is the answer.",
            f"The stone at the {viewing.name} belongs to one of the minerals below. Which one? Answer with its numeral.",
        )
    )
    lines = "\n".join(f"({key}) {name}" for key, name in options.items())
    known: dict[str, Iterable[str]] = {
        "wrong_option": others,
        "wrong_fact": [_KEYS[names.index(beside)]] * 2,
        "case_compared": [right.upper()] * 2,
    }
    why = f"{viewing.stone} is {{}}"
    task = _task(index, "quiz", f"{request}\n{lines}", looked_up(viewing), right, others[1], why, register, rng, known, options)
    return replace(task, family="quiz")


def mineral(index: int, register: Register, rng: Random) -> Task:
    """The mineral of a stone, by its name."""
    viewing = rng.choice(register.viewings)
    right = MINERALS[viewing.stone]
    others = rng.sample(sorted({*MINERALS.values()} - {right, _TAKEN_FOR[right]}), 5)
    request = rng.choice(
        (
            f"The catalogue of the {viewing.name} wants the mineral that the stone on show is a variety of. Its English name?",
            f"Name the mineral (in English, one word) of which the stone at the {viewing.name} is a variety.",
        )
    )
    known: dict[str, Iterable[str]] = {
        "wavering_fact": others[:4],
        "wrong_fact": [_TAKEN_FOR[right]] * 2,
        "case_compared": (right.capitalize(), right.upper()),
    }
    why = f"{viewing.stone} is a variety of {{}}"
    return _task(index, "catalogue", request, looked_up(viewing), right, others[4], why, register, rng, known)
