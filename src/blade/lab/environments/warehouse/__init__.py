"""A warehouse: orders, shipments, counts and questions of the trade.

Expected changes stand in `expected_function_calls`, expected answers in `reference_answer` beside the verifier's `predicted_answer`, and
the reward is the least of its `reward_components`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import Environment, compare, timed_out
from blade.lab.environments.warehouse.hall import SUPPLIERS, TODAY, TOOLS, Hall, Shipment, build_hall, hall_backend
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import (
    Move,
    Row,
    Script,
    Task,
    call,
    changes_of,
    ending,
    inserted,
    say,
    with_arguments,
    with_value,
    without,
)

WRITES = ("place_order", "release_shipment", "move_stock")
PALLET, TAKEN_FOR = 48, 40
_COUNTS = (("{} score", 20, 12), ("{} gross", 144, 100), ("{} long hundred", 120, 100))
_TRADE = (
    ("Under which Incoterm does the seller carry the least duty?", "EXW", ("DDP", "CIF", "DAP")),
    ("Under which Incoterm does the seller pay the import duty as well?", "DDP", ("EXW", "FOB", "FCA")),
    ("Which method ships first what came in first?", "FIFO", ("LIFO", "FEFO", "JIT")),
    ("Which hazard class do flammable liquids have?", "Class 3", ("Class 2", "Class 4", "Class 8")),
    ("Which hazard class do corrosive substances have?", "Class 8", ("Class 6", "Class 5", "Class 9")),
    ("How long is a standard forty-foot container inside, roughly?", "12 metres", ("10 metres", "13.6 metres", "14 metres")),
    ("What are the measures of a EUR-1 pallet?", "1200 by 800 mm", ("1000 by 1200 mm", "1000 by 1000 mm", "1100 by 1100 mm")),
    ("Which paper is proof of a contract of carriage by sea?", "Bill of lading", ("Packing list", "Carnet", "Waybill stub")),
    (
        "Which storage method gives every article its own place?",
        "Fixed location",
        ("Chaotic storage", "Zone picking", "Cross-docking"),
    ),
    ("What does cross-docking avoid?", "Storage", ("Sorting", "Loading", "Customs")),
    (
        "What does the B of an ABC analysis stand for?",
        "Articles of middle value",
        ("Bulky articles", "Bonded articles", "Back orders"),
    ),
    (
        "Which figure tells how often the stock is replaced in a year?",
        "Turnover rate",
        ("Fill rate", "Service level", "Lead time"),
    ),
)
_SYSTEM = (
    f"It is {TODAY:%A}, {TODAY.isoformat()}. You run the desk of the Quayside warehouse. Requests come in writing and nobody can be asked back. "
    "Item codes, bins, shipment numbers and supplier numbers come from the system. Do what the request says and nothing beyond it."
)
_DONE = ("Booked: {}.", "Entered into the system: {}.", "This is settled, {}.", "{}, as requested.", "Carried out. {}.")
_TOTAL = re.compile(r"^Total: ?(.*?)\.?$", re.MULTILINE)
_CHOICE = re.compile(r"^Choice: ?(.*?)$", re.MULTILINE)


def _gold(calls: Sequence[Call], desk: str, **answer: object) -> Row:
    listed = [{"name": made.name, "arguments": dict(made.arguments)} for made in calls]
    return {"expected_function_calls": listed, "desk": desk, **answer}


def _made(script: Script) -> list[Call]:
    return [move.call for move in script if move.changes and move.call is not None]


def _closing(rng: Random, what: str) -> Move:
    return say(rng.choice(_DONE).format(what))


def _shared(rng: Random, sound: Script, extra: Move) -> dict[str, tuple[Script, ...]]:
    changes = changes_of(sound)
    made = sound[changes[0]].call
    assert made is not None
    key = next(iter(made.arguments))
    code = str(made.arguments[key])
    broken = code[:-1] + str((int(code[-1]) + 4) % 10) + "0"
    note = rng.choice(("please have a look at this request", "this needs a decision", "left for the late shift"))
    left = say(rng.choice(("The supervisor will take this over.", "I've passed this on to the supervisor.")))
    faults: dict[str, tuple[Script, ...]] = {
        "extra_change": (inserted(sound, changes[-1] + 1, replace(extra, changes=True, decisive=True)),),
        "error_ignored": (with_arguments(sound, changes[0], **{key: broken}),),
        "early_handover": ((*sound[: max(1, changes[0] - 1)], call("call_supervisor", decisive=True, note=note), left),),
    }
    if len(changes) > 1:
        partial = without(sound, *changes[max(1, len(changes) // 2) :])
        faults["partial_update"] = (ending(partial, replace(partial[-1], decisive=True)),)
    return faults


def reorder(index: int, hall: Hall, rng: Random) -> Task:
    """An order in an old unit of count, from a supplier given by name."""
    item, (number, supplier) = rng.choice(hall.items), rng.choice(hall.suppliers)
    words, size, taken = rng.choice(_COUNTS)
    times = rng.randint(2, 9)
    count = words.format(times)
    order = call("place_order", changes=True, item_code=item.code, supplier_no=number, pieces=times * size)
    sound = (
        call("find_item", text=item.name),
        call("find_supplier", name=supplier),
        order,
        _closing(rng, f"{count} of {item.name} from {supplier}"),
    )
    slips = [
        times * size + shift
        for shift in rng.sample((size, -size, 10, 2 * size, 1, -10), 5)
        if times * size + shift != times * taken
    ]
    blind = without(sound, 1)
    extra = call("place_order", item_code=item.code, supplier_no=number, pieces=times)
    faulty = {
        "wrong_rule": (with_arguments(sound, 2, pieces=times * taken),),
        "wavering_argument": tuple(with_arguments(sound, 2, pieces=pieces) for pieces in slips),
        "skipped_lookup": tuple(
            with_value(blind, number, guess) for guess in (supplier.split()[0].upper(), f"SUP-{supplier[:3].upper()}")
        ),
        "invented_id": tuple(with_value(blind, number, str(rng.randint(1_000, 3_999))) for _ in range(3)),
        **_shared(rng, sound, extra),
    }
    request = rng.choice(
        ("{} of '{}' are needed, from {}. Order them.", "Order {} of '{}' with {}.", "Please get {} of '{}' in from {}.")
    ).format(count, item.name, supplier)
    mislabelled = _made(with_arguments(sound, 2, pieces=times * taken))
    extras = (Call("stock_of", {"item_code": item.code}), Call("find_supplier", {"name": rng.choice(SUPPLIERS)}))
    turned = (sound[1], sound[0], *sound[2:])
    return Task(
        index, "orders", _SYSTEM, request, (sound, turned), _gold(_made(sound), "orders"), faulty, extras,
        other_gold=_gold(mislabelled, "orders"), facts={"hall": hall},
    )  # fmt: skip


def release(index: int, hall: Hall, rng: Random) -> Task | None:
    """All shipments of a carrier that are due within some days."""
    carrier = rng.choice(sorted({one.carrier for one in hall.shipments}))
    first = TODAY + timedelta(days=rng.randint(0, 12))
    last = first + timedelta(days=rng.randint(2, 4))
    hits = [one for one in hall.shipments if one.carrier == carrier and first <= one.due <= last]
    border = [one for one in hits if one.due in (first, last)]
    if not border or not 2 <= len(hits) <= 6:
        return None
    search = call("list_shipments", carrier=carrier, due_from=first.isoformat(), due_to=last.isoformat())

    def let_go(shipments: Sequence[Shipment], thought: str | None = None) -> Script:
        return tuple(
            call(
                "release_shipment",
                changes=True,
                decisive=bool(thought) and not at,
                thought=None if at else thought,
                shipment_no=one.number,
            )
            for at, one in enumerate(shipments)
        )

    sound = (search, *let_go(hits), _closing(rng, f"{len(hits)} shipments of {carrier} released"))
    dropped = rng.choice(border)
    kept = [one for one in hits if one is not dropped]
    thought = f"Of these I need the ones from {first:%d.%m.} to {last:%d.%m.}; going by the dates that leaves {', '.join(one.number for one in kept)}."
    in_the_head = (
        call("list_shipments", decisive=True, carrier=carrier),
        *let_go(kept, thought),
        _closing(rng, f"{len(kept)} shipments of {carrier} released"),
    )
    faulty = {
        "dropped_record": (in_the_head,),
        **_shared(rng, sound, call("release_shipment", shipment_no=hits[0].number)),
    }
    request = rng.choice(
        (
            "Release everything for {} that is due from {} up to and including {}.",
            "{}: let all shipments due {} to {} (inclusive) go.",
        )
    ).format(carrier, first.isoformat(), last.isoformat())
    extras = (Call("list_shipments", {"due_to": TODAY.isoformat()}), Call("find_supplier", {"name": carrier}))
    other = _gold(_made(sound)[1:], "shipping")
    return Task(
        index,
        "shipping",
        _SYSTEM,
        request,
        (sound,),
        _gold(_made(sound), "shipping"),
        faulty,
        extras,
        other_gold=other,
        facts={"hall": hall},
    )


def count(index: int, hall: Hall, rng: Random) -> Task:
    """How many pieces there are, counted with the pallets; what a pallet holds is stated nowhere."""
    item = rng.choice(hall.items)
    right, mistaken = item.loose + item.pallets * PALLET, item.loose + item.pallets * TAKEN_FOR
    strict = rng.random() < 0.6
    style = (
        rng.choice(("End with one line 'Total: <pieces>'.", "The last line has to be 'Total: <pieces>'."))
        if strict
        else "Say how many there are."
    )
    leads = (
        "Counted from the system.",
        "I looked the item up and added the pallets.",
        "Loose pieces and pallets together.",
        "Here is the count.",
    )
    plain = ("There are {} pieces in all.", "That makes {} pieces.", "In sum it is {}.")

    def told(figure: str, decisive: bool, forms: Sequence[str] = ("Total: {}",)) -> Script:
        closing = say(f"{rng.choice(leads)}\n{rng.choice(forms).format(figure)}", decisive=decisive)
        return (call("find_item", text=item.name), call("stock_of", item_code=item.code), closing)

    sound = tuple(told(str(right), False) for _ in range(3))
    slips = rng.sample([right + shift for shift in (1, -1, 10, PALLET, -PALLET, 100, -10)], 4)
    faulty: dict[str, tuple[Script, ...]] = {
        "wrong_unit": tuple(told(str(mistaken), True) for _ in range(2)),
        "scattered_numbers": tuple(told(str(figure), True) for figure in slips),
        "format_rejected": tuple(told(figure, True) for figure in (f"{right:,}", f"{right} pieces", f"{right:,} pcs")),
        "wrong_format" if strict else "answer_not_extracted": tuple(told(str(right), True, (form,)) for form in plain),
    }

    def gold(answer: int, told_by: int) -> Row:
        return _gold(
            (), "stock", reference_answer=str(answer), computation=f"{item.loose} loose + {item.pallets} pallets = {told_by}"
        )

    request = f"How many pieces of '{item.name}' do we have, loose ones and full pallets (the usual load) together? {style}"
    extras = (Call("find_item", {"text": item.name.split(",")[0]}),)
    return Task(
        index, "stock", _SYSTEM, request, sound, gold(right, right), faulty, extras,
        other_gold=gold(mistaken, mistaken), other_script=told(str(mistaken), False), contradicted_gold=gold(mistaken, right),
        facts={"hall": hall, "answer_field": "reference_answer"},
    )  # fmt: skip


def trade_question(index: int, hall: Hall, rng: Random) -> Task:
    text, right, wrong = _TRADE[rng.randrange(len(_TRADE))]
    shown = rng.sample((right, *wrong), 4)
    options = dict(zip("ABCD", shown, strict=True))
    letter = "ABCD"[shown.index(right)]
    others = rng.sample([key for key in "ABCD" if key != letter], 3)
    because = (
        "Going by what I know of the trade:",
        "This one is from the handbook.",
        "Considering each option in turn.",
        "My reading:",
    )

    def told(choice: str, decisive: bool) -> Script:
        return (say(f"{rng.choice(because)}\nChoice: {choice}", thought="Which of the options fits?", decisive=decisive),)

    def gold(choice: str, text_of: str) -> Row:
        return _gold((), "training", reference_answer=choice, options=options, answer_text=text_of)

    faulty = {
        "wrong_option": tuple(told(other, True) for other in others),
        "wrong_fact": tuple(told(others[0], True) for _ in range(2)),
        "format_rejected": tuple(told(form, True) for form in (f"({letter})", letter.lower(), f"{letter}.")),
    }
    listed = "  ".join(f"{key}: {option}" for key, option in options.items())
    site = rng.choice(("hall 1", "hall 2", "the annex", "the yard", "gate 3", "the office"))
    request = (
        f"Quiz for the crew of {site}, question {rng.randint(1, 60)}: {text} {listed}. Reply with a line 'Choice: <letter>'."
    )
    return Task(
        index, "training", _SYSTEM, request, tuple(told(letter, False) for _ in range(3)), gold(letter, right), faulty,
        other_gold=gold(others[0], options[others[0]]), other_script=told(others[0], False), contradicted_gold=gold(others[0], right),
        facts={"hall": hall, "answer_field": "reference_answer", "options": options},
    )  # fmt: skip


Family = Callable[[int, Hall, Random], Task | None]
FAMILIES: tuple[Family, ...] = (reorder, release, count, trade_question)


class Warehouse(Environment):
    name = "warehouse"
    hosts = ("rack-1", "rack-2", "rack-3", "rack-4")
    setting = Setting("warehouse_agent", "sable-9b", TOOLS, temperature=0.8)
    manner = Manner(
        thinks=0.45,
        before_read=("The system has to tell me that.", "{tool} should know.", "Looking it up.", "I don't have this number yet."),
        before_change=("That settles it, {tool}.", "All numbers are there.", "Booking it."),
        pace=(1.0, 7.0),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        hall = build_hall(dice(seed, self.name, "hall"))
        made: list[Task] = []
        attempt = 0
        while len(made) < count:
            rng = dice(seed, self.name, "task", len(made), attempt)
            task = FAMILIES[(len(made) + attempt) % len(FAMILIES)](len(made), hall, rng)
            attempt = attempt + 1 if task is None else 0
            if task is not None:
                made.append(task)
        return made

    def backend(self, task: Task) -> Backend:
        return hall_backend(task.facts["hall"])

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        gold = episode.task.gold
        expected = [Call(entry["name"], entry["arguments"]) for entry in gold["expected_function_calls"]]
        answer = self.backend(episode.task)
        made = [done for done in episode.accepted if done.name in WRITES and not answer(done).startswith("Error")]
        found = compare(made, expected)
        components = {"calls": 1.0 if found.matched == found.expected else 0.0, "hygiene": 0.0 if found.unexpected else 1.0}
        fields: Row = {}
        if "reference_answer" in gold:
            given = (_CHOICE if "options" in gold else _TOTAL).findall(episode.final)
            predicted = given[-1] if given else None
            fields["predicted_answer"] = predicted
            right = predicted == gold["reference_answer"]
            components["answer"] = 1.0 if (predicted is None if flaw == "inverted_verifier" else right) else 0.0
        elif not episode.items:
            components["hygiene"] = 0.0
        if flaw == "broken_test":
            components["hygiene"] = 0.0
        elif flaw == "flaky_verifier":
            components["answer" if "answer" in components else "calls"] = 0.0
        elif flaw == "verifier_timeout":
            return {"reward": 0.0, **fields, "reward_components": {}, "scoring_error": timed_out(rng)}
        reward = 0.0 if flaw == "reward_contradicts_checks" else min(components.values())
        return {"reward": reward, **fields, "reward_components": components}
