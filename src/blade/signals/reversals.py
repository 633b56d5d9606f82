"""DA: a request and the row's own working that go by opposite terms (`less than 27000 km` here, `over 27000 km` there), or gold of a kind that was not asked for.

A request is often a paraphrase of what the gold was made for. Where it turns a comparison round, agents do what they are asked and fail all alike. Only
the same figure with opposite words beside it counts, and only where neither text has both directions. A request that wants a number alone and expects a
name (or the reverse) has the gold of another question.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.signals.answer_rows import expected_answer
from blade.signals.example import Example, says
from blade.signals.layout.texts import plain_text
from blade.signals.repeats import once_for_repeats
from blade.signals.restated import restated
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal

MAX_TEXT: Final = 6_000
_UNDER: Final = r"less than|fewer than|under|below|at most|no more than|not more than|smaller than|lower than|cheaper than|shorter than|younger than|≤"
_OVER: Final = r"more than|over|above|at least|no less than|not less than|no fewer than|greater than|larger than|higher than|longer than|exceeds?|exceeding|older than|≥"
_TERM: Final = re.compile(
    rf"(?<![\w-])(?:(?P<under>{_UNDER})|(?P<over>{_OVER}))\s*(?:the |a |an )?[$€£]?(?P<figure>\d[\d,.]*\d|\d)", re.IGNORECASE
)
MOST_WORDS: Final = 6
_ASKS_NUMBER: Final = re.compile(
    r"\b(?:just|only) (?:an?|the) (?:bare |single )?(?:number|integer|figure)\b|\b(?:number|integer|figure) (?:only|alone|is enough|will do|and nothing else)\b"
    r"|\b(?:answer|reply|respond) with (?:an?|one|the) (?:single |bare )?(?:number|integer)\b",
    re.IGNORECASE,
)
MIN_FIGURE: Final = 2
"""Digits of a figure from which on it stands for the same thing in both texts."""


@signal(
    "request_reversed",
    label="DA",
    meaning="the request compares with a figure in one direction, and the row's own working in the other",
    causal=False,
    example=Example(
        (says("An interim service is booked."),),
        asked="If less than 27000 km have been driven it gets a full service, else an interim one.",
        fields={"solution": "28257 km is over 27000 km: full service."},
    ),
)
def request_reversed(rollout: Rollout) -> Iterator[Evidence]:
    said = _terms(rollout.request[-MAX_TEXT:])
    if not said:
        return
    for field, value in restated(rollout):
        if not isinstance(value, str):
            continue
        worked = _terms(value[:MAX_TEXT])
        for figure, (ways, words) in said.items():
            other = worked.get(figure)
            if other is not None and len(ways) == len(other[0]) == 1 and ways != other[0]:
                yield Evidence(None, words, f"{field} has “{other[1]}”", field)
                return


@once_for_repeats
def _terms(text: str) -> dict[str, tuple[frozenset[bool], str]]:
    """By figure: the directions in which a text compares with it (over or not), and the first words of that."""
    found: dict[str, tuple[frozenset[bool], str]] = {}
    for term in _TERM.finditer(text):
        figure = term["figure"].replace(",", "").rstrip(".")
        if sum(map(str.isdigit, figure)) < MIN_FIGURE:
            continue
        ways, words = found.get(figure, (frozenset(), term[0]))
        found[figure] = (ways | {term["over"] is not None}, words)
    return found


@once_for_repeats
def _wants_number(request: str) -> bool:
    return _ASKS_NUMBER.search(request) is not None


@signal(
    "gold_of_other_kind",
    label="DA",
    meaning="the request wants a number alone and something else is expected: it is the answer to another question",
    causal=False,
    example=Example(
        (says("50"),),
        asked="Which ISO week is the date of travel in? Number only.",
        fields={"expected_answer": "Aix-en-Provence TGV"},
    ),
)
def gold_of_other_kind(rollout: Rollout) -> Iterator[Evidence]:
    if not _wants_number(rollout.request[-MAX_TEXT:]):
        return
    found = expected_answer(rollout)
    text = (plain_text(found[1]) or "").strip() if found is not None else ""
    if found is None or not text or len(text) == 1 or len(text.split()) > MOST_WORDS or any(map(str.isdigit, text)):
        return
    if not _NUMBER_WORDS & set(text.lower().replace("-", " ").split()):
        yield Evidence(None, text[:120], f"{found[0]}; a number alone is asked for", found[0])


_NUMBER_WORDS: Final = frozenset(
    [
        "zero",
        "none",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "twenty",
        "thirty",
        "forty",
        "fifty",
        "hundred",
        "thousand",
        "half",
        "infinity",
        "inf",
        "unknown",
        "nothing",
        "no",
        "not",
        "unanswerable",
    ]
)
