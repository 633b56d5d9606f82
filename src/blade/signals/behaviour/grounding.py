"""BI: an argument of a state-changing call that rests on nothing seen before.

Every value is traced to what stood before the call: the prompt, the user's turns, the tools' answers. Then it is given every benefit
of the doubt: other spellings (case, separators, date formats), parts of what was seen (the end of a card number), arithmetic
(`derivations`), the tool's own enumerations and defaults, and free text, which the model is there to write. What is left was made up.

- *An id is looked up, not composed.* `credit_card_7334`, put together from "my credit card ending in 7334" and the look of other ids,
  is a guess although both parts were seen; so an id must have been seen as a whole. An example in a tool's description shows what an
  id looks like and is no source of one.
- *An echo is no source.* An answer that repeats the call's own arguments ("payment method credit_card_7334 not found", "accepted:
  M-0123") proves nothing about them, unless a lookup confirmed them by finding something.
- *What the assistant said itself is no source of an id.* A number or a date that the user let stand after the assistant named it is
  agreed, and that is enough.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from functools import lru_cache
from typing import Any, Final

from blade.signals.calls import arguments
from blade.signals.calls.mutation import words_of_last
from blade.signals.calls.tools import Tool
from blade.signals.example import Example, call, user
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.origins import LARGEST_FLOAT
from blade.signals.texts.seen import MIN_COMPACT, MIN_TAIL, Seen

MAX_TEXT: Final = 80
"""Characters from which a string is prose and not a value."""
MAX_WORDS: Final = 6
MIN_CODE: Final = 4
"""Letters and digits from which on a code names one record; a shorter one is a class that somebody may know."""


_FREE_NAMES: Final = frozenset([
    "message", "body", "text", "reason", "summary", "content", "description", "note", "notes", "comment", "comments",
    "title", "subject", "query", "thought", "thoughts", "code", "command", "cmd", "patch", "diff", "input", "script",
    "prompt", "question", "answer", "explanation", "details", "instructions", "name", "label", "expression", "sql", "html",
    "markdown", "path", "file", "filename", "url", "link", "color", "colour", "format", "language", "timezone", "tone",
    "plan", "todo", "todos", "regex", "pattern", "old", "new", "string", "str",
])  # fmt: skip
_ID_NAMES: Final = frozenset(
    ["id", "ids", "number", "code", "ref", "reference", "key", "uuid", "account", "iban", "sku", "ticket"]
)
_EMAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ISO_DATE: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$")
_SLASH_DATE: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})$")
_TIME: Final = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?$|\d{1,2}\s?[ap]\.?m\.?$", re.IGNORECASE)
_PATH: Final = re.compile(r"^[a-z]+://|[/\\]|\.\w{1,5}$", re.IGNORECASE)
_PLAIN_NUMBER: Final = re.compile(r"[-+]?[$€£]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$|[-+]?[$€£]?\d+(?:\.\d+)?%?$")
_DIGITS_IN_WORD: Final = re.compile(r"[A-Za-z]*\d[\w-]*")


@signal(
    "ungrounded_argument",
    label="BI",
    needs=("call",),
    meaning="an argument of a state-changing call that was neither seen before nor follows from what was",
    example=Example(
        (
            user("Use my credit card ending in 7334."),
            call("update_booking", "Error: payment method not found", payment_id="credit_card_7334"),
        )
    ),
)
def ungrounded_argument(rollout: Rollout) -> Iterator[Evidence]:
    if not any(made.changes and made.arguments for made in rollout.own_calls):
        return
    seen = Seen(rollout)
    told: set[tuple[str, str]] = set()
    for made in rollout.own_calls:
        if not made.changes or not made.arguments:
            continue
        seen.advance(made.position)
        declared = rollout.tools.get(made.name)
        allowed = _allowed_by(declared) if declared else frozenset()
        for path, value in made.leaves:
            if str(value) in allowed or _is_free(path, value):
                continue
            why = _ungrounded(path, value, seen, declared.description if declared else "")
            if why and (path, str(value)) not in told:
                told.add((path, str(value)))
                yield Evidence(made.step, f"{path}={value}", f"{made.name}: {why}", argument_subject(made.name, path))


@lru_cache(maxsize=512)
def _allowed_by(declared: Tool) -> frozenset[str]:
    return _allowed(declared.parameters)


def _allowed(schema: Any, depth: int = 0) -> frozenset[str]:
    """The values that a schema itself names: enumerations, constants and defaults."""
    if depth > arguments.MAX_DEPTH or not isinstance(schema, dict | list):
        return frozenset()
    found: set[str] = set()
    if isinstance(schema, dict):
        choices = schema.get("enum")
        found.update(map(str, choices) if isinstance(choices, list) else ())
        found.update(str(schema[name]) for name in ("const", "default") if name in schema)
    for inner in schema.values() if isinstance(schema, dict) else schema:
        found |= _allowed(inner, depth + 1)
    return frozenset(found)


def _is_free(path: str, value: Any) -> bool:
    """What a model may choose or write itself, and what carries nothing that could be looked up."""
    if value is None or isinstance(value, bool) or value == "":
        return True
    if not isinstance(value, str):
        return False
    names = words_of_last(path)
    if _EMAIL.fullmatch(value) or _ISO_DATE.match(value):
        return False
    named_id = bool(names) and names[-1] in _ID_NAMES
    if len(value) > MAX_TEXT or len(value.split()) > MAX_WORDS or (not named_id and _FREE_NAMES & set(names[-1:])):
        return True
    if _PATH.search(value) and not _SLASH_DATE.match(value) and not _PLAIN_NUMBER.match(value):
        return True
    return _TIME.match(value) is not None or (not any(map(str.isdigit, value)) and not (named_id and _looks_like_an_id(value)))


def _looks_like_an_id(value: str) -> bool:
    """A code in capitals such as IFOYYZ; a word or a short code (an airport, a currency) is known, not looked up."""
    return value.isupper() and len(value) >= MIN_COMPACT and " " not in value


def _ungrounded(path: str, value: Any, seen: Seen, description: str) -> str | None:
    """Why a value counts as made up; None where it has a source."""
    if isinstance(value, int | float):
        return _number(float(value), str(value), seen, description) if abs(value) <= LARGEST_FLOAT else None
    text = str(value).strip()
    if seen.holds(text):
        return None
    if days := _as_dates(text):
        return None if any(map(seen.date, days)) or seen.agreed(text) else "a date neither seen nor near one"
    if _EMAIL.fullmatch(text):
        return None if _email_follows(text, seen) else "an address never seen"
    if _PLAIN_NUMBER.match(text) and not (words_of_last(path)[-1:] and words_of_last(path)[-1] in _ID_NAMES):
        digits = re.sub(r"[^\d.]", "", text)
        if text.isdigit() and seen.holds_tail(text):
            return None
        return _number(float(digits), text, seen, description) if digits.count(".") <= 1 and digits.strip(".") else None
    if " " in text:
        # Words around numbers, such as an address: the numbers must come from somewhere.
        loose = [
            part for part in _DIGITS_IN_WORD.findall(text) if not seen.holds(part) and sum(map(str.isdigit, part)) >= MIN_TAIL
        ]
        return f"{loose[0]} was never seen" if loose and not seen.agreed(text) else None
    if (text.isdigit() and (seen.holds_tail(text) or len(text) < MIN_TAIL)) or seen.extended(text):
        return None
    return "an id never seen as a whole" if sum(map(str.isalnum, text)) >= MIN_CODE else None


def _number(value: float, text: str, seen: Seen, description: str) -> str | None:
    if value != value or abs(value) == float("inf") or seen.gives(value) or seen.agreed(text) or text in description:
        return None
    return "a number neither seen nor computable from what was"


def _as_dates(text: str) -> list[date]:
    """The day that a text names; with slashes the month or the day may come first."""
    written = _ISO_DATE.match(text)
    found, orders = (written, [(1, 2, 3)]) if written is not None else (_SLASH_DATE.match(text), [(3, 1, 2), (3, 2, 1)])
    days: list[date] = []
    if found is None:
        return days
    for order in orders:
        with suppress(ValueError):
            days.append(date(*(int(found[group]) for group in order)))
    return days


def _email_follows(address: str, seen: Seen) -> bool:
    """Whether an address is built as others were: its domain was seen, and so were the words of its local part."""
    local, _, domain = address.lower().partition("@")
    words = [word for word in re.split(r"[._+-]|\d+", local) if len(word) > 1]
    digits = re.findall(r"\d+", local)
    return seen.holds(domain) and bool(words) and all(seen.holds(part) for part in (*words, *digits))
