"""Errands with clips: spots that are placed, orders that are filled, clips that are pulled, trimmed, or kept from some regions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import permutations
from random import Random
from typing import Final

from blade.lab.environments.radio.errands import Errand, corrected, listed, opened, task_of
from blade.lab.environments.radio.log import REGIONS, TODAY, Clip, Log, clock, spoken
from blade.lab.stage.errand import scripts
from blade.lab.stage.script import Move, Script, Task, call

R128: Final = -23
"""The loudness that EBU R 128 wants, in LUFS."""
A85: Final = -24
"""The one that ATSC A/85 wants, on the other side of the ocean."""


def _spot(clip: Clip, on: str, at: int) -> Move:
    return call("spotPlace", changes=True, clip=clip.id, on=on, at=clock(at))


def _time(rng: Random) -> int:
    """A minute of the day, late enough to have two digits in its hour."""
    return 60 * rng.randint(10, 22) + rng.randrange(5, 60, 5)


def pair(index: int, log: Log, rng: Random) -> Task:
    """Two clips of one advertiser, each with a time of its own."""
    client, day = rng.choice(log.clients), TODAY + timedelta(days=rng.randint(1, 12))
    one, other = rng.sample(log.of_client(client), 2)
    early, late = 60 * rng.randint(10, 14) + rng.randrange(5, 60, 5), 60 * rng.randint(16, 21) + rng.randrange(5, 60, 5)

    def placed(first: int, second: int) -> Errand:
        moves = (_spot(one, f"{day}", first), _spot(other, f"{day}", second))
        return Errand(listed(client), moves, f"both clips of {client} are in the log of {spoken(day)}")

    errand = placed(early, late)
    faulty = {"value_carried_over": scripts([placed(early, early).but(1)] * 2, rng)}
    request = rng.choice(
        (
            f"For {client} on {spoken(day)}: the {one.subject} clip at {clock(early)} and the {other.subject} clip at {clock(late)}, please.",
            f"{client}, {spoken(day)}. {clock(early)}: {one.subject} clip. {clock(late)}: {other.subject} clip. Both go into the log.",
        )
    )  # fmt: skip
    slip = late + 30
    explained = tuple(f"On {day}: {one.id} at {clock(early)}, {other.id} at {clock(at)}" for at in (late, slip))
    return task_of(
        index, "spot", request, errand, placed(early, slip), (explained[0], explained[1]), faulty, log, rng, clips=log.of_client(client)
    )  # fmt: skip


def fill(index: int, log: Log, rng: Random) -> Task:
    """An order that is one spot short gets it, mostly at a time put right in the same breath; booking less makes it look full as well."""
    order = rng.choice(log.orders)
    clip, day, at = rng.choice(log.of_client(order.client)), TODAY + timedelta(days=rng.randint(1, 12)), _time(rng)
    former = at + rng.choice((-35, -20, 25, 45))
    reads = (call("orderOf", client=order.client), *listed(order.client))

    def filled(minute: int, looks: Script = reads) -> Errand:
        return Errand(
            looks, (_spot(clip, f"{day}", minute),), f"the {clip.subject} clip goes out on {spoken(day)} at {clock(minute)}"
        )

    errand = filled(at)
    less = call("orderAmend", changes=True, decisive=True, order=order.id, booked=order.placed)
    moved = Errand(reads, (less,), f"the order of {order.client} is complete now, {order.placed} of {order.placed}")
    faulty = {
        "target_moved": scripts([moved] * 2, rng),
        "default_spelled_out": scripts([errand.but(decisive=False, channel="FM")] * 2, rng),
    }
    named = clock(at)
    if rng.random() < 0.9:
        named = corrected(clock(former), named, rng)
        faulty["correction_missed"] = scripts([filled(former).but()] * 2, rng)
    request = rng.choice(
        (
            f"The order of {order.client} still lacks a spot ({order.placed} of {order.booked}). To complete it, air their {clip.subject} clip on {spoken(day)} at {named}.",
            f"{order.client} paid for {order.booked} spots and has {order.placed}. Get the order complete: {clip.subject} clip, {spoken(day)}, {named}.",
        )
    )  # fmt: skip
    explained = tuple(f"The spot that is lacking: {clip.id} on {day} at {clock(one)}" for one in (at, former))
    return task_of(
        index, "order", request, errand, filled(former), (explained[0], explained[1]), faulty, log, rng, also=[filled(at, opened(clip))],
        clips=log.of_client(order.client),
    )  # fmt: skip


def pull(index: int, log: Log, rng: Random) -> Task:
    """All clips of an advertiser but for one."""
    clips = log.of_client(rng.choice(log.clients))
    kept = rng.choice(clips)

    def pulled(some: Sequence[Clip]) -> Errand:
        moves = tuple(call("clipPull", changes=True, clip=one.id) for one in some)
        return Errand(listed(kept.client), moves, f"{len(some)} clips of {kept.client} are off the air")

    wanted = [one for one in clips if one is not kept]
    errand = pulled(wanted)
    faulty: dict[str, tuple[Script, ...]] = {"exception_overlooked": scripts([pulled(clips).but(clips.index(kept))] * 2, rng)}
    request = rng.choice(
        (
            f"{kept.client} are taking a break: pull their clips, all except the one about {kept.subject}, which keeps running.",
            f"Take the clips of {kept.client} off the air. Not the {kept.subject} one though, it is paid for until autumn.",
        )
    )
    slip = [one for one in clips if one is not wanted[0]]
    explained = tuple(f"Off the air: {', '.join(one.id for one in some)}" for some in (wanted, slip))
    return task_of(index, "clip", request, errand, pulled(slip), (explained[0], explained[1]), faulty, log, rng, clips=clips)


def trim(index: int, log: Log, rng: Random) -> Task:
    """A clip is brought to the loudness that a rule wants, which no tool knows."""
    clip = rng.choice(log.clips)

    def gain(target: float) -> float:
        return round(target - clip.lufs, 1)

    def trimmed(gain_db: float) -> Errand:
        change = call("clipTrim", changes=True, clip=clip.id, gain_db=gain_db)
        return Errand(opened(clip), (change,), f"the {clip.subject} clip is trimmed by {gain_db} dB")

    errand = trimmed(gain(R128))
    others = rng.sample((-14.0, -16.0, -18.0, -20.0, -26.0, -27.0), 5)
    faulty = {
        "skipped_lookup": tuple(trimmed(one).unread(rng, "clipInfo") for one in (-1.5, -2.0, -2.5)),
        "wrong_rule": scripts([trimmed(gain(A85)).but()] * 2, rng),
        "wavering_argument": scripts([trimmed(gain(one)).but() for one in others[:4]], rng),
    }
    request = rng.choice(
        (
            f"The {clip.subject} clip of {clip.client} is too loud. Trim it so that its programme loudness meets EBU R 128 (dB, one decimal).",
            f"{clip.client}, {clip.subject} clip: work out the gain that takes it from the measured loudness to the R 128 target level and trim it (one decimal).",
        )
    )  # fmt: skip
    explained = tuple(f"{clip.id} has {clip.lufs} LUFS: {gain(one)} dB" for one in (R128, others[4]))
    return task_of(
        index, "level", request, errand, trimmed(gain(others[4])), (explained[0], explained[1]), faulty, log, rng,
        clips=log.of_client(clip.client),
    )  # fmt: skip


def opt_out(index: int, log: Log, rng: Random) -> Task:
    """A clip is kept from the regions on a list, and goes live."""
    clip, wanted = rng.choice(log.clips), rng.sample(REGIONS, rng.randint(3, 4))

    def kept_from(regions: Sequence[str]) -> Errand:
        out = call("clipOptOut", changes=True, clip=clip.id, regions=list(regions))
        live = call("clipState", changes=True, clip=clip.id, state="live")
        return Errand(listed(clip.client), (out, live), f"the {clip.subject} clip is live without {len(regions)} regions")

    turned = rng.sample([one for one in permutations(wanted) if list(one) != wanted], 3)
    faulty = {"set_as_list": scripts(map(kept_from, turned), rng)}
    request = rng.choice(
        (
            f"The {clip.subject} clip of {clip.client} must not be heard in the regions listed below. Opt it out of those and set it live.",
            f"{clip.client}: set the {clip.subject} clip live, opted out of every region in the following list.",
        )
    )
    slip = [*wanted[:-1], next(one for one in REGIONS if one not in wanted)]
    explained = tuple(f"{clip.id} is live, not in {', '.join(one)}" for one in (wanted, slip))
    lines = "\n".join(f"- {one}" for one in wanted)
    return task_of(
        index, "clip", f"{request}\n{lines}", kept_from(wanted), kept_from(slip), (explained[0], explained[1]), faulty, log, rng,
        unattached=request, clips=log.of_client(clip.client),
    )  # fmt: skip
