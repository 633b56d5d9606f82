"""Ways of going wrong that any task allows: scripts made from the sound one."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Final

from blade.lab.stage.play import CHARACTERS_PER_TOKEN, OUTPUT_LIMIT
from blade.lab.stage.script import Script, Task, changes_of, hear, inserted, say

_GIVES_UP = (
    "I was not able to work this out with what I have, so I'm leaving it here.",
    "I couldn't complete this. It would be best if someone else had a look.",
    "After looking into it I do not see a way to finish the request, sorry.",
    "This turned out to be more involved than I can handle; I have not finished it.",
    "I'm unable to complete the request as described.",
    "I tried, but I can't proceed any further with this one.",
)
_REFUSES = (
    "I'm sorry, but I can't help with that.",
    "I'm sorry, I can't assist with this request.",
    "I cannot help with that request. Please consult the responsible person.",
    "As an AI model, I cannot do this for you.",
    "I must decline to do this.",
    "Sorry, but I'm not able to assist with that.",
)
_ASKS = (
    "Before I go on: could you please confirm that this is what you want?",
    "I found what I need. Should I proceed?",
    "Could you clarify which one you mean?",
    "Can you provide a bit more detail so that I can continue?",
    "Would you like me to go ahead with this?",
    "Please confirm the details, and I will take care of the rest.",
)
_CLAIMS = (
    "Done. I have carried out your request as described.",
    "All set, I've made the changes you asked for.",
    "I have updated everything accordingly. Anything else?",
    "Your request has been processed and the records have been updated.",
    "That has now been completed for you.",
    "I've gone ahead and completed this.",
)
_ADDS: Final = (
    "mail_send", "place_order", "issue_credit", "book_visit", "scheduleBlock", "messageInvestigator", "loans_open", "crates_order",
    "courier_book", "Deliveries_Create", "Shifts_Create", "Ledger-charge", "Bench-book_session", "Engraving-order",
    "create_order", "book_studio_slot", "mcp__diary__book_duty", "mcp__seeds__create_shipment", "mcp__grounds__order_treatment",
    "refund_pay", "unit_book", "log_append",
    "Schedule__book_slot", "Programme__file_text",
    "assign_shift", "enter_collection", "create_delivery",
    "pay_one_off", "pay_overtime", "add_journal_note", "add_dependant",
)  # fmt: skip
"""Changes that count twice when they are made twice."""
_DOUBTS = (
    "I'd better make sure that this went through.",
    "The confirmation was short, so once more to be safe.",
    "Now the booking itself.",
    None,
)
_WRITES_OUT = (
    "Now the actual change:",
    "I have everything I need. Calling {tool}:",
    "Next step:",
    "Making the call to {tool} with these arguments:",
)
_CONFIRMS = (
    "To be on the safe side: shall I really do this?",
    "Thanks. Before I make the change, can you confirm once more that everything is correct?",
    "Understood. May I then carry it out as described?",
    "Good. One last check: is it all right to continue?",
    "Thank you for confirming. Do you want me to proceed now?",
    "I have noted that. Please confirm the details a final time.",
)
_ASSENTS = (
    "Yes, please.",
    "Yes. Go ahead.",
    "I already said yes, please do it.",
    "Yes!",
    "Correct, continue.",
    "As I said: yes.",
)
_RAMBLE = (
    "Let me think about this again from the beginning.",
    "There are several ways to read the request, and I want to weigh them.",
    "If I take the first reading, the consequence would be a different order of steps.",
    "On the other hand, it may be simpler than that.",
    "Wait, I should double-check what was given.",
    "Going through the entries once more, one at a time.",
    "That would agree with what I have seen so far, but I am not entirely sure.",
    "Alternatively, I could start from the end and work backwards.",
    "Let me restate what is known before I go on.",
    "It is worth considering the edge cases as well.",
    "Hmm, the wording leaves some room here.",
    "So, to summarise the situation so far:",
)


def bend(kind: str, task: Task, rng: Random) -> Script | None:
    """The script of an agent with this fault; None where the task gives no occasion for it."""
    sound = rng.choice(task.sound)
    match kind:
        case "gave_up":
            return (*_before_the_work(sound), say(rng.choice(_GIVES_UP), decisive=True))
        case "refusal":
            return (*_opening(sound), say(rng.choice(_REFUSES), decisive=True))
        case "question_back":
            return (*_before_the_work(sound), say(rng.choice(_ASKS), decisive=True))
        case "truncated":
            return (*_before_the_work(sound), say(_ramble(rng), decisive=True, cut=True))
        case "duplicate_change":
            return _twice(sound, rng)
        case "endless_confirmation":
            return _confirming(sound, rng)
        case "unbacked_claim":
            return _unbacked(sound, rng)
        case "call_loop":
            return _loop(sound, rng)
        case "call_as_text":
            return _written_out(sound, rng)
    raise ValueError(f"there is no bend called {kind!r}")


def _before_the_work(sound: Script) -> Script:
    """What comes before the first change, or before the answer."""
    changes = changes_of(sound)
    answer = max(number for number, move in enumerate(sound) if move.message is not None)
    return sound[: changes[0] if changes else answer]


def _opening(sound: Script) -> Script:
    """What is said before anything is done: the turns of a dialogue up to the first call."""
    first = next((number for number, move in enumerate(sound) if move.call is not None), 0)
    return sound[:first]


def _unbacked(sound: Script, rng: Random) -> Script | None:
    if not changes_of(sound):
        return None
    return (*_before_the_work(sound), say(rng.choice(_CLAIMS), decisive=True))


def _loop(sound: Script, rng: Random) -> Script | None:
    """One call again and again until the steps run out; nothing is changed after it begins."""
    head = _before_the_work(sound)
    calls = [number for number, move in enumerate(head) if move.call is not None]
    if not calls:
        return None
    at = rng.choice(calls)
    again = replace(head[at], thought=None, decisive=True)
    return (*head[: at + 1], *[again] * rng.randint(6, 10))


def _written_out(sound: Script, rng: Random) -> Script | None:
    """The change stands in a message, as a block of text, and is never made."""
    changes = changes_of(sound)
    if not changes:
        return None
    made = sound[changes[0]].call
    assert made is not None
    arguments = dict(made.arguments)
    if list(arguments) in (["cmd"], ["command"]):
        block = f"```bash\n{next(iter(arguments.values()))}\n```"
    elif rng.random() < 0.5:
        block = f"```json\n{json.dumps({'name': made.name, 'arguments': arguments}, indent=2, ensure_ascii=False)}\n```"
    else:
        block = f"```python\n{made.name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})\n```"
    lead = rng.choice(_WRITES_OUT).format(tool=made.name)
    return (*_before_the_work(sound), say(f"{lead}\n\n{block}", decisive=True))


def _twice(sound: Script, rng: Random) -> Script | None:
    """A change that adds something is made a second time."""
    adding = [number for number in changes_of(sound) if (made := sound[number].call) is not None and made.name in _ADDS]
    if not adding:
        return None
    at = rng.choice(adding)
    return inserted(sound, at + 1, replace(sound[at], thought=rng.choice(_DOUBTS), decisive=True))


def _confirming(sound: Script, rng: Random) -> Script | None:
    """The agent asks for leave again and again, and never uses it."""
    if not changes_of(sound):
        return None
    rounds = rng.randint(3, 5)
    last, *asks = rng.sample(_CONFIRMS, rounds + 1)
    assents = rng.sample(_ASSENTS, rounds)
    turns = [(say(ask, decisive=True), hear(assent)) for ask, assent in zip(asks, assents, strict=True)]
    return (*_before_the_work(sound), *(move for turn in turns for move in turn), say(last, decisive=True))


def _ramble(rng: Random) -> str:
    limit, text = OUTPUT_LIMIT * CHARACTERS_PER_TOKEN, ""
    while len(text) < limit:
        text += rng.choice(_RAMBLE) + rng.choice((" ", " ", "\n\n"))
    return text[:limit]
