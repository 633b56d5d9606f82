"""From the request to a record: whether a value was found by following what the request says.

A value *as asked* stands in one record of a read tool's answer. That record is the only one of its listing, or the one that holds most
of what the request names; and the lookup was made with what the request names, or with values that are themselves as asked. A listing that
goes on elsewhere, or two records that fit alike, prove nothing. Answers that are no JSON are not read.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from blade.signals.calls.call import Call
from blade.signals.calls.mutation import words_of
from blade.signals.rollout import Rollout
from blade.signals.texts.days import moment_in_request
from blade.signals.texts.origins import whole_word

MAX_OUTPUT: Final = 100_000
MAX_RECORDS: Final = 200
MAX_CHAIN: Final = 4
"""Lookups, each by what the one before gave, that are followed back to the request."""
MIN_NAMED: Final = 3
"""Characters of a value from which on its standing in the request says something."""
_GOES_ON: Final = frozenset(["next", "cursor", "more", "truncated", "remaining"])
"""Words in the keys of an answer that says that its listing goes on."""
_COUNTED: Final = frozenset(["pages", "total", "count"])
"""Words in the keys that count what there is."""


_FULL_NAME: Final = re.compile(r"[A-Z][\w'’-]*(?: [\w'’-]+){0,3} [A-Z][\w'’-]*")
_WORD: Final = re.compile(r"[^\W\d_]{4,}|(?<![\w-])\d+(?![\w-])")
"""A word of a value, or a figure that is no part of an id or a date."""


class Source(NamedTuple):
    """Where a value as asked comes from."""

    tool: str
    key: str
    step: int

    def told(self) -> str:
        """The same in the words of a finding."""
        return f"{self.key} of {self.tool} (step {self.step}), the only record there that the request speaks of"


def source_told(detail: str) -> str:
    """The key and the tool of the source that such words begin with."""
    return detail.partition(" (step ")[0]


def as_asked(rollout: Rollout, value: Any, before: int | None = None, depth: int = 0) -> Source | None:
    """The lookup that gave a value, where it was made for the request and the value's record is the one that the request speaks of."""
    if depth >= MAX_CHAIN:
        return None
    for made in rollout.calls:
        if (before is not None and made.position >= before) or not made.reads or made.error is not None:
            continue
        text = "" if made.output is None else made.output.text
        if str(value) not in text and "\\" not in text:
            continue  # it stands nowhere in the answer, which has no escapes either that could spell it
        found = _record_with(_decoded(made), str(value), rollout.lowered_request)
        if found is not None:
            asked = all(_followed(rollout, given, made, depth) for _, given in made.leaves)
            return Source(made.name, found, made.step) if asked else None
    return None


def stands_beside(rollout: Rollout, source: Source, given: str, value: str) -> bool:
    """Whether a value stands in the listing of a lookup, in another record than what was given, of which the request names less and nothing else."""
    made = next((call for call in rollout.calls if call.step == source.step), None)
    for records in _listings(_decoded(made)) if made is not None else ():
        holding, taken = (
            [record for record in records if any(_plain(told) == wanted for told in record.values())] for wanted in (value, given)
        )
        if len(holding) == 1 == len(taken) and len(records) > 1:
            named, own = (
                {_plain(told) for told in one[0].values() if _named(told, rollout.lowered_request)} for one in (holding, taken)
            )
            return named < own
    return False


class Alike(NamedTuple):
    lookup: Call
    name: str
    """What the request calls them both."""
    own: tuple[str, ...]
    """What only the record of the value holds."""
    others: tuple[dict[str, Any], ...]


def named_alike(rollout: Rollout, value: str) -> Alike | None:
    """The other records that a lookup by a name listed beside the one of a value, of which the request names just as much: the name, and nothing that tells them apart."""
    for made in rollout.calls:
        if not made.reads or made.error is not None or made.output is None or value not in made.output.text:
            continue
        asked = {_plain(given) for _, given in made.leaves if isinstance(given, str)}
        for records in _listings(_decoded(made)):
            holding = [record for record in records if any(_plain(told) == value for told in record.values())]
            named = [_named_in(record, rollout.lowered_request) for record in holding]
            name = (
                next((one for one in sorted(named[0]) if one in asked and _FULL_NAME.fullmatch(one)), None)
                if len(holding) == 1
                else None
            )
            others = [
                record
                for record in records
                if record not in holding and name is not None and name in map(_plain, record.values())
            ]
            if name is None or not others or any(_named_in(record, rollout.lowered_request) != named[0] for record in others):
                continue
            own, theirs = _values(holding), _values(others)
            if _speaks_of(rollout, own ^ theirs) or _told_by_other_answers(rollout, made, own ^ theirs, named[0]):
                continue
            return Alike(made, name, tuple(sorted(own - theirs)), tuple(others))
    return None


def _values(records: list[dict[str, Any]]) -> set[str]:
    return {text for record in records for told in record.values() if (text := _plain(told))}


def _speaks_of(rollout: Rollout, values: set[str]) -> bool:
    """Whether the request has a word, a figure or a day of values by which records differ: `the singer` of a `lead singer`."""
    return any(
        moment_in_request(rollout, value)
        or any(whole_word(word, rollout.lowered_request) for word in _WORD.findall(value.lower()))
        for value in values
    )


def _told_by_other_answers(rollout: Rollout, lookup: Call, values: set[str], named: set[str]) -> bool:
    """Whether another lookup, for one of these values, was answered with something more that the request names."""
    return any(
        made is not lookup
        and made.reads
        and any(_plain(given) in values for _, given in made.leaves)
        and any(_named_in(record, rollout.lowered_request) - named for records in _listings(_decoded(made)) for record in records)
        for made in rollout.calls
    )


def _named_in(record: dict[str, Any], request: str) -> set[str]:
    return {text for told in record.values() if (text := _plain(told)) is not None and _named(told, request)}


def _followed(rollout: Rollout, given: Any, made: Call, depth: int) -> bool:
    """Whether an argument of a lookup comes from the request, or from an earlier lookup for it."""
    if (
        given is None
        or isinstance(given, bool)
        or str(given).lower() in rollout.lowered_request
        or moment_in_request(rollout, given)
    ):
        return True
    return as_asked(rollout, given, made.position, depth + 1) is not None


def _decoded(made: Call) -> Any:
    return None if made.output is None or len(made.output.text) > MAX_OUTPUT else made.data


def _record_with(answer: Any, value: str, request: str) -> str | None:
    """The key under which a value stands, in the record of an answer that fits the request alone or best; None else."""
    if isinstance(answer, dict) and _goes_on(answer):
        return None
    listings = list(_listings(answer))
    for records in listings:
        keys = [next((key for key, told in record.items() if _plain(told) == value), None) for record in records]
        holding = [number for number, key in enumerate(keys) if key is not None]
        if not holding:
            continue
        fits = [sum(_named(told, request) for told in record.values()) for record in records]
        others = [fit for number, fit in enumerate(fits) if number != holding[0]]
        if len(holding) > 1 or (others and fits[holding[0]] <= max(others)):
            return None
        return keys[holding[0]]
    return None


def _goes_on(answer: dict[str, Any]) -> bool:
    """Whether an answer holds a part of a listing only."""
    shown = max((len(told) for told in answer.values() if isinstance(told, list)), default=None)
    if shown is None:
        return False
    for key, told in answer.items():
        words = set(words_of(key))
        if words & _GOES_ON and told:
            return True
        if words & _COUNTED and isinstance(told, int) and told > (1 if "pages" in words else shown):
            return True
    return False


def _listings(value: Any, depth: int = 0) -> Iterator[list[dict[str, Any]]]:
    """The records of an answer, those of one list together; an object by itself is a list of one."""
    if isinstance(value, list):
        records = [entry for entry in value if isinstance(entry, dict)][:MAX_RECORDS]
        if records:
            yield records
        inner: Any = [told for record in records for told in record.values()]
    elif isinstance(value, dict):
        yield [value]
        inner = value.values()
    else:
        return
    for told in inner if depth < MAX_CHAIN else ():
        if isinstance(told, dict | list):
            yield from _listings(told, depth + 1)


def _plain(value: Any) -> str | None:
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else None


def _named(value: Any, request: str) -> bool:
    text = _plain(value)
    return text is not None and len(text) >= MIN_NAMED and text.lower() in request
