"""What can be told of a repeat that another repeat may lack: its traits, each with the step and the words that show it.

Traits are read off the tables without looking at the reward. Their kinds are ordered by how decisive they are: what was changed in the
world comes before what was looked up, that before how an error was met, how the rollout ended, and what it said.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache, partial
from itertools import islice
from typing import Final, NamedTuple

from blade.diagnosis.catalogue import CUT_OFF
from blade.diagnosis.patterns.conduct import Lookup, effective_changes, is_lookup, leaf_values, lookup_calls, lookups, short
from blade.diagnosis.patterns.given import given_answer
from blade.diagnosis.views import CallRow, RolloutView, SignalRow
from blade.untrusted.quotes import quote


class Kind(IntEnum):
    """Kinds of trait, the most decisive first."""

    ACTION = 0  # against the expected calls
    CHANGE = 1  # state-changing calls as such
    LOOKUP = 2  # a tool asked before the decision
    RECORD = 3  # which record was looked up
    ERROR = 4
    ENDING = 5
    ANSWER = 6
    CLAIM = 7  # a number in the closing message


class Trait(NamedTuple):
    kind: Kind
    code: str
    subject: str
    value: str = ""


class Spot(NamedTuple):
    """Where a repeat shows a trait."""

    step: int | None
    quote: str
    detail: str = ""


ENDINGS: Final = frozenset([
    *CUT_OFF, "stopped_for_errors", "no_final_answer", "program_never_run", "no_program", "refusal", "question_back",
    "gave_up", "handed_over", "wrong_format", "empty_completion", "garbled_output", "message_broken_off", "call_not_parsed", "rollout_error",
])  # fmt: skip
PROCESS: Final = frozenset([
    "error_ignored", "error_not_retried", "unbacked_claim", "feedback_misread", "thrashing", "unparsable_arguments",
    "schema_violation", "unknown_tool", "ungrounded_argument", "command_timed_out", "self_check_failed", "no_self_check",
    "api_misuse_repeated", "repeated_call", "record_left_out", "filtered_by_hand", "unresolved_name",
])  # fmt: skip
ACTIONS: Final = ("action_wrong_argument", "action_missing", "action_extra")
_NUMBER: Final = re.compile(r"(?<![\w.,-])[$€£]?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\w])")
_ID: Final = re.compile(r"(?=\S*[\d@_])(?!\d{4}-\d\d-\d\d)[\w@.#-]{4,60}")
"""What names a record: no words, no sums, no dates."""
MOST_VALUES: Final = 60


Shown = Callable[[], Spot]
"""Gives the spot when it is asked for: of hundreds of traits a few set the repeats apart."""


def traits(rollout: RolloutView, *, changes: bool = True) -> Iterator[tuple[Trait, Shown]]:
    """All traits of a repeat (those of its changes only if asked for), each with what shows its spot; one that it has in several places comes with the first of them first."""
    yield from _signals(rollout)
    if changes:
        yield from _changes(rollout)
    yield from _lookups(rollout)
    yield from _errors(rollout)
    yield from _answers(rollout)


def _signals(rollout: RolloutView) -> Iterator[tuple[Trait, Shown]]:
    for signal in rollout.signals:
        trait = _of_signal(signal.code, signal.label, signal.subject)
        if trait is not None:
            yield trait, partial(Spot, signal.step, signal.quote, signal.detail)


@lru_cache(maxsize=2048)
def _of_signal(code: str, label: str, subject: str) -> Trait | None:
    if code in ACTIONS:
        return Trait(Kind.ACTION, code, subject)
    if label == "IR" or code in PROCESS:
        return Trait(Kind.ERROR, code, subject)
    return Trait(Kind.ENDING, code, subject) if code in ENDINGS else None


def is_difference(rollout: RolloutView, signal: SignalRow) -> bool:
    """Whether a signal tells of a difference from the expected calls that had an effect."""
    return signal.code in ACTIONS


def differs(rollout: RolloutView) -> bool:
    """Whether any signal of a repeat is a difference from the expected calls."""
    return any(is_difference(rollout, signal) for signal in rollout.signals)


def _changes(rollout: RolloutView) -> Iterator[tuple[Trait, Shown]]:
    """The tools that changed something, and the values they were given."""
    for call in effective_changes(rollout):
        yield Trait(Kind.CHANGE, "change", call.name), partial(_called, call)
        for path, value in leaf_values(call.arguments)[:MOST_VALUES]:
            yield Trait(Kind.CHANGE, "value", f"{call.name}.{path}", value), partial(_given, call, path, value)


def _lookups(rollout: RolloutView) -> Iterator[tuple[Trait, Shown]]:
    quoted = {call.step: call for call in rollout.calls}
    for kind, step in lookups(rollout).items():
        yield _of_lookup(kind), partial(_called, quoted[step])
    for call in lookup_calls(rollout):
        for path, value in leaf_values(call.arguments)[:5]:
            if _ID.fullmatch(value):
                yield Trait(Kind.RECORD, "record", f"{call.name}.{path}", value), partial(_called, call)


@lru_cache(maxsize=2048)
def _of_lookup(kind: Lookup) -> Trait:
    return Trait(Kind.LOOKUP, "lookup", str(kind))


def _called(call: CallRow) -> Spot:
    return Spot(call.step, short(call))


def _given(call: CallRow, path: str, value: str) -> Spot:
    return Spot(call.step, f"{path}={value}")


def _quoted(step: int | None, text: str) -> Spot:
    return Spot(step, quote(text, 160))


def _errors(rollout: RolloutView) -> Iterator[tuple[Trait, Shown]]:
    """Errors of tools, and what was done about each: looked up, other values, the same again, or nothing."""
    for place, call in enumerate(rollout.calls):
        if call.error_class is not None:
            spot = partial(_quoted, call.step, call.output or call.error_class)
            yield Trait(Kind.ERROR, "error", call.name, call.error_class), spot
            yield (
                Trait(Kind.ERROR, "reaction", f"{call.name} ({call.error_class})", _reaction(rollout.calls[place + 1 :], call)),
                spot,
            )


def _reaction(later: Sequence[CallRow], failed: CallRow) -> str:
    asked = ""
    for call in later:
        if call.name == failed.name:
            if asked:
                return f"called {asked} and tried again"
            return "tried the same again" if call.arguments == failed.arguments else "tried again with other values"
        if is_lookup(call) and not asked:
            asked = call.name
    return f"called {asked} and did not try again" if asked else "did not try again"


def _answers(rollout: RolloutView) -> Iterator[tuple[Trait, Shown]]:
    for row in rollout.answers[:1]:
        given = given_answer(row)
        if given is not None and given.marked:
            yield (
                Trait(Kind.ANSWER, "answer", row.extracted_field or "answer", given.text[:200]),
                partial(_quoted, given.step, given.text),
            )
        for number, spot in _numbers(row.final or "", row.final_step):
            yield Trait(Kind.CLAIM, "claim", "closing message", number), spot


def _numbers(text: str, step: int | None) -> Iterator[tuple[str, Shown]]:
    told = set()
    for found in islice(_NUMBER.finditer(text), 40):
        number = found[1].replace(",", "") + (found[2] or "")
        if number not in told:
            told.add(number)
            yield number, partial(_around, text, found, step)


def _around(text: str, found: re.Match[str], step: int | None) -> Spot:
    return Spot(step, " ".join(text[max(0, found.start() - 40) : found.end() + 40].split()))
