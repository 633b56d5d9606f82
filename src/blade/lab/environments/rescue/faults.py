"""What goes wrong around the agents of a mountain rescue: the words of its broken machinery, and the ways in which its dataset breaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any, Final

from blade.lab.environments.rescue.board import GERMAN
from blade.lab.faults import troubles
from blade.lab.stage.script import Row, Script, call, say

troubles.TOOL_TEXTS["stuck_queue"] = (
    "**Queued.** {tool} waits at position 4,812. Consumers attached: 0. No result yet.",
    "_The request was put in line (job 7c1e09) and is still waiting for a free consumer; there is no result._",
    "status: PENDING\nqueue: board-requests\nahead: 3907\nconsumers: none\nresult: not available yet",
    "**Accepted for later.** {tool} will be handled as soon as the dispatcher is back; backlog 5,266 and growing.",
)
troubles.STOPS["stuck_queue"] = (
    "{tool} is only ever put in a queue and nothing comes back. I could not get on with this.",
    "My requests to {tool} wait in line and nobody handles them, so I have no data to work with. Not done.",
    "There is no result from {tool}, the queue does not move. This stays open.",
)
troubles.RETRIES["stuck_queue"] = ("Still waiting; I'll ask once more.", "No result yet. Again.")
troubles.TOOL_TEXTS["handler_broken"] = (
    'Traceback (most recent call last):\n  File "/srv/board/handlers.py", line 141, in dispatch\n    return route.handle(request, self.settings.page_size)\nAttributeError: \'Settings\' object has no attribute \'page_size\'',
    'Traceback (most recent call last):\n  File "/srv/board/app.py", line 58, in {tool}\n    journal = Journal.current(tenant)\nNameError: name \'tenant\' is not defined',
    'Traceback (most recent call last):\n  File "/srv/board/render.py", line 23, in card\n    from board.cards import layout_v3\nImportError: cannot import name \'layout_v3\' from \'board.cards\'',
    'Traceback (most recent call last):\n  File "/srv/board/handlers.py", line 77, in {tool}\n    with self.session() as session:\nTypeError: Handler.session() missing 1 required positional argument: \'region\'',
)  # fmt: skip
troubles.STOPS["handler_broken"] = (
    "{tool} crashes in its own code whatever I send, so I can't do this.",
    "The board's software throws an exception on {tool}, twice in a row. I have to leave it there.",
    "I get nothing but a stack trace from {tool}. Nothing was recorded.",
)

_REF = re.compile(r"\d{5}-[a-z]+")
_UNKNOWN: Final = (
    "The board has no volunteer called {name}, so I recorded nothing.",
    "I can't find {name} among our volunteers. Nothing was changed; please check the name.",
    "There is nobody named {name} on the board. This one stays open.",
)


def spoilt_golds(gold: Row) -> dict[str, Row]:
    """By kind: the dataset's fields as they are when they broke in this way; without those that would change nothing."""
    calls = gold["reference_outputs"]["requests"]
    made = {
        "unfilled_gold": _each(calls, lambda key, value: f"{{{{{key}}}}}" if _is_ref(value) else value),
        "list_as_text": _each(calls, lambda _, value: str(value) if isinstance(value, list) else value),
        "untranslated_gold": _each(calls, lambda _, value: _in_german(value)),
        "columns_swapped": [_swapped(one) for one in calls],
        "fanned_out_gold": [one for one in calls for _ in range(2)],
        "gold_missing_step": calls[:-1] if len(calls) > 1 else calls,
    }
    return {
        kind: {**gold, "reference_outputs": {**gold["reference_outputs"], "requests": broken}}
        for kind, broken in made.items()
        if broken != calls
    }


def _each(calls: list[Row], change: Callable[[str, Any], Any]) -> list[Row]:
    return [{**one, "body": {key: change(key, value) for key, value in one["body"].items()}} for one in calls]


def _is_ref(value: Any) -> bool:
    return isinstance(value, str) and _REF.fullmatch(value) is not None


def _in_german(value: Any) -> Any:
    if isinstance(value, list):
        return [_in_german(one) for one in value]
    return GERMAN.get(value, value) if isinstance(value, str) else value


def _swapped(one: Row) -> Row:
    """The request whose two refs stand in each other's columns."""
    refs = [key for key, value in one["body"].items() if _is_ref(value)]
    if len(refs) != 2:
        return one
    first, second = refs
    return {**one, "body": {**one["body"], first: one["body"][second], second: one["body"][first]}}


def under_a_pseudonym(request: str, name: str, stranger: str, rng: Random) -> Row:
    """The task as it is when its request, and only that, went through a program that replaces people's names."""
    look = call("get_v1_volunteers", name=stranger)
    last = call("get_v1_volunteers", name=stranger.split()[-1])
    ways: tuple[Script, ...] = ((look,), (look, last), (look,))
    says = [say(words.format(name=stranger)) for words in rng.sample(_UNKNOWN, 3)]
    return {
        "request": request.replace(name, stranger),
        "sound": tuple((*way, words) for way, words in zip(ways, says, strict=True)),
    }
