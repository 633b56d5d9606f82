"""The script of an endpoint that works in the office turn by turn, mostly without fault.

Loaded by the scripted endpoint, and by tests that want to know what was planted. The perfect assistant decides what to do next from the
request and from the tool outputs in the conversation so far, nothing else; `PLANTED` says which tasks it gets wrong, how, and in which
repeats (the request's seed is the repeat). With a skill in its system message it reads the skill first, and then does as `SKILLED` says.
"""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.resources_servers.workplace_assistant import perfect_assistant, perfect_solutions  # noqa: E402

Row = dict[str, Any]
ALWAYS = frozenset(range(4))
CHANGES = re.compile(r"_(create|delete|update|add|send|forward|reply)_")
DONE = {
    "email_forward_email": "forwarded the mail",
    "email_delete_email": "deleted the mails",
    "email_reply_email": "answered the mail",
    "email_send_email": "sent the mail",
    "calendar_create_event": "booked the meeting",
    "calendar_delete_event": "cancelled the meetings",
    "calendar_update_event": "moved the meeting",
    "analytics_create_plot": "made the plot",
    "project_management_create_task": "created the task",
    "project_management_update_task": "updated the tasks",
    "customer_relationship_manager_update_customer": "updated the customers",
    "customer_relationship_manager_add_customer": "added the customer",
    "customer_relationship_manager_delete_customer": "deleted the customer",
}
DATES = ("date_min", "date_max", "time_min", "time_max", "due_date_min", "due_date_max", "last_contact_date_max")
DATES += ("follow_up_by_min", "follow_up_by_max")


class Waiting(Exception):
    """A call must be answered before the next decision."""

    def __init__(self, call: Row) -> None:
        self.call = call


class Worker(perfect_assistant.Assistant):
    """The perfect assistant over a conversation: what it asked is answered there, what it changes it says at the end of a turn."""

    def __init__(self, answered: dict[str, Any]) -> None:
        super().__init__()
        self.answered = answered
        self.thoughts = ""
        self.changes: list[Row] = []
        self.open_changes: list[Row] = []

    def use(self, tool: str, /, **arguments: Any) -> Any:
        given = {name: int(value) if name == "duration" else value for name, value in arguments.items() if value != ""}
        call = {"name": tool, "arguments": given}
        key = key_of(call["name"], call["arguments"])
        if CHANGES.search(tool):
            self.changes.append(call)
            if key not in self.answered:
                self.open_changes.append(call)
            return {}
        if key not in self.answered:
            raise Waiting(call)
        return json.loads(self.answered[key])

    def search(self, name: str, **filters: Any) -> list[Row]:
        answer = self.use(name, **filters, page_size=25)
        return next(value for key, value in answer.items() if key != "pagination")

    def report(self) -> str:
        said = list(dict.fromkeys(DONE[call["name"]] for call in self.changes))
        return f"I have {' and '.join(said)}." if said else "I found nothing that fits, so I changed nothing."

    def finish(self) -> None:
        """What it does after the work."""


class NameInSearch(Worker):
    """Filters by the name as it was said, where an address is asked for, and finds nothing."""

    def address(self, who: str) -> str:
        return who.partition(" from ")[0]


class NameInChange(NameInSearch):
    """Gives the name as it was said to a tool that takes addresses only, and stops at its error."""

    def report(self) -> str:
        return "The tool did not accept the name, so nothing was changed."


class NamesakesMixed(Worker):
    """Never finds out which address the first person has; records of everyone with that first name get changed."""

    def __init__(self, answered: dict[str, Any]) -> None:
        super().__init__(answered)
        self.met = False

    def address(self, who: str) -> str:
        if self.met:
            return super().address(who)
        self.met = True
        return who.split()[0]


class FiltersInItsHead(Worker):
    """Asks without dates and reads them off the listing; the first and the last day of a period get lost."""

    def search(self, name: str, **filters: Any) -> list[Row]:
        limits = {key: filters.pop(key) for key in DATES if key in filters}
        found = super().search(name, **filters)
        first = next((value for key, value in limits.items() if key.endswith("_min")), "0000")
        last = next((value for key, value in limits.items() if key.endswith("_max")), "9999")
        self.thoughts = f"I go through the dates in this list myself and keep those between {first} and {last}."
        return [row for row in found if first < day_in(row, limits) < last]


class ClaimsOnly(Worker):
    """Looks up what it needs, changes nothing, and reports the change."""

    def use(self, tool: str, /, **arguments: Any) -> Any:
        answer = super().use(tool, **arguments)
        self.open_changes = []
        return answer


class InventsEvent(Worker):
    """Moves an event whose id nothing gave."""

    def search(self, name: str, **filters: Any) -> list[Row]:
        return [{"event_id": "ev-0017"}]


class InventsRecipient(Worker):
    """Has an address ready for everyone but the first person."""

    def __init__(self, answered: dict[str, Any]) -> None:
        super().__init__(answered)
        self.known = 0

    def address(self, who: str) -> str:
        self.known += 1
        return super().address(who) if self.known == 1 else f"{who.split()[0].lower()}.office@larkfell.example"


class SendsMailToo(Worker):
    """Tells somebody about the work, unasked."""

    def finish(self) -> None:
        owner = "marit.solheim@larkfell.example"
        self.use("email_send_email", recipient=owner, subject="For your information", body="The work is done.")


@dataclass(frozen=True)
class Plant:
    worker: type[Worker]
    seeds: frozenset[int] = ALWAYS


PLANTED = {
    106: Plant(NamesakesMixed),
    71: Plant(NameInChange),
    76: Plant(NameInSearch),
    10: Plant(FiltersInItsHead, frozenset({1})),
    110: Plant(FiltersInItsHead, frozenset({0, 1})),
    23: Plant(ClaimsOnly),
    131: Plant(ClaimsOnly, frozenset({0, 2})),
    44: Plant(InventsEvent, frozenset({0, 1, 3})),
    0: Plant(InventsRecipient, frozenset({2, 3})),
    25: Plant(SendsMailToo, frozenset({1, 2, 3})),
    130: Plant(SendsMailToo),
}
"""By the task's `id`."""
CLEAN = (2, 4, 6, 12, 14, 24, 27, 38, 48, 50, 56, 72, 74, 90, 118)
SKILLED = {FiltersInItsHead, NameInSearch, NameInChange, NamesakesMixed}
"""What a skill that says to look names up and to filter in the query puts right."""


def key_of(name: str, arguments: Row) -> str:
    return json.dumps([name, arguments], sort_keys=True)


def day_in(row: Row, limits: Row) -> str:
    field = next(iter(limits)).removesuffix("_min").removesuffix("_max")
    names = {"date": "sent_at", "time": "event_start"}
    return str(row[names.get(field, field)])[:10]


def conversation(items: list[Row]) -> dict[str, Any]:
    """What each call so far was answered."""
    calls = {item["call_id"]: item for item in items if item.get("type") == "function_call"}
    return {
        key_of(calls[item["call_id"]]["name"], json.loads(calls[item["call_id"]]["arguments"])): item["output"]
        for item in items
        if item.get("type") == "function_call_output"
    }


def tasks() -> Iterator[Row]:
    data = ROOT / "resources_servers" / "workplace_assistant" / "data" / "validation.jsonl"
    return map(json.loads, data.read_text(encoding="utf-8").splitlines())


def request_of(task: Row) -> str:
    return str(task["responses_create_params"]["input"][1]["content"])


PLANTED_REQUESTS = {request_of(task): PLANTED[task["id"]] for task in tasks() if task["id"] in PLANTED}


def reply(request: Any) -> Row:
    items = request.body["input"]
    answered = conversation(items)
    skill = re.search(r"^- ([\w-]+): ", items[0]["content"], re.MULTILINE) if "read_skill" in items[0]["content"] else None
    reading = {"name": skill[1], "file": "SKILL.md"} if skill else {}
    if skill and key_of("read_skill", reading) not in answered:
        return {"calls": [{"name": "read_skill", "arguments": reading}]}
    plant = PLANTED_REQUESTS.get(request.opening, Plant(Worker))
    strays = (request.seed or 0) in plant.seeds and not (skill and plant.worker in SKILLED)
    return work((plant.worker if strays else Worker)(answered), request.opening)


def work(me: Worker, asked: str) -> Row:
    """The next turn: the calls that can be made now, or the report."""
    solve, said = understood(asked)
    try:
        solve(me, said)
        me.finish()
    except Waiting as waiting:
        return {"reasoning": me.thoughts, "calls": [waiting.call]}
    except perfect_assistant.Unclear as unclear:
        return {"text": f"Several people are called {unclear}. Which of them do you mean?"}
    if me.open_changes:
        return {"reasoning": me.thoughts, "calls": me.open_changes}
    return {"text": me.report()}


def understood(asked: str) -> tuple[perfect_assistant.Solve, dict[str, str]]:
    for pattern, solve in perfect_assistant.SOLUTIONS:
        if found := re.fullmatch(pattern, asked):
            return solve, found.groupdict()
    raise AssertionError(f"not understood: {asked}")


assert perfect_solutions.do is perfect_assistant.do
assert date.fromisoformat("2025-10-14") == perfect_assistant.TODAY
