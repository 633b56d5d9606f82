"""Rollouts that were given something else than is expected, as several of the tests of gold need them."""

import msgspec

from blade.signals.example import Example, call


def closed(given, expected, *, query="Ann Lee", other=None, more=None):
    """An account is closed under an id that a listing gives, where another one is expected."""
    listed = [{"customer_id": given, "name": "Ann Lee"}, *([other] if other else [])]
    wanted = {"name": "close_account", "arguments": {"customer_id": expected}}
    answer = msgspec.json.encode({"data": listed, **(more or {})}).decode()
    made = (call("find_customer", answer, query=query), call("close_account", "ok", customer_id=given))
    return Example(made, asked="Close the account of Ann Lee.", fields={"expected_calls": [wanted]})


def booked_room(given, expected, seen="Two rooms."):
    wanted = {"name": "book_room", "arguments": {"room": expected}}
    made = (call("list_rooms", seen), call("book_room", "booked", room=given))
    return Example(made, asked="Book the room Aurora.", fields={"expected_calls": [wanted]})


def spanned(first, last, given=("2026-06-22", "2026-06-28"), names=("first_day", "last_day")):
    """A lane is closed for some days, where others are expected."""
    wanted = {"name": "close_lane", "arguments": dict(zip(names, (first, last), strict=True))}
    made = call("close_lane", "ok", **dict(zip(names, given, strict=True)))
    return Example((made,), asked="Close the lane.", fields={"expected_calls": [wanted]})


NOTE = "look again tomorrow"


def noted(given, expected):
    """A note that the request dictates in quotes, where another one (or the same, several times) is expected."""
    notes = expected if isinstance(expected, list) else [expected]
    wanted = [{"name": "add_note", "arguments": {"account": "A-1", "note": note}} for note in notes]
    made = (call("add_note", "saved", account="A-1", note=given),)
    return Example(made, asked=f'Please note "{given}" on A-1.', fields={"expected_calls": wanted})
