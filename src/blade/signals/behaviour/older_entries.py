"""BI: the request wants the latest of several dated entries, and the value is that of an older one (or of a later one, where it wants the oldest).

A tool listed them, each with its day. The expected value is that of the entry that the request speaks of, as it stands there or converted, and the given one is to
another entry as the expected one is to that. Nobody needs to know a rule to tell which day is the last: the list was not read to its end.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from blade.answers import compare
from blade.answers.rounding import becomes, last_place
from blade.signals.behaviour.records import lists_in
from blade.signals.calls.mutation import words_of
from blade.signals.data.premises import MAX_OUTPUT, Wrong, is_figure, number_of, the_wrong_one
from blade.signals.example import Example, call, says
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.texts.cues import cues, may_say
from blade.signals.texts.days import iso_day
from blade.signals.texts.origins import shown
from blade.signals.wanted.comparison import comparison_of

MOST_ENTRIES: Final = 40
"""Entries of a list beyond which another value is too easily found in it."""
_LATEST: Final = re.compile(r"\b(?:(?<!\bat the )latest|newest|most recent(?:ly)?|last one by date|youngest)\b", re.IGNORECASE)
_OLDEST: Final = re.compile(r"\b(?:oldest|(?<!\bat the )earliest|least recent)\b", re.IGNORECASE)
_CUES: Final = cues("latest newest recent recently last youngest oldest earliest")
SMALL: Final = 10
"""Figures below this stand in entries by chance, and tell only under a name that the argument shares."""
Entry = dict[str, Any]


@signal(
    "older_entry_taken",
    label="BI",
    meaning="the request wants the latest (or the oldest) of several dated entries that a tool listed, and the value of another one was taken",
    causal=False,
    example=Example(
        (
            call("list_weighings", '[{"weighed": "2026-03-02", "kg": 31}, {"weighed": "2026-05-20", "kg": 35}]', animal="A-7"),
            says("The answer is 31."),
        ),
        asked="What did the latest weighing of A-7 give, in kg?",
        fields={"expected_answer": "35", "extracted_answer": "31"},
    ),
)
def older_entry_taken(rollout: Rollout) -> Iterator[Evidence]:
    wish = _wish(rollout.request)
    wrong = the_wrong_one(rollout, comparison_of(rollout)) if wish else None
    for made in rollout.calls if wrong is not None else ():
        if not made.reads or made.error is not None or made.output is None or len(made.output.text) > MAX_OUTPUT:
            continue
        for entries in lists_in(made.data):
            told = _taken(entries, wish == "latest", wrong) if wrong is not None and len(entries) <= MOST_ENTRIES else None
            if told is not None and wrong is not None:
                field, meant, other = told
                detail = f"the request wants the {wish} entry, and {made.name} (step {made.step}) has {field} = {shown(meant)} for it; {shown(other)} is that of another"
                yield Evidence(wrong.step, f"{shown(wrong.actual)} for {shown(wrong.expected)}", detail, wrong.path)
                return


@once_for_repeats
def _wish(request: str) -> str:
    """Which entry a request wants; nothing where it speaks of both ends, or of none."""
    if not may_say(request, _CUES):
        return ""
    latest, oldest = _LATEST.search(request) is not None, _OLDEST.search(request) is not None
    return "" if latest == oldest else "latest" if latest else "oldest"


def _taken(entries: list[Entry], latest: bool, wrong: Wrong) -> tuple[str, Any, Any] | None:
    """The field of a list of entries that holds what is meant, its value there, and that of the entry that was taken."""
    for key in entries[-1]:  # in a text of lines the first may be a heading
        dated = sorted(((day, at) for at, entry in enumerate(entries) if (day := iso_day(entry.get(key))) is not None))
        if len(dated) < 2 or len(dated) < len(entries) - 1 or len({day for day, _ in dated}) < len(dated):
            continue
        meant, *others = [entries[at] for _, at in (reversed(dated) if latest else dated)]
        for field, value in meant.items():
            if field == key:
                continue
            for other in others:
                if field in other and _may_tell(wrong, field) and _as_one_to_the_other(wrong, value, other[field]):
                    return field, value, other[field]
    return None


def _may_tell(wrong: Wrong, field: str) -> bool:
    """Whether it is no chance that a field has what was expected of a call; answers have no argument, and decimals are no small counts."""
    called, _, argument = wrong.path.partition(".")
    if not is_figure(wrong.expected) or not argument or not float(wrong.expected).is_integer() or abs(wrong.expected) >= SMALL:
        return True
    return not {*words_of(str(field))}.isdisjoint({*words_of(called), *words_of(argument)})


def _as_one_to_the_other(wrong: Wrong, meant: Any, other: Any) -> bool:
    """Whether the given value is to the one entry as the expected one is to the other: the same as it stands there, or in the same proportion."""
    if isinstance(meant, bool | dict | list) or isinstance(other, bool | dict | list) or str(meant) == str(other):
        return False
    if compare(str(meant), str(wrong.expected)).same:
        return compare(str(other), str(wrong.actual)).same
    figures = [number_of(value) for value in (meant, other, wrong.expected, wrong.actual)]
    if not all(figures):
        return False
    one, another, expected, actual = (figure or 0.0 for figure in figures)
    return becomes(expected, actual, another / one, (last_place(wrong.expected), last_place(wrong.actual)))
