"""Calls that were refused for what they were or for when they were made, so that no second try could have helped.

A refusal by a rule of the records is an answer to the arguments or to the order of the calls. Where the row says what was expected, it tells
which: the same tool is expected for another record than this one, which a tool had shown, or the very same call is expected before one that had been made already.
"""

from typing import Final, NamedTuple

from blade.signals.calls import matcher
from blade.signals.calls.call import Call
from blade.signals.calls.sameness import Difference, same
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.texts.origins import sources_of
from blade.signals.wanted.comparison import FAILED, MISSING, Match, comparison_of, target_of

NOT_FOUND: Final = "not_found"


class OfAnother(NamedTuple):
    """A refused call, the expected one of its tool that was not made, and the argument that names another record."""

    call: Call
    match: Match
    differs: Difference


class TooLate(NamedTuple):
    """An expected call that was refused, and the one that had been made before it and is expected after it."""

    call: Call
    before: Call


@once_for_each
def of_another_record(rollout: Rollout) -> tuple[OfAnother, ...]:
    """Refused calls for a record that no expected call of their tool is for, where one for another record is expected and was not made."""
    compared = comparison_of(rollout)
    if compared is None or not rollout.failed_calls:
        return ()
    found = []
    for match in compared.missing:
        key = target_of(match.expected.name, match.expected.arguments)
        if match.outcome != MISSING or key is None or match.expected.by_user:
            continue
        wanted = [other.expected.arguments.get(key) for other in compared.matches if other.expected.name == match.expected.name]
        for call in rollout.failed_calls:
            given = (call.arguments or {}).get(key)
            if (
                call.name == match.expected.name
                and _refused(call)
                and given is not None
                and _known(rollout, call, given)
                and not any(same(value, given) for value in wanted)
            ):
                found.append(OfAnother(call, match, Difference(key, key, match.expected.arguments[key], given)))
                break
    return tuple(found)


@once_for_each
def too_late(rollout: Rollout) -> tuple[TooLate, ...]:
    """Expected calls that were refused just as they are expected, after another change of the same record that is expected later."""
    compared = comparison_of(rollout)
    if compared is None or not rollout.failed_calls:
        return ()
    found = []
    for match in compared.missing:
        key = target_of(match.expected.name, match.expected.arguments)
        if match.outcome != FAILED or match.call is None or match.differences or not _refused(match.call) or key is None:
            continue
        record = match.expected.arguments[key]
        before = [
            other.call
            for other in compared.done
            if other.number > match.number
            and other.call is not None
            and other.call.position < match.call.position
            and any(same(value, record) for _, value in other.call.leaves)
        ]
        if before:
            found.append(TooLate(match.call, before[-1]))
    return tuple(found)


def beyond_retrying(rollout: Rollout, call: Call) -> bool:
    """Whether a refused call was the wrong one or came too late."""
    return any(one.call is call for one in of_another_record(rollout)) or any(one.call is call for one in too_late(rollout))


def _known(rollout: Rollout, call: Call, record: object) -> bool:
    """Whether a record is one that a tool had shown: an id that does not exist was mistyped or made up, and a second try with the right one helps."""
    return (
        call.error is not None
        and call.error.kind != NOT_FOUND
        and any(place.tool is not None and place.position < call.position for place in sources_of(rollout).places(record))
    )


def _refused(call: Call) -> bool:
    return not call.by_user and call.error is not None and call.error.kind not in matcher.INFRASTRUCTURE
