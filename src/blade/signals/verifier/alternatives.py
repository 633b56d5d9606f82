"""TI: gold that takes one of several equal choices. The request leaves a value open ("any free slot"), a tool lists some that differ in nothing
but their numbers, and the rollout takes another one than the task expects.

Both have to hold: a request that leaves nothing open wants a certain record, and records that differ in a word (`taken`, `free`) are no
equal choices.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from blade.signals.calls.answered import answer_data
from blade.signals.example import Example, call, says
from blade.signals.repeats import has_mark, once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.origins import shown
from blade.signals.wanted.comparison import WRONG, comparison_of

MIN_VALUE: Final = 3
MAX_LINES: Final = 2_000
_OPEN: Final = re.compile(
    r"\bany (?:free|available|open|suitable|vacant|one|of)\b|\bany\b(?= \w+(?: \w+){0,2}? (?:will do|is fine|works|that))|\bwhichever\b|\bwhatever\b(?= \w+ (?:is|are))"
    r"|\bone of the\b|\beither\b(?! of which)|\bno matter which\b|\bdoes(?:n['’]t| not) matter which\b|\bof your choice\b|\b(?:you|your) (?:can )?(?:choose|pick|choice)\b"
    r"|\bno preference\b|\bdon['’]t mind which\b|\bany\b (?:\w+ ){1,3}(?:on that|that day|of the day|slot|seat|time|room|date)\b|\bpick (?:one|any)\b|\bchoose any\b",
    re.IGNORECASE,
)
_OPEN_MARKS: Final = ("any", "which", "whatever", "one of the", "either", "choice", "choose", "pick", "no preference")
"""One of these stands in all that leaves something open, and looking for them is quick."""
_NUMBERED: Final = re.compile(r"[\w.:/-]*\d[\w.:/-]*")


@signal(
    "equal_alternative",
    label="TI",
    needs=("wrong_argument",),
    meaning="the request leaves open which of several, and another one was taken that differs from the expected in nothing but its numbers",
    causal=False,
    example=Example(
        (call("list_slots", "S-11 | 09:30 | free\nS-12 | 10:30 | taken\nS-13 | 11:30 | free"), call("book_slot", "ok", slot="S-13"), says("Booked.")),
        asked="Book any free slot today.",
        fields={"expected_calls": [{"name": "book_slot", "arguments": {"slot": "S-11"}}]},
    ),
)  # fmt: skip
def equal_alternative(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    wrong = [match for match in compared.counted if match.outcome == WRONG and match.call is not None] if compared else []
    if not wrong or (open_to := _left_open(rollout.request)) is None:
        return
    for match in wrong:
        assert match.call is not None
        if len(match.differences) != 1:
            continue
        differs = match.differences[0]
        found = _listed_alike(rollout, match.call.position, differs.expected, differs.actual)
        if found is not None:
            detail = f"the request says {' '.join(open_to[0].split())}; {shown(differs.expected)} is expected, and both are listed alike: {found[:120]}"
            yield Evidence(
                match.call.step,
                f"{differs.path}={shown(differs.actual, 150)}",
                detail,
                argument_subject(match.call.name, differs.path),
            )


@once_for_repeats
def _left_open(request: str) -> re.Match[str] | None:
    """Where a request leaves something open; requests come again with every repeat."""
    return _OPEN.search(request) if has_mark(request, _OPEN_MARKS) else None


def _listed_alike(rollout: Rollout, before: int, expected: Any, actual: Any) -> str | None:
    """How a tool lists both values, numbers aside, where it lists them alike."""
    one, other = str(expected).strip(), str(actual).strip()
    if not isinstance(expected, str | int) or not isinstance(actual, str | int) or min(len(one), len(other)) < MIN_VALUE:
        return None
    for item in rollout.output[:before]:
        if item.kind != "tool_output" or one not in item.text or other not in item.text:
            continue
        entries = _entries(item.text)
        first, second = _entry_of(entries, one), _entry_of(entries, other)
        if first is not None and second is not None and first != second and _masked(first) == _masked(second):
            return second
    return None


def _entries(text: str) -> list[str]:
    """What a tool lists: the objects of a JSON list, or the lines."""
    if text.lstrip()[:1] in ("[", "{"):
        value = answer_data(text)
        lists = (
            [value]
            if isinstance(value, list)
            else [v for v in value.values() if isinstance(v, list)]
            if isinstance(value, dict)
            else []
        )
        for entries in lists:
            if entries and all(isinstance(entry, dict) for entry in entries):
                return [msgspec.json.encode(entry).decode() for entry in entries[:MAX_LINES]]
    return text.splitlines()[:MAX_LINES]


def _entry_of(entries: list[str], value: str) -> str | None:
    pattern = re.compile(rf"(?<![\w.-]){re.escape(value)}(?![\w-])")
    holding = [entry for entry in entries if pattern.search(entry)]
    return holding[0] if len(holding) == 1 else None


def _masked(entry: str) -> str:
    return _NUMBERED.sub("#", " ".join(entry.split()).casefold())
