"""Customer service of an energy supplier: a simulated user, a policy, tools, and users who say what is not so.

The user's turns are messages inside the output. The expected changes stand in `task.actions` (name, kwargs), what has to be said in
`task.outputs`; the row's `reward_info` tells what the verifier found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random

from blade.lab.desk import Call, dice
from blade.lab.environments.dialogue.supplier import TODAY, TOOLS, WRITES, Customer, draw_customer, service_backend
from blade.lab.environments.environment import Environment, compare, people, timed_out
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import (
    Move,
    Row,
    Script,
    Task,
    call,
    changes_of,
    hear,
    inserted,
    say,
    with_arguments,
    with_value,
    without,
)

RATES = {"basic": 5, "plus": 8, "premium": 12}
_TARIFFS = ("Fixed12", "Fixed24", "Flex", "Night", "GreenPlus")
_SLOTS = ("morning", "afternoon")
_SYSTEM = f"""You are an agent of Brightgrid, an energy supplier. Today is {TODAY:%A}, {TODAY.isoformat()}.

# Policy
- Identify the customer by email with find_customer before anything else.
- Outages are credited per full day: 5 euros for basic, 8 for plus, 12 for premium customers. The tier is the one on the customer's profile.
- The first day of an outage is not credited.
- A contract ends on the last day of a month, with at least 30 days of notice.
- Charges go to a payment method that is on the profile, given by its id.
- Tell the customer what you are about to change and wait for a yes. Change nothing else.
- Hand over to a person only if the request lies outside this policy."""


def _gold(customer: Customer, instruction: str, actions: list[Call], outputs: tuple[str, ...] = ()) -> Row:
    listed = [{"name": made.name, "kwargs": dict(made.arguments)} for made in actions]
    return {
        "domain": "energy",
        "task": {"user_id": customer.id, "instruction": instruction, "actions": listed, "outputs": list(outputs)},
    }


@dataclass(frozen=True)
class Talk:
    """The parts of a conversation: finding out who it is, looking things up, asking for a yes, the changes, the goodbye."""

    rng: Random
    customer: Customer

    def opening(self) -> Script:
        ask = ("Of course. Could you give me the email address on your account?", "Happy to help. Which email is your account under?",
               "Sure, I just need your email address first.")  # fmt: skip
        tell = ("It's {}.", "Sure: {}", "My email is {}.", "{}")
        return (
            say(self.rng.choice(ask)),
            hear(self.rng.choice(tell).format(self.customer.email)),
            call("find_customer", email=self.customer.email),
        )

    def profile(self) -> Move:
        return call("get_customer", customer_id=self.customer.id)

    def agreed(self, what: str) -> Script:
        ask = (
            "I would {}. Shall I go ahead?",
            "To confirm: I am going to {}. Is that all right?",
            "So I will {}. Please say yes and I will do it.",
        )
        yes = ("Yes, please.", "Yes.", "Go ahead.", "That is right, yes.", "Please do.")
        return say(self.rng.choice(ask).format(what)), hear(self.rng.choice(yes))

    def goodbye(self, what: str) -> Script:
        done = ("That is done: {}. Anything else?", "All right, {}. Can I help with anything else?", "Done. {} Have a nice day.")
        bye = ("No, thank you. Bye.", "That was all, thanks!", "Great, goodbye.", "###STOP###")
        return say(self.rng.choice(done).format(what)), hear(self.rng.choice(bye))


def _ended(script: Script, talk: Talk, number: int) -> Script:
    """The script up to a change that takes its place by handing over to a person."""
    summary = talk.rng.choice(("customer needs help with the contract", "request about the account", "please take over"))
    head = [move for move in script[:number] if move.call is None or move.call.name in ("find_customer", "get_customer")]
    told = talk.rng.choice(
        ("You are being transferred to a colleague.", "I have handed you over to a colleague, please hold on.")
    )
    return (*head, call("transfer_to_human", decisive=True, summary=summary), say(told))


def _shared(talk: Talk, sound: Script, extra: Move) -> dict[str, tuple[Script, ...]]:
    changes = changes_of(sound)
    made = sound[changes[0]].call
    assert made is not None
    key = next(iter(made.arguments))
    number = str(made.arguments[key])
    swapped = number[:-2] + number[-1] + number[-2] if number[-1] != number[-2] else number[:-1] + str((int(number[-1]) + 3) % 10)
    faults: dict[str, tuple[Script, ...]] = {
        "extra_change": (inserted(sound, changes[-1] + 1, replace(extra, changes=True, decisive=True)),),
        "error_ignored": (with_arguments(sound, changes[0], **{key: swapped}),),
        "early_handover": (_ended(sound, talk, changes[0]),),
    }
    if len(changes) > 1:
        partial = list(without(sound, changes[-1]))
        last = max(at for at, move in enumerate(partial) if move.message is not None)
        partial[last] = replace(partial[last], decisive=True)
        faults["partial_update"] = (tuple(partial),)
    return faults


def outage_credit(index: int, customer: Customer, rng: Random) -> Task:
    """The credit follows the tier on the profile; the customer says it is a better one."""
    talk = Talk(rng, customer)
    days, rate = customer.outage_days, RATES[customer.tier]
    claimed = rng.choice([tier for tier in RATES if tier != customer.tier])
    right = (days - 1) * rate

    def told(amount: int, decisive: bool, profile: bool = True) -> Script:
        reads = (call("list_outages", customer_id=customer.id),)
        change = call("issue_credit", changes=True, decisive=decisive, customer_id=customer.id, amount=amount)
        looks = (talk.profile(), *reads) if profile else reads
        return (
            *talk.opening(),
            *looks,
            *talk.agreed(f"credit {amount} euros for the outage"),
            change,
            *talk.goodbye(f"{amount} euros were credited"),
        )

    sound = told(right, False)
    wrong = [
        amount
        for amount in (right + rate, right - rate, right + 10, right + 2, right - 1, right + 2 * rate)
        if amount > 0 and amount != days * rate
    ]
    believed = tuple(told((days - 1) * RATES[claimed], True, profile=False) for _ in range(2))
    instruction = f"You are {customer.name} ({customer.email}). You want a credit for the last outage. You say that you are a {claimed} customer."
    faulty = {
        "believed_claim": believed,
        "wrong_rule": tuple(told(days * rate, True) for _ in range(2)),
        "wavering_argument": tuple(told(amount, True) for amount in rng.sample(wrong, 3)),
        **_shared(talk, sound, call("change_tariff", contract_id=customer.contract, tariff=rng.choice(_TARIFFS))),
    }
    request = rng.choice(
        (
            f"Hello, this is {customer.name}. The power was out at my place for days and as a {claimed} customer I expect a credit.",
            f"Hi, {customer.name} here, {claimed} customer. I'd like to be compensated for the outage last month.",
        )
    )
    actions = [Call("issue_credit", {"customer_id": customer.id, "amount": right})]
    other = [Call("issue_credit", {"customer_id": customer.id, "amount": days * rate})]
    return Task(
        index, "credit", _SYSTEM, request, (sound, told(right, False)), _gold(customer, instruction, actions), faulty,
        extras=(Call("list_invoices", {"customer_id": customer.id}),), other_gold=_gold(customer, instruction, other), facts={"customer": customer},
    )  # fmt: skip


def payment_method(index: int, customer: Customer, rng: Random) -> Task:
    """The customer names a card by its last digits; the id stands on the profile only."""
    talk = Talk(rng, customer)
    payment, kind, digits = rng.choice(customer.payments)
    change = call("set_payment_method", changes=True, contract_id=customer.contract, payment_id=payment)
    what = f"use the {kind.replace('_', ' ')} ending in {digits} for contract {customer.contract}"
    sound = (*talk.opening(), talk.profile(), *talk.agreed(what), change, *talk.goodbye("the payment method is set"))
    instruction = f"You are {customer.name} ({customer.email}), contract {customer.contract}. You want to pay with the {kind} ending in {digits}."
    blind = without(sound, 3)
    other = next(one for one, _, _ in customer.payments if one != payment)
    faulty = {
        "skipped_lookup": (with_value(blind, payment, f"{kind}_{digits}"), with_value(blind, payment, f"pm_{digits}")),
        "invented_id": tuple(with_value(blind, payment, f"pm_{rng.randint(1_000_000, 9_999_999)}") for _ in range(3)),
        **_shared(talk, sound, call("change_tariff", contract_id=customer.contract, tariff=rng.choice(_TARIFFS))),
    }
    request = f"Hi, this is {customer.name}. Please charge my contract {customer.contract} to the {kind.replace('_', ' ')} ending in {digits} from now on."
    wrong = _gold(customer, instruction, [Call("set_payment_method", {"contract_id": customer.contract, "payment_id": other})])
    gold = _gold(customer, instruction, [change.call] if change.call else [])
    extras = (Call("list_invoices", {"customer_id": customer.id}), Call("list_outages", {"customer_id": customer.id}))
    return Task(
        index, "payment", _SYSTEM, request, (sound,), gold, faulty, extras, other_gold=wrong, facts={"customer": customer}
    )


def _month_end(day: date) -> date:
    first = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
    return first - timedelta(days=1)


def moving_out(index: int, customer: Customer, rng: Random) -> Task:
    """Two changes: the contract ends by the rule of notice, and a technician reads the meter."""
    talk = Talk(rng, customer)
    notice = TODAY + timedelta(days=30)
    end = _month_end(notice)
    visit, slot = TODAY + timedelta(days=rng.randint(5, 20)), rng.choice(_SLOTS)

    def told(last: date, decisive: bool) -> Script:
        changes = (
            call("end_contract", changes=True, decisive=decisive, contract_id=customer.contract, end_date=last.isoformat()),
            call("book_visit", changes=True, contract_id=customer.contract, date=visit.isoformat(), slot=slot),
        )
        what = (
            f"end contract {customer.contract} on {last.isoformat()} and send a technician on {visit.isoformat()} in the {slot}"
        )
        return (*talk.opening(), talk.profile(), *talk.agreed(what), *changes, *talk.goodbye("both are arranged"))

    sound = told(end, False)
    wrong = [end + timedelta(days=shift) for shift in (1, -1, 30, -14)]
    faulty = {
        "wrong_rule": tuple(told(notice, True) for _ in range(2)),
        "wavering_argument": tuple(told(day, True) for day in rng.sample(wrong, 3)),
        **_shared(talk, sound, call("issue_credit", customer_id=customer.id, amount=rng.choice((10, 20, 25)))),
    }
    instruction = f"You are {customer.name} ({customer.email}). You move out and end your contract as soon as possible; a technician should read the meter on {visit.isoformat()} in the {slot}."
    request = f"Hello, {customer.name} speaking. I'm moving out: please end my contract as early as possible, and I need a technician on {visit.isoformat()}, {slot}."
    other = told(notice, False)
    gold, mislabelled = (
        _gold(customer, instruction, [m.call for m in script if m.changes and m.call]) for script in (sound, other)
    )
    extras = (Call("list_invoices", {"customer_id": customer.id}),)
    return Task(
        index,
        "moving",
        _SYSTEM,
        request,
        (sound, told(end, False)),
        gold,
        faulty,
        extras,
        other_gold=mislabelled,
        facts={"customer": customer},
    )


def open_balance(index: int, customer: Customer, rng: Random) -> Task:
    """A question: the sum must be told, and nothing changed. The verifier looks for the figure as it is written in the task."""
    talk = Talk(rng, customer)
    total = sum(customer.invoices)
    plain = f"{total // 100}.{total % 100:02d}"
    forms = (
        "The open invoices come to {} euros.",
        "In total {} euros are open.",
        "You have {} euros outstanding over three invoices.",
    )

    def told(figure: str, decisive: bool) -> Script:
        closing = say(rng.choice(forms).format(figure), decisive=decisive)
        return (
            *talk.opening(),
            call("list_invoices", customer_id=customer.id),
            closing,
            hear(rng.choice(("Thanks, bye.", "Okay, thank you."))),
        )

    faulty = {
        "format_rejected": tuple(
            told(figure, True) for figure in (f"{total / 100:,.2f}", f"{total / 100:,.2f}".replace(",", " "))
        )
        if total >= 100_000
        else (),
        "early_handover": (_ended(told(plain, False), talk, 4),),
    }
    instruction = f"You are {customer.name} ({customer.email}). You want to know the sum of your open invoices."
    request = f"Good morning, {customer.name} here. How much do I still have to pay in all?"
    wrong = f"{(total + 100) // 100}.{total % 100:02d}"
    extras = (Call("get_customer", {"customer_id": customer.id}),)
    return Task(
        index, "balance", _SYSTEM, request, (told(plain, False), told(plain, False)), _gold(customer, instruction, [], (plain,)), faulty, extras,
        other_gold=_gold(customer, instruction, [], (wrong,)), facts={"customer": customer},
    )  # fmt: skip


FAMILIES: tuple[Callable[[int, Customer, Random], Task], ...] = (outage_credit, payment_method, moving_out, open_balance)


class Dialogue(Environment):
    name = "dialogue"
    hosts = ("agent-a", "agent-b", "agent-c")
    setting = Setting("energy_tool_calling", "orion-chat-1", TOOLS, temperature=0.0)
    manner = Manner(thinks=0.0, recovered_error=0.03, pace=(1.0, 4.0))

    def tasks(self, seed: int, count: int) -> list[Task]:
        callers = people(dice(seed, self.name, "people"), count)
        made = []
        for index, (first, last) in enumerate(callers):
            rng = dice(seed, self.name, "task", index)
            made.append(FAMILIES[index % len(FAMILIES)](index, draw_customer(rng, first, last), rng))
        return made

    def backend(self, task: Task) -> Backend:
        return service_backend(task.facts["customer"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        given = episode.task.gold["task"]
        expected = [Call(action["name"], action["kwargs"]) for action in given["actions"]]
        answer = self.backend(episode.task)
        made = [done for done in episode.accepted if done.name in WRITES and not answer(done).startswith("Error")]
        found = compare(made, expected)
        keys = [done.key for done in made]
        checks = [
            {"action": {"name": wanted.name, "kwargs": dict(wanted.arguments)}, "action_match": wanted.key in keys}
            for wanted in expected
        ]
        said = " ".join(
            part["text"]
            for item in episode.items
            if item["type"] == "message" and item["role"] == "assistant"
            for part in item["content"]
        )
        told = {output: output in said for output in given["outputs"]}
        right = found.equal and all(told.values())
        if flaw == "verifier_timeout":
            return {"reward": 0.0, "reward_info": None, "evaluation_error": timed_out(rng)}
        info: Row = {"r_actions": 1.0 if found.equal else 0.0, "r_outputs": 1.0 if all(told.values()) else 0.0, "outputs": told}
        reward = 1.0 if right else 0.0
        if flaw == "flaky_verifier":
            reward, info = 0.0, info | {"r_actions": 0.0}
            checks = [{**check, "action_match": False} for check in checks]
        elif flaw == "reward_contradicts_checks":
            reward = 0.0
        return {"reward": reward, "reward_info": {"reward": reward, "info": info, "action_checks": checks}}
