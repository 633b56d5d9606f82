"""What can be told of a repeat that another repeat may lack: its traits, each with the step and the words that show it.

Traits are read off the tables without looking at the reward. Their kinds are ordered by how decisive they are: what was changed in the
world comes before what was looked up, that before how an error was met, how the rollout ended, and what it said.
"""

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import islice
from typing import Final, NamedTuple

from blade.diagnosis.catalogue import CUT_OFF
from blade.diagnosis.patterns.conduct import effective_changes, is_lookup, leaf_values, lookup_calls, lookups, short
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


def traits(rollout: RolloutView, *, changes: bool = True) -> dict[Trait, Spot]:
    """All traits of a repeat (those of its changes only if asked for), each with its first spot."""
    found: dict[Trait, Spot] = {}
    for trait, spot in (
        *_signals(rollout),
        *(_changes(rollout) if changes else ()),
        *_lookups(rollout),
        *_errors(rollout),
        *_answers(rollout),
    ):
        found.setdefault(trait, spot)
    return found


def _signals(rollout: RolloutView) -> Iterator[tuple[Trait, Spot]]:
    for signal in rollout.signals:
        if is_difference(rollout, signal):
            kind = Kind.ACTION
        elif signal.label == "IR" or signal.code in PROCESS:
            kind = Kind.ERROR
        elif signal.code in ENDINGS:
            kind = Kind.ENDING
        else:
            continue
        yield Trait(kind, signal.code, signal.subject), Spot(signal.step, signal.quote, signal.detail)


def is_difference(rollout: RolloutView, signal: SignalRow) -> bool:
    """Whether a signal tells of a difference from the expected calls that had an effect."""
    return signal.code in ACTIONS


def differs(rollout: RolloutView) -> bool:
    """Whether any signal of a repeat is a difference from the expected calls."""
    return any(is_difference(rollout, signal) for signal in rollout.signals)


def _changes(rollout: RolloutView) -> Iterator[tuple[Trait, Spot]]:
    """The tools that changed something, and the values they were given."""
    for call in effective_changes(rollout):
        spot = Spot(call.step, short(call))
        yield Trait(Kind.CHANGE, "change", call.name), spot
        for path, value in leaf_values(call.arguments)[:MOST_VALUES]:
            yield Trait(Kind.CHANGE, "value", f"{call.name}.{path}", value), Spot(call.step, f"{path}={value}")


def _lookups(rollout: RolloutView) -> Iterator[tuple[Trait, Spot]]:
    quoted = {call.step: call for call in rollout.calls}
    spot = Spot(None, "")
    for kind, step in lookups(rollout).items():
        if spot.step != step:
            spot = Spot(step, short(quoted[step]))
        yield Trait(Kind.LOOKUP, "lookup", str(kind)), spot
    for call in lookup_calls(rollout):
        for path, value in leaf_values(call.arguments)[:5]:
            if _ID.fullmatch(value):
                yield Trait(Kind.RECORD, "record", f"{call.name}.{path}", value), Spot(call.step, short(call))


def _errors(rollout: RolloutView) -> Iterator[tuple[Trait, Spot]]:
    """Errors of tools, and what was done about each: looked up, other values, the same again, or nothing."""
    for place, call in enumerate(rollout.calls):
        if call.error_class is not None:
            spot = Spot(call.step, quote(call.output or call.error_class, 160))
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


def _answers(rollout: RolloutView) -> Iterator[tuple[Trait, Spot]]:
    for row in rollout.answers[:1]:
        given = given_answer(row)
        if given is not None and given.marked:
            yield (
                Trait(Kind.ANSWER, "answer", row.extracted_field or "answer", given.text[:200]),
                Spot(given.step, quote(given.text, 160)),
            )
        for number, spot in _numbers(row.final or "", row.final_step):
            yield Trait(Kind.CLAIM, "claim", "closing message", number), spot


def _numbers(text: str, step: int | None) -> Iterator[tuple[str, Spot]]:
    told = set()
    for found in islice(_NUMBER.finditer(text), 40):
        number = found[1].replace(",", "") + (found[2] or "")
        if number not in told:
            told.add(number)
            start = max(0, found.start() - 40)
            yield number, Spot(step, " ".join(text[start : found.end() + 40].split()))
