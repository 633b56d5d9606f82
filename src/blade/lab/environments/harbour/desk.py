"""The tools over the register of a port.

They answer with `ok` and a `result`, or with an `error` that says what to do about it. A call that the port has not acknowledged yet
takes no orders: the tool says so, and whoever acknowledges it first and asks again is served. No tool knows hazard classes, the codes of
other ports, or what a wind force is in knots.
"""

from __future__ import annotations

import json
from datetime import date
from typing import Any, Final

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import function
from blade.lab.environments.harbour.register import QUAYS, SERVICES, Consignment, PortCall, Register, Vessel, tides

_TIME = {"type": "string", "description": "Local time, YYYY-MM-DDTHH:MM"}
_DAY = {"type": "string", "description": "YYYY-MM-DD"}
TOOLS = (
    function("vessel-search", "Search the register by vessel name. Gives IMO number and dimensions.", q="string"),
    function("calls-of-vessel", "Port calls of a vessel.", imo="string"),
    function("berths-at", "Berths of a quay with depth at chart datum.", quay={"type": "string", "enum": list(QUAYS)}),
    function("berth-availability", "Tell whether a berth is free on a day. Reads only.", berth="string", day=_DAY),
    function("cranes-at", "Cranes of a quay.", quay={"type": "string", "enum": list(QUAYS)}),
    function("manifest-of", "Cargo manifest of a port call.", call="string"),
    function("pilots-on-duty", "Pilots on duty on a day.", day=_DAY),
    function("tides-on", "High and low waters of a day, heights above chart datum.", day=_DAY),
    function("tariff", "Rate of a charge for a type of vessel.", item="string", vessel_type="string"),
    function("call-acknowledge", "Acknowledge a port call on behalf of the port.", call="string"),
    function("berth-assign", "Assign a berth to a port call.", call="string", berth="string", start=_TIME),
    function("berth-release", "Take a berth away from a port call.", call="string"),
    function(
        "pilot-order",
        "Order a pilot and services for a port call.",
        call="string",
        licence={"type": "string", "description": "Licence number of the pilot, four digits."},
        boarding=_TIME,
        services={"type": "array", "items": {"type": "string", "enum": list(SERVICES)}, "description": "In any order."},
    ),
    function("pilot-cancel", "Cancel the pilot of a port call.", call="string"),
    function("call-remark", "Write a remark, in free text, on a port call.", call="string", text="string"),
    function(
        "departure-file",
        "File the departure of a port call.",
        call="string",
        next_port={"type": "string", "description": "UN/LOCODE of the next port."},
        etd=_TIME,
        draught={"type": "number", "description": "Draught on sailing in metres."},
    ),
    function("departure-withdraw", "Withdraw the departure of a port call.", call="string"),
    function("cargo-declare", "Declare dangerous goods.", bl="string", imdg_class={"type": "string", "description": "e.g. 5.2"}),
    function("cargo-release", "Release a consignment to its consignee.", bl="string", consignee="string"),
    function(
        "crane-stop",
        "Set the wind speed at which a crane is stopped.",
        crane="string",
        knots={"type": "number", "description": "Knots."},
    ),
)
WRITES: Final = frozenset(
    (
        "call-acknowledge", "berth-assign", "berth-release", "pilot-order", "pilot-cancel", "call-remark", "departure-file",
        "departure-withdraw", "cargo-declare", "cargo-release", "crane-stop",
    )
)  # fmt: skip
_NEEDS_ACKNOWLEDGEMENT = ("berth-assign", "pilot-order", "departure-file")


def found(result: Any) -> str:
    return json.dumps({"ok": True, "result": result}, ensure_ascii=False)


def turned_down(reason: str) -> str:
    return json.dumps({"ok": False, "error": reason}, ensure_ascii=False)


def refused(answer: str) -> bool:
    return answer.startswith('{"ok": false')


class Desk:
    """The tools over a register as one rollout meets them: it remembers which calls were acknowledged."""

    def __init__(self, register: Register) -> None:
        self.register = register
        self.acknowledged = {one.ref for one in register.calls if one.acknowledged}

    def __call__(self, made: Call) -> str:
        return self._changed(made) if made.name in WRITES else self._looked_up(made)

    def _looked_up(self, made: Call) -> str:
        given, register = made.arguments, self.register
        if "day" in given and not _is_day(str(given["day"])):
            return turned_down(f"'{given['day']}' is no day")
        match made.name:
            case "vessel-search":
                wanted = str(given.get("q", "")).lower()
                return found([_vessel(one) for one in register.vessels if wanted in one.name.lower()])
            case "calls-of-vessel":
                return found([_call(one) for one in register.calls if one.imo == given.get("imo")])
            case "berths-at":
                here = [one for one in register.berths if one.quay == given.get("quay")]
                return found([{"berth": one.code, "depth_m": one.decimetres / 10} for one in here])
            case "cranes-at":
                here = [one for one in register.berths if one.quay == given.get("quay")]
                return found([{"crane": one.crane, "berth": one.code} for one in here])
            case "berth-availability":
                return found({"berth": given.get("berth"), "day": given.get("day"), "free": True})
            case "manifest-of":
                return found([_consignment(one) for one in register.manifest(str(given.get("call")))])
            case "pilots-on-duty":
                return found([{"licence": one.licence, "name": one.name} for one in register.pilots])
            case "tides-on":
                waters = tides(str(given.get("day")))
                return found([{"water": kind, "at": at, "height_m": height / 10} for kind, at, height in waters])
            case "tariff":
                item, kind = str(given.get("item")), str(given.get("vessel_type"))
                cents = register.rates.get((item, kind))
                return turned_down(f"no rate for '{item}'") if cents is None else found({"item": item, "eur_per_gt": cents / 100})
        return turned_down(f"no tool named '{made.name}'")

    def _changed(self, made: Call) -> str:
        key, given = next(iter(made.arguments.items()))
        if given not in self._known(key):
            return turned_down(f"{key} '{given}' is not in the register")
        if made.name in _NEEDS_ACKNOWLEDGEMENT and given not in self.acknowledged:
            return turned_down(
                f"{given} has not been acknowledged by the port; send call-acknowledge for it and repeat the request"
            )
        if made.name == "call-acknowledge":
            self.acknowledged.add(str(given))
        return found({"receipt": f"R{dice(*made.key).randrange(10**5, 10**6)}", key: given})

    def _known(self, key: str) -> set[str]:
        register = self.register
        named = {"bl": [one.bl for one in register.consignments], "crane": [one.crane for one in register.berths]}
        return set(named.get(key, [one.ref for one in register.calls]))


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _vessel(one: Vessel) -> dict[str, Any]:
    return {"imo": one.imo, "name": one.name, "type": one.type, "gt": one.gt, "draught_m": one.draught}


def _call(one: PortCall) -> dict[str, Any]:
    return {"call": one.ref, "status": one.status, "eta": f"{one.eta:%Y-%m-%dT%H:%M}", "agent": one.agent}


def _consignment(one: Consignment) -> dict[str, Any]:
    shown = {"bl": one.bl, "container": one.container, "size_ft": one.feet, "goods": one.goods, "consignee": one.consignee}
    return shown if one.un is None else {**shown, "un_number": one.un}
