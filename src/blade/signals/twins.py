"""TI: the expected change made with another tool that does the same.

A verifier that wants one of two tools by name takes the other for wrong. That both do the same has to be said: by the description of one of
them, which names the other, or by a general tool that was given the field and the value which the expected one is named after.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.signals.arguments import leaves
from blade.signals.comparison import MISSING, Comparison, Match, comparison_of
from blade.signals.example import Example, call, tool
from blade.signals.mutation import own_words
from blade.signals.rollout import Call, Rollout
from blade.signals.sameness import normal
from blade.signals.signal import Evidence, signal

_SAME: Final = re.compile(
    r"\b(?:same|equivalent|equals|alias|identical|synonym|interchangeabl[ey]|shorthand|shortcut|short for)\b",
    re.IGNORECASE,
)
_OTHERWISE: Final = re.compile(r"\b(?:not|never|unlike|but|except|instead|no longer)\b|n['’]t\b", re.IGNORECASE)
"""Words with which a sentence may say that two tools are not the same."""
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+")


@signal(
    "equal_tool",
    label="TI",
    meaning="an expected change was made with another tool, which by its description does the same, and with the expected values",
    causal=False,
    example=Example(
        (call("set_field", "ok", booking="B-118", field="guests", value=6),),
        tools=(tool("set_guests", booking="string", guests="integer"), tool("set_field", booking="string", field="string", value="integer")),
        fields={"expected_calls": [{"name": "set_guests", "arguments": {"booking": "B-118", "guests": 6}}]},
    ),
)  # fmt: skip
def equal_tool(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    if compared is None or not compared.executed:
        return
    for match in compared.missing:
        told = next(_twins(rollout, compared, match), None)
        if told is not None:
            made, why = told
            yield Evidence(made.step, made.short, f"{why}; {match.expected.short} is expected", match.expected.name)


def _twins(rollout: Rollout, compared: Comparison, match: Match) -> Iterator[tuple[Call, str]]:
    """Changes with all values of an expected call that was not made, by tools that do the same, and how that is known."""
    wanted = {repr(normal(value)) for _, value in leaves(match.expected.arguments)}
    if match.outcome != MISSING or not wanted:
        return
    for made in compared.extra:
        if made.error is None and wanted <= {repr(normal(value)) for _, value in made.leaves}:
            why = _declared_same(rollout, made.name, match.expected.name) or _by_field(made, match)
            if why:
                yield made, why


def _declared_same(rollout: Rollout, one: str, other: str) -> str:
    for name, twin in ((one, other), (other, one)):
        declared = rollout.tools.get(name)
        for sentence in _SENTENCE.split(declared.description) if declared is not None else ():
            named = re.search(rf"(?<![\w.-]){re.escape(twin)}(?![\w-]|\.\w)", sentence)
            if named is not None and _SAME.search(sentence) and not _OTHERWISE.search(sentence):
                return f"{name} says: {sentence.strip()[:120]}"
    return ""


def _by_field(made: Call, match: Match) -> str:
    """Whether a general tool was told the field that the expected one sets, by its name."""
    given = {str(value).lower() for _, value in made.leaves if isinstance(value, str)}
    named = [key for key in match.expected.arguments if key.lower() in given and key.lower() in own_words(match.expected.name)]
    return f"{made.name} was told to set {named[0]}" if named else ""
