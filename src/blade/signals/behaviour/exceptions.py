"""BI: what the request excepts, given all the same: `all of them except the fineness mark`, and the fineness mark is among them.

Told of a value that the expected call does not have and that the request names only behind words that leave it out.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.signals.calls.sameness import NOT_GIVEN, Difference, same
from blade.signals.example import Example, call
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.cues import cues, may_say
from blade.signals.texts.lists import BULLETS
from blade.signals.wanted.comparison import Match, comparison_of

MIN_VALUE: Final = 3
_EXCEPTS: Final = re.compile(
    r"\b(?:except(?: for)?|excepting|(?:with )?the exception of|but not|apart from|other than|excluding|without|leav(?:e|ing) out|omit(?:ting)?|skip(?:ping)?|save for|minus"
    r"|(?:all|every|each|any|everything|everyone|anything|anyone)(?: of (?:them|these|those))?(?: [\w-]+){0,2} but(?: for)?)\s+((?:[^.;,:\n]|:(?!\s)){3,120})",
    re.IGNORECASE,
)
_CUES: Final = cues(
    "except excepting exception but apart other excluding without leave leaving omit omitting skip skipping save minus"
)
_LISTED: Final = re.compile(rf"^[ \t]*(?:{BULLETS}|\d{{1,3}}[.)]).*$", re.MULTILINE)


@signal(
    "exception_given",
    label="BI",
    needs=("departure", "one_turn"),
    meaning="a value was given that the request excepts by its name",
    causal=False,
    example=Example(
        (call("set_marks", "ok", marks=["office mark", "fineness mark"]),),
        asked="Set all marks of the list, except for the fineness mark.",
        fields={"expected_calls": [{"name": "set_marks", "arguments": {"marks": ["office mark"]}}]},
    ),
)
def exception_given(rollout: Rollout) -> Iterator[Evidence]:
    compared = None if rollout.has_dialogue else comparison_of(rollout)
    excepted = excepted_in(rollout.request) if compared is not None else ""
    for match in compared.counted if compared is not None and excepted else ():
        for differs in match.differences if match.call is not None else ():
            value = differs.actual
            if _wanted(match, differs) or not isinstance(value, str) or len(value) < MIN_VALUE or match.call is None:
                continue
            named = re.compile(rf"(?<!\w){re.escape(value.lower())}(?!\w)")
            if named.search(excepted) and not named.search(_besides(rollout.request)):
                subject = argument_subject(match.call.name, differs.path.partition("[")[0])
                yield Evidence(match.call.step, f"{differs.path}={value}", "the request excepts it", subject)


def _wanted(match: Match, differs: Difference) -> bool:
    """Whether the expected call has something in a value's place; in a list the others move up behind one that is too many."""
    if differs.expected is NOT_GIVEN:
        return False
    listed = match.expected.arguments.get(differs.path.partition("[")[0])
    return not isinstance(listed, list) or any(same(differs.actual, one) for one in listed)


@once_for_repeats
def excepted_in(request: str) -> str:
    """What a request says behind the words that leave something out."""
    read = request[-20_000:]
    return "\n".join([found[1] for found in _EXCEPTS.finditer(read)]).lower() if may_say(read, _CUES) else ""


@once_for_repeats
def _besides(request: str) -> str:
    """What a request says elsewhere, the lists that it gives aside: an exception is one from them."""
    return _LISTED.sub("", _EXCEPTS.sub("", request[-20_000:])).lower()
