"""The tools of a rail travel desk.

They drive the operator's web portal and answer in plain text: lookups in lines, changes with one that begins with `Confirmed`, and what is
turned down with one that begins with `Declined`. Times are local. No tool knows the rules of compensation, time zones, the country
in a coach's number, or how many chains make a mile.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import function
from blade.lab.environments.railway.network import SERVICES, Network, Order, clock, euros

_DEPARTURE = {"type": "string", "format": "date-time", "description": "Scheduled departure, ISO 8601, local time."}
TOOLS = (
    function("SearchOrders", "All orders of a customer.", customer="string"),
    function("GetOrder", "One order: customer, train, times, price, coach, and how the trip went.", order_id="string"),
    function(
        "SearchTrains",
        "Trains between two stations on a day, with local times.",
        origin="string",
        destination="string",
        date={"type": "string", "format": "date"},
    ),
    function("GetSupplement", "What first class would cost more for an order.", order_id="string"),
    function("GetLine", "Entry of a line in the infrastructure register.", line="string"),
    function("ChangeTrain", "Move an order to another train or day.", order_id="string", train="string", departure=_DEPARTURE),
    function(
        "ChangeSeating",
        "Set the class and the area in which the seat of an order is.",
        ("order_id", "travel_class"),
        order_id="string",
        travel_class={"type": "integer", "enum": [1, 2]},
        area={"type": "string", "enum": ["open", "quiet", "family"], "default": "open"},
    ),
    function(
        "AddServices",
        "Add services to an order. The order in which they are listed does not matter.",
        order_id="string",
        services={"type": "array", "items": {"type": "string", "enum": list(SERVICES)}},
    ),
    function(
        "SendTicket",
        "Send the ticket of an order.",
        order_id="string",
        channel={"type": "string", "enum": ["app", "email", "post"]},
    ),
    function(
        "FileDelayClaim",
        "File a claim for compensation after a late arrival.",
        order_id="string",
        percent={"type": "integer", "description": "Share of the ticket price that is claimed."},
    ),
    function("CancelOrder", "Cancel an order and refund it.", order_id="string"),
    function("BookTrain", "Make a new order.", customer="string", train="string", departure=_DEPARTURE),
)
WRITES: Final = frozenset(
    ("ChangeTrain", "ChangeSeating", "AddServices", "SendTicket", "FileDelayClaim", "CancelOrder", "BookTrain")
)  # fmt: skip


def refused(answer: str) -> bool:
    return answer.startswith("Declined")


class Desk:
    """The tools over the network."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def __call__(self, made: Call) -> str:
        given = made.arguments
        match made.name:
            case "SearchOrders":
                return self._orders(str(given.get("customer")))
            case "SearchTrains":
                return self._trains(given.get("origin"), given.get("destination"), given.get("date"))
            case "GetLine":
                return self._line(given.get("line"))
            case "BookTrain":
                return self._departing(made) or _confirmed(made)
        order = self.network.order(given.get("order_id"))
        if order is None:
            return f"Declined: there is no order {given.get('order_id')}."
        if made.name == "GetOrder":
            return _told(order)
        if made.name == "GetSupplement":
            return f"Supplement for first class, order {order.id}: {euros(order.supplement)} EUR"
        return self._changed(made, order)

    def _orders(self, customer: str) -> str:
        found = self.network.of(customer)
        lines = [
            f"{one.id} | {_status(one)} | {one.train.number} | {one.day.isoformat()} | {one.train.origin} > {one.train.destination} | {euros(one.cents)} EUR"
            for one in found
        ]
        return "\n".join((f"{len(found)} orders for {customer}", *lines))

    def _trains(self, origin: object, destination: object, day: object) -> str:
        found = sorted(self.network.between(origin, destination), key=lambda one: one.departs)
        lines = [f"{one.number} | dep {clock(one.departs)} | arr {clock(one.arrives)} | seats available" for one in found]
        return "\n".join((f"{origin} > {destination}, {day}: {len(found)} trains", *lines))

    def _line(self, name: object) -> str:
        line = next((one for one in self.network.lines if one.name == name), None)
        return (
            "Declined: no such line in the register."
            if line is None
            else f"{line.name}\nGauge: 1435 mm\nLength: {line.miles} m {line.chains} ch"
        )

    def _changed(self, made: Call, order: Order) -> str:
        if made.name not in WRITES:
            return f"Declined: unknown operation {made.name}."
        if order.cancelled:
            return f"Declined: order {order.id} is cancelled."
        if made.name == "FileDelayClaim":
            return _confirmed(made) if order.late is not None else f"Declined: the trip of {order.id} lies ahead."
        return (self._departing(made) if made.name == "ChangeTrain" else "") or _confirmed(made)

    def _departing(self, made: Call) -> str:
        """Why no such train departs then; nothing where it does."""
        number, departure = made.arguments.get("train"), str(made.arguments.get("departure"))
        try:
            moment = datetime.fromisoformat(departure)
        except ValueError:
            return f"Declined: '{departure}' is no ISO 8601 time."
        train = next((one for one in self.network.trains if one.number == number), None)
        leaves = train is not None and 60 * moment.hour + moment.minute == train.departs
        return "" if leaves else f"Declined: {number} does not depart at {departure}."


def _status(order: Order) -> str:
    return "cancelled" if order.cancelled else "confirmed" if order.late is None else "travelled"


def _confirmed(made: Call) -> str:
    return f"Confirmed: {made.name}, receipt {dice(*made.key).randrange(10**7, 10**8)}."


def _told(order: Order) -> str:
    train = order.train
    lines = [
        f"Order {order.id} ({_status(order)})",
        f"Customer: {order.customer}",
        f"Train: {train.number}",
        f"Date of travel: {order.day.isoformat()}",
        f"From: {train.origin}, dep {clock(train.departs)} local time",
        f"To: {train.destination}, arr {clock(train.arrives)} local time",
        f"Coach: {order.coach}",
        f"Price: {euros(order.cents)} EUR, second class",
    ]
    if order.late is not None:
        lines.append(f"Arrived: {order.late} min late")
    return "\n".join(lines)
