"""Questions at the harbour office: dues to be worked out, containers to be counted, water under a keel."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from blade.lab.environments.harbour.errands import SYSTEM, coming_call, elsewhere, gold_of
from blade.lab.environments.harbour.register import CHARGES, Register, tides
from blade.lab.environments.harbour.work import written
from blade.lab.stage.script import Row, Script, Task, call, say

_LEADS = (
    "I have worked it out from the register.",
    "The figure for {name}:",
    "This follows from the entries for {name}.",
    "Here is what you asked for.",
    "Done, see the last line.",
)
_FROM_THE_HIP = (
    "For a vessel like {name} this comes to the usual figure.",
    "I know {name}, no need to look anything up.",
    "Going by what is typical for {name}:",
    "A quick answer for {name}.",
)


def _told(reads: Script, name: str, figures: Iterable[str], rng: Random, decisive: bool = False) -> tuple[Script, ...]:
    return tuple(
        (*reads, say(f"{rng.choice(_LEADS).format(name=name)}\n\nReply: {figure}", decisive=decisive)) for figure in figures
    )


def _task(
    index: int, template: str, request: str, name: str, reads: Script, right: str, slips: list[str], slots: Row, register: Register,
    rng: Random, **known: list[str],
) -> Task:  # fmt: skip
    """The task with one right figure and some that are near it; `known` has the figures by kind of fault."""
    guesses = [
        (say(f"{lead.format(name=name)}\n\nReply: {slip}", decisive=True),)
        for lead, slip in zip(rng.sample(_FROM_THE_HIP, 3), slips, strict=False)
    ]
    wrong = {kind: _told(reads, name, figures, rng, decisive=True) for kind, figures in known.items()}
    faulty = {"answered_unread": tuple(guesses), "scattered_numbers": _told(reads, name, slips, rng, decisive=True), **wrong}
    return Task(
        index, template.partition("/")[0], SYSTEM, request, _told(reads, name, [right] * 3, rng), gold_of([], template, slots, right),
        faulty, elsewhere(register, rng),
    )  # fmt: skip


def dues(index: int, register: Register, rng: Random) -> Task:
    """A charge by gross tonnage."""
    vessel, item = rng.choice(register.vessels), rng.choice(CHARGES)
    cents = vessel.gt * register.rates[item, vessel.type]
    reads = (call("vessel-search", q=vessel.name), call("tariff", item=item, vessel_type=vessel.type))
    slips = [f"{(cents + slip) / 100:.2f}" for slip in rng.sample((-9_000, -900, -90, 70, 110, 1_000, 2_700, 10_000), 4)]
    request = rng.choice(
        (
            f"What does {vessel.name} pay in {item} for one call, in euros? Give two decimals.",
            f"Work out the {item} of {vessel.name} for a single call (euros, two decimals).",
        )
    )
    slots = {"vessel": vessel.name, "item": item}
    right = f"{cents / 100:.2f}"
    return _task(index, "dues/2", request, vessel.name, reads, right, slips, slots, register, rng, wavering_dues=slips)


def boxes(index: int, register: Register, rng: Random) -> Task:
    """What a manifest comes to in TEU, of which a box of forty feet has two."""
    vessel = rng.choice(register.vessels)
    port_call, found = coming_call(register, vessel)
    manifest = register.manifest(port_call.ref)
    right = sum(one.feet // 20 for one in manifest)
    reads = (*found, call("manifest-of", call=port_call.ref))
    slips = [str(right + slip) for slip in rng.sample((-2, -1, 1, 2), 4)]
    request = rng.choice(
        (
            f"How many TEU does {vessel.name} bring on its expected call?",
            f"What does the manifest of the expected call of {vessel.name} add up to in TEU?",
        )
    )
    slots, counted = {"vessel": vessel.name}, [str(len(manifest))] * 2
    return _task(index, "boxes/1", request, vessel.name, reads, str(right), slips, slots, register, rng, teu_as_boxes=counted)


def keel(index: int, register: Register, rng: Random) -> Task:
    """Depth and tide less draught, at the higher high water of a day."""
    vessel = rng.choice(register.vessels)
    at = register.call_of(vessel).eta
    day = f"{at:%Y-%m-%d}"
    tide = max(height for kind, _, height in tides(day) if kind == "HW")
    berth = rng.choice([one for one in register.berths if one.decimetres + tide - vessel.decimetres > 5])
    quay, clear = berth.quay, berth.decimetres + tide - vessel.decimetres
    reads = (call("vessel-search", q=vessel.name), call("berths-at", quay=quay), call("tides-on", day=day))
    slips = [f"{(clear + slip) / 10:.1f}" for slip in rng.sample((-10, -6, -3, 2, 4, 10), 4)]
    said = written(at).partition(",")[0]
    where = f"at berth {berth.code} ({quay} quay)"
    request = rng.choice(
        (
            f"How much water will {vessel.name} have under the keel {where} at the higher high water of {said}? Metres, one decimal.",
            f"At the higher of the two high waters on {said}, what is the clearance under the keel of {vessel.name} {where}, in metres with one decimal?",
        )
    )
    slots = {"vessel": vessel.name, "berth": berth.code, "day": said}
    right = f"{clear / 10:.1f}"
    return _task(index, "keel/1", request, vessel.name, reads, right, slips, slots, register, rng, wavering_clearance=slips)
