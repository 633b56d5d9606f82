"""The right answer in another language than the one asked for (BI), and gold in another than the one asked for (DA).

Which language is asked for, the request says, else the prompt around it; a request that names none wants its own. Only requests in English are judged.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from blade.answers import extract
from blade.answers.languages import LANGUAGES, said_otherwise
from blade.signals.answer_rows import learned_form
from blade.signals.example import Example, says
from blade.signals.layout.texts import plain_text
from blade.signals.repeats import once_for_repeats
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.signal import Evidence, signal
from blade.signals.texts.cues import cues, words_said
from blade.signals.wanted.answer_fields import expected_answer
from blade.signals.wanted.asked import asked_form

MAX_GOLD: Final = 20
_ASKED: Final = re.compile(
    rf"\b(?:in|into|to) ({'|'.join(LANGUAGES)})\b|\b({'|'.join(LANGUAGES)}) (?:word|name|term|only)\b", re.IGNORECASE
)
_ENGLISH: Final = re.compile(r"\b(?:the|of|is|was|which|what|when|please|and|for|to)\b", re.IGNORECASE)
_OF_ENGLISH: Final = cues("the of is was which what when please and for to")
MIN_ENGLISH: Final = 2
"""Common words of English from which on a request is taken to be in it."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
MOST_AROUND: Final = 4
"""Blanks in a line that says little besides the answer."""
OTHERWISE: Final = "english"


@signal(
    "other_language",
    label="BI",
    meaning="the answer says what is expected in another language than the one that was asked for",
    causal=False,
    example=Example((says("Laut Register: Samstag"),), asked="Which weekday was it?", fields={"expected_answer": "Saturday"}),
)
def other_language(rollout: Rollout) -> Iterator[Evidence]:
    told = _told(rollout)
    if told is not None and told.wanted in told.of_gold and rollout.final is not None:
        detail = f"the same as the expected answer, which is {told.wanted.title()}, as was asked for"
        yield Evidence(rollout.final.step, told.word, detail, told.field)


@signal(
    "gold_other_language",
    label="DA",
    meaning="the expected answer is in another language than the one that was asked for, and what was answered says the same in that one",
    causal=False,
    example=Example((says("Per the register: Saturday"),), asked="Which weekday was it?", fields={"expected_answer": "Samstag"}),
)
def gold_other_language(rollout: Rollout) -> Iterator[Evidence]:
    told = _told(rollout)
    if told is not None and told.wanted in told.of_word and rollout.final is not None:
        detail = f"it is {told.wanted.title()}, as was asked for; the gold is {'/'.join(sorted(told.of_gold)).title()}"
        yield Evidence(rollout.final.step, told.word, detail, told.field)


class Told(NamedTuple):
    """A word that says the same as the gold in another language: the field of the gold, the language asked for, and those of both."""

    field: str
    word: str
    wanted: str
    of_gold: frozenset[str]
    of_word: frozenset[str]


@once_for_each
def _told(rollout: Rollout) -> Told | None:
    gold = expected_answer(rollout)
    answer = None if gold is None else plain_text(gold[1])
    if gold is None or answer is None or rollout.final is None or not 0 < len(answer) <= MAX_GOLD:
        return None
    if not _in_english(rollout.request):
        return None
    for word in _stated(rollout):
        if word.casefold() == answer.casefold():
            return None
        spoken = said_otherwise(answer, word)
        if spoken is not None:
            of_gold, of_word = (frozenset(one.lower() for one in languages) for languages in spoken)
            wanted = _wanted(rollout.request) or _wanted(rollout.prompt_text) or OTHERWISE
            return Told(gold[0], word, wanted, of_gold, of_word)
    return None


def _stated(rollout: Rollout) -> list[str]:
    """The words of one that a message gives as its answer: marked, in the form that is asked for, or as all of its last line."""
    assert rollout.final is not None
    form = asked_form(rollout.request) or asked_form(rollout.prompt_text) or learned_form(rollout)
    stated = None if form is None else form.stated(rollout.final.text)
    if stated is not None:
        found = [stated]
    else:
        found = [one.text for one in extract(rollout.final.text) if one.marked or one.how == "last line"]
        found = [text for text in found if text.count(" ") <= MOST_AROUND]
    return [words[-1] for text in found if (words := _WORD.findall(text))]


@once_for_repeats
def _in_english(request: str) -> bool:
    words = words_said(request)
    if words is not None and len(common := _OF_ENGLISH & words) != 1:
        return len(common) >= MIN_ENGLISH  # a single one may come again
    return len(_ENGLISH.findall(request)) >= MIN_ENGLISH


@once_for_repeats
def _wanted(text: str) -> str:
    found = _ASKED.search(text[-20_000:])
    return (found[1] or found[2]).lower() if found is not None else ""
