"""Errands for vessels: a berth with a remark, a pilot with services, a departure."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from blade.lab.environments.harbour.errands import Errand, coming_call, task_of
from blade.lab.environments.harbour.register import QUAYS, SERVICES, Register
from blade.lab.stage.errand import made, scripts
from blade.lab.stage.script import Script, Task, call

_REMARKS: Final = {
    "has to wait for a weather window": (
        "Has to wait for a weather window.",
        "vessel must wait for a weather window",
        "Waiting for a weather window",
    ),
    "may shift to another berth at short notice": (
        "May shift to another berth at short notice.",
        "could be moved to another berth on short notice",
        "Vessel may shift berth at short notice",
    ),
    "brings a damaged container on deck": (
        "Brings a damaged container on deck.",
        "damaged container on deck",
        "Vessel carries a damaged container on deck",
    ),
    "needs a gangway watch overnight": (
        "Needs a gangway watch overnight.",
        "overnight gangway watch needed",
        "Gangway watch required overnight",
    ),
    "takes stores before cargo work begins": (
        "Takes stores before cargo work begins.",
        "stores to be taken before cargo work begins",
        "Vessel will take stores before starting cargo work",
    ),
}
"""What is to be noted, and other words for it."""
_PORTS: Final = {
    "Gothenburg": ("SEGOT", "SEGBG"),
    "Rotterdam": ("NLRTM", "NLROT"),
    "Antwerp": ("BEANR", "BEANT"),
    "Klaipeda": ("LTKLJ", "LTKLA"),
    "Bilbao": ("ESBIO", "ESBIL"),
    "Felixstowe": ("GBFXT", "GBFEL"),
    "Aarhus": ("DKAAR", "DKARH"),
    "Bremerhaven": ("DEBRV", "DEBRE"),
    "Le Havre": ("FRLEH", "FRLHV"),
    "Zeebrugge": ("BEZEE", "BEZBR"),
    "Tallinn": ("EETLL", "EETAL"),
    "Gdynia": ("PLGDY", "PLGYN"),
}
"""The UN/LOCODE, and the one that people make up."""


def written(at: datetime) -> str:
    """A time as people write it."""
    return f"{at:%-d %B %Y, %H:%M}"


def _iso(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M}"


def _hours_off(errand: Errand, key: str, at: datetime, rng: Random) -> tuple[Script, ...]:
    wrong: list[dict[str, Any]] = [{key: _iso(at + timedelta(hours=off))} for off in rng.sample((-24, -2, -1, 1, 2, 12, 24), 3)]
    return scripts([errand.but(**one) for one in wrong], rng)


def berthing(index: int, register: Register, rng: Random) -> Task:
    """One of two berths, by the vessel's draught and the depth there, and a remark on the call."""
    vessel = rng.choice(register.vessels)
    port_call, reads = coming_call(register, vessel)
    quay, margin = rng.choice(tuple(QUAYS)), rng.choice((5, 8, 10, 15))
    here = [one for one in register.berths if one.quay == quay]
    shallow = [one for one in here if one.decimetres - vessel.decimetres < margin]
    first = rng.choice(shallow if shallow and rng.random() < 0.7 else here)
    others = [one for one in here if one is not first]
    second = rng.choice([one for one in others if one not in shallow] or others)
    taken = second if first in shallow else first
    start = port_call.eta + timedelta(hours=rng.randint(1, 6))
    remark, variants = rng.choice(tuple(_REMARKS.items()))
    assign = call("berth-assign", changes=True, call=port_call.ref, berth=taken.code, start=_iso(start))
    note = call("call-remark", changes=True, call=port_call.ref, text=remark)
    looked = (*reads, call("berths-at", quay=quay))
    done = f"{vessel.name} lies at {taken.code} from {written(start)}, and the remark is on the call"
    errand = Errand(looked, (assign, note), done, vessel.name, port_call)
    checked = call("berth-availability", berth=taken.code, day=f"{start:%Y-%m-%d}")
    faulty = {
        "reads_counted": scripts([replace(errand, reads=(*looked, checked))] * 2, rng),
        "free_text_compared": scripts([errand.but(1, decisive=False, text=text) for text in variants], rng),
        "wavering_argument": _hours_off(errand, "start", start, rng),
    }
    if taken is second:
        unseen = replace(errand.but(berth=first.code), reads=reads, done=done.replace(second.code, first.code, 1))
        faulty["condition_unchecked"] = scripts([unseen] * 2, rng)
    rule = f"if the depth there is at least {margin / 10} m more than its draught, otherwise {second.code}"
    request = rng.choice(
        (
            f"{vessel.name} is coming in. Give its expected call berth {first.code} on the {quay} quay {rule}, starting {written(start)}. Also note on the call that the vessel {remark}.",
            f"Berth for the expected call of {vessel.name} from {written(start)}: {first.code} ({quay} quay) {rule}. And put on record for that call that it {remark}.",
        )
    )  # fmt: skip
    slots = {
        "vessel": vessel.name, "quay": quay, "preferred": first.code, "fallback": second.code, "margin_m": margin / 10,
        "when": written(start), "note": remark,
    }  # fmt: skip
    return task_of(index, "berthing/2", request, errand, slots, faulty, register, rng)


def pilotage(index: int, register: Register, rng: Random) -> Task:
    """A pilot who is asked for by name boards at an hour, with two or three services."""
    vessel, pilot = rng.choice(register.vessels), rng.choice(register.pilots)
    port_call, reads = coming_call(register, vessel)
    boarding = port_call.eta - timedelta(minutes=30 * rng.randint(1, 5))
    services = rng.sample(SERVICES, rng.randint(2, 3))
    order = call(
        "pilot-order", changes=True, call=port_call.ref, licence=pilot.licence, boarding=_iso(boarding), services=services
    )  # fmt: skip
    looked = (*reads, call("pilots-on-duty", day=f"{boarding:%Y-%m-%d}"))
    done = f"{pilot.name} boards {vessel.name} on {written(boarding)}"
    errand = Errand(looked, (order,), done, vessel.name, port_call)
    turned = {tuple(sorted(services)), tuple(reversed(services)), (*services[1:], services[0])} - {tuple(services)}
    faulty = {
        "set_as_list": scripts([errand.but(decisive=False, services=list(one)) for one in sorted(turned)], rng),
        "wavering_argument": _hours_off(errand, "boarding", boarding, rng),
    }
    listed = f"{', '.join(services[:-1])} and {services[-1]}"
    request = rng.choice(
        (
            f"Order pilot {pilot.name} for the expected call of {vessel.name}, boarding {written(boarding)}, together with {listed}.",
            f"{vessel.name} needs a pilot for its expected call: {pilot.name}, on board at {written(boarding)}. Services: {listed}.",
        )
    )
    slots = {"vessel": vessel.name, "pilot": pilot.name, "when": written(boarding), "services": listed}
    return task_of(index, "pilotage/3", request, errand, slots, faulty, register, rng)


def departure(index: int, register: Register, rng: Random) -> Task:
    """A departure to a port that is given by its name."""
    vessel = rng.choice(register.vessels)
    port_call, reads = coming_call(register, vessel)
    etd = port_call.eta + timedelta(hours=rng.randint(14, 40))
    port, (code, made_up) = rng.choice(tuple(_PORTS.items()))
    metres = vessel.decimetres // 10 - rng.randint(0, 1)
    draught = metres if rng.random() < 0.7 else metres + 0.5
    filed = call("departure-file", changes=True, call=port_call.ref, next_port=code, etd=_iso(etd), draught=draught)
    done = f"the departure of {vessel.name} for {port} is filed for {written(etd)}"
    errand = Errand(reads, (filed,), done, vessel.name, port_call)
    faulty = {
        "made_up_locode": scripts([errand.but(next_port=made_up)] * 2, rng),
        "wavering_argument": _hours_off(errand, "etd", etd, rng),
    }
    if made(filed).arguments["draught"] == metres:
        faulty["number_spelling"] = scripts([errand.but(decisive=False, draught=float(metres))] * 2, rng)
    request = rng.choice(
        (
            f"File the departure of {vessel.name} for its expected call: {written(etd)}, bound for {port}, draught on sailing {draught} m.",
            f"{vessel.name} leaves on {written(etd)} for {port} with a draught of {draught} m. File that for its expected call.",
        )
    )
    slots = {"vessel": vessel.name, "port": port, "when": written(etd), "draught_m": draught}
    return task_of(index, "departure/1", request, errand, slots, faulty, register, rng)
