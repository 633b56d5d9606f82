"""Errands at the observatory: bookings, cancellations, pointings and reductions, each with what can go wrong in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

from blade.lab.desk import Call
from blade.lab.environments.observatory.sky import (
    BLOCKS_PER_PAGE,
    OFFSET_TAKEN,
    TARGETS_PER_PAGE,
    TONIGHT,
    UTC_OFFSET,
    Block,
    Programme,
    Sky,
    Target,
)
from blade.lab.stage.script import (
    Move,
    Row,
    Script,
    Task,
    call,
    changes_of,
    ending,
    hear,
    inserted,
    say,
    with_arguments,
    with_value,
    without,
)

SYSTEM = (
    f"You are the night assistant of the Cerro Almar observatory in Chile. The coming night is that of {TONIGHT:%-d %B %Y}. The queue and the "
    "archive keep UTC; people on site speak of civil time. Requests come by chat from the observers. Programme codes, target ids and "
    "block ids have to be taken from the system. Do exactly what is asked, then report in one or two sentences."
)
_DONE = ("{}. Clear skies!", "That's in: {}.", "{} - all confirmed by the system.", "Finished, {}.", "The queue now has it: {}.")
_OFFERS = (
    "I have everything for this: {}. OK to go ahead?",
    "Just to be sure before I touch the queue: {}?",
    "Ready to do this: {}. Yes?",
)
_YES = ("Yes, go ahead.", "yes please", "Right, do it.", "OK, fine with me.")


def expected(calls: Sequence[Call], **more: object) -> Row:
    """The dataset's fields of an errand."""
    return {"expected_actions": [{"action": made.name, "parameters": dict(made.arguments)} for made in calls], **more}


def _made(script: Script) -> list[Call]:
    return [move.call for move in script if move.changes and move.call is not None]


def _ways(rng: Random, sound: Script, what: str) -> tuple[Script, ...]:
    """The sound way, and the same by a careful agent that has it confirmed once."""
    offer = (say(rng.choice(_OFFERS).format(what)), hear(rng.choice(_YES)))
    return sound, sound, inserted(sound, changes_of(sound)[0], *offer)


def _shared(rng: Random, sound: Script, extra: Move) -> dict[str, tuple[Script, ...]]:
    changes = changes_of(sound)
    first = sound[changes[0]].call
    assert first is not None
    key = "targetId" if "targetId" in first.arguments else "blockId"
    number = str(first.arguments[key])
    garbled = number[:-2] + str((int(number[-2:]) + 37) % 100).zfill(2) + "7"
    left = say(rng.choice(("The astronomer on duty has it now.", "I've left this with the astronomer on duty.")))
    remark = rng.choice(("please decide on this request", "from the chat, for you", "needs someone with an overview"))
    faults: dict[str, tuple[Script, ...]] = {
        "extra_change": (inserted(sound, changes[-1] + 1, replace(extra, changes=True, decisive=True)),),
        "error_ignored": (with_arguments(sound, changes[0], **{key: garbled}),),
        "early_handover": ((*sound[:1], call("handToAstronomer", decisive=True, remark=remark), left),),
    }
    if len(changes) > 2:
        partial = without(sound, *changes[len(changes) // 2 :])
        faults["partial_update"] = (ending(partial, replace(partial[-1], decisive=True)),)
    return faults


def _pages(sky: Sky, target: Target) -> Script:
    """The search, page by page until the target is there."""
    last = sky.found(target.name).index(target) // TARGETS_PER_PAGE
    first = call("lookupTarget", query=target.name)
    return (first, *(call("lookupTarget", query=target.name, page=page) for page in range(2, last + 2)))


def _listing(programme: Programme, last: int) -> Script:
    """The pages of a programme's blocks up to the one with a block."""
    pages = range(2, last // BLOCKS_PER_PAGE + 2)
    first = call("listBlocks", programme=programme.code)
    return (first, *(call("listBlocks", programme=programme.code, page=page) for page in pages))


def book(index: int, sky: Sky, rng: Random) -> Task | None:
    """A block for a target given by name, in minutes and civil time; sometimes with a word to the investigator."""
    programme, target = rng.choice(sky.programmes), rng.choice(sky.targets)
    hits = sky.found(target.name)
    if target is hits[0]:
        return None
    exposures, minutes = rng.randint(4, 20), rng.choice((2, 3, 4, 6, 8, 12, 15))
    begins = datetime.combine(TONIGHT + timedelta(days=rng.randint(0, 20)), datetime.min.time())
    begins += timedelta(hours=rng.randint(18, 23), minutes=rng.choice((0, 10, 20, 30, 45)))

    def utc(hours: float) -> str:
        return f"{begins + timedelta(hours=hours):%Y-%m-%dT%H:%M:00Z}"

    who = programme.investigator
    note = rng.choice(("Your block is in the queue.", "Booked as agreed on Monday.", "The extra time is arranged."))
    with_note = rng.random() < 0.5
    order = call(
        "scheduleBlock", changes=True, programme=programme.code, targetId=target.id, startUtc=utc(UTC_OFFSET), exposures=exposures,
        secondsEach=minutes * 60,
    )  # fmt: skip
    letter = (call("messageInvestigator", changes=True, programme=programme.code, text=note),) if with_note else ()
    finding = call("findProgramme", investigator=who)
    search = _pages(sky, target)
    what = f"{exposures} x {minutes} min on {target.name} for {who}"
    closing = say(rng.choice(_DONE).format(what))
    sound = (finding, *search, order, *letter, closing)
    at = changes_of(sound)[0]
    hours = rng.sample((UTC_OFFSET + 1, 0, -UTC_OFFSET, 5.5, 2, -OFFSET_TAKEN), 4)
    blind, head = sound[1:], (finding, search[0])
    code = programme.code
    faulty: dict[str, tuple[Script, ...]] = {
        "wrong_zone": (with_arguments(sound, at, startUtc=utc(OFFSET_TAKEN)),),
        "wavering_argument": tuple(with_arguments(sound, at, startUtc=utc(hour)) for hour in hours),
        "alternating_unit": tuple(with_arguments(sound, at, secondsEach=minutes) for _ in range(2)),
        "first_hit": ((*head, *with_arguments((order,), 0, targetId=hits[0].id), *letter, closing),) if len(search) > 1 else (),
        "skipped_lookup": tuple(with_value(blind, code, guess) for guess in (who.split()[-1].upper(), f"117.{who.split()[-1]}")),
        "invented_id": tuple(with_value(blind, code, f"117.{run}-0{rng.randint(100, 999)}") for run in "GHK"),
        **_shared(rng, sound, call("offsetPointing", blockId=programme.blocks[0].id, east=0, north=5)),
    }
    if with_note:
        short = without(sound, changes_of(sound)[-1])
        faulty["sub_request_dropped"] = (ending(short, replace(short[-1], decisive=True)),)
    asked = rng.choice(
        (
            "Please queue {n} exposures of {m} minutes each on {t} for {w}'s programme, starting {d} civil time.",
            "{w} needs {t}: {n} x {m} min, begin {d} (our clock). Can you put it into the queue?",
            "New block for {w}: target {t}, {n} frames, {m} minutes per frame, first one at {d} civil time.",
        )
    ).format(n=exposures, m=minutes, t=target.name, w=who, d=f"{begins:%-d %B at %H:%M}")
    also = (
        rng.choice((" Afterwards send {w} the message '{n}'", " And write to {w}: '{n}'")).format(w=who, n=note)
        if with_note
        else ""
    )
    turned = (*search, finding, order, *letter, closing)
    mislabelled = _made(with_arguments(sound, at, exposures=exposures + 1))
    extras = (Call("listBlocks", {"programme": code}), Call("findProgramme", {"investigator": who.split()[-1]}))
    return Task(
        index, "booking", SYSTEM, asked + also, (*_ways(rng, sound, what), turned), expected(_made(sound)), faulty, extras,
        other_gold=expected(mislabelled), facts={"sky": sky},
    )  # fmt: skip


def cancel(index: int, sky: Sky, rng: Random) -> Task | None:
    """The first queued blocks of a programme, no more than a number of them, and they stand on two pages."""
    programme = rng.choice(sky.programmes)
    queued = [block for block in programme.blocks if block.state == "queued"]
    most = rng.randint(3, 5)
    if len(queued) <= most:
        return None
    wanted = queued[:most]
    last = programme.blocks.index(wanted[-1])
    if last < BLOCKS_PER_PAGE:
        return None
    who = programme.investigator

    def dropped(blocks: Sequence[Block]) -> Script:
        return tuple(call("cancelBlock", changes=True, blockId=block.id) for block in blocks)

    def closing(blocks: Sequence[Block]) -> Move:
        return say(rng.choice(_DONE).format(f"{len(blocks)} blocks of {who} cancelled"))

    head = (call("findProgramme", investigator=who), *_listing(programme, last))
    everything = (head[0], *_listing(programme, len(programme.blocks) - 1))
    sound = (*head, *dropped(wanted), closing(wanted))
    beyond = tuple(replace(move, decisive=True) if at == 0 else move for at, move in enumerate(dropped(queued[most:])))
    seen = [block for block in wanted if programme.blocks.index(block) < BLOCKS_PER_PAGE]
    first_page = (head[0], replace(head[1], decisive=True), *dropped(seen), replace(closing(seen), decisive=True))
    faulty = {
        "limit_ignored": ((*everything, *dropped(wanted), *beyond, closing(queued)),),
        "first_page_only": (first_page,) if seen else (),
        **_shared(rng, sound, call("offsetPointing", blockId=programme.blocks[-1].id, east=5, north=0)),
    }
    request = rng.choice(
        (
            "Bad weather ahead: take {w}'s queued blocks out, earliest nights first, but not more than {n} of them. What is on hold stays.",
            "Cancel queued blocks of {w} in the order of their nights. At most {n}, and leave those on hold alone.",
            "{w} gives time back. Remove the earliest queued blocks, {n} at the most, nothing that is on hold.",
        )
    ).format(w=who, n=most)
    extras = (Call("findProgramme", {"investigator": who.split()[-1]}),)
    return Task(
        index, "cancelling", SYSTEM, request, _ways(rng, sound, f"cancel {most} blocks of {who}"), expected(_made(sound)), faulty, extras,
        other_gold=expected(_made(sound)[:-1]), facts={"sky": sky},
    )  # fmt: skip


_RECIPES = (
    ("the bias taken from the overscan", "--bias=overscan", "-overscan"),
    ("rejection of cosmic rays", "--cosmics=reject", "-crclean yes"),
    ("sky subtraction along the slit", "--sky=slit", "-skysub slit"),
    ("flat fields of the same night", "--flat=night", "-flatmode nightly"),
    ("the wavelength solution of release 5", "--wavecal=auto", "-arcfit"),
)


def reduce_block(index: int, sky: Sky, rng: Random) -> Task:
    """A reduction whose options the current release of the pipeline spells otherwise than the last one, or a shift in arcminutes."""
    programme = rng.choice(sky.programmes)
    at = rng.randrange(len(programme.blocks))
    block, who = programme.blocks[at], programme.investigator
    head = (call("findProgramme", investigator=who), *_listing(programme, at))
    night = f"{block.night:%-d %B}"
    faulty: dict[str, tuple[Script, ...]]
    reduction = rng.random() < 0.5
    if reduction:
        words, current, obsolete = rng.choice(_RECIPES)
        change = call("startReduction", changes=True, blockId=block.id, options=current)
        what = f"reduction of the block of {night} with {words}"
        sound = (*head, change, say(rng.choice(_DONE).format(what)))
        slips = (current.split("=")[0], current.replace("=", " "), current.replace("--", "-"), f"{current},verbose")
        faulty = {
            "obsolete_flag": (with_arguments(sound, len(head), options=obsolete),),
            "wavering_argument": tuple(with_arguments(sound, len(head), options=slip) for slip in slips),
        }
        request = f"Start the reduction of {who}'s block of {night}, with {words}."
        other = _made(with_arguments(sound, len(head), options=obsolete))
    else:
        east, north = (rng.choice((-1, 1)) * rng.choice((1.5, 2, 2.5, 3, 4.5)) for _ in range(2))
        change = call("offsetPointing", changes=True, blockId=block.id, east=east * 60, north=north * 60)
        what = f"pointing of the block of {night} shifted"
        sound = (*head, change, say(rng.choice(_DONE).format(what)))
        faulty = {
            "alternating_unit": tuple(with_arguments(sound, len(head), east=east, north=north) for _ in range(2)),
            "wavering_argument": tuple(
                with_arguments(sound, len(head), east=sign * east * 60, north=turn * north * 60)
                for sign, turn in ((-1, 1), (1, -1), (-1, -1))
            ),
        }
        sides = f"{abs(east):g} arcminutes {'east' if east > 0 else 'west'} and {abs(north):g} arcminutes {'north' if north > 0 else 'south'}"
        request = f"The block of {who} on {night} needs another pointing: {sides} of where it is now."
        other = _made(with_arguments(sound, len(head), north=-north * 60))
    faulty |= _shared(rng, sound, call("messageInvestigator", programme=programme.code, text="Done."))
    extras = (Call("lookupTarget", {"query": block.target.name}),)
    return Task(
        index, "pipeline" if reduction else "pointing", SYSTEM, request, _ways(rng, sound, what), expected(_made(sound)), faulty, extras,
        other_gold=expected(other), facts={"sky": sky},
    )  # fmt: skip
