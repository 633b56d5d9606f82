"""IR: the last message breaks off within a sentence, after a few words and below any limit, as where a stream is lost on the way.

A model closes its sentences; a limit cuts long outputs, and those that are cut are the longest of a run. What ends after a few lines in the
middle of a word was cut by neither. Many harnesses don't notice: they take what has arrived for the answer.

That a word is unfinished is told by the words themselves: the last one is none that stands elsewhere in the rollout (or among the commonest), and the
beginning of one that does. Words after which no sentence can end tell it too. What may be a whole word is left alone.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from blade.signals.example import Example, says
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal

LONGEST: Final = 1_000
"""Characters of all that the assistant wrote up to which it is no output limit that has cut it: some 250 tokens, and limits in use are larger."""
STATED: Final = 200
"""Characters at the end of a line in which it may state something."""
FEWEST_WORDS: Final = 4
"""Words of the last line from which on it is a sentence, and no bare answer."""
READ: Final = 20_000
_LAST_LINE: Final = re.compile(r"[A-Z\"'“*(][^\n]*\s(\S+)$")
_WORD: Final = re.compile(r"[a-z]+")
FEWEST_COMMON: Final = 2
"""Common words of the line from which on it is English, whose words these are."""
_NO_END: Final = re.compile(r"\b(?:the|an|of|and|or|my|your|their|its|because)\s*$|,\s*$")
"""Words after which no sentence ends; prepositions and `that` may."""
_BEHIND_A_FIGURE: Final = re.compile(r"\d\s*[a-z]+$")
_CLIPPED: Final = frozenset(
    ["min", "sec", "hr", "hrs", "max", "avg", "app", "apps", "doc", "docs", "info", "tech", "demo", "exam", "photo", "phone", "lab", "gym", "math", "stat", "stats", "config", "repo",
     "env", "dev", "admin", "temp", "spec", "ref", "ad", "ads", "auto", "bio", "chat", "intro", "limo", "memo", "pro", "pub", "rep", "tele", "vet", "web", "zoo", "kg", "km", "etc"]
)  # fmt: skip
"""Short words that are whole although longer ones begin with them."""
_SYMBOL: Final = re.compile(
    r"[\d=+*/^<>|$\\]|\b(?:is|be|to|by|of|for|in|at|equals?|option|answer|choice|letter|variable|than|and|or|flag)\s\S$"
)
"""Where a single letter may be a variable, an option or a flag."""
_LISTS: Final = re.compile(r"\s*(?:[-*•#>|]|\d+[.)]|[A-Za-z][.)] )")
_STATES: Final = re.compile(r"[:=]\s*\S[^:=.!?]{0,80}$|\b(?:is|are|was)(?: \S++(?<![.!?])){1,4}$")
"""A line of a list, and one that ends with what it states (`Answer: Paris`, `The answer is Paris`): nothing need close them."""
_COMMON: Final = (
    "about above after again against all also although always among another any anyone anything are around as ask at away back based "
    "be because been before being below best better between both but by call can cannot check come complete confirm could currently "
    "day details did different do does done down each either else enough even every everything exactly far few find first following "
    "for found from further get give given go going good had has have having he help her here him his how however if in information "
    "instead into is it its just know last later least let like look looking made make many may me mean means meant might more most "
    "much must my name need needed never new next no not nothing now number of off on once one only or order other our out over own "
    "part people place please possible provide rather ready really request required result right said same say second see seems "
    "several she should show since so some something sorry still such sure take tell than thank thanks that the their them then there "
    "therefore these they thing things think this those though through time to together too two under until up update updated us use "
    "used using very want was way we well were what when where whether which while who whole will with within without work would yes "
    "yet you your"
)
COMMON: Final = frozenset(_COMMON.split())
"""Words that stand in any prose, of which a fragment is the beginning."""


@signal(
    "message_broken_off",
    label="IR",
    meaning="the last message breaks off in the middle of a word or a phrase, after a few words, and no limit was near: the stream was lost",
    causal=False,
    example=Example(
        (says("Let me first look at the reservation that you have made for the weeke"),), asked="Move my weekend reservation."
    ),
)
def message_broken_off(rollout: Rollout) -> Iterator[Evidence]:
    last = rollout.output[-1] if rollout.output else None
    if last is None or last.kind != "message" or last.role == "user" or rollout.status.cut or not last.text[-1:].islower():
        return
    if _written(rollout) > LONGEST:
        return
    if (why := breaks_off(last.text, lambda: _texts(rollout))) is not None:
        yield Evidence(last.step, f"…{last.text[-100:]}", why)


@signal(
    "message_unclosed",
    label="BI",
    meaning="the last message is a sentence that nothing closes, after a few words; telling only where the messages of the run close theirs",
    causal=False,
    example=Example(
        (says("Here is what I found so far in the records for this request, and what follow"),), asked="Move my booking."
    ),
)
def message_unclosed(rollout: Rollout) -> Iterator[Evidence]:
    last = rollout.output[-1] if rollout.output else None
    if last is None or last.kind != "message" or last.role == "user" or rollout.status.cut or not last.text[-1:].isalpha():
        return
    if _written(rollout) > LONGEST:
        return
    line = last.text.rpartition("\n")[2]
    if len(line.split()) < FEWEST_WORDS or _LISTS.match(line) or _STATES.search(line[-STATED:]):
        return
    yield Evidence(last.step, f"…{last.text[-100:]}")


def _written(rollout: Rollout) -> int:
    """Characters that the assistant wrote."""
    return sum(len(item.text) for item in rollout.output if item.kind in ("message", "reasoning") and item.role != "user")


def _texts(rollout: Rollout) -> Iterator[str]:
    yield rollout.prompt_text[:READ]
    for item in rollout.output[:-1]:
        yield item.text[:READ]


def breaks_off(text: str, others: Callable[[], Iterator[str]]) -> str | None:
    """Why a message is not at its end, held against the other texts of its rollout; None where it may be."""
    line = _LAST_LINE.search(text)
    if line is None or line[0].count(" ") + 1 < FEWEST_WORDS:
        return None
    if sum(word in COMMON for word in _WORD.findall(line[0].lower())) < FEWEST_COMMON:
        return None
    if _NO_END.search(text):
        return f"no sentence ends after {line[1]!r}"
    last = line[1].lower()
    if last in _CLIPPED or _BEHIND_A_FIGURE.search(line[0]):
        return None
    if not _WORD.fullmatch(last) or last in COMMON:
        return None
    if len(last) == 1:
        return None if last in "ai" or _SYMBOL.search(line[0]) else f"{last!r} is no word"
    words = {word for other in (*others(), text[: -len(last)]) for word in _WORD.findall(other.lower())} | COMMON
    if last in words:
        return None
    whole = min((word for word in words if word.startswith(last)), key=lambda word: (len(word), word), default=None)
    return (
        None
        if whole is None or whole in (f"{last}s", f"{last}es", f"{last}d", f"{last}ed", f"{last}ing", f"{last}ly")
        else f"{last!r} is the beginning of {whole!r}"
    )
