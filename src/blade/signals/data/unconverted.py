"""DA: gold that is the record's own figure, where the request asks for it in another unit or by other clocks.

A lookup says 221 kWh, or 12:35 UTC; the request wants megajoules, or the time in another town; whoever works it out converts, and the gold is 221, or 12:35. Its
working may even say so (`221 kWh are 221 MJ`). For a measure the two figures have to be in the very proportion of the record's unit and the one asked for. For a time the zone
has to be known and not to be the record's own, or so far off that nobody takes one for the other. Telling only where all repeats agree (`diagnosis.patterns.stale_gold`).
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from blade.answers.rounding import becomes, last_place
from blade.answers.units import Unit, is_known, unit_named
from blade.signals.data.premises import MAX_OUTPUT, Wrong, number_of, the_wrong_one
from blade.signals.example import Example, call, says
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.texts.origins import shown
from blade.signals.wanted.asked import asked_unit
from blade.signals.wanted.comparison import comparison_of
from blade.signals.wanted.restated import restated

CLOSE: Final = 0.0006
"""What factors that people know by heart differ by from the exact ones."""
NOT_NEXT_DOOR: Final = 120
"""Minutes between two clocks from which on nobody takes a town of the one for one of the other."""
EARLIEST, LATEST = 1900, 2200
"""Years whose clocks are known."""
STEP: Final = 15
"""Minutes by which the clocks of two zones differ."""
_BEHIND: Final = re.compile(r"\d\s?((?:troy )?[^\W\d_]{1,12}(?:/[^\W\d_]{1,4})?)\b(?!_)")
_IN_NAME: Final = re.compile(r"(?<![^\W_])(?:[^\W\d_]{1,24}+_){0,6}?((?:troy_)?[^\W\d_]{1,24}+)(?=[\"':;,|\s]|$)", re.MULTILINE)
_TIME: Final = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d")
_MOMENT: Final = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?\s?(Z\b|UTC\b|GMT\b|\+00:?00\b)?")
_UTC: Final = re.compile(r"(?<![A-Za-z])(?:utc|gmt|zulu)(?![A-Za-z])", re.IGNORECASE)
_OTHER_CLOCK: Final = re.compile(
    r"\b(?:local(?:ly)?|there|clocks?|time ?zones?|o['’]clock in|time (?:is (?:it|that|this) )?in|for (?:somebody|someone|people|viewers|listeners) in)\b", re.IGNORECASE
)  # fmt: skip
_PLACE: Final = re.compile(r"\b[A-Z][^\W\d_]+(?:[ -][A-Z][^\W\d_]+)*")


@signal(
    "gold_as_recorded",
    label="DA",
    needs=("one_turn",),
    meaning="the expected figure is the record's own, in its unit or by its clock, where the request asks for another and the answer was converted; telling only where all repeats agree",
    causal=False,
    example=Example(
        (call("get_meter", '{"meter": "M1", "last_month_kwh": 221}', meter="M1"), says("Answer: 795.6")),
        asked="What did meter M1 count last month, as a figure in MJ?",
        fields={"expected_answer": "221.0", "extracted_answer": "795.6"},
    ),
)
def gold_as_recorded(rollout: Rollout) -> Iterator[Evidence]:
    wrong = None if rollout.has_dialogue else the_wrong_one(rollout, comparison_of(rollout))
    if wrong is None:
        return
    told = _measure(rollout, wrong) or _clock(rollout, wrong)
    if told:
        yield Evidence(wrong.step, f"{shown(wrong.expected)} for {shown(wrong.actual)}", told, wrong.path)


def _measure(rollout: Rollout, wrong: Wrong) -> str:
    expected, actual = number_of(wrong.expected), number_of(wrong.actual)
    named = asked_unit(rollout.request, rollout.fields) if expected and actual and expected != actual else None
    asked = None if named is None else unit_named(named)
    if asked is None or asked.shift or not expected or not actual:
        return ""
    recorded = _recorded(rollout)
    if asked in recorded:
        return ""
    places = last_place(wrong.expected, padded=True), last_place(wrong.actual, padded=True)
    for unit in recorded:
        if unit.dimension != asked.dimension or unit.shift or unit.factor == asked.factor:
            continue
        factor = float(unit.factor / asked.factor)
        if becomes(expected, actual, factor, places, close=CLOSE):
            return f"the lookups have {unit.name}, {asked.name} is asked for: {actual:g} {asked.name} are {expected:g} {unit.name}, which is expected as it is"
    return ""


def _recorded(rollout: Rollout) -> list[Unit]:
    """The units that lookups name, behind a figure or at the end of a field's name."""
    words: dict[str, None] = {}
    for made in rollout.calls:
        if not made.changes and made.error is None and made.output is not None:
            words.update(_unit_words(made.output.text[:MAX_OUTPUT]))
    found = [unit for word in words if (unit := unit_named(word)) is not None and is_known(unit)]
    return list(dict.fromkeys(found))


@once_for_repeats
def _unit_words(text: str) -> dict[str, None]:
    named = [word.replace("_", " ") for word in _IN_NAME.findall(text) if "_" in text]
    return dict.fromkeys(
        [*_BEHIND.findall(text), *(word for word in named if len(word) > 1), *(_SYMBOLS.get(word, word) for word in named)]
    )


_SYMBOLS: Final = {
    "kwh": "kWh",
    "mwh": "MWh",
    "mj": "MJ",
    "kj": "kJ",
    "gb": "GB",
    "mb": "MB",
    "kw": "kW",
    "mhz": "MHz",
    "ghz": "GHz",
}
"""Units whose symbols names of fields have in small letters."""


def _clock(rollout: Rollout, wrong: Wrong) -> str:
    """A moment of a lookup by universal time that is expected as it stands there, where the request asks for other clocks."""
    if not (isinstance(wrong.expected, str) and isinstance(wrong.actual, str)):
        return ""
    expected, actual = wrong.expected.strip(), wrong.actual.strip()
    if not (_TIME.fullmatch(expected) and _TIME.fullmatch(actual) and _OTHER_CLOCK.search(rollout.request)):
        return ""
    day = _universal(rollout, expected)
    if day is None:
        return ""
    try:
        moment = datetime.strptime(f"{day} {expected}", "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
    except ValueError:
        return ""  # no day of any calendar
    if not EARLIEST <= moment.year <= LATEST:
        return ""
    apart = (_minutes(actual) - _minutes(expected) + 720) % 1440 - 720
    zones = _zones(rollout.request)
    if zones:
        fits = any(
            (shift := moment.astimezone(ZoneInfo(zone)).utcoffset()) is not None
            and shift != timedelta(0)
            and shift % timedelta(days=1) == timedelta(minutes=apart) % timedelta(days=1)
            for zone in zones
        )
    else:
        fits = apart % STEP == 0 and abs(apart) >= NOT_NEXT_DOOR and _twice(rollout, expected)
    return (
        f"a lookup has {expected} by universal time, the request asks for other clocks, and {expected} is expected as it is"
        if fits
        else ""
    )


def _universal(rollout: Rollout, time: str) -> str | None:
    """The day on which a lookup has a moment by universal time, as it says itself."""
    for made in rollout.calls:
        if not made.changes and made.error is None and made.output is not None:
            text = made.output.text[:MAX_OUTPUT]
            for found in _MOMENT.finditer(text):
                if _minutes(found[2]) == _minutes(time) and (found[3] or _UTC.search(text)):
                    return found[1]
    return None


def _twice(rollout: Rollout, time: str) -> bool:
    """Whether a text of the row has the same time by universal time and by other clocks."""
    return any(isinstance(value, str) and value.count(time) > 1 and _UTC.search(value) for _, value in restated(rollout))


def _minutes(time: str) -> int:
    hours, _, minutes = time.partition(":")
    return 60 * int(hours) + int(minutes)


@once_for_repeats
def _zones(request: str) -> tuple[str, ...]:
    """The time zones that are named after a place of the request."""
    return tuple(_named_zones()[place] for place in _PLACE.findall(request) if place in _named_zones())


@cache
def _named_zones() -> dict[str, str]:
    return {
        zone.rpartition("/")[2].replace("_", " "): zone for zone in sorted(available_timezones()) if "/" in zone and not zone.startswith("Etc/")
    }  # fmt: skip
