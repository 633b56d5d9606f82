"""How a rollout went about its work, as far as siblings are compared: what it changed, when it had decided, what it had looked up by then.

A state-changing call that came back with an error has changed nothing, so only *effective* changes count. The *decision* falls with
the last effective change (with the end, where there is none): until then a lookup could still have made a difference, and after it
none can. It is not the first one, because a rollout may cancel one thing and then look up what it needs to book another.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from blade.diagnosis.catalogue import CUT_OFF
from blade.diagnosis.views import CallRow, RolloutView, SignalRow, once
from blade.signals.calls.mutation import words_of
from blade.signals.calls.sameness import same
from blade.signals.texts.origins import NOTHING

END: Final = 1 << 60
"""A step after every step: the decision of a rollout that changed nothing."""

BREAKDOWNS: Final = frozenset([
    *CUT_OFF, "stopped_for_errors", "no_final_answer", "program_never_run", "no_program", "refusal", "question_back",
    "gave_up", "handed_over", "wrong_format", "error_ignored", "error_not_retried", "unbacked_claim", "feedback_misread", "thrashing",
    "unparsable_arguments", "schema_violation", "unknown_tool", "ungrounded_argument", "schema_example_used", "lookup_skipped", "command_timed_out",
    "self_check_failed", "trial_only",
])  # fmt: skip
"""Signals of a process that went wrong: where one stands, a wrong result need not come from what the model knows."""

INVENTED: Final = ("ungrounded_argument", "schema_example_used")
"""Signals of a value that nothing gave, which may be right all the same."""
_MALFORMED: Final = ("schema_violation", "unparsable_arguments")
SHELL_ARGUMENTS: Final = ("cmd", "command", "script")
COMMAND_WORD: Final = r"(?:^|[;&|]\s*)(?:sudo\s+|env\s+|\w+=\S*\s+)*([A-Za-z][\w.+-]{0,30})"
"""The words in command position; Python and the database read this alike."""
ENDING_TOOL: Final = r"(?i)transfer|hand_?o|escalat|submit|finish|final|done|respond|reply|answer|complete|terminate"
_ENDS: Final = re.compile(ENDING_TOOL)
_FREE_TEXT: Final = frozenset(
    ["thought", "summary", "message", "reason", "body", "text", "content", "note", "notes", "comment", "description"]
)
MAX_VALUE: Final = 80
_NAMES_RECORDS: Final = frozenset(["id", "ids", "no", "nr", "number", "key", "ref", "reference", "code", "uuid", "sku", "iban"])
"""Last words in the names of arguments that name a record."""
_DATE: Final = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}")
_CALCULATED: Final = re.compile(r"[-+$€£]?[\d.,: T/%-]+|true|false|none|null", re.IGNORECASE)


@once
def effective_changes(rollout: RolloutView) -> tuple[CallRow, ...]:
    """The state-changing calls that came back without an error."""
    return tuple([call for call in rollout.changes if call.error_class is None])


def decision_step(rollout: RolloutView) -> int:
    """The step of the last effective change; END where there is none."""
    return max((call.step for call in effective_changes(rollout)), default=END)


@lru_cache(maxsize=2048)
def parsed(arguments: str) -> dict[str, Any] | None:
    """The arguments of a call as the table holds them; None where they were cut short or are no object."""
    try:
        value = msgspec.json.decode(arguments) if arguments else {}
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


class Lookup(NamedTuple):
    """A kind of lookup: a tool, and `part` of it: nothing, an argument it was given (`.date_from`), a command that a shell ran (`: grep`)."""

    tool: str
    part: str = ""

    def __str__(self) -> str:
        return self.tool + self.part


@lru_cache(maxsize=2048)
def lookup_kinds(name: str, arguments: str, mutation: str) -> tuple[Lookup, ...]:
    """What a call that changes nothing is as a lookup: its tool, each argument it was given, and the commands that a shell ran."""
    given = parsed(arguments) or {}
    if mutation == "read":
        filled = sorted([key for key, value in given.items() if (value or isinstance(value, int | float)) and '"' not in key])
        return (Lookup(name), *(Lookup(name, f".{key}") for key in filled))
    text = next((given[key] for key in SHELL_ARGUMENTS if isinstance(given.get(key), str)), "")
    commands = sorted({found[1] for line in text.splitlines() for found in re.finditer(COMMAND_WORD, line)})
    return (Lookup(name), *(Lookup(name, f": {command}") for command in commands))


def lookups(rollout: RolloutView, before: int | None = None) -> dict[Lookup, int]:
    """Each kind of lookup made before the decision (or another step), with the step at which it was first made.

    A call that was answered with nothing (a scratch pad) told the rollout nothing and is no lookup.
    """
    return _lookups_before_decision(rollout) if before is None else _lookups_before(rollout, before)


@once
def _lookups_before_decision(rollout: RolloutView) -> dict[Lookup, int]:
    return _lookups_before(rollout, decision_step(rollout))


def _lookups_before(rollout: RolloutView, limit: int) -> dict[Lookup, int]:
    found: dict[Lookup, int] = {}
    for call in lookup_calls(rollout):
        if call.step < limit:
            for kind in lookup_kinds(call.name, call.arguments, call.mutation):
                found.setdefault(kind, call.step)
    return found


def asked_before(rollout: RolloutView, before: int | None = None) -> set[str]:
    """The tools of these lookups."""
    limit = decision_step(rollout) if before is None else before
    return {call.name for call in lookup_calls(rollout) if call.step < limit}


@once
def lookup_calls(rollout: RolloutView) -> tuple[CallRow, ...]:
    """The calls that asked for something and were told it."""
    return tuple([call for call in rollout.calls if is_lookup(call)])


def is_lookup(call: CallRow) -> bool:
    """Whether a call asked for something and was told it."""
    if not call.name or call.mutation == "change" or call.error_class is not None or ends(call):
        return False
    return call.output_step is None or bool(call.output and not call.output.isspace())


def ends(call: CallRow) -> bool:
    """Whether a call hands the case over or gives the answer: it asks for nothing."""
    return call.mutation != "read" and names_an_end(call.name)


@lru_cache(maxsize=1024)
def names_an_end(tool: str) -> bool:
    return _ENDS.search(tool) is not None


def values_of(call: CallRow) -> Iterator[tuple[str, str]]:
    """The plain values of a call's arguments with their paths, without the texts that a model is free to word."""
    yield from leaf_values(call.arguments)


@lru_cache(maxsize=2048)
def leaf_values(arguments: str) -> tuple[tuple[str, str], ...]:
    """The same for arguments as the table holds them; `flights[0].date` and `flights[1].date` are both `flights.date`."""
    given = parsed(arguments)
    if given is None:
        return ()
    found: list[tuple[str, str]] = []
    _add_leaves(found, given, "", 0)
    return tuple(found[:200])


def _add_leaves(found: list[tuple[str, str]], value: Any, path: str, depth: int) -> None:
    if isinstance(value, str):
        if len(value) <= MAX_VALUE and depth <= 8:
            found.append((path, value))
    elif depth > 8 or value is None:
        return
    elif isinstance(value, dict):
        for name in sorted(value):
            if name.lower() not in _FREE_TEXT:
                _add_leaves(found, value[name], f"{path}.{name}" if path else name, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _add_leaves(found, inner, path, depth + 1)
    else:
        found.append((path, _plain(value)))


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else str(value)


def breakdown(rollout: RolloutView, before: int | None = None) -> SignalRow | None:
    """The first sign that the process itself went wrong (before a step), whatever it led to; None for a clean process."""
    for signal in rollout.signals:
        early = before is None or (signal.step is not None and signal.step < before)
        if early and (signal.code in BREAKDOWNS or signal.label in ("IR", "DA")) and not excused(rollout, signal):
            return signal
    return None


def excused(rollout: RolloutView, signal: SignalRow) -> bool:
    """Whether a slip has spoilt nothing: a made-up value that is the expected one, a malformed call that was turned down and made good or is
    the expected one, a refusal after which all that is expected was done."""
    if signal.code == "error_not_retried":
        return _went_on(rollout, signal.step or 0)
    if signal.code in _MALFORMED and any(row.step == signal.step and row.outcome == "made" for row in rollout.expected):
        return True
    if signal.code in _MALFORMED and signal.step is not None:
        hit = next((call for call in rollout.calls if call.step == signal.step), None)
        return hit is not None and any(
            call.step > hit.step and call.name == hit.name and call.error_class is None for call in rollout.calls
        )
    return signal.code in INVENTED and right_anyway(rollout, signal.subject, signal.quote)


def _went_on(rollout: RolloutView, step: int) -> bool:
    """Whether every expected call was made, one of the changes among them after a step."""
    made = [row for row in rollout.expected if row.outcome == "made"]
    return len(made) == len(rollout.expected) and any(row.mutation == "change" and (row.step or 0) > step for row in made)


def right_anyway(rollout: RolloutView, subject: str, quote: str) -> bool:
    """Whether an argument (`tool.argument`, quoted as `path=value`) has the value that an expected call of its tool has there, however it is spelled."""
    value = quote.partition("=")[2].strip()
    return any(
        f"{row.name}.{path}" == subject and same(wanted, value)
        for row in rollout.expected
        if subject.startswith(f"{row.name}.")
        for path, wanted in leaf_values(row.arguments)
    )


def identifies(rollout: RolloutView, step: int | None, quote: str) -> bool:
    """Whether an argument (quoted as `path=value`) of the call at a step names a record, and is no amount, date, choice or flag."""
    path, _, value = quote.partition("=")
    words = words_of(re.sub(r"\[\d+\]$", "", path).rpartition(".")[2])
    written = value.strip()
    if words and words[-1] in _NAMES_RECORDS and (" " not in written or any(map(str.isdigit, written))):
        return True
    if _DATE.match(written) or not any(map(str.isdigit, written)) or any(sign in written for sign in " *"):
        return False
    call = next((call for call in rollout.calls if call.step == step), None)
    return call is None or f'"{written}"' in call.arguments  # a number in quotes, or letters with digits, is a name


def guessed(rollout: RolloutView, subject: str, step: int | None) -> bool:
    """Whether a wrong name, address or id (`tool.argument` at a step) rests on nothing seen; a number or a date may be miscalculated."""
    return any(
        signal.code == "action_wrong_argument"
        and signal.subject == subject
        and signal.step == step
        and NOTHING in signal.detail
        and _CALCULATED.fullmatch(signal.quote.partition("=")[2].strip()) is None
        for signal in rollout.signals
    )


def error_before(rollout: RolloutView, step: int) -> CallRow | None:
    """The first call before a step that came back with an error and was not made good: a lookup that its tool answered after all is."""
    before = [call for call in rollout.calls if call.step < step]
    answered = {call.name: call.step for call in before if is_lookup(call)}
    return next((call for call in before if call.error_class is not None and answered.get(call.name, -1) < call.step), None)


def short(call: CallRow, limit: int = 160) -> str:
    """A call as a quote."""
    text = f"{call.name}({call.arguments})"
    return text if len(text) <= limit else text[: limit - 1] + "…"
