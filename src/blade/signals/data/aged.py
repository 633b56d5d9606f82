"""DA: gold that counts from another day than the prompt does: "in 19 days" was worked out when the row was written, and today has moved on.

Two things show it. The expected day is as far from a day that the row keeps beside its gold (when it was annotated) as the given one is from the
prompt's today. Or the request counts from today, the given day lies ahead, and the expected one has long gone by. A working may also say itself of which year the table is that it goes
by (`out_of_date`), which a request that speaks of no year does not mean.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Final

from blade.signals.example import Example, call
from blade.signals.repeats import has_mark, once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.days import iso_day, plain_day, today_of
from blade.signals.texts.origins import shown, shown_expected
from blade.signals.wanted.comparison import WRONG, comparison_of

LONG_GONE: Final = timedelta(14)
FAR: Final = timedelta(800)
MAX_FIELDS: Final = 200
YEARS: Final = 3
"""Years from which on what was in force may no longer be."""
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_SOURCE: Final = r"(?:tables?|rates?|tariffs?|price lists?|lists?|editions?|versions?|prices?|schedules?|figures|census|handbook|catalogue|guidelines?|rules?|law|timetable|fares?)"
_DATED: Final = re.compile(
    rf"\b{_SOURCE}(?: (?:of|from|for|as of|as at|in force in|valid in|in))? (?P<year>(?:19|20)\d\d)\b|\b(?:as of|as at|status of|state of|valid (?:in|until)|in force (?:in|until)|last updated in) (?:\w+ )?(?P<before>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_COUNTS: Final = re.compile(
    r"\b(?:from (?:today|now)|today|tomorrow|days? (?:later|ago|ahead)|in (?:\d+|a|two|three|four|five|six|seven|ten) (?:days?|weeks?|months?)|next (?:week|month|year|\w+day)|this \w+day|coming)\b",
    re.IGNORECASE,
)
_COUNT_MARKS: Final = ("day", "week", "month", "year", "from now", "tomorrow", "coming")
"""One of these stands in all such words, and looking for them is quick."""


@signal(
    "gold_aged",
    label="DA",
    needs=("wrong_argument", "one_turn"),
    meaning="the request counts from today, and the expected day counts from another one: that of the row's making, or one long gone",
    causal=False,
    example=Example(
        (call("book_table", "booked", day="2026-10-03"),),
        asked="A table for four, 19 days from today.",
        system="Today is 14 September 2026.",
        fields={"annotated_on": "2026-01-05", "expected_calls": [{"name": "book_table", "arguments": {"day": "2026-01-24"}}]},
    ),
)
def gold_aged(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    if compared is None or rollout.has_dialogue or not _counts_from_today(rollout.request):
        return
    today = today_of(rollout.prompt_text)
    for match in compared.counted if today is not None else ():
        assert today is not None
        for differs in match.differences if match.outcome == WRONG and match.call is not None else ():
            told = _aged(
                rollout, today, iso_day(plain_day(rollout, differs.expected)), iso_day(plain_day(rollout, differs.actual))
            )
            if told and match.call is not None:
                quote = f"{differs.path}={shown(differs.actual)}, expected {shown_expected(differs)}"
                yield Evidence(match.call.step, quote, told, argument_subject(match.expected.name, differs.path))
                return


def out_of_date(rollout: Rollout, note: str) -> str:
    """The words of a working for the table, rates or edition of a year that is long gone by the prompt's today, and that nothing else names."""
    named = set(_YEAR.findall(note))
    if len(named) != 1:
        return ""
    today = today_of(rollout.prompt_text)
    for dated in _DATED.finditer(note) if today is not None else ():
        assert today is not None
        year = dated["year"] or dated["before"]
        seen = (rollout.prompt_text, *(made.output.text for made in rollout.calls if made.output is not None))
        if named == {year} and int(year) <= today.year - YEARS and not any(year in text for text in seen):
            return dated[0].strip(" (")
    return ""


@once_for_repeats
def _counts_from_today(request: str) -> bool:
    return has_mark(request, _COUNT_MARKS) and _COUNTS.search(request) is not None


def _aged(rollout: Rollout, today: date, wanted: date | None, given: date | None) -> str:
    if wanted is None or given is None or wanted == given or abs(given - today) > FAR:
        return ""
    for name, day in _days_beside(rollout.fields):
        if day != today and wanted - day == given - today:
            return f"counted from {name} = {day}, and not from the prompt's today, {today}"
    if given >= today and wanted < today - LONG_GONE:
        return f"the request counts from today, {today}, and this day had gone by"
    return ""


def _days_beside(fields: dict[str, Any], depth: int = 0) -> Iterator[tuple[str, date]]:
    """The days that a row keeps in its fields, by name; not those of its gold, which are what is asked about."""
    for name, value in list(fields.items())[:MAX_FIELDS]:
        if isinstance(value, dict) and depth < 2:
            yield from _days_beside(value, depth + 1)
        elif (day := iso_day(value)) is not None:
            yield name, day
