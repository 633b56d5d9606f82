"""BI: records that a tool listed, and what became of them; people who were to be looked up.

A *listing* is an answer that holds two or more objects of one kind, each with an id. A record is *acted on* when a later call that
changes something, and went through, names its id. Whether a record had to be acted on is not known here: most listings are meant to be
chosen from. So these speak only where the rollout's own doing sets the rule: it acted on most of the siblings, or it chose among
them by a date that the tool would have filtered for it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

import msgspec

from blade.signals import arguments
from blade.signals.comparison import MADE, comparison_of
from blade.signals.example import Example, call, says, tool
from blade.signals.mutation import words_of
from blade.signals.origins import shown, sources_of
from blade.signals.rollout import Call, Rollout
from blade.signals.signal import Evidence, argument_subject, signal

MIN_ACTED: Final = 2
"""Siblings acted on from which leaving one out looks like an oversight."""
MAX_LEFT: Final = 3
"""Left-out records told; where more are left than acted on, somebody made a choice."""
MIN_FILTERED: Final = 3
"""Records of a listing from which choosing among them is a filter."""
MAX_OUTPUT: Final = 200_000
_IDS: Final = frozenset(["id", "ids", "number", "key", "uuid", "ref"])
_RANGE_WORDS: Final = frozenset([
    "date", "dates", "start", "end", "before", "after", "since", "until", "min", "max", "due", "range", "time", "day", "month", "year",
    "earliest", "latest",
])  # fmt: skip
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_PERSON: Final = re.compile(r"[A-Z][\w'’-]+(?: [A-Z][\w'’.-]+){0,2}")
_FULL_NAME: Final = re.compile(r"[A-Z][\w'’-]+ (?:(?:de|van|von|der|den|da|di|du|la|le|bin|al) )?[A-Z][\w'’-]+")
_ADDRESS: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_RESOLVES: Final = frozenset(["find", "get", "lookup", "look", "search", "resolve", "list", "query", "fetch"])


@dataclass(frozen=True, eq=False)
class Listing:
    """An answer that lists records: the call, for each record its id and whether it holds a date, and the records themselves."""

    made: Call
    records: dict[str, bool]
    entries: dict[str, dict[str, Any]]


_LISTINGS: "WeakKeyDictionary[Rollout, tuple[Listing, ...]]" = WeakKeyDictionary()


def listings(rollout: Rollout) -> tuple[Listing, ...]:
    """The listings of a rollout in order; none where nothing was changed, because then nothing was acted on."""
    known = _LISTINGS.get(rollout)
    if known is None:
        changed = any(made.changes and made.error is None for made in rollout.calls)
        known = _LISTINGS[rollout] = tuple(_listings(rollout)) if changed else ()
    return known


def _listings(rollout: Rollout) -> Iterator[Listing]:
    for made in rollout.calls:
        if not made.reads or made.error is not None or made.output is None or len(made.output.text) > MAX_OUTPUT:
            continue
        if made.output.text.lstrip()[:1] not in ("[", "{"):
            continue
        try:
            decoded = msgspec.json.decode(made.output.text)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            continue
        for entries in _lists(decoded):
            records = {key: dated for entry in entries if (key := _id_of(entry)) for dated in [_has_date(entry)]}
            if len(records) == len(entries) >= 2:
                yield Listing(made, records, {key: entry for entry in entries if (key := _id_of(entry))})


def _lists(value: Any, depth: int = 0) -> Iterator[list[dict[str, Any]]]:
    if isinstance(value, list) and len(value) >= 2 and all(isinstance(entry, dict) for entry in value):
        yield value
    elif isinstance(value, dict) and depth < 2:
        for inner in value.values():
            yield from _lists(inner, depth + 1)


def _id_of(entry: dict[str, Any]) -> str | None:
    """The value under the first key that names an id; a record has its own before those of others."""
    for key, value in entry.items():
        words = words_of(key)
        if words and words[-1] in _IDS and isinstance(value, str | int) and not isinstance(value, bool):
            return str(value)
    return None


def _has_date(entry: dict[str, Any]) -> bool:
    return any(isinstance(value, str) and _DATE.match(value) for value in entry.values())


def _acted(rollout: Rollout, listing: Listing) -> dict[str, Call]:
    """The records acted on after they were listed, each with the first call that did."""
    found: dict[str, Call] = {}
    for made in rollout.calls:
        if made.position > listing.made.position and made.changes and made.error is None:
            for _, value in arguments.leaves(made.arguments or {}):
                if isinstance(value, str | int) and str(value) in listing.records:
                    found.setdefault(str(value), made)
    return found


@signal(
    "record_left_out",
    label="BI",
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
        left = [key for key in listing.records if key not in acted and key not in told]
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


def _stopped(rollout: Rollout, acted: list[Call]) -> int:
    """Where it was left: at what came after the last of the siblings."""
    last = max(acted, key=lambda made: made.position)
    after = (last.position if last.output_position is None else last.output_position) + 1
    return rollout.output[after].step if after < len(rollout.output) else last.step


@signal(
    "filtered_by_hand",
    label="BI",
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
        if len(listing.records) < MIN_FILTERED or not all(listing.records.values()):
            continue
        offered = _range_parameters(rollout, listing.made)
        acted = _acted(rollout, listing)
        if offered and 0 < len(acted) < len(listing.records):
            yield Evidence(
                listing.made.step,
                listing.made.short,
                f"the tool takes {', '.join(offered[:4])}; {len(acted)} of {len(listing.records)} listed records were acted on",
                listing.made.name,
            )


def _range_parameters(rollout: Rollout, made: Call) -> list[str]:
    """The parameters for a date or a range that the tool has and the call did not use; none where it used one of them."""
    declared = rollout.tools.get(made.name)
    properties = declared.parameters.get("properties") if declared else None
    names = list(properties) if isinstance(properties, dict) else []
    names += [name for other in rollout.calls if other.name == made.name for name in other.arguments or () if name not in names]
    ranges = [name for name in names if _RANGE_WORDS & set(words_of(name)) and words_of(name)[-1] not in _IDS]
    given = {name for name, value in (made.arguments or {}).items() if value not in (None, "", [])}
    return [] if given & set(ranges) else ranges


@signal(
    "unresolved_name",
    label="BI",
    meaning="a person's name, or an address made up from it, stands where an address or id belongs that was never looked up; or records of somebody "
    "else were taken because a person of the request was never looked up",
    causal=False,
    example=Example(
        (call("reassign_customer", "ok", customer_id="C7", assigned_to_email="Sam"),),
        asked="Give Carla's customers to Sam.",
        tools=(tool("find_email_address", person="string"), tool("reassign_customer", customer_id="string", assigned_to_email="string")),
    ),
)  # fmt: skip
def unresolved_name(rollout: Rollout) -> Iterator[Evidence]:
    for made in rollout.calls:
        for path, value in arguments.leaves(made.arguments or {}):
            if not isinstance(value, str) or not value.strip():
                continue
            why = _unresolved(rollout, made, path, value.strip())
            if why:
                yield Evidence(made.step, f"{path}={shown(value)}", f"{made.name}: {why}", argument_subject(made.name, path))
    yield from _never_asked_about(rollout)


def _never_asked_about(rollout: Rollout) -> Iterator[Evidence]:
    """Records of the wrong person: taken from a listing that was asked for without the address of somebody whom the request names.

    The right records stand in the same listing and have one address in common that the wrong ones lack; the tool would have taken that
    address as a filter, and a lookup gives it for a name, but the rollout never asked for that name.
    """
    compared = comparison_of(rollout)
    if compared is None or not compared.expectation.calls:
        return
    right = {
        str(value) for match in compared.counted if match.outcome != MADE for value in _target_values(match.expected.arguments)
    }
    taken = {made.position for match in compared.counted if match.outcome == MADE and (made := match.call) is not None}
    changes = [made for made in rollout.calls if made.changes and made.error is None and made.position not in taken]
    for listing in listings(rollout) if right else ():
        wanted = [entry for key, entry in listing.entries.items() if key in right]
        wrong = [
            (made, key)
            for made in changes
            for key in _target_values(made.arguments or {})
            if key in listing.entries and key not in right
        ]
        if not wanted or not wrong:
            continue
        for name, address in wanted[0].items():
            others = [listing.entries[key].get(name) for _, key in wrong]
            if not _is_address(address) or any(entry.get(name) != address for entry in wanted) or address in others:
                continue
            resolver, person = _resolver(rollout, wrong[0][0]), _unasked(rollout, str(address))
            if resolver and person and _takes(rollout, listing.made, name):
                made, key = wrong[0]
                yield Evidence(
                    made.step,
                    f"{person} was never looked up; {key} was taken from a listing of everybody's",
                    f"{made.name}: {resolver} gives the address of {person}, and {listing.made.name} takes it as {name}; asked without it, "
                    f"the record of {listing.entries[key].get(name)} was taken and not that of {address}",
                    argument_subject(listing.made.name, name),
                )
                return


def _target_values(given: dict[str, Any]) -> Iterator[str]:
    """The values of a call that name records."""
    for path, value in arguments.leaves(given):
        words = words_of(path.rpartition(".")[2])
        if words and words[-1] in _IDS and isinstance(value, str | int) and not isinstance(value, bool):
            yield str(value)


def _is_address(value: Any) -> bool:
    return isinstance(value, str) and _ADDRESS.fullmatch(value) is not None


def _takes(rollout: Rollout, made: Call, name: str) -> bool:
    """Whether the tool takes such an argument, and the call did not use it."""
    declared = rollout.tools.get(made.name)
    properties = declared.parameters.get("properties") if declared else None
    offered = isinstance(properties, dict) and name in properties
    return offered and (made.arguments or {}).get(name) in (None, "")


def _unasked(rollout: Rollout, address: str) -> str | None:
    """The person of the request that an address belongs to by its letters, if no call ever asked for them."""
    local = address.partition("@")[0].lower()
    asked = " ".join(made.raw.lower() for made in rollout.calls)
    request = "\n".join(item.text for item in rollout.prompt if item.role == "user")
    for found in _FULL_NAME.finditer(request):
        words = [word.lower().removesuffix("'s").removesuffix("’s") for word in found[0].split()]
        name = " ".join(words)
        if name not in asked and any(len(word) > 2 and word in local for word in words):
            return found[0].removesuffix("'s").removesuffix("’s")
    return None


def _unresolved(rollout: Rollout, made: Call, path: str, value: str) -> str | None:
    words = words_of(re.sub(r"\[\d+\]$", "", path).rpartition(".")[2])
    if _takes_email(rollout, made, words, path):
        if "@" not in value:
            return "a name where an address belongs" if made.changes and _PERSON.fullmatch(value.title()) else None
        resolver = _resolver(rollout, made)
        if (
            made.changes
            and resolver
            and _ADDRESS.fullmatch(value)
            and not _seen_before(rollout, value, made)
            and _composed(rollout, value)
        ):
            return f"an address that was put together and not looked up ({resolver} gives addresses)"
    elif (
        made.changes and words[-1:] == ("id",) and " " in value and _PERSON.fullmatch(value) and not any(map(str.isdigit, value))
    ):
        return "a name where an id belongs"
    return None


def _takes_email(rollout: Rollout, made: Call, words: tuple[str, ...], path: str) -> bool:
    """Whether an argument is an address: by its name, or by what the schema says of it."""
    if words[-1:] in (("email",), ("emails",)) or words[-2:] == ("email", "address"):
        return True
    declared = rollout.tools.get(made.name)
    properties = declared.parameters.get("properties") if declared else None
    schema = properties.get(path.split("[", 1)[0]) if isinstance(properties, dict) else None
    return isinstance(schema, dict) and schema.get("format") == "email"


def _resolver(rollout: Rollout, made: Call) -> str | None:
    """A lookup that gives addresses: declared, or called before."""
    known = [*rollout.tools, *(other.name for other in rollout.calls if other.position < made.position)]
    for name in known:
        words = set(words_of(name))
        about_people = bool(words & {"contact", "contacts", "directory"}) or {"email", "address"} <= words
        if about_people and words & _RESOLVES and rollout.mutation_of(name).kind == "read":
            return name
    return None


def _seen_before(rollout: Rollout, value: str, made: Call) -> bool:
    return any(place.position < made.position for place in sources_of(rollout).places(value))


def _composed(rollout: Rollout, address: str) -> bool:
    """Whether the words of an address's first part were asked for: then the person was meant, and the rest was made up."""
    parts = [part for part in re.split(r"[._+\-\d]+", address.partition("@")[0].lower()) if len(part) > 2]
    asked = rollout.prompt_text.lower()
    return bool(parts) and any(part in asked for part in parts)
