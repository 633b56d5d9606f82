"""Questions at a radio station: kilobytes, days, weeks, local times, and what a code means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from blade.lab.environments.radio.errands import SYSTEM, elsewhere, explaining, gold_of, listed
from blade.lab.environments.radio.faults import spoilt_golds
from blade.lab.environments.radio.log import Q_CODES, Clip, Log, clock, spoken
from blade.lab.stage.script import Row, Script, Task, call, say

OFFSETS: Final = {
    "Madrid": (2, 1),
    "Oslo": (2, 1),
    "Bucharest": (3, 2),
    "Dublin": (1, 0),
    "Toronto": (-4, -5),
    "Chicago": (-5, -6),
}
"""Hours ahead of UTC in summer, and in winter."""
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LEADS = ("", "From the log: ", "Checked.\n", "Here is what the sheet asks for.\n\n", "According to the automation:\n")
_UNLOOKED = ("The usual figure, I should think: ", "No need to look that up.\n", "")
_UNDECIDED = ("case_compared",)
"""Kinds where the agent did nothing wrong."""


def _reply(lead: str, answer: str) -> str:
    return f"{lead}<reply>{answer}</reply>"


def _told(reads: Script, answers: Iterable[str], rng: Random, decisive: bool) -> tuple[Script, ...]:
    leads = iter(rng.sample(_LEADS, len(_LEADS)))
    return tuple((*reads, say(_reply(next(leads), answer), decisive=decisive)) for answer in answers)


def _task(
    index: int, topic: str, request: str, reads: Script, right: str, careless: str, why: str, log: Log, rng: Random,
    known: dict[str, Iterable[str]], guesses: Iterable[str] = (), alternatives: Sequence[Row] | None = None,
) -> Task:  # fmt: skip
    """The task with one right answer; `known` has wrong or otherwise written ones by kind of fault, `why` a gap for the answer.

    `guesses` are the answers of those who look nothing up, if they are wrong.
    """
    named = {one["mark"]: one["wording"] for one in alternatives or ()}
    gold, other = (
        gold_of(topic, why.format(named.get(one, one)), says=one, alternatives=alternatives) for one in (right, careless)
    )
    faulty = {name: _told(reads, answers, rng, name not in _UNDECIDED) for name, answers in known.items()}
    wild = [one for one in guesses if one != right]
    if wild:
        faulty["answered_unread"] = tuple((say(_reply(rng.choice(_UNLOOKED), one), decisive=True),) for one in wild)
    return Task(
        index, "query", SYSTEM, request, _told(reads, [right] * 3, rng, decisive=False), gold, faulty, elsewhere(log, request, rng),
        other_gold=other, other_script=_told(reads, [careless], rng, decisive=False)[0],
        contradicted_gold=explaining(other, why.format(named.get(right, right))), facts={"spoilt_gold": spoilt_golds(gold)},
    )  # fmt: skip


def _named(clip: Clip) -> str:
    return f"the {clip.subject} clip of {clip.client}"


def size(index: int, log: Log, rng: Random) -> Task:
    """How much room the clips of an advertiser take, from rates in bits."""
    client = rng.choice(log.clients)
    clips = log.of_client(client)
    parts = [one.seconds * one.kbit // 8 for one in clips]
    slips = [str(sum(parts) + off) for off in rng.sample((-200, -110, -100, -90, -10, 10, 64, 100, 900), 5)]
    request = rng.choice(
        (
            f"How many kilobytes (of 1000 bytes) do the clips of {client} take up together, going by length and bitrate? Whole number.",
            f"{client} ask for the combined size of all their clips, length times bitrate. In kB (1000 bytes), no decimals.",
        )
    )
    reads = (*listed(client), *(call("clipInfo", clip=one.id) for one in clips))
    known: dict[str, Iterable[str]] = {"wrong_unit": [str(8 * sum(parts))] * 2, "wavering_total": slips[:4]}
    why = f"{' + '.join(map(str, parts))} = {{}} kB"
    return _task(index, "size", request, reads, str(sum(parts)), slips[4], why, log, rng, known, ("2500", "3600", "4800"))


def weekday(index: int, log: Log, rng: Random) -> Task:
    """The day of the week of a first airing."""
    clip = rng.choice(log.clips)
    right = _WEEKDAYS[clip.first_aired.weekday()]
    others = rng.sample([one for one in _WEEKDAYS if one != right], 5)
    request = rng.choice(
        (
            f"Which day of the week was it when {_named(clip)} was first on the air?",
            f"First airing of {_named(clip)}: what weekday was that?",
        )
    )
    known: dict[str, Iterable[str]] = {"wavering_weekday": others[:4], "case_compared": (right.lower(), right.upper())}
    why = f"{clip.id}: {clip.first_aired} was a {{}}"
    return _task(index, "first_airing", request, listed(clip.client), right, others[4], why, log, rng, known)


def sevens(clip: Clip) -> int:
    """The week by a plain count from 1 January."""
    return (clip.first_aired.timetuple().tm_yday - 1) // 7 + 1


def week(index: int, log: Log, rng: Random) -> Task:
    """The ISO week of a first airing, where a plain count of sevens gives another one."""
    clip = rng.choice([one for one in log.clips if sevens(one) != one.first_aired.isocalendar().week])
    number = clip.first_aired.isocalendar().week
    near = [str(one) for one in range(number - 5, number + 6) if one not in (number, sevens(clip)) and 0 < one <= 52]
    slips = rng.sample(near, 4)
    request = rng.choice(
        (
            f"The invoice goes by ISO weeks. Give the ISO week number in which {_named(clip)} first aired.",
            f"In what ISO 8601 week (just the number) was {_named(clip)} on the air for the first time?",
        )
    )
    known: dict[str, Iterable[str]] = {"plain_week_number": [str(sevens(clip))] * 2, "scattered_numbers": slips[:3]}
    why = f"{clip.id}: {clip.first_aired} lies in ISO week {{}}"
    return _task(index, "first_airing", request, listed(clip.client), str(number), slips[3], why, log, rng, known)


def relay(index: int, log: Log, rng: Random) -> Task:
    """When a programme is heard by the clocks of a city."""
    show, city = rng.choice(log.shows), rng.choice(tuple(OFFSETS))
    right, other = (clock(show.minute + 60 * offset) for offset in OFFSETS[city])
    request = rng.choice(
        (
            f'A station in {city} relays "{show.title}" live on {spoken(show.next_on)}. At what time do people there hear it begin? HH:MM.',
            f'What do the clocks in {city} show when the next "{show.title}" ({spoken(show.next_on)}) goes out? 24 hours, HH:MM.',
        )
    )
    why = f"{show.next_on} {clock(show.minute)} UTC is {{}} in {city}"
    careless = clock(show.minute + 180 + 60 * OFFSETS[city][0])
    reads = (call("showCard", title=show.title),)
    return _task(index, "relay", request, reads, right, careless, why, log, rng, {"wrong_zone": [other] * 2})


def report(index: int, log: Log, rng: Random) -> Task:
    """A choice: what the code in a reception report means."""
    mast = rng.choice(log.masts)
    meaning = Q_CODES[mast.report]
    texts = rng.sample([meaning, *rng.sample([one for one in Q_CODES.values() if one != meaning], 3)], 4)
    alternatives = [{"mark": mark, "wording": text} for mark, text in zip("wxyz", texts, strict=True)]
    right = "wxyz"[texts.index(meaning)]
    others = rng.sample([mark for mark in "wxyz" if mark != right], 3)
    request = rng.choice(
        (
            f"What does the code of the last reception report from {mast.site} stand for? One letter.",
            f"Look at the last reception report for {mast.site}: which of these is meant by its code? Reply with the letter.",
        )
    )
    lines = "\n".join(f"{one['mark']} = {one['wording']}" for one in alternatives)
    known: dict[str, Iterable[str]] = {"wrong_option": others, "wrong_fact": [others[0]] * 2}
    task = _task(
        index, "report", f"{request}\n{lines}", (call("mastCard", site=mast.site),), right, others[1], f"{mast.report} means {{}}", log, rng,
        known, alternatives=alternatives,
    )  # fmt: skip
    return replace(task, family="report")
