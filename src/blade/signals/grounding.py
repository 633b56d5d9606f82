"""BI: an argument of a state-changing call that rests on nothing seen before.

Every value is traced to what stood before the call: the prompt, the user's turns, the tools' answers. Then it is given every benefit
of the doubt: other spellings (case, separators, date formats), parts of what was seen (the end of a card number), arithmetic
(`values`), the tool's own enumerations and defaults, and free text, which the model is there to write. What is left was made up.

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
from datetime import date
from functools import lru_cache
from typing import Any, Final

from blade.signals import arguments, values
from blade.signals.derivations import Numbers, number_follows
from blade.signals.example import Example, call, user
from blade.signals.mutation import words_of
from blade.signals.rollout import Call, Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.sums import SMALL
from blade.signals.tools import Tool

MAX_TEXT: Final = 80
"""Characters from which a string is prose and not a value."""
MAX_WORDS: Final = 6
MIN_COMPACT: Final = 5
"""Characters from which two strings that differ in separators only are taken for the same."""
MIN_TAIL: Final = 3
"""Digits from which the end of a longer number identifies it."""

MAX_DERIVATIONS: Final = 30
"""Numbers of one rollout for which a calculation is looked for; further ones are let pass, so that no row takes for ever."""

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
_SEPARATORS: Final = b" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f_-.,:;/#$()+'\""
_DIGITS_IN_WORD: Final = re.compile(r"[A-Za-z]*\d[\w-]*")


class Seen:
    """What stood before a call. It grows step by step, so a value is never explained by what came later.

    Looking for a string is quick; the compact text, the numbers and the dates are worked out when that does not settle it.
    """

    def __init__(self, rollout: Rollout, tries: int = MAX_DERIVATIONS) -> None:
        self._rollout = rollout
        self.position = 0
        self._texts = [rollout.prompt_text.lower()]
        self._compact = ""
        self._compacted = 0
        self._agreed = ""
        self._pending: list[str] = []
        self._tries = tries
        self._numbers = Numbers(self._texts[0])
        self._dates: set[values.Day] = set()
        self._dated = 0
        self._calls = {made.output_position: made for made in rollout.calls if made.output_position is not None}

    def advance(self, position: int) -> None:
        """Take in everything before `position`."""
        for place in range(self.position, position):
            item = self._rollout.output[place]
            if item.kind == "tool_output":
                self._see(self._without_echo(item.text, self._calls.get(place)))
            elif item.kind == "message" and item.role != "assistant":
                self._see(item.text)
                self._agreed += "\n".join(("", *self._pending)).lower()
                self._pending.clear()
            elif item.kind == "message":
                self._pending.append(item.text)
        self.position = max(self.position, position)

    def _see(self, text: str) -> None:
        lowered = text.lower()
        self._texts.append(lowered)
        self._numbers.read(lowered)

    def _without_echo(self, text: str, made: Call | None) -> str:
        """An output less the call's own arguments, where it may only be repeating them."""
        if made is None or made.arguments is None or (made.reads and made.error is None):
            return text
        for _, value in arguments.leaves(made.arguments):
            if isinstance(value, str) and len(value) >= MIN_COMPACT and value in text and not self.holds(value):
                text = text.replace(value, " ")
        return text

    def holds(self, value: str) -> bool:
        """Whether a string was seen as a whole, whatever its case and separators."""
        wanted = value.lower()
        if self._holds_word(wanted):
            return True
        compact = _compacted(wanted)
        if len(compact) < MIN_COMPACT:
            return False
        if self._compacted < len(self._texts):
            self._compact += "".join(map(_compacted, self._texts[self._compacted :]))
            self._compacted = len(self._texts)
        return compact in self._compact

    def _holds_word(self, wanted: str) -> bool:
        if "\n" in wanted:
            return _whole_word(wanted, "\n".join(self._texts))
        return any(wanted in text and _whole_word(wanted, text) for text in self._texts)

    def holds_tail(self, digits: str) -> bool:
        """Whether these digits end a longer number that was seen."""
        if len(digits) < MIN_TAIL:
            return False
        tail = re.compile(rf"\d{re.escape(digits)}(?!\d)")
        return any(digits in text and tail.search(text) for text in self._texts)

    def agreed(self, value: str) -> bool:
        """Whether the assistant named the value and the user went on."""
        return _whole_word(value.lower(), self._agreed)

    def number(self, value: float) -> str | None:
        """Where a number comes from, if from anywhere."""
        if self._needs_no_source(value):
            return number_follows(value, set()) or "seen"
        if self._tries < 0:
            return "not worked out"
        told = _explained(self._rollout)
        if (self.position, value) not in told:
            told[self.position, value] = self._numbers.explain(value)
        return told[self.position, value]

    def gives(self, value: float) -> bool:
        """Whether a number comes from anywhere, which is found sooner than from where."""
        if self._needs_no_source(value) or self._tries < 0:
            return True
        told = _explained(self._rollout)
        if (self.position, value) not in told:
            if self._numbers.give(value):
                return True
            told[self.position, value] = None
        return told[self.position, value] is not None

    def _needs_no_source(self, value: float) -> bool:
        plain = f"{value:.0f}" if value.is_integer() else f"{value:.2f}"
        if abs(value) <= SMALL or self._holds_word(plain):
            return True
        self._tries -= 1
        return False

    def date(self, wanted: date) -> bool:
        """Whether a date was seen in some form, or follows from one that was."""
        fresh = self._texts[self._dated :]
        if not self._dated:
            self._dates.update(_dates(fresh.pop(0)))
        if fresh:
            self._dates.update(values.dates_in("\n".join(("", *fresh))))
        self._dated = len(self._texts)
        relative = any(map(values.RELATIVE.search, self._texts))
        return values.date_follows(wanted, self._dates, self._numbers.all(), relative)


@lru_cache(maxsize=1)
def _explained(rollout: Rollout) -> dict[tuple[int, float], str | None]:
    """How numbers were explained before a position of the rollout at hand: more than one detector asks for the same."""
    return {}


@lru_cache(maxsize=32)
def _dates(text: str) -> frozenset[values.Day]:
    """Prompts are long and much the same from row to row, so what they hold is worked out once."""
    return frozenset(values.dates_in(text))


def _compacted(text: str) -> str:
    """A text without spaces and separators."""
    spaceless = text if text.isascii() else "".join(text.split())
    return spaceless.encode("utf-8", "surrogatepass").translate(None, _SEPARATORS).decode("utf-8", "surrogatepass")


def _whole_word(wanted: str, text: str) -> bool:
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not (at and text[at - 1].isalnum() and wanted[:1].isalnum()) and not (
            text[end : end + 1].isalnum() and wanted[-1:].isalnum()
        ):
            return True
        at = text.find(wanted, at + 1)
    return False


@signal(
    "ungrounded_argument",
    label="BI",
    meaning="an argument of a state-changing call that was neither seen before nor follows from what was",
    example=Example(
        (
            user("Use my credit card ending in 7334."),
            call("update_booking", "Error: payment method not found", payment_id="credit_card_7334"),
        )
    ),
)
def ungrounded_argument(rollout: Rollout) -> Iterator[Evidence]:
    if not any(made.changes and made.arguments for made in rollout.calls):
        return
    seen = Seen(rollout)
    told: set[tuple[str, str]] = set()
    for made in rollout.calls:
        if not made.changes or not made.arguments:
            continue
        seen.advance(made.position)
        declared = rollout.tools.get(made.name)
        allowed = _allowed_by(declared) if declared else frozenset()
        for path, value in arguments.leaves(made.arguments):
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


def _last_name(path: str) -> tuple[str, ...]:
    return words_of(re.sub(r"\[\d+\]$", "", path).rpartition(".")[2])


def _is_free(path: str, value: Any) -> bool:
    """What a model may choose or write itself, and what carries nothing that could be looked up."""
    if value is None or isinstance(value, bool) or value == "":
        return True
    if not isinstance(value, str):
        return False
    names = _last_name(path)
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
        return _number(float(value), str(value), seen, description)
    text = str(value).strip()
    if seen.holds(text):
        return None
    wanted = _as_date(text)
    if wanted is not None:
        return None if seen.date(wanted) or seen.agreed(text) else "a date neither seen nor near one"
    if _EMAIL.fullmatch(text):
        return None if _email_follows(text, seen) else "an address never seen"
    if _PLAIN_NUMBER.match(text) and not (_last_name(path)[-1:] and _last_name(path)[-1] in _ID_NAMES):
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
    if text.isdigit() and (seen.holds_tail(text) or len(text) < MIN_TAIL):
        return None
    return "an id never seen as a whole"


def _number(value: float, text: str, seen: Seen, description: str) -> str | None:
    if value != value or abs(value) == float("inf") or seen.gives(value) or seen.agreed(text) or text in description:
        return None
    return "a number neither seen nor computable from what was"


def _as_date(text: str) -> date | None:
    found, order = _ISO_DATE.match(text), (1, 2, 3)
    if found is None:
        found, order = _SLASH_DATE.match(text), (3, 1, 2)
    if found is None:
        return None
    try:
        return date(*(int(found[group]) for group in order))
    except ValueError:
        return None


def _email_follows(address: str, seen: Seen) -> bool:
    """Whether an address is built as others were: its domain was seen, and so were the words of its local part."""
    local, _, domain = address.lower().partition("@")
    words = [word for word in re.split(r"[._+-]|\d+", local) if len(word) > 1]
    digits = re.findall(r"\d+", local)
    return seen.holds(domain) and bool(words) and all(seen.holds(part) for part in (*words, *digits))
