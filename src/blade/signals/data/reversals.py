"""DA: a request and the row's own working that go by opposite terms (`less than 27000 km` here, `over 27000 km` there), or gold of a kind that was not asked for.

A request is often a paraphrase of what the gold was made for. Where it turns a comparison round, agents do what they are asked and fail all alike. Only
the same figure with opposite words beside it counts, only where neither text has both directions, and only where the same follows from it in both: a working
that finds its case on the other side of a limit contradicts nobody. A request that wants a number alone and expects a
name (or the reverse) has the gold of another question.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.signals.example import Example, says
from blade.signals.layout.texts import plain_text
from blade.signals.repeats import has_mark, once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.texts.values import words_number
from blade.signals.wanted.answer_fields import expected_answer
from blade.signals.wanted.restated import restated

MAX_TEXT: Final = 6_000
_UNDER: Final = r"less than|fewer than|under|below|at most|no more than|not more than|smaller than|lower than|cheaper than|shorter than|younger than|≤"
_OVER: Final = r"more than|over|above|at least|no less than|not less than|no fewer than|greater than|larger than|higher than|longer than|exceeds?|exceeding|older than|≥"
_TERM: Final = re.compile(
    rf"(?<![\w-])(?:(?P<under>{_UNDER})|(?P<over>{_OVER}))\s*(?:the |a |an )?[$€£]?(?P<figure>\d[\d,.]*\d|\d)", re.IGNORECASE
)
_TERM_MARKS: Final = ("than", "under", "below", "at most", "over", "above", "at least", "exceed", "≤", "≥")
"""One of these stands in every term, and looking for them is quick."""
MOST_WORDS: Final = 6
_ASKS_NUMBER: Final = re.compile(
    r"(?:^|[.?!(:\n]\s*)(?:just|only) (?:an?|the) (?:bare |single )?(?:number|integer|figure)\b|\b(?:number|integer|figure) (?:only|alone|is enough|will do|and nothing else)\b"
    r"|\b(?:answer|reply|respond) with (?:an?|one|the) (?:single |bare )?(?:number|integer)\b",
    re.IGNORECASE,
)
_BRANCH: Final = re.compile(r"\b(?:else|otherwise|if not|but|unless)\b|[.;\n]", re.IGNORECASE)
_LONG: Final = re.compile(r"[^\W\d_]{4,}")
FOLLOWS: Final = 120
SHARED: Final = 2
"""Longer words that what follows from a term has in common in both texts: else they speak of other cases of the same rule."""
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
        for figure, (ways, words, then) in said.items():
            other = worked.get(figure)
            if other is not None and len(ways) == len(other[0]) == 1 and ways != other[0] and len(then & other[2]) >= SHARED:
                yield Evidence(None, words, f"{field} has “{other[1]}” for the same", field)
                return


Term = tuple[frozenset[bool], str, frozenset[str]]


@once_for_repeats
def _terms(text: str) -> dict[str, Term]:
    """By figure: the directions in which a text compares with it (over or not), the first words of that, and the words of what follows from it."""
    found: dict[str, Term] = {}
    for term in _TERM.finditer(text) if has_mark(text, _TERM_MARKS) else ():
        figure = term["figure"].replace(",", "").rstrip(".")
        if sum(map(str.isdigit, figure)) < MIN_FIGURE:
            continue
        ways, words, then = found.get(figure, (frozenset(), term[0], frozenset()))
        follows = _BRANCH.split(text[term.end() : term.end() + FOLLOWS], maxsplit=1)[0]
        found[figure] = (ways | {term["over"] is not None}, words, then | {word.lower() for word in _LONG.findall(follows)})
    return found


@once_for_repeats
def _wants_number(request: str) -> bool:
    return has_mark(request, ("number", "integer", "figure")) and _ASKS_NUMBER.search(request) is not None


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
    if found is None or not text or len(text) == 1 or len(text.split()) > MOST_WORDS or any(map(str.isnumeric, text)):
        return
    if "\\" in text or words_number(text):
        return
    if not _NO_NUMBER & set(text.lower().split()):
        yield Evidence(None, text[:120], f"{found[0]}; a number alone is asked for", found[0])


_NO_NUMBER: Final = frozenset(["none", "infinity", "inf", "unknown", "nothing", "no", "not", "unanswerable", "pi", "n/a"])
"""Words that stand for a number, or for that there is none."""
