"""KG, in code and terminal work: an interface used in a way in which it cannot be used.

A missing attribute, an argument that a function does not take, an option that a program does not know, a syntax error: the tool works and
what it was asked shows that its interface is not known. Where a test runner, a compiler or an argument parser reports it, it stands in
the middle of the output (`E   AttributeError: …`, `prog: error: unrecognized arguments: …`), which the matcher leaves alone
because the output as a whole is no error; so the lines are looked for here.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from blade.signals.calls import matcher
from blade.signals.example import Example, call
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.signal import Evidence, signal

MIN_REPEATED: Final = 2
"""Outputs with the same class of misuse from which it is a gap in knowledge and not a slip."""
API_CLASSES: Final = ("api_misuse", "syntax_error")
ENDS: Final = 4_000
"""Characters at either end of an output in which it is looked for."""
_LINE: Final = re.compile(
    r"^(?:E {1,8}|FAILED [^\n]{1,200}? - |[ \t]*)"
    r"((?:(?:\w+\.)*[A-Z]\w*Error\b|(?:[\w./+-]+: )?(?:[Ee]rror|fatal)\b|[\w./+-]+: )[^\n]{1,300})$",
    re.MULTILINE,
)
_NAMED: Final = re.compile(r"\w*(?:Error|Exception)\b")
_OPTION: Final = re.compile(r"\b(?:option|flag|switch)s?\b|arguments?:? ['\"]?-", re.IGNORECASE)


class Misuse(NamedTuple):
    step: int
    name: str
    line: str
    what: str


@once_for_each
def misuses(rollout: Rollout) -> tuple[Misuse, ...]:
    """The outputs that report a misused interface, each with the first such line and the call that it answers."""
    return tuple(_misuses(rollout))


def _misuses(rollout: Rollout) -> Iterator[Misuse]:
    calls = {made.output_position: made for made in rollout.calls if made.output_position is not None}
    for position, item in enumerate(rollout.output):
        found = rollout.errors.get(position, ())
        if item.kind != "tool_output" and not found:
            continue
        error = next((error for error in found if error.kind in API_CLASSES and error.decides), None)
        line = error.line if error is not None else _reported(item.text) if item.kind == "tool_output" else ""
        if line:
            made = calls.get(position)
            yield Misuse(item.step, misuse_name(line), line, made.short[:200] if made is not None else "")


def _reported(text: str) -> str:
    read = text if len(text) <= 2 * ENDS else f"{text[:ENDS]}\n{text[-ENDS:]}"
    if text[:1] in "{[" or not _may_report(read):
        return ""
    return next((found[1].strip() for found in _LINE.finditer(read) if matcher.classify(found[1]) in API_CLASSES), "")


def _may_report(read: str) -> bool:
    """Whether a text holds what stands in every such line, which is found quickly; a single sign is found many times as fast as a word."""
    return (
        ("E" in read and "Error" in read)
        or "option" in read
        or "argument" in read
        or "flag" in read
        or "command" in read
        or ("x" in read and "yntax error" in read)
    )


def misuse_name(line: str) -> str:
    """What kind of misuse a line reports: the exception's name, an unknown option, or a syntax error."""
    names = _NAMED.findall(line)
    known = next((name for name in reversed(names) if name not in ("AgentExecutionError", "InterpreterError", "Error")), None)
    return known or ("unknown option" if _OPTION.search(line) else "syntax error")


@signal(
    "api_misused",
    label="KG",
    meaning="an interface was used in a way that it does not offer: an unknown attribute, argument or option, or wrong syntax",
    example=Example((call("bash", "sort: unrecognized option '--by=2'", cmd="sort --by=2 sizes.tsv"),)),
)
def api_misused(rollout: Rollout) -> Iterator[Evidence]:
    told: set[str] = set()
    for step, name, line, what in misuses(rollout):
        if name not in told:
            told.add(name)
            yield Evidence(step, line, what, name)


@signal(
    "api_misuse_repeated",
    label="KG",
    meaning="the same kind of syntax or API error again: the interface is not known",
    example=Example(
        (
            call("python", "AttributeError: 'Frame' object has no attribute 'rows'", code="f.rows"),
            call("python", "AttributeError: 'Frame' object has no attribute 'row'", code="f.row"),
        )
    ),
)
def api_misuse_repeated(rollout: Rollout) -> Iterator[Evidence]:
    met: dict[str, int] = {}
    for step, name, line, _ in misuses(rollout):
        met[name] = met.get(name, 0) + 1
        if met[name] >= MIN_REPEATED:
            yield Evidence(step, line, f"{name}, occurrence {met[name]}", name)
