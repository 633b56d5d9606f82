"""What the answer had to tell: pieces of information that a task wants said to the user, and whether they were.

Tau-style tasks list them (`task.outputs`, `communicate_info`); their verifiers look for each as a text in the assistant's messages.
A figure with other separators, a number in words or a date spelled out says the same, so such a piece counts as told: a verifier
that does not see it is another matter, and one that needs the reward (`diagnosis.patterns.rejected`).
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from blade.runs.steps import Step
from blade.sentences import tail
from blade.signals.example import Example, says
from blade.signals.layout.paths import value_at
from blade.signals.layout.shape import Field, written
from blade.signals.layout.words import pieces_of
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.signal import Evidence, signal
from blade.signals.texts.values import dates_in

MAX_PIECES: Final = 50
MAX_REMEMBERED: Final = 20_000
"""Characters of a message of which it is remembered how it says a piece, and what figures it has."""
OTHERWISE: Final = "in another form: "
"""What the detail of `answer_told` begins with where a piece was said, but not as it is written."""
_PLACES: Final = (
    ("task", "outputs"),
    ("task", "evaluation_criteria", "communicate_info"),
    ("evaluation_criteria", "communicate_info"),
    ("expected_outputs",),
    ("required_outputs",),
)
_PLAIN_NUMBER: Final = re.compile(r"[$€£]?\s?(\d+(?:,\d{3})*(?:\.\d+)?)\s?%?")
_WRITTEN: Final = re.compile(r"\d{1,3}(?:[ ,.'’\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?")
_SEPARATORS: Final = re.compile(r"[ ,.'’\u00a0\u202f](?=\d{3}(?!\d))")
_CARDINALS: Final = {
    word: value
    for value, word in enumerate(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"], 2)
}  # fmt: skip
_COUNTED: Final = frozenset(_CARDINALS.values())
_WORD: Final = re.compile(r"[a-z]+")
_ISO_DATE: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_PUNCTUATION: Final = re.compile(r"[\W_]+")


def wanted_pieces(fields: dict[str, Any], learned: Sequence[Field] = ()) -> tuple[str, list[str]] | None:
    """The first place that lists what has to be said, with its pieces: one of a known name, else one that was learned."""
    for place in _PLACES:
        value: Any = fields
        for key in place:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, list) and value and all(isinstance(piece, str | int | float) for piece in value):
            pieces = [str(piece).strip() for piece in value[:MAX_PIECES]]
            return ".".join(place), [piece for piece in pieces if piece]
    for field in learned:
        if listed := pieces_of(value_at(fields, field.path)):
            return written(field.path), listed
    return None


def said_as(piece: str, text: str) -> str | None:
    """How a text says a piece: the piece itself where it stands there as written, else what says the same; None where nothing does."""
    return _said_as(piece, text) if len(text) <= MAX_REMEMBERED else _said_as.__wrapped__(piece, text)


@lru_cache(maxsize=256)  # more than one detector asks for the same
def _said_as(piece: str, text: str) -> str | None:
    if piece.lower() in text.lower():
        return piece
    number = _PLAIN_NUMBER.fullmatch(piece)
    if number is not None:
        return _number_said(float(number[1].replace(",", "")), text)
    day = _ISO_DATE.fullmatch(piece)
    if day is not None:
        wanted = (int(day[1]), int(day[2]), int(day[3]))
        return next(
            (
                f"{month:02d}-{of_month:02d}"
                for year, month, of_month in dates_in(text)
                if (year or wanted[0], month, of_month) == wanted
            ),
            None,
        )
    plain = _PUNCTUATION.sub(" ", piece.casefold()).strip()
    return plain if len(plain) > 2 and plain in _PUNCTUATION.sub(" ", text.casefold()) else None


def _number_said(wanted: float, text: str) -> str | None:
    for figure, readings in (_figures if len(text) <= MAX_REMEMBERED else _figures.__wrapped__)(text):
        if any(abs(value - wanted) < 1e-9 for value in readings):
            return figure
    if wanted not in _COUNTED:
        return None
    return next((word for word in _WORD.findall(text.lower()) if _CARDINALS.get(word) == wanted), None)


@lru_cache(maxsize=64)
def _figures(text: str) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """The numbers of a message as they are written, each with what it may be; a message is asked for one piece after another."""
    return tuple((found[0], tuple(_readings(found[0]))) for found in _WRITTEN.finditer(text))


def _readings(written: str) -> Iterator[float]:
    """The values that a number in digits can have: with its separators for thousands, and with a comma for the decimals."""
    yield float(written) if written.count(".") <= 1 and not re.search(r"[ ,'’\u00a0\u202f]", written) else float("nan")
    joined = _SEPARATORS.sub("", written)
    for text in (joined, joined.replace(",", ".")):
        try:
            yield float(text)
        except ValueError:
            continue


@signal(
    "answer_untold",
    label="BI",
    meaning="something that the task wants told was never said by the assistant",
    causal=False,
    example=Example((says("You may take 6 suitcases."),), fields={"task": {"outputs": ["4"]}}),
)
def answer_untold(rollout: Rollout) -> Iterator[Evidence]:
    wanted = wanted_pieces(rollout.fields)  # whether anybody was asked for what a learned place wants said is another question
    if wanted is None:
        return
    place, pieces = wanted
    messages = [item for _, item in rollout.assistant_messages()]
    lacking = [piece for piece in pieces if _told(piece, messages) is None]
    if lacking:
        last = rollout.final
        quote = tail(last.text, 200) if last is not None else "no message"
        detail = f"{place} wants {', '.join(lacking[:5])}; no message of the assistant holds it"
        yield Evidence(None if last is None else last.step, quote, detail, place)


@signal(
    "answer_told",
    label="BI",
    meaning="everything that the task wants told was said, as it is written or in another form; no fault, and what a failure is held against",
    causal=False,
    example=Example((says("In total 1 286.00 euros are open."),), fields={"task": {"outputs": ["1286"]}}),
)
def answer_told(rollout: Rollout) -> Iterator[Evidence]:
    wanted = wanted_pieces(rollout.fields, rollout.options.layout.said)
    if wanted is None:
        return
    place, pieces = wanted
    messages = [item for _, item in rollout.assistant_messages()]
    told = [(piece, _told(piece, messages)) for piece in pieces]
    if not told or any(found is None for _, found in told):
        return
    otherwise = [(piece, *found) for piece, found in told if found is not None and found[0] != piece]
    if otherwise:
        said = ", ".join(f"{form} for {piece}" for piece, form, _ in otherwise[:5])
        yield Evidence(otherwise[0][2].step, tail(otherwise[0][2].text, 200), f"{OTHERWISE}{said} of {place}", place)
    elif told[-1][1] is not None:
        last = told[-1][1][1]
        yield Evidence(last.step, tail(last.text, 200), f"as written in {place}", place)


def _told(piece: str, messages: Sequence[Step]) -> tuple[str, Step] | None:
    """How a piece was said and in which message: the first that has it as written, else the last that says the same."""
    found: tuple[str, Step] | None = None
    for item in messages:
        form = said_as(piece, item.text)
        if form == piece:
            return form, item
        found = (form, item) if form is not None else found
    return found


@signal(
    "forbidden_said",
    label="BI",
    meaning="a message of the assistant has words that the task says must not be said",
    example=Example(
        (says("Noor Haddad next door has a garden bin."),), fields={"expected": {"must_not_mention": ["garden bin"]}}
    ),
)
def forbidden_said(rollout: Rollout) -> Iterator[Evidence]:
    for place, piece, item in _unwanted(rollout):
        if _stands_alone(piece, item.text):
            yield Evidence(item.step, tail(item.text, 200), f"{place} says that {piece} must not be said", place)
            return


@signal(
    "forbidden_in_word",
    label="TI",
    meaning="what must not be said stands in the messages only inside of longer words, where it means something else",
    causal=False,
    example=Example((says("It is paid once a year and non-refundable."),), fields={"expected": {"must_not_mention": ["refund"]}}),
)
def forbidden_in_word(rollout: Rollout) -> Iterator[Evidence]:
    found = _unwanted(rollout)
    if found and not any(_stands_alone(piece, item.text) or not _led_in(piece, item.text) for _, piece, item in found):
        place, piece, item = found[0]
        at = item.text.lower().find(piece.lower())
        yield Evidence(
            item.step,
            item.text[max(0, at - 60) : at + 60],
            f"{place} forbids {piece}, which stands inside of a longer word",
            place,
        )


@once_for_each
def _unwanted(rollout: Rollout) -> tuple[tuple[str, str, Step], ...]:
    return tuple(_said_unwanted(rollout))


def _said_unwanted(rollout: Rollout) -> Iterator[tuple[str, str, Step]]:
    """What must not be said and stands in a message, with its place in the row."""
    for field in rollout.options.layout.unsaid or _NEVER:
        if field.path[0] not in rollout.fields:
            continue
        for piece in pieces_of(value_at(rollout.fields, field.path)):
            for _, item in rollout.assistant_messages():
                if piece.lower() in item.text.lower():
                    yield written(field.path), piece, item


def _led_in(piece: str, text: str) -> bool:
    """Whether letters stand before a piece in its word: what only begins with it may mean the same."""
    return re.search(rf"(?:[^\W_]|\b(?:non|un)-){re.escape(piece)}", text, re.IGNORECASE) is not None


def _stands_alone(piece: str, text: str) -> bool:
    """Whether a text says something itself, in whichever form: `refunds` and `refunded` say refund, `non-refundable` does not."""
    return (
        re.search(rf"(?<![^\W_])(?<!non-)(?<!un-){re.escape(piece)}(?:s|es|d|ed|ing|['’]s)?(?![^\W_])", text, re.IGNORECASE)
        is not None
    )


_NEVER: Final = tuple(
    Field((holder, name), 0, 0)
    for holder in ("expected", "task", "verifier_metadata", "metadata")
    for name in ("must_not_mention", "must_not_include", "must_not_contain", "forbidden_words", "forbidden_phrases")
)
"""Where rows are known to keep it."""
