"""What is said of a call that differs from the expected ones: where its values come from, why an expected one is missing, what speaks for an unexpected one.

The sentences that patterns look for are kept here as constants; `actions` has the detectors, `origins` tells where a value stands.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from blade.sentences import plural
from blade.signals.calls.answered import answer_data, records_in
from blade.signals.calls.arguments import leaves
from blade.signals.calls.call import Call
from blade.signals.calls.mutation import words_of
from blade.signals.calls.sameness import NOT_GIVEN, Difference, same
from blade.signals.data.untold import untold
from blade.signals.rollout import Rollout
from blade.signals.texts.days import day_in_request
from blade.signals.texts.origins import (
    FROM_OWN,
    IN_REQUEST,
    SEEN_IN_REQUEST,
    in_request,
    origin,
    shown,
    shown_expected,
    sources_of,
    traceable,
    whereabouts,
)
from blade.signals.texts.schemes import RECORD, of_one_scheme
from blade.signals.wanted.comparison import FAILED, MADE, Comparison, Match, target_of
from blade.signals.wanted.request_words import named_so, names_choice, said_beside_name, said_in_form, said_of_flag, words_named
from blade.signals.wanted.wanted_record import as_asked, stands_beside

AS_ASKED: Final = "is what the request says"
"""Said of a value of an unexpected call that the request names."""
_RECORD: Final = re.compile(rf"(?!\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}:\d{{2}}){RECORD.pattern}")
"""What names a record, and is no date and no time."""
_ALL: Final = re.compile(
    r"\b(?:all|every|each|everything|the rest|any|except|apart from|other than|stays?|remains?)\b", re.IGNORECASE
)
BY_USER: Final = "the user was to do it"
NOWHERE: Final = "nothing that was asked has its words, and its record was never seen"
UNTOLD: Final = "neither the prompt nor any text of the row speaks of it"
"""Said of an expected call of which only the list of expected calls knows, where a text of the row tells of the others."""
BY_NAME: Final = "the request asks for it by name"
"""Said of an unexpected call where what its tool does, and to what, stands in the request."""
_TAKES_BACK: Final = frozenset(
    [
        "release",
        "cancel",
        "remove",
        "delete",
        "undo",
        "revert",
        "unassign",
        "clear",
        "withdraw",
        "drop",
        "revoke",
        "rollback",
        "reset",
        "void",
        "unset",
    ]
)
"""Verbs of tools that undo what another one did."""
BY_WORD: Final = "the request has its word"
"""Said of an unexpected call where one of the two does."""
NAMED_SO: Final = "what was said before has the given one beside the name"
"""Said of a number that stood beside the name of its argument, where the expected one did not."""
OTHERWISE: Final = "the request says what was given"
"""Said of a flag that is expected otherwise than the request has it in words."""
OMITTED: Final = "the call leaves it out"
"""Said of an argument that was not given, whatever the tool then takes for it."""
MAX_OFFERED: Final = 60
MOST_RECORDS: Final = 3
"""Records named for which a tool was called instead."""
_OR: Final = r"[\"'”’»)]*+(?:,\s*+[\"'“‘«(]*+[^.;:!?,\n]{1,40}){0,4},?\s*+(?:\bor\b|/|\|)\s*+(?:[\"'“‘«(]*+[^.;:!?,\n]{1,40},\s*+){0,4}[\"'“‘«(]*+"
"""What stands between two values that are to be chosen from, perhaps with others beside them."""
OFFERED: Final = "the request offers both"
"""Said where the request names the wrong value and the right one side by side, as those to choose from: which of them it is, it does not say."""
NAMED_RECORD: Final = "the request tells its record from the other one"
"""Said where an answer listed both records, and the request names of the right one what it names of the other, and more."""
ANOTHER: Final = "another record"
"""Said where the wrong value names the record that a call is about."""


def traced_value(rollout: Rollout, match: Match, made: Call, differs: Difference) -> str:
    """The expected value, the origin of the actual one, and where the right one was to be had."""
    at = made.position
    parts = [f"{made.name} expects {differs.expected_path or 'arguments'}={shown(differs.expected)}"]
    if target_of(match.expected.name, match.expected.arguments) == differs.path or _picked(rollout, differs, at):
        parts.append(ANOTHER)
    seen = origin(rollout, differs.actual, at)
    if not seen and said_beside_name(rollout.request, differs.path, differs.actual):
        seen = f"{shown(differs.actual)} {SEEN_IN_REQUEST} beside its name"
    parts += [seen, whereabouts(rollout, differs.expected, at)]
    if named_so(rollout, at, differs):
        parts.append(NAMED_SO)
    elif said_beside_name(rollout.request, differs.path, differs.expected):
        parts.append(f"{shown(differs.expected)} {IN_REQUEST} beside its name")
    if offers_both(rollout.request, differs.expected, differs.actual):
        parts.append(OFFERED)
    if _is_named_record(rollout, differs, at):
        parts.append(NAMED_RECORD)
    if differs.path and made.arguments is not None and differs.path.partition(".")[0].partition("[")[0] not in made.arguments:
        parts.append(OMITTED)
    if isinstance(differs.expected, bool) and (said := said_of_flag(rollout.request, differs.path)) is not None:
        parts.append(f"it {IN_REQUEST} in words" if said is differs.expected else OTHERWISE)
    return "; ".join(part for part in parts if part)


def offers_both(request: str, one: Any, other: Any) -> bool:
    """Whether a request names two values side by side as what to choose from: `"stage left" or "stage right"`, `red, green or blue`."""
    if not isinstance(one, str) or not isinstance(other, str) or min(len(one), len(other)) > MAX_OFFERED:
        return False
    low = request.lower()
    first, second = (value.strip().lower() for value in (one, other))
    if not first or not second or first not in low or second not in low:
        return False
    return any(
        re.search(rf"(?<!\w){re.escape(left)}{_OR}{re.escape(right)}(?!\w)", low) is not None
        for left, right in ((first, second), (second, first))
    )


def _is_named_record(rollout: Rollout, differs: Difference, position: int) -> bool:
    """Whether the right record stood beside the wrong one in an answer, and what the request names beyond the other one is the right one's."""
    if not of_one_scheme(differs.expected, differs.actual):
        return False
    source = as_asked(rollout, differs.expected, position)
    return source is not None and stands_beside(rollout, source, str(differs.expected), str(differs.actual))


def _picked(rollout: Rollout, differs: Difference, position: int) -> bool:
    """Whether the wrong and the right value name records of one scheme, and an answer before gave the wrong one: it was picked."""
    return of_one_scheme(differs.expected, differs.actual) and any(
        place.tool is not None and place.position < position for place in sources_of(rollout).places(differs.actual)
    )


def why_missing(rollout: Rollout, compared: Comparison, match: Match) -> str:
    parts: list[str] = []
    if match.outcome == FAILED and match.call is not None and match.call.error is not None:
        tries = f"tried {len(match.attempts)} times" if len(match.attempts) > 1 else "tried once"
        parts.append(f"{tries}, refused: {match.call.error.line[:100]}")
        if match.differences:
            first = match.differences[0]
            parts.append(f"with {first.path}={shown(first.actual)} where {shown_expected(first)} is expected")
    else:
        parts.append(_other_calls(rollout, match))
    if match.expected.by_user:
        parts.append(BY_USER)
    if match.call is None and _out_of_nowhere(rollout, compared, match):
        parts.append(NOWHERE)
    elif match.call is None and untold(rollout, compared, match):
        parts.append(UNTOLD)
    key = target_of(match.expected.name, match.expected.arguments)
    if key is not None and match.call is None:
        parts.append(whereabouts(rollout, match.expected.arguments[key], len(rollout.output)))
    return "; ".join(part for part in parts if part)


def _other_calls(rollout: Rollout, match: Match) -> str:
    """How often the tool of a missing call was called otherwise, and for which other records where that is the difference."""
    others = [made for made in rollout.calls if made.name == match.expected.name]
    if not others:
        return "the tool was never called"
    times = plural(len(others), "time") if len(others) > 1 else "once"
    key = target_of(match.expected.name, match.expected.arguments)
    given = [] if key is None else [(made.arguments or {}).get(key) for made in others]
    records = list(dict.fromkeys(map(str, given)))
    wanted = None if key is None else match.expected.arguments[key]
    if not records or any(same(wanted, record) for record in given):
        return f"the tool was called {'once, but not' if len(others) == 1 else f'{times}, never'} so"
    named = ", ".join(shown(record) for record in records[:MOST_RECORDS])
    return f"the tool was called {times}, for {named}{' and others' * (len(records) > MOST_RECORDS)}, and not for {shown(wanted)}"


def _out_of_nowhere(rollout: Rollout, compared: Comparison, match: Match) -> bool:
    """Whether nothing that was asked or seen names the record of an expected call, nor the request what its tool does.

    Where another expected call of the tool was made, the request's words are about that one; then it is what differs from it that nobody names.
    """
    made = [
        other
        for other in compared.matches
        if other is not match and other.expected.name == match.expected.name and other.outcome == MADE
    ]
    if made:
        theirs = {(path, str(value)) for other in made for path, value in leaves(other.expected.arguments)}
        own = [value for path, value in leaves(match.expected.arguments) if (path, str(value)) not in theirs]
        return bool(own) and all(
            traceable(value)
            and not in_request(rollout, value)
            and not day_in_request(rollout, value)
            and not sources_of(rollout).places(str(value))
            and not (isinstance(value, str) and names_choice(rollout.request, value))
            for value in own
        )
    named = [str(value) for _, value in leaves(match.expected.arguments) if isinstance(value, str) and _RECORD.fullmatch(value)]
    target = target_of(match.expected.name, match.expected.arguments)
    if named and target is not None:  # which need not be written like an id
        named.append(str(match.expected.arguments[target]))
    turns = (item.text for item in rollout.output if item.kind == "message" and item.role == "user")
    return (
        bool(named)
        and not any(words_named(said, match.expected.name) for said in (rollout.request, *turns))
        and not any(sources_of(rollout).places(value) for value in named)
    )


def unseen(rollout: Rollout, made: Call) -> Iterator[str]:
    """Numbers of a call that stand nowhere before it: what they follow from, or that they follow from nothing."""
    for path, value in made.leaves:
        if (
            isinstance(value, int | float)
            and (told := origin(rollout, value, made.position))
            and " was seen in " not in told
            and FROM_OWN not in told
        ):
            yield f"{path}: {told}"


def as_asked_for(rollout: Rollout, compared: Comparison, made: Call) -> Iterator[str]:
    """The tool, where the request names what it does, and the first value, besides the record, that the request names.

    One word that an expected tool has in its name as well is there for that one, where the call takes something back.
    """
    named = words_named(rollout.request, made.name)
    if len(named) > 1:
        yield BY_NAME
    elif named and not (
        _TAKES_BACK & set(words_of(made.name)) and any(named[0] in words_of(match.expected.name) for match in compared.matches)
    ):
        yield f"{BY_WORD} {named[0]}"
    record = target_of(made.name, made.arguments or {})
    for path, value in made.leaves:
        if path != record and (
            (traceable(value) and in_request(rollout, value))
            or day_in_request(rollout, value)
            or (isinstance(value, str) and said_in_form(rollout.request, value))
        ):
            yield f"{path}={shown(value)} {AS_ASKED}"
            return


def one_of_all(rollout: Rollout, compared: Comparison, made: Call) -> Iterator[str]:
    """Said of a call for a record that a tool listed beside those of expected calls, where the request wants all of them and does not single this one out."""
    own = [str(value) for _, value in made.leaves if isinstance(value, str) and _RECORD.fullmatch(value)]
    others = {
        str(value)
        for match in compared.done
        if match.expected.name == made.name
        for _, value in leaves(match.expected.arguments)
        if isinstance(value, str)
    }
    if not own or not others or _ALL.search(rollout.request) is None:
        return
    for item in rollout.output[: made.position]:
        if item.kind != "tool_output" or own[0] not in item.text or not any(other in item.text for other in others):
            continue
        records = records_in(answer_data(item.text))
        mine = next((one for one in records if own[0] in map(str, one.values())), None)
        if mine is not None and not any(_singled_out(rollout, value) for value in mine.values()):
            yield f"its record is listed beside the expected ones, and all of them {AS_ASKED}; {BY_WORD} all"
            return


def _singled_out(rollout: Rollout, value: Any) -> bool:
    return isinstance(value, str) and traceable(value) and value.lower() in rollout.request.lower()


def why_extra(compared: Comparison, made: Call) -> str:
    if compared.expectation.instead_of_calls:
        return "a message is expected and no call"
    same_tool = [match for match in compared.matches if match.expected.name == made.name]
    if not same_tool:
        return "no call of this tool is expected" if compared.expectation.calls else "no call is expected at all"
    key = target_of(made.name, made.arguments or {})
    if key is not None:
        value: Any = (made.arguments or {}).get(key, NOT_GIVEN)
        about = [match for match in same_tool if same(match.expected.arguments.get(key), value)]
        if not about:
            return f"no expected call of this tool has {key}={shown(value)}"
        if about[0].call is not None:
            return f"the expected call for {key}={shown(value)} is the one at step {about[0].call.step}"
    return f"{plural(len(same_tool), 'call of this tool is', 'calls of this tool are')} expected, this is one more"
