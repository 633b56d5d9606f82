"""The calls that a task expects against the calls that were made: which is which, and what differs.

*What counts.* State is what tasks of this kind are judged by, so calls that change something are compared, and calls of which nobody
knows; a lookup or a handover to a person leaves no trace in the state. Where no call has an answer and nobody else spoke, nothing
was executed and the calls themselves are the answer: then all of them count.

*Which is which.* Calls of one tool are paired, the equal ones first and then those that differ least; two calls that name different
records (`cancel_order(order_id)`) are paired only where one of each is left, because otherwise one record was left out and another
one taken in addition. Another name of the same record is no difference (`aliases`). A call that the tool refused was not made; it is remembered as an attempt.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from blade.signals.calls.call import Call
from blade.signals.calls.learned import ACKNOWLEDGES
from blade.signals.calls.mutation import CHANGE, READ, UNKNOWN, hands_over, words_of
from blade.signals.calls.rehearsal import rehearsal_flag
from blade.signals.calls.sameness import NOT_GIVEN, Difference, differences, normal, same
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.texts.aliases import is_alias
from blade.signals.texts.wording import is_free_text, says_the_same
from blade.signals.wanted.expectation import Expectation, ExpectedCall
from blade.signals.wanted.spans import told_by_other_end

PROSE_WORDS: Final = 6
"""Words beyond which a text is prose, which two people write differently."""
MAX_PAIRS: Final = 2_500
"""Pairs of calls of one tool up to which all are compared; beyond it only equal ones are found."""
_IDENTIFIES: Final = frozenset(["id", "ids", "number", "key", "ref", "reference", "code", "uuid"])
_ACKNOWLEDGES: Final = re.compile(ACKNOWLEDGES)
MADE, WRONG, FAILED, MISSING = "made", "wrong_argument", "failed", "missing"


Pair = tuple[Call, tuple[Difference, ...]]


@dataclass(frozen=True, eq=False)
class Match:
    """An expected call and what became of it. `call` is the one made, or the nearest failed attempt, or None."""

    number: int
    expected: ExpectedCall
    mutation: str
    outcome: str
    call: Call | None
    differences: tuple[Difference, ...]
    counts: bool
    attempts: tuple[Pair, ...] = ()
    """The calls of this tool, for this record, that were refused, with what differed: the nearest first."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """`extra`: calls that no expected one stands for; a failed one only where its tool is not expected at all, a rehearsal never.

    `executed` is False where nothing was executed and the calls themselves are the answer.
    """

    expectation: Expectation
    matches: tuple[Match, ...]
    extra: tuple[Call, ...]
    executed: bool

    @cached_property
    def counted(self) -> tuple[Match, ...]:
        return tuple(match for match in self.matches if match.counts)

    @cached_property
    def missing(self) -> tuple[Match, ...]:
        return tuple(match for match in self.counted if match.outcome in (MISSING, FAILED))

    @cached_property
    def done(self) -> tuple[Match, ...]:
        """The expected calls that were made, with right or wrong arguments."""
        return tuple(match for match in self.counted if match.outcome in (MADE, WRONG))


@once_for_each
def comparison_of(rollout: Rollout) -> Comparison | None:
    """The rollout against its own expectation, worked out once; None where it has none."""
    return None if rollout.expectation is None else compare(rollout, rollout.expectation)


def compare(rollout: Rollout, expectation: Expectation) -> Comparison:
    """What became of each expected call, and what was done beside them."""
    executed = rollout.has_dialogue or any(call.output is not None for call in rollout.calls)
    kinds = [rollout.mutation_of(call.name).kind for call in expectation.calls]
    matches: list[Match] = []
    taken: set[int] = set()
    for name in dict.fromkeys(call.name for call in expectation.calls):
        wanted = [number for number, call in enumerate(expectation.calls) if call.name == name]
        counts = not executed or not (kinds[wanted[0]] == READ or hands_over(name))
        made = [call for call in rollout.calls if call.name == name and call.error is None]
        refused = [call for call in rollout.calls if call.name == name and call.error is not None]
        pairs = _paired(rollout, [expectation.calls[number] for number in wanted], made, closely=counts)
        taken.update(call.position for call, _ in pairs.values())
        for place, number in enumerate(wanted):
            expected = expectation.calls[number]
            attempts = tuple(_nearest(rollout, expected, refused) if counts else ())
            outcome, (call, differs) = _outcome(pairs.get(place), attempts)
            matches.append(Match(number, expected, kinds[number], outcome, call, differs, counts, attempts))
    # How often the other side tries is not the assistant's doing.
    theirs = {call.name for call in expectation.calls if call.by_user}
    extra = tuple(
        call
        for call in rollout.calls
        if call.position not in taken
        and (not executed or call.mutation.kind == CHANGE or _changes_too(call, expectation))
        and (call.error is None or call.name not in expectation.names)
        and call.name not in theirs
        and not call.by_user
        and not (executed and rehearsal_flag(call))
    )
    return Comparison(expectation, tuple(sorted(matches, key=lambda match: match.number)), extra, executed)


def _changes_too(call: Call, expectation: Expectation) -> bool:
    """Whether a tool of which nobody knows is one of those expected, and answers like one that changes something: it says that it did."""
    return (
        call.mutation.kind == UNKNOWN
        and call.name in expectation.names
        and not hands_over(call.name)
        and call.output is not None
        and _ACKNOWLEDGES.search(call.output.text) is not None
    )


def _outcome(pair: Pair | None, attempts: tuple[Pair, ...]) -> tuple[str, tuple[Call | None, tuple[Difference, ...]]]:
    if pair is not None:
        return WRONG if pair[1] else MADE, pair
    return (FAILED, attempts[0]) if attempts else (MISSING, (None, ()))


def _paired(rollout: Rollout, wanted: list[ExpectedCall], made: list[Call], closely: bool) -> dict[int, Pair]:
    """Each expected call of one tool with the call made for it, and what differs; only the equal ones unless `closely`."""
    found: dict[int, Pair] = {}
    free = dict.fromkeys(range(len(made)))
    for first, expected in enumerate(wanted):
        equal = next((second for second in free if _equal(expected, made[second])), None)
        if equal is not None:
            del free[equal]
            found[first] = made[equal], ()
    left = [first for first in range(len(wanted)) if first not in found]
    if not closely or len(left) * len(free) > MAX_PAIRS:
        return found
    differs = {
        (first, second): tuple(call_differences(rollout, wanted[first], made[second]))
        for first in left
        for second in free
        if same_target(wanted[first], made[second])
    }
    for first, second in sorted(differs, key=lambda pair: (len(differs[pair]), pair)):
        if first not in found and second in free:
            del free[second]
            found[first] = made[second], differs[first, second]
    left = [first for first in left if first not in found]
    if len(left) == 1 == len(free):
        other = made[next(iter(free))]
        found[left[0]] = other, tuple(call_differences(rollout, wanted[left[0]], other))
    return found


def _equal(expected: ExpectedCall, call: Call) -> bool:
    given = call.arguments
    if given is None or expected.arguments == given:
        return given is not None
    if _gives_more(given, expected.arguments) or _gives_more(expected.arguments, given):
        return False  # seen without bringing all of both to one spelling
    return bool(expected.normal == call.normal)


def _gives_more(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return any(_says_something(one[name]) for name in one.keys() - other.keys())


def _says_something(value: Any) -> bool:
    """Whether a plain value is surely given; what is empty, or JSON of something empty, may count as left out."""
    return isinstance(value, int | float) or (isinstance(value, str) and value.strip()[:1] not in ("", "{", "["))


def _nearest(rollout: Rollout, expected: ExpectedCall, refused: list[Call]) -> list[Pair]:
    pairs = [(call, tuple(call_differences(rollout, expected, call))) for call in refused if same_target(expected, call)]
    return sorted(pairs, key=lambda pair: (len(pair[1]), pair[0].position))


def target_of(name: str, arguments: dict[str, Any]) -> str | None:
    """The argument that names the record a tool works on: `order_id` of `cancel_order`; None where no argument does."""
    about = {word.removesuffix("s") for word in words_of(name)}
    for key, value in arguments.items():
        words = words_of(key)
        if (
            isinstance(value, str | int)
            and words
            and words[-1] in _IDENTIFIES
            and about & {w.removesuffix("s") for w in words[:-1]}
        ):
            return key
    return None


def same_target(expected: ExpectedCall, call: Call) -> bool:
    key = target_of(expected.name, expected.arguments)
    given = (call.arguments or {}).get(key or "")
    return key is None or same(expected.arguments[key], given) or _among((expected.accepted or {}).get(key, []), given)


def call_differences(rollout: Rollout, expected: ExpectedCall, call: Call) -> Iterator[Difference]:
    """Where a call's arguments are not the expected ones; defaults of the tool's schema count as given."""
    if call.arguments is None:
        yield Difference("", "", expected.arguments, call.raw)
        return
    defaults = _defaults(rollout, call.name)
    wanted = _by_name(rollout, expected)
    if expected.compared is not None:
        wanted = {key: value for key, value in wanted.items() if key in expected.compared}
    span = _span(rollout, call, wanted)
    for key in dict.fromkeys((*wanted, *(expected.accepted or ()), *call.arguments)):
        if key in expected.free or key in span or (expected.compared is not None and key not in expected.compared):
            continue
        given = call.arguments.get(key, defaults.get(key, NOT_GIVEN))
        want = wanted.get(key, defaults.get(key, NOT_GIVEN))
        choices = (expected.accepted or {}).get(key, [])
        if _among(choices, given):
            continue
        if len(choices) > 1 and any(choice != "" for choice in choices[1:]):
            yield Difference(key, key, choices, given)
        elif type(want) is type(given) and want == given:
            continue  # as most are
        elif not _free_prose(rollout, want, given) and not _said_otherwise(rollout, call.name, key, want, given):
            found = differences(want, given, key)
            yield from (each for each in found if not is_alias(rollout, call, key, each.expected, each.actual))


def _span(rollout: Rollout, call: Call, wanted: dict[str, Any]) -> frozenset[str]:
    """The arguments that tell one span in two ways, by its length and by its other end."""
    given, tool = call.arguments or {}, rollout.tools.get(call.name or "")
    if tool is None or wanted.keys() <= given.keys() or given.keys() <= wanted.keys():
        return frozenset()
    return told_by_other_end(wanted, given, tool.parameters.get("properties"))


def _by_name(rollout: Rollout, expected: ExpectedCall) -> dict[str, Any]:
    """The expected arguments under their names; those given by place take the names that the schema has in that order."""
    tool = rollout.tools.get(expected.name)
    properties = tool.parameters.get("properties") if tool else None
    names = list(properties) if isinstance(properties, dict) else []
    return {
        (names[int(key[3:])] if key.startswith("arg") and key[3:].isdigit() and int(key[3:]) < len(names) else key): value
        for key, value in expected.arguments.items()
    }


def _defaults(rollout: Rollout, name: str) -> dict[str, Any]:
    tool = rollout.tools.get(name)
    properties = tool.parameters.get("properties") if tool else None
    if not isinstance(properties, dict):
        return {}
    return {key: schema["default"] for key, schema in properties.items() if isinstance(schema, dict) and "default" in schema}


def _among(choices: list[Any], given: Any) -> bool:
    """Whether a value is one of those that are right; an empty one among them says that it may be left out."""
    for choice in choices:
        if same(choice, given):
            return True
        if isinstance(choice, dict) and isinstance(given, dict) and _fits(choice, given):
            return True
    return False


def _fits(choice: dict[str, Any], given: dict[str, Any]) -> bool:
    """An object whose own members list what is right."""
    return set(given) <= set(choice) and all(
        isinstance(value, list) and _among(value, given.get(key, NOT_GIVEN)) for key, value in choice.items()
    )


def _said_otherwise(rollout: Rollout, tool: str, key: str, expected: Any, actual: Any) -> bool:
    """Whether an argument of free text says in other words what is expected, which nobody dictated in quotes."""
    if not isinstance(expected, str) or not isinstance(actual, str) or " " not in expected.strip():
        return False
    if not is_free_text(rollout.tools.get(tool), key) or not says_the_same(expected, actual):
        return False
    dictated = "|".join(re.escape(text.strip()) for text in (expected, actual))
    return not re.search(rf"[\"'“‘«`:]\s*(?:{dictated})", rollout.request, re.IGNORECASE)


def _free_prose(rollout: Rollout, expected: Any, actual: Any) -> bool:
    """Whether both are prose that nobody dictated: then any wording will do."""
    if not isinstance(expected, str) or not isinstance(actual, str) or len(expected.split()) <= PROSE_WORDS or not actual.strip():
        return False
    wanted, given = str(normal(expected)), str(normal(actual))
    asked = (rollout.prompt_text, *(item.text for item in rollout.output if item.kind == "message" and item.role == "user"))
    texts = [" ".join(text.split()).casefold() for text in asked]
    return not any(wanted in text or (len(given.split()) > PROSE_WORDS and given in text) for text in texts)
