"""What people ask at the desk: a task is a request, the reads that ground it and the writes (or the answer) that fulfil it.

A task also knows its *slip*: the writes as someone makes them who misunderstands the one hard word in the request, an old unit
of count or a relative date. The slip is part of the task, not of a behaviour, so that every repeat slips in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random

from blade.lab.desk import TODAY, Bench, Call, Member, World, pounds

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_PLAIN_COUNTS = (("two dozen", 24), ("half a dozen", 6), ("forty", 40), ("three dozen", 36), ("fifteen", 15))
_OLD_COUNTS = (
    ("a great gross", 1728, 144),
    ("a long hundred", 120, 100),
    ("a small gross", 120, 144),
    ("a long dozen", 13, 12),
)
"""(words, what they mean, what they are taken for)."""
_OPENINGS = ("Good morning.", "Hello.", "Hi there!", "A quick one.", "Could you help me?", "This one is for today.")
_CLOSINGS = ("Thanks!", "Many thanks.", "No need to ring me back.", "That is all for today.", "")


@dataclass(frozen=True)
class Task:
    index: int
    category: str
    difficulty: str
    request: str
    reads: tuple[Call, ...]
    writes: tuple[Call, ...] = ()
    """The expected state-changing calls: the ground truth."""
    slip: tuple[Call, ...] = ()
    expected_answer: str | None = None
    member: Member | None = None


def _ask(rng: Random, person: Member, sentence: str) -> str:
    """The request in the member's voice. It names the card's last digits, which look like an id and are none."""
    who = f"{person.name} here, card ending {person.card_ending}."
    return " ".join(part for part in (rng.choice(_OPENINGS), who, sentence, rng.choice(_CLOSINGS)) if part)


def _find(person: Member) -> Call:
    return Call("find_member", {"name": person.name})


def extend_loan(index: int, world: World, person: Member, rng: Random) -> Task:
    loan = rng.choice(world.loans_of(person.id))
    weeks = rng.randint(1, 3)
    span = "one more week" if weeks == 1 else f"{weeks} more weeks"
    return Task(
        index,
        "loans",
        "easy",
        _ask(rng, person, f"I would like to keep the {loan.item.split(',')[0]} for {span}, please extend it."),
        (_find(person), Call("list_loans", {"member_id": person.id})),
        (Call("extend_loan", {"loan_id": loan.id, "days": 7 * weeks}),),
        member=person,
    )


def check_out(index: int, world: World, person: Member, rng: Random) -> Task:
    item = rng.choice(world.of_kind("machine"))
    days = rng.randint(2, 9)
    return Task(
        index,
        "loans",
        "medium",
        _ask(rng, person, f"Please put the {item.title.split(',')[0]} on my account for {days} days from today."),
        (_find(person), Call("search_stock", {"query": item.title.split(",")[0]})),
        (Call("check_out", {"member_id": person.id, "item_id": item.id, "days": days}),),
        member=person,
    )


def _reserve(person: Member, bench: Bench, day: date, start: int, hours: int) -> Call:
    arguments = {"member_id": person.id, "bench_id": bench.id, "date": day.isoformat(), "start_hour": start, "hours": hours}
    return Call("reserve_bench", arguments)


def reserve_bench(index: int, world: World, person: Member, rng: Random) -> Task:
    bench = rng.choice(world.benches)
    weekday, start, hours = rng.randrange(6), rng.randint(9, 15), rng.randint(2, 4)
    this_monday = TODAY - timedelta(days=TODAY.weekday())
    day = this_monday + timedelta(days=14 + weekday)
    sentence = (
        f"I need a bench with {bench.feature} on {_DAYS[weekday]} of the week after next, "
        f"from {start} o'clock for {hours} hours. Book it in my name, please."
    )
    return Task(
        index,
        "benches",
        "hard",
        _ask(rng, person, sentence),
        (_find(person), Call("list_benches", {"equipment": bench.feature})),
        (_reserve(person, bench, day, start, hours),),
        slip=(_reserve(person, bench, day - timedelta(days=7), start, hours),),
        member=person,
    )


def send_reminder(index: int, world: World, person: Member, rng: Random) -> Task:
    loan = min(world.loans_of(person.id), key=lambda loan: loan.due)
    tone = rng.choice(("friendly", "firm"))
    return Task(
        index,
        "reminders",
        "medium",
        f"{rng.choice(_OPENINGS)} Please send {person.name} a {tone} reminder about the loan that is due first.",
        (_find(person), Call("list_loans", {"member_id": person.id})),
        (Call("send_reminder", {"member_id": person.id, "loan_id": loan.id, "tone": tone}),),
        member=person,
    )


def _order(index: int, world: World, rng: Random, difficulty: str, count: str, pieces: int, taken_for: int | None) -> Task:
    item = rng.choice(world.of_kind("supply"))
    right = Call("order_supplies", {"item_id": item.id, "pieces": pieces})
    wrong = Call("order_supplies", {"item_id": item.id, "pieces": taken_for})
    sentence = rng.choice(
        (
            'We are running low: order {} of "{}", please.',
            'The drawer is empty. Get in {} of "{}".',
            'Please reorder {} of "{}" today.',
        )
    )
    return Task(
        index,
        "supplies",
        difficulty,
        f"{rng.choice(_OPENINGS)} {sentence.format(count, item.title)}",
        (Call("search_stock", {"query": item.title.split(",")[0]}),),
        (right,),
        slip=() if taken_for is None else (wrong,),
    )


def order_supplies(index: int, world: World, person: Member, rng: Random) -> Task:
    words, pieces = rng.choice(_PLAIN_COUNTS)
    return _order(index, world, rng, "easy", words, pieces, None)


def order_by_old_count(index: int, world: World, person: Member, rng: Random) -> Task:
    """An order in a unit that nobody explains: whoever does not know it orders the wrong number, every time."""
    words, pieces, taken_for = rng.choice(_OLD_COUNTS)
    return _order(index, world, rng, "hard", words, pieces, taken_for)


def total_due(index: int, world: World, person: Member, rng: Random) -> Task:
    """A question, not an errand: the answer is a sum above one thousand pounds, where people start to write separators."""
    total = sum(fee.pence for fee in world.fees_of(person.id))
    sentence = rng.choice(
        ("What do I owe in all?", "Tell me the total of my open charges.", "How much is still open on my account?")
    )
    return Task(
        index,
        "accounts",
        "medium",
        _ask(rng, person, f"{sentence} Close with a line 'Total: <pounds>' that holds the figure only."),
        (_find(person), Call("list_fees", {"member_id": person.id})),
        expected_answer=pounds(total),
        member=person,
    )


Kind = Callable[[int, World, Member, Random], Task]
KINDS: tuple[Kind, ...] = (extend_loan, check_out, reserve_bench, send_reminder, order_supplies, total_due)


def with_guessed_member(task: Task) -> Task:
    """The task as seen by someone who takes the digits on the card for the member id and therefore looks nobody up."""
    person = task.member
    if person is None:
        raise ValueError(f"task {task.index} names no member whose id could be guessed")
    guess = f"M-0{person.card_ending}"

    def guessed(call: Call) -> Call:
        return replace(call, arguments={key: guess if value == person.id else value for key, value in call.arguments.items()})

    reads = tuple(guessed(call) for call in task.reads if call.name != "find_member")
    return replace(task, reads=reads, writes=tuple(guessed(call) for call in task.writes))
