"""DA: expected calls that are wrong by themselves, before anybody's work is looked at.

*Doubled*: a join that found two rows leaves every call twice. Making the same change once more rarely means anything, so where a rollout made
each such call once and all else as expected, and the request says nothing of twice, the list is at fault. *Reordered*: the request numbers what
belongs into a list, and the gold has it in another order. *Impossible*: a call that nobody can make with the tools as they are declared, because
the tool was renamed, lacks the argument, or does not take the value or its form.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from blade.signals.calls.arguments import canonical, leaves
from blade.signals.calls.sameness import normal, same
from blade.signals.example import Example, call, tool
from blade.signals.layout.paths import opened
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.days import iso_day
from blade.signals.texts.origins import shown
from blade.signals.wanted.comparison import MADE, MISSING, Comparison, Match, comparison_of

_OFTEN: Final = re.compile(r"\b(?:twice|two|again|double|duplicates?|copies|times)\b", re.IGNORECASE)
_AGAIN: Final = re.compile(r"\b(?:twice|again|double|duplicates?|copies)\b", re.IGNORECASE)
"""The same where several things are asked for, of which there may well be two."""
MIN_DICTATED: Final = 8
"""Characters of a value from which on it is known again in a request."""
_LIST_TEXT: Final = re.compile(r"\s*\[.*\]\s*", re.DOTALL)
_DAY: Final = re.compile(r"\d{4}-(\d{2})-(\d{2})(?!\d)")
_SIMPLE: Final = re.compile(r"[^()|?]{1,80}")
"""Forms that are looked for in no time, whoever wrote them."""
MAX_FORM: Final = 80
MAX_OPTIONS: Final = 4
MOST_VALUES: Final = 0.6
"""Share of the values of a call from which on it is the expected one under another name."""
_CLOSE: Final = {"name": "close_account", "arguments": {"customer_id": "C-20418"}}


@signal(
    "gold_doubled",
    label="DA",
    needs=("expected_call",),
    meaning="the same state-changing call is expected more than once, the request asks for it once, and it was made once",
    causal=False,
    example=Example(
        (call("close_account", "ok", customer_id="C-20418"),),
        asked="Please close the account C-20418.",
        fields={"expected_calls": [_CLOSE, _CLOSE]},
    ),
)
def gold_doubled(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    if compared is None or not compared.executed:
        return
    listed = Counter(_key(match) for match in compared.counted)
    doubled = {key: times for key, times in listed.items() if times > 1}
    if not doubled or (_OFTEN if len(listed) == 1 else _AGAIN).search(_besides(rollout, compared)):
        return
    made = Counter(_key(match) for match in compared.counted if match.outcome == MADE)
    if any(made[key] != 1 for key in doubled) or any(not _all_right(match, doubled) for match in compared.counted):
        return
    first = next(match for match in compared.counted if _key(match) in doubled and match.call is not None)
    yield Evidence(
        None if first.call is None else first.call.step,
        first.expected.short,
        f"expected {doubled[_key(first)]} times, asked for and made once",
        first.expected.name,
    )


def _besides(rollout: Rollout, compared: Comparison) -> str:
    """What was asked without the values and names in it: a note that says "look again" and the Double Sheets ask for nothing to be done twice.

    Of other calls than the counted ones only names are taken, and nothing that is most of what somebody said: that is the request itself.
    """
    found = [value for match in compared.counted for _, value in leaves(match.expected.arguments)]
    found += [value for match in compared.counted if match.call is not None for _, value in match.call.leaves]
    found += [value for made in rollout.calls for _, value in made.leaves if isinstance(value, str) and value.istitle()]
    values = {value for value in found if isinstance(value, str) and len(value) >= MIN_DICTATED}
    return "\n".join(
        _without(said, values) for said in (rollout.request, *(item.text for item in rollout.output if item.role == "user"))
    )


def _without(said: str, values: set[str]) -> str:
    most = len(said.strip()) / 2
    for value in sorted(values, key=lambda value: (-len(value), value)):
        if len(value.strip()) <= most:
            said = said.replace(value, " ")
    return said


def _key(match: Match) -> tuple[str, str]:
    return match.expected.name, canonical(match.expected.arguments, None)


def _all_right(match: Match, doubled: dict[tuple[str, str], int]) -> bool:
    return match.outcome == MADE or (match.outcome == MISSING and _key(match) in doubled)


_NUMBERED: Final = re.compile(r"^[^\n\d]{0,24}\b(\d{1,2})[.:)]\s+\S", re.MULTILINE)
MIN_LISTED: Final = 3
"""Entries of a list from which on its order is no chance."""


@signal(
    "gold_reordered",
    label="DA",
    needs=("expected_call",),
    meaning="the request numbers what belongs into a list, and the gold has the same entries in another order than they were given in",
    causal=False,
    example=Example(
        (call("set_lineup", "ok", club="C-20787", boards=["P-80816", "P-31771", "P-65088"]),),
        asked="Set the line-up of C-20787:\nBoard 1: Dmitri\nBoard 2: Ines\nBoard 3: Anders",
        fields={
            "expected_calls": [
                {"name": "set_lineup", "arguments": {"club": "C-20787", "boards": ["P-31771", "P-65088", "P-80816"]}}
            ]
        },
    ),
)
def gold_reordered(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    for match in compared.counted if compared else ():
        for name, wanted in match.expected.arguments.items() if match.outcome == MADE and match.call is not None else ():
            assert match.call is not None
            given = (match.call.arguments or {}).get(name)
            if not isinstance(wanted, list) or not isinstance(given, list) or len(wanted) < MIN_LISTED:
                continue
            numbers = [int(found[1]) for found in _NUMBERED.finditer(rollout.request)]
            if list(map(normal, wanted)) != list(map(normal, given)) and numbers == list(range(1, len(wanted) + 1)):
                detail = f"the request numbers {len(wanted)} entries, and the gold has them in another order: {shown(wanted)}"
                yield Evidence(match.call.step, f"{name} = {shown(given, 150)}", detail, argument_subject(match.call.name, name))
                return


@signal(
    "gold_impossible",
    label="DA",
    needs=("expected_call",),
    meaning="an expected call cannot be made with the tools as they are declared: no such tool, argument or value, or a day that no calendar has",
    causal=False,
    example=Example(
        (call("close_account", "ok", customer_id="C-20418"),),
        tools=(tool("close_account", customer_id="string"),),
        fields={"expected_calls": [{"name": "account_close", "arguments": {"customer_id": "C-20418"}}]},
    ),
)
def gold_impossible(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    if compared is None or not compared.executed:
        return
    for match in compared.counted:
        day = next((one for one in leaves(match.expected.arguments) if _no_day(one[1])), None)
        if day is not None:
            path, value = day
            yield Evidence(
                None if match.call is None else match.call.step,
                match.expected.short,
                f"{value} is no day of the calendar",
                argument_subject(match.expected.name, path),
            )
            return
    for match in compared.counted if rollout.tools else ():
        told = _impossible(rollout, compared, match)
        if told is not None:
            subject, why = told
            yield Evidence(None if match.call is None else match.call.step, match.expected.short, why, subject)
            return


def _no_day(value: Any) -> bool:
    found = _DAY.match(value) if isinstance(value, str) else None
    return found is not None and int(found[1]) <= 12 and int(found[2]) <= 31 and iso_day(value) is None


def _impossible(rollout: Rollout, compared: Comparison, match: Match) -> tuple[str, str] | None:
    """What of an expected call no tool takes: (subject, in words)."""
    name, tool = match.expected.name, rollout.tools.get(match.expected.name)
    if tool is None:
        return _renamed(rollout, compared, match)
    properties = tool.parameters.get("properties")
    if not isinstance(properties, dict):
        return None
    taken = match.call.arguments if match.call is not None else None
    for key, value in match.expected.arguments.items():
        schema = properties.get(key)
        if schema is None:
            if properties and not key.startswith("arg") and taken is not None and key not in taken:
                return argument_subject(name, key), f"{name} takes no {key}; it takes {', '.join(list(properties)[:MAX_OPTIONS])}"
        elif isinstance(schema, dict) and (options := _refused(schema, value)):
            return argument_subject(name, key), f"{name} takes {key} = {options}, and not {shown(value)}"
    return None


def _renamed(rollout: Rollout, compared: Comparison, match: Match) -> tuple[str, str] | None:
    """A tool that is not declared, where another one was called with the expected values instead."""
    if match.expected.by_user or any(made.name == match.expected.name for made in rollout.calls):
        return None
    wanted = _values(match.expected.arguments)
    for made in compared.extra:
        given = _values(made.arguments or {})
        if wanted and (wanted & given).total() >= MOST_VALUES * max(wanted.total(), given.total()):
            return match.expected.name, f"no such tool is declared; {made.name} was given the expected values"
    return None


def _values(arguments: dict[str, Any]) -> Counter[str]:
    return Counter(repr(normal(value)) for _, value in leaves(arguments))


def _refused(schema: dict[str, Any], value: Any) -> str:
    """What a schema takes, where the expected value is nothing of the kind: the values that it lists, an array, a form."""
    options = schema.get("enum")
    if (
        schema.get("type") == "array"
        and isinstance(value, str)
        and _LIST_TEXT.fullmatch(value)
        and not isinstance(opened(value), list)
    ):
        return "an array"
    form = schema.get("pattern")
    if (
        isinstance(form, str)
        and isinstance(value, str)
        and _SIMPLE.fullmatch(form)
        and len(value) <= MAX_FORM
        and not re.search(form, value)
    ):
        return f"a text of the form {form}"
    if not isinstance(options, list) or not options or isinstance(value, dict | list) or value is None:
        return ""
    if any(same(option, value) for option in options):
        return ""
    return " or ".join(shown(option, 30) for option in options[:MAX_OPTIONS]) + (" …" if len(options) > MAX_OPTIONS else "")
