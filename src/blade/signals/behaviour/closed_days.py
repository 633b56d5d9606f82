"""BI: a day on which, by the rules of the prompt, nothing is to be had: `No room is booked on Mondays`, and a Monday was given.

Told where the request names that day and the expected one is one that the rules leave open: it was followed against the rules, which is no rule that
somebody does not know, for it stands in the prompt. A day that was miscounted falls on a closed one by chance.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from blade.answers.languages import WEEKDAYS
from blade.signals.example import Example, call
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, argument_subject, signal
from blade.signals.texts.days import day_in_request, iso_day, plain_day
from blade.signals.texts.origins import shown
from blade.signals.wanted.comparison import WRONG, comparison_of

READ: Final = 20_000
"""Characters of a prompt that are read for its rules."""
LONGEST: Final = 300
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_DAYS: Final = "|".join(WEEKDAYS)
_NAMED: Final = re.compile(rf"\b({_DAYS})s?\b(?:\s*(?:-|–|to|through|till)\s*({_DAYS})s?\b)?|\b(weekend)s?\b", re.IGNORECASE)
_CLOSED: Final = re.compile(
    r"\b(?:no|not|never|none|nothing|nobody|cannot|closed|dark|shut|off|unavailable|(?:every|each) day (?:but|except)|(?:daily|all days|all week),? (?:but|except))\b|n['’]t\b",
    re.IGNORECASE,
)
_OTHERWISE: Final = re.compile(
    r"\b(?:other than|only|until|till|before|after|later|earlier|sooner|unless|if|when|today|tomorrow|yesterday|instead|(?:not?|never) (?:closed|dark|shut|off|unavailable)|(?:sur)?charges?|fees?|costs?|deposits?|discounts?|pay(?:s|ing|ment)?|refund\w*)\b|n['’]t (?:closed|dark|shut|off|unavailable)\b|\b\d{1,2}:\d{2}\b|\b\d{1,2} ?[ap]\.?m\b",
    re.IGNORECASE,
)
"""Words that make something else of a sentence than that a day is closed: a condition, a limit, a time of day, what is to be paid, a second denial."""
_OPEN: Final = re.compile(r"\b(?<!not )(?<!never )(?<!n['’]t )open\b(?! (?:every|each|all|daily))", re.IGNORECASE)
"""A sentence that opens days as well says of each day only what stands beside it."""
_SATURDAY: Final = 5


@signal(
    "closed_day_given",
    label="BI",
    needs=("wrong_argument",),
    meaning="the day of the request was given, on which, as the prompt's rules say, nothing is to be had, where another one is expected",
    causal=False,
    example=Example(
        (call("book_room", "ok", day="2026-11-02"),),
        system="The house is dark on Mondays. A slot that is wanted on one is booked for the day after.",
        asked="A slot on 2 November, please.",
        fields={"expected_calls": [{"name": "book_room", "arguments": {"day": "2026-11-03"}}]},
    ),
)
def closed_day_given(rollout: Rollout) -> Iterator[Evidence]:
    compared = comparison_of(rollout)
    if compared is None:
        return
    closed = None
    for match in compared.counted:
        for differs in match.differences if match.outcome == WRONG and match.call is not None else ():
            given, wanted = (iso_day(plain_day(rollout, value)) for value in (differs.actual, differs.expected))
            if given is None or wanted is None or given == wanted or not day_in_request(rollout, differs.actual):
                continue
            closed = closed_days(_rules(rollout)) if closed is None else closed
            if given.weekday() in closed and wanted.weekday() not in closed and match.call is not None:
                told = f"{shown(differs.actual)} is a {WEEKDAYS[given.weekday()].title()}, and the prompt says: {closed[given.weekday()]}"
                subject = argument_subject(match.call.name, differs.path)
                yield Evidence(match.call.step, f"{differs.path}={shown(differs.actual)}", told, subject)


def _rules(rollout: Rollout) -> str:
    return "\n".join((rollout.instructions, *(item.text for item in rollout.prompt if item.role in ("system", "developer"))))


@once_for_repeats
def closed_days(rules: str) -> dict[int, str]:
    """The weekdays that rules close, each with the sentence that does; a sentence that says more than that closes none."""
    found: dict[int, str] = {}
    for sentence in _SENTENCE.split(rules[:READ]):
        told = _before_colon(sentence)
        if (
            len(told) <= LONGEST
            and _CLOSED.search(told) is not None
            and _OTHERWISE.search(told) is None
            and _OPEN.search(told) is None
        ):
            for named in _NAMED.finditer(told):
                for weekday in _weekdays(named):
                    found.setdefault(weekday, sentence.strip())
    return found


def _before_colon(sentence: str) -> str:
    """What a rule says, without what it goes on with: what is to be done then."""
    named = _NAMED.search(sentence)
    return sentence if named is None else sentence[: named.end()] + sentence[named.end() :].partition(":")[0]


def _weekdays(named: re.Match[str]) -> Iterator[Any]:
    if named[3]:
        yield from (_SATURDAY, _SATURDAY + 1)
        return
    first = WEEKDAYS.index(named[1].lower())
    last = first if named[2] is None else WEEKDAYS.index(named[2].lower())
    yield from ((first + gone) % 7 for gone in range((last - first) % 7 + 1))
