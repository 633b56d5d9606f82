"""BI: records that a tool listed, and what became of them.

A *listing* is an answer that holds two or more objects of one kind, each with an id. A record is *acted on* when a later call that
changes something, and went through, names its id. Whether a record had to be acted on is not known here: most listings are meant to be
chosen from. So these speak only where the rollout's own doing sets the rule: it acted on most of the siblings, or it chose among
them by a date that the tool would have filtered for it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from blade.signals.behaviour.exceptions import excepted_in
from blade.signals.calls import arguments
from blade.signals.calls.call import Call
from blade.signals.calls.mutation import words_of
from blade.signals.example import Example, call, says, tool
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.signal import Evidence, signal
from blade.signals.texts.seen import runs_told
from blade.signals.texts.values import RELATIVE, dates_in
from blade.signals.wanted.comparison import MADE, comparison_of

MIN_ACTED: Final = 2
"""Siblings acted on from which leaving one out looks like an oversight."""
MAX_LEFT: Final = 3
"""Left-out records told; where more are left than acted on, somebody made a choice."""
MIN_FILTERED: Final = 3
"""Records of a listing from which choosing among them is a filter."""
MAX_OUTPUT: Final = 200_000
LOOKED_FOR: Final = 32
"""Characters of a value by which it is looked for in a text; a long one is found more slowly than by its beginning."""
IDS: Final = frozenset(["id", "ids", "number", "key", "uuid", "ref"])
_RANGE_WORDS: Final = frozenset([
    "date", "dates", "start", "end", "before", "after", "since", "until", "min", "max", "due", "range", "time", "day", "month", "year",
    "earliest", "latest",
])  # fmt: skip
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_DAY: Final = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)\b|\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, eq=False)
class Listing:
    """An answer that lists records: the call, for each record its id and whether it holds a date, and the records themselves."""

    made: Call
    records: dict[str, bool]
    entries: dict[str, dict[str, Any]]


@once_for_each
def listings(rollout: Rollout) -> tuple[Listing, ...]:
    """The listings of a rollout in order, as far as a change that went through names one of their records: in others nothing was acted on."""
    changes = [made for made in rollout.calls if made.changes and made.error is None]
    named = {str(value) for made in changes for _, value in made.leaves if isinstance(value, str | int)} - {""}
    return tuple(_listings(rollout, named)) if named else ()


def _listings(rollout: Rollout, named: set[str]) -> Iterator[Listing]:
    runs = runs_told(rollout)
    beginnings = {value[:LOOKED_FOR] for value in named if not (value.isascii() and value.isdigit()) or value.encode() in runs}
    for made in rollout.calls:
        if not made.reads or made.error is not None or made.output is None or len(made.output.text) > MAX_OUTPUT:
            continue
        text = made.output.text
        if "\\" not in text and not any(beginning in text for beginning in beginnings):
            continue  # none of them stands there, and no escape could spell one
        for entries in lists_in(made.data):
            records = {key: dated for entry in entries if (key := _id_of(entry)) for dated in [_has_date(entry)]}
            if len(records) == len(entries) >= 2 and not named.isdisjoint(records):
                yield Listing(made, records, {key: entry for entry in entries if (key := _id_of(entry))})


def lists_in(value: Any, depth: int = 0) -> Iterator[list[dict[str, Any]]]:
    if isinstance(value, list) and len(value) >= 2 and all(isinstance(entry, dict) for entry in value):
        yield value
    elif isinstance(value, dict) and depth < 2:
        for inner in value.values():
            yield from lists_in(inner, depth + 1)


def _id_of(entry: dict[str, Any]) -> str | None:
    """The value under the first key that names an id; a record has its own before those of others."""
    for key, value in entry.items():
        words = words_of(key)
        if words and words[-1] in IDS and isinstance(value, str | int) and not isinstance(value, bool):
            return str(value)
    return None


def _has_date(entry: dict[str, Any]) -> bool:
    return any(isinstance(value, str) and _DATE.match(value) for value in entry.values())


def _acted(rollout: Rollout, listing: Listing) -> dict[str, Call]:
    """The records acted on after they were listed, each with the first call that did."""
    found: dict[str, Call] = {}
    for made in rollout.calls:
        if made.position > listing.made.position and made.changes and made.error is None:
            for _, value in made.leaves:
                if isinstance(value, str | int) and str(value) in listing.records:
                    found.setdefault(str(value), made)
    return found


def named_records(given: dict[str, Any]) -> Iterator[str]:
    """The values of a call that name records."""
    for path, value in arguments.leaves(given):
        words = words_of(path.rpartition(".")[2])
        if words and words[-1] in IDS and isinstance(value, str | int) and not isinstance(value, bool):
            yield str(value)


def unmet_records(rollout: Rollout) -> dict[str, None]:
    """The records of expected calls that were not made as expected, in order; none where the row expects nothing."""
    compared = comparison_of(rollout)
    unmet = [match for match in compared.counted if match.outcome != MADE] if compared is not None else []
    return dict.fromkeys(key for match in unmet for key in named_records(match.expected.arguments))


@signal(
    "record_left_out",
    label="BI",
    needs=("call",),
    meaning="a record that a tool listed was not acted on, while most of its siblings were",
    causal=False,
    example=Example(
        (
            call("list_loans", '[{"loan_id": "L1"}, {"loan_id": "L2"}, {"loan_id": "L3"}]'),
            call("extend_loan", "ok", loan_id="L1"),
            call("extend_loan", "ok", loan_id="L3"),
            says("All loans are extended."),
        )
    ),
)
def record_left_out(rollout: Rollout) -> Iterator[Evidence]:
    told: set[str] = set()
    for listing in listings(rollout):
        acted = _acted(rollout, listing)
        tools = [made.name for made in acted.values()]
        name = max(dict.fromkeys(tools), key=tools.count, default="")
        # One call for each: a single call that takes several of them makes a choice.
        siblings = list({made.position: key for key, made in acted.items() if made.name == name}.values())
        left = [
            key
            for key in listing.records
            if key not in acted and key not in told and not _excepted(rollout, listing.entries[key])
        ]
        if len(siblings) < MIN_ACTED or not left or len(left) > min(len(siblings), MAX_LEFT):
            continue
        for key in left:
            told.add(key)
            others = ", ".join(siblings[:4])
            yield Evidence(
                _stopped(rollout, [made for made in acted.values() if made.name == name]),
                key,
                f"{name} was called for {others}, which {listing.made.name} listed beside it",
                name,
            )


def _excepted(rollout: Rollout, entry: dict[str, Any]) -> bool:
    """Whether the request leaves a record out by one of its values: `all but the Cooper Dunkel`."""
    excepted = excepted_in(rollout.request)
    return bool(excepted) and any(
        isinstance(value, str) and len(value) > 3 and value.lower() in excepted for value in entry.values()
    )


def _stopped(rollout: Rollout, acted: list[Call]) -> int:
    """Where it was left: at what came after the last of the siblings."""
    last = max(acted, key=lambda made: made.position)
    after = (last.position if last.output_position is None else last.output_position) + 1
    return rollout.output[after].step if after < len(rollout.output) else last.step


@signal(
    "filtered_by_hand",
    label="BI",
    needs=("call",),
    meaning="a listing was asked for without the date or range that its tool takes, and some of its records were acted on: the filter was made in the head",
    causal=False,
    example=Example(
        (
            call("list_loans", '[{"id": "L1", "due": "2026-03-01"}, {"id": "L2", "due": "2026-03-08"}, {"id": "L3", "due": "2026-03-09"}]'),
            call("extend_loan", "ok", loan_id="L3"),
        ),
        asked="Extend the loans that are due from the 8th on.",
        tools=(tool("list_loans", due_from="string", due_to="string"), tool("extend_loan", loan_id="string")),
    ),
)  # fmt: skip
def filtered_by_hand(rollout: Rollout) -> Iterator[Evidence]:
    for listing in listings(rollout):
        if len(listing.records) < MIN_FILTERED or not all(listing.records.values()) or not _speaks_of_time(rollout):
            continue
        offered = _range_parameters(rollout, listing.made)
        acted = _acted(rollout, listing)
        if offered and 0 < len(acted) < len(listing.records):
            lost = [key for key in unmet_records(rollout) if key in listing.entries and key not in acted]
            yield Evidence(
                listing.made.step,
                listing.made.short,
                f"the tool takes {', '.join(offered[:4])}; {len(acted)} of {len(listing.records)} listed records were acted on"
                + (f", and {_dated(lost[0], listing.entries[lost[0]])}, which was meant too, was not" if lost else ""),
                listing.made.name,
            )


def _dated(key: str, entry: dict[str, Any]) -> str:
    """A record with the date it has."""
    dates = [f"{name} {value}" for name, value in entry.items() if isinstance(value, str) and _DATE.match(value)]
    return f"{key} ({dates[0]})" if dates else key


def _speaks_of_time(rollout: Rollout) -> bool:
    """Whether what was asked names a day or a span of time; else records are chosen by something else."""
    asked = "\n".join(item.text for item in (*rollout.prompt, *rollout.output) if item.kind == "message" and item.role == "user")
    return _DAY.search(asked) is not None or RELATIVE.search(asked) is not None or any(True for _ in dates_in(asked))


def _range_parameters(rollout: Rollout, made: Call) -> list[str]:
    """The parameters for a date or a range that the tool has and the call did not use; none where it used one of them."""
    declared = rollout.tools.get(made.name)
    properties = declared.parameters.get("properties") if declared else None
    names = list(properties) if isinstance(properties, dict) else []
    names += [name for other in rollout.calls if other.name == made.name for name in other.arguments or () if name not in names]
    ranges = [name for name in names if _RANGE_WORDS & set(words_of(name)) and words_of(name)[-1] not in IDS]
    # `follow_up_from` beside `follow_up_to`; an `assigned_to` alone is no range.
    pairs = {
        name.removesuffix("from") + "to" for name in names if name.endswith("from") and name.removesuffix("from") + "to" in names
    }
    ranges += [name for name in names if name not in ranges and (name in pairs or name.removesuffix("from") + "to" in pairs)]
    given = {name for name, value in (made.arguments or {}).items() if value not in (None, "", [])}
    return [] if given & set(ranges) else ranges
